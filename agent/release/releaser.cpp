// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/releaser.h"

#include "agent/release/will_run.h"
#include "shared/base/random_id.h"
#include "shared/base/text.h"

#include <QLoggingCategory>
#include <QPointer>

namespace lockkeeper::agent::release {

Q_LOGGING_CATEGORY(lcCommands, "lockkeeper.commands")

using base::ErrorCode;
using domain::Outcome;

struct Releaser::ReleaseJob
{
    protocol::ForceRelease request;
    Asker asker;
    std::vector<std::pair<quint64, Done>> waiting; ///< by request id: a double click joins them
    std::optional<LockReading> reading;
    std::optional<EarlyOutcome> verdict;            ///< decided without the store
    bool asks = false;                              ///< the intent awaits approval
    std::optional<domain::Guard> approved;          ///< the requested and approved acquisition
    std::optional<domain::HolderCheck> holderCheck; ///< the latest verdict on the holder
    protocol::ReleaseResult result;
};

namespace {

const base::Error kForeignId{
    ErrorCode::Usage, QStringLiteral("this command id belongs to another lock, or to another user"), {}};

LockReading readingOf(const stores::Inspection &inspection, const SourcePort &port, qint64 monotonicUs)
{
    LockReading reading;
    reading.guard = inspection.guard;
    reading.state = port.stateOf(inspection);
    reading.set = inspection.lock.set;
    reading.present = inspection.lock.present;
    reading.storeUs = inspection.storeUs;
    reading.monotonicUs = monotonicUs;
    reading.link = port.link();
    reading.freeTexts = inspection.freeTexts;
    return reading;
}

/** "10.0.0.1:6379 released, 10.0.0.2:6379 unreachable", for the audit. */
QString nodesText(const QList<domain::NodeOutcome> &nodes)
{
    QStringList parts;
    for (const domain::NodeOutcome &node : nodes)
        parts.append(base::displayText(node.node) + QLatin1Char(' ') +
                     QString::fromLatin1(domain::outcomeName(node.outcome)));
    return parts.join(QStringLiteral(", "));
}

bool isEndOrBeginning(events::EventKind kind)
{
    using events::EventKind;
    return kind == EventKind::Acquired || kind == EventKind::TakenOver || kind == EventKind::Released ||
           kind == EventKind::Expired || kind == EventKind::ForceReleased || kind == EventKind::Lost;
}

/** The digests may differ because a scan after the request may date the beginning differently. The store
 * compares the freshness of the approved reading. */
bool isSameInStore(const domain::Guard &approved, const domain::Guard &read)
{
    return approved.instance == read.instance && approved.identity == read.identity;
}

EarlyOutcome sourceGone(const QString &name)
{
    return {
        Outcome::Refused,
        {ErrorCode::NotFound, QStringLiteral("no source is named \"%1\"").arg(base::displayText(name)), {}}};
}

EarlyOutcome linkDown(const SourcePort &port)
{
    base::Error error = port.state().error;
    if (error.cause.isEmpty())
        error = {ErrorCode::Unreachable, QStringLiteral("the store can't be reached"), {}};
    return {Outcome::Unreachable, error};
}

} // namespace

Releaser::Releaser(SourceDirectory &sources, journal::AuditLog &audit, const base::Clock &clock,
                   QObject *parent)
    : QObject(parent), m_sources(sources), m_audit(audit), m_clock(clock)
{
}

Releaser::~Releaser() = default;

void Releaser::inspect(const protocol::Inspect &request, const Asker &asker, const InspectDone &done,
                       const domain::Sight &sight)
{
    protocol::Inspected answer;
    answer.id = request.id;
    SourcePort *port = sight.sees(request.key.source) ? m_sources.source(request.key.source) : nullptr;
    const auto subject = port && sight.sees(request.key) ? port->subjectFor(request.key) : std::nullopt;
    if (!subject) {
        answer.error =
            port ? base::Error{ErrorCode::NotFound, QStringLiteral("no lock set of this source matches"), {}}
                 : sourceGone(request.key.source).error;
        done(answer);
        return;
    }
    if (port->link() == 0) {
        answer.error = linkDown(*port).error;
        done(answer);
        return;
    }
    QPointer<Releaser> self(this);
    const auto purpose = asker.grants.may(Permission::Release, request.key.source, request.key.name)
                             ? SourcePort::ReadingPurpose::Act
                             : SourcePort::ReadingPurpose::Look;
    port->inspect(
        {purpose, quintptr(asker.tickets.get())}, *subject,
        [self, answer, asker, done, sight, key = request.key](const stores::Inspection &read) mutable {
            SourcePort *p = self ? self->m_sources.source(key.source) : nullptr;
            if (!p || read.error) {
                answer.error = read.error.value_or(sourceGone(key.source).error);
                done(answer);
                return;
            }
            const LockReading reading = readingOf(read, *p, self->m_clock.monotonicUs());
            answer.present = reading.present && (reading.state.phase != domain::Phase::Free ||
                                                 domain::hasTraces(reading.state.nodes));
            if (!answer.present && reading.state.release.why == domain::ReleaseOff::ReadOnly) {
                // The primary may have a lock that its replica doesn't have yet.
                answer.error = errorOf(domain::ReleaseOff::ReadOnly);
                done(answer);
                return;
            }
            answer.state = sight.shown(reading.state);
            answer.storeUs = read.storeUs;
            const stores::LockSet set = p->spec().locks.value(reading.set);
            answer.needsApproval = needsApproval(set.approval, reading, p->lock(key));
            if (!asker.grants.may(Permission::Release, key.source, key.name))
                answer.state.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::NotPermitted};
            if (answer.present) {
                answer.willRun = willRun(reading, set, p->state().store);
                answer.ticket = asker.tickets->keep(reading);
                answer.companions = read.companions;
                if (!sight.seesAllOf(key.source))
                    answer.companions.names.clear();
            }
            done(answer);
        });
}

void Releaser::release(const protocol::ForceRelease &request, const Asker &asker, Done done)
{
    enqueue(request, asker, checkRequest(request), std::move(done));
}

void Releaser::deny(const protocol::ForceRelease &request, const Asker &asker, const base::Error &error,
                    Done done)
{
    enqueue(request, asker, EarlyOutcome{Outcome::Refused, error}, std::move(done));
}

void Releaser::enqueue(const protocol::ForceRelease &request, const Asker &asker,
                       const std::optional<EarlyOutcome> &verdict, Done done)
{
    const auto job = std::make_shared<ReleaseJob>();
    job->request = request;
    job->asker = asker;
    job->result.command = request.command;
    job->result.dryRun = request.dryRun;
    job->waiting.emplace_back(request.id, std::move(done));
    job->verdict = verdict;
    const auto refuse = [this, &job](const QString &why) {
        job->result.outcome = Outcome::Refused;
        job->result.error = {ErrorCode::Usage, why, {}};
        answer(job);
    };
    // In the audit it would look like another kind of entry.
    if (!domain::AuditEntry::isLockScheme(request.key.scheme))
        return refuse(
            QStringLiteral("\"%1\" is not a scheme of locks").arg(QString::fromLatin1(request.key.scheme)));
    if (const auto error = checkCommandId(request.command)) {
        refuseAsAnother(*job, *error);
    } else if (const JobPtr first = request.dryRun ? nullptr : m_inFlight.value(request.command)) {
        if (first->request.key == request.key && first->asker.user() == asker.user()) {
            first->waiting.push_back(std::move(job->waiting.front()));
            return;
        }
        refuseAsAnother(*job, kForeignId);
    }
    if (!request.dryRun)
        m_inFlight.insert(job->request.command, job);
    push(job);
}

/** Audits the attempt under an id that the agent makes. The client's id is invalid, or would show the outcome
 * of another command. */
void Releaser::refuseAsAnother(ReleaseJob &job, const base::Error &why)
{
    job.request.command = base::randomId();
    job.verdict = EarlyOutcome{Outcome::Refused, why};
}

void Releaser::releaseApproved(const Awaiting &awaiting, const QString &approver,
                               const std::optional<base::Error> &refusal, Done done)
{
    const auto job = std::make_shared<ReleaseJob>();
    job->request = awaiting.request;
    job->asker = awaiting.asker;
    job->approved = awaiting.guard;
    job->result.command = awaiting.request.command;
    job->result.auditId = awaiting.auditId;
    job->waiting.emplace_back(awaiting.request.id, std::move(done));
    if (refusal)
        job->verdict = EarlyOutcome{Outcome::Refused, *refusal};
    qCInfo(lcCommands).noquote() << "release" << job->request.command.left(32) << "approved by"
                                 << base::singleLine(approver);
    m_inFlight.insert(job->request.command, job);
    push(job);
}

void Releaser::push(const JobPtr &job)
{
    auto &queue = m_queues[job->request.key.source];
    queue.push_back(job);
    if (queue.size() == 1)
        resolve(job);
}

void Releaser::startNext(const QString &source)
{
    const auto it = m_queues.find(source);
    if (it == m_queues.end())
        return;
    it->pop_front();
    if (it->empty()) {
        m_queues.erase(it);
        return;
    }
    // Go through the event loop: a long row of refusals must not become a deep stack.
    const JobPtr next = it->front();
    QMetaObject::invokeMethod(
        this, [this, next] { resolve(next); }, Qt::QueuedConnection);
}

void Releaser::resolve(const JobPtr &job)
{
    if (job->verdict) {
        conclude(job, *job->verdict);
        return;
    }
    const protocol::ForceRelease &request = job->request;
    SourcePort *port = m_sources.source(request.key.source);
    if (!mayStill(*job)) {
        conclude(
            job,
            {Outcome::Refused,
             {ErrorCode::PermissionDenied,
              QStringLiteral("%1 may no longer release this lock").arg(base::displayText(job->asker.user())),
              {}}});
        return;
    }
    if (!port) {
        conclude(job, sourceGone(request.key.source));
        return;
    }
    if (port->link() == 0) {
        conclude(job, linkDown(*port));
        return;
    }
    if (request.ticket.isEmpty()) {
        readAfresh(job, *port);
        return;
    }
    const auto reading = job->asker.tickets ? job->asker.tickets->find(request.ticket) : std::nullopt;
    if (const auto verdict = checkTicket(reading, request.key, m_clock.monotonicUs(), port->link())) {
        conclude(job, *verdict);
        return;
    }
    job->reading = reading;
    judge(job);
}

/** The job may have waited in the queue while the configuration was reloaded. */
bool Releaser::mayStill(const ReleaseJob &job) const
{
    const domain::LockKey &key = job.request.key;
    return !m_grantsOf || job.asker.grants.role() == Role::Policy ||
           m_grantsOf(job.asker.identity).may(Permission::Release, key.source, key.name);
}

void Releaser::readAfresh(const JobPtr &job, SourcePort &port)
{
    const auto subject = port.subjectFor(job->request.key);
    if (!subject) {
        conclude(job, {Outcome::Refused,
                       {ErrorCode::NotFound, QStringLiteral("no lock set of this source matches"), {}}});
        return;
    }
    QPointer<Releaser> self(this);
    port.inspect({SourcePort::ReadingPurpose::Act}, *subject, [self, job](const stores::Inspection &read) {
        if (!self)
            return;
        SourcePort *p = self->m_sources.source(job->request.key.source);
        if (!p) {
            self->conclude(job, sourceGone(job->request.key.source));
        } else if (read.error) {
            const bool away = base::isTransient(read.error->code);
            self->conclude(job, {away ? Outcome::Unreachable : Outcome::Refused, *read.error});
        } else {
            job->reading = readingOf(read, *p, self->m_clock.monotonicUs());
            self->judge(job);
        }
    });
}

void Releaser::judge(const JobPtr &job)
{
    SourcePort *port = m_sources.source(job->request.key.source);
    if (!port || job->reading->set >= port->spec().locks.size()) {
        conclude(job, sourceGone(job->request.key.source));
        return;
    }
    const stores::LockSet &set = port->spec().locks.at(job->reading->set);
    const bool byPolicy = job->asker.grants.role() == Role::Policy;
    protocol::ForceRelease meant = job->request;
    if (job->approved && isSameInStore(*job->approved, job->reading->guard))
        meant.guard = job->reading->state.guard;
    auto verdict = checkReading(meant, *job->reading, set, port->lock(job->request.key));
    const auto holder = m_holderKnowledge ? m_holderKnowledge(job->request.key, job->reading->state.guard)
                                          : std::optional<HolderKnowledge>();
    if (holder)
        job->holderCheck = holder->check;
    if (!verdict && byPolicy)
        verdict = checkDelay(job->request, *job->reading, set.reaper);
    if (!verdict && byPolicy)
        verdict = checkPolicyClaim(job->request, *job->reading, set.reaper, port->lock(job->request.key),
                                   holder && holder->isFreshlyDead);
    const bool alone = !job->approved && !byPolicy;
    const bool mayBeNoLock =
        !job->reading->present && job->request.ticket.isEmpty() && m_wasSeen && !port->lock(job->request.key);
    if (verdict && verdict->outcome == Outcome::AlreadyFree && mayBeNoLock)
        concludeFree(job, *verdict);
    else if (verdict)
        conclude(job, *verdict);
    else if (alone && needsApproval(set.approval, *job->reading, port->lock(job->request.key)))
        ask(job);
    else if (job->request.dryRun || job->approved)
        send(job);
    else
        begin(job);
}

/** A name with a typo isn't a free lock: only a lock that was seen before can be free. */
void Releaser::concludeFree(const JobPtr &job, const EarlyOutcome &verdict)
{
    const EarlyOutcome unseen{
        Outcome::Refused,
        {ErrorCode::NotFound,
         QStringLiteral(
             "no lock with this name, place and scheme was ever seen here, as far back as the journal goes"),
         {}}};
    m_wasSeen(job->request.key,
              [self = QPointer(this), job, verdict, unseen](const base::Result<bool> &wasSeen) {
                  if (self)
                      self->conclude(job, !wasSeen   ? EarlyOutcome{Outcome::Refused, wasSeen.error()}
                                          : *wasSeen ? verdict
                                                     : unseen);
              });
}

/** Asks for approval: this asker alone may not release the lock. */
void Releaser::ask(const JobPtr &job)
{
    if (const auto verdict = checkRequestable(*job->reading)) {
        conclude(job, *verdict);
    } else if (!m_hasRoom(job->asker.user())) {
        conclude(
            job,
            {Outcome::Refused,
             {ErrorCode::Busy,
              QStringLiteral("too many requests are waiting for approval, or were made within 10 minutes"),
              QStringLiteral("Try again in a few minutes.")}});
    } else if (job->request.dryRun) {
        job->result.outcome = Outcome::AwaitingApproval;
        answer(job);
    } else {
        job->asks = true;
        begin(job);
    }
}

void Releaser::take(const QList<events::LockEvent> &events)
{
    for (const events::LockEvent &event : events) {
        const auto it = m_lost.isEmpty() ? m_lost.end() : m_lost.find(event.key);
        if (it == m_lost.end())
            continue;
        if (event.kind == events::EventKind::ForceReleased && event.command == it->command) {
            const bool proven = !event.detail.mayBeReleased;
            it->fate = proven ? UnansweredRelease::Proven : UnansweredRelease::Probable;
            m_audit.writeOutcome(it->auditId, proven ? Outcome::Released : Outcome::Unknown,
                                 proven ? QStringLiteral("the reply came late")
                                        : QStringLiteral("found released, probably by this command"),
                                 [](const base::Result<void> &) {});
        } else if (isEndOrBeginning(event.kind)) {
            m_lost.erase(it); // that hold ended otherwise, or another hold began
        }
    }
}

/** Explains a free lock by an earlier command whose answer was lost. */
void Releaser::explainFree(ReleaseJob &job) const
{
    const auto it = m_lost.constFind(job.request.key);
    if (job.result.outcome != Outcome::AlreadyFree || it == m_lost.cend())
        return;
    const QString how = it->fate == UnansweredRelease::Proven     ? QStringLiteral("released it")
                        : it->fate == UnansweredRelease::Probable ? QStringLiteral("probably released it")
                                                                  : QStringLiteral("may have released it");
    job.result.error = {ErrorCode::Unknown,
                        QStringLiteral("an earlier request (audit entry %1), whose reply was lost, %2")
                            .arg(it->auditId)
                            .arg(how),
                        {}};
}

void Releaser::conclude(const JobPtr &job, const EarlyOutcome &verdict)
{
    job->verdict = verdict;
    job->result.outcome = verdict.outcome;
    job->result.error = verdict.error;
    explainFree(*job);
    if (job->request.dryRun)
        answer(job);
    else if (job->approved)
        writeOutcome(job); // its intent was the request
    else if (m_refusals.take(intentOf(job->asker, {}, {}, {}, 0), verdict.outcome))
        begin(job);
    else
        answer(job);
}

void Releaser::begin(const JobPtr &job)
{
    domain::AuditEntry intent = intentFor(job->request, job->reading, job->asker, m_clock.wallUs());
    if (job->asks)
        intent.outcome = Outcome::AwaitingApproval;
    QPointer<Releaser> self(this);
    m_audit.writeIntent(intent, [self, job](const base::Result<journal::ReleaseIntent> &result) {
        if (self)
            self->begun(job, result);
    });
}

void Releaser::begun(const JobPtr &job, const base::Result<journal::ReleaseIntent> &intent)
{
    if (!intent) {
        qCWarning(lcCommands).noquote()
            << "release refused: its audit entry couldn't be written:" << intent.error().line();
        job->result.outcome = Outcome::Refused;
        job->result.error = intent.error();
        answer(job);
        return;
    }
    if (intent->recorded) {
        answerRecorded(job, *intent->recorded);
        return;
    }
    job->result.auditId = intent->auditId;
    if (job->asks) {
        Awaiting awaiting{
            job->request,     job->asker, job->reading->guard, job->reading->state.owner, intent->auditId,
            m_clock.wallUs(), 0};
        awaiting.readUs = job->reading->storeUs;
        awaiting.expiresUs = job->reading->state.expiresUs;
        awaiting.endsUs = awaiting.askedUs + kApprovalWithinUs;
        awaiting.asker.tickets.reset();
        awaiting.request.ticket.clear();
        awaiting.request.guard = job->reading->state.guard;
        job->result.outcome = Outcome::AwaitingApproval;
        job->result.endsUs = awaiting.endsUs;
        Q_EMIT awaitsApproval(awaiting);
        answer(job);
        return;
    }
    if (job->verdict)
        writeOutcome(job);
    else
        send(job);
}

void Releaser::send(const JobPtr &job)
{
    SourcePort *port = m_sources.source(job->request.key.source);
    if (!port || port->link() == 0 || port->link() != job->reading->link) {
        const EarlyOutcome verdict = port ? linkDown(*port) : sourceGone(job->request.key.source);
        reported(job, {Outcome::Unreachable, std::nullopt, verdict.error, true});
        return;
    }
    QPointer<Releaser> self(this);
    stores::ReleaseOrder order = orderFor(job->request, *job->reading);
    if (job->approved)
        order.guard =
            *job->approved; // where the deadline counts, it is the deadline at the time of the request
    port->release(order, [self, job](const stores::ReleaseReport &report) {
        if (self)
            self->reported(job, report);
    });
}

void Releaser::reported(const JobPtr &job, const stores::ReleaseReport &report)
{
    job->result.outcome = report.outcome;
    job->result.error = report.error;
    job->result.replicated = report.replicated;
    job->result.storeUs = report.storeUs;
    job->result.nodes = report.nodes;
    explainFree(*job);
    if (job->request.dryRun) {
        answer(job);
        return;
    }
    if (SourcePort *port = m_sources.source(job->request.key.source)) {
        const QByteArray &identity = job->reading->guard.identity;
        if (report.outcome == Outcome::Released || report.underWay)
            port->releasedByCommand(job->request.key, identity, job->request.command);
        else if (report.outcome == Outcome::Unknown)
            port->maybeReleasedByCommand(job->request.key, identity, job->request.command);
        if (report.outcome == Outcome::Unknown)
            m_lost.insert(job->request.key,
                          {job->result.auditId, job->request.command, UnansweredRelease::Open});
        if (const auto subject = port->subjectFor(job->request.key))
            port->readPoint(*subject);
    }
    writeOutcome(job);
}

void Releaser::writeOutcome(const JobPtr &job)
{
    QString detail = job->result.error.line();
    if (!job->result.replicated && detail.isEmpty())
        detail = QStringLiteral("not replicated");
    if (const QString nodes = nodesText(job->result.nodes); !nodes.isEmpty())
        detail = detail.isEmpty() ? nodes : detail + QStringLiteral("; ") + nodes;
    if (job->holderCheck)
        detail += (detail.isEmpty() ? QString() : QStringLiteral("; ")) + livenessText(*job->holderCheck);
    m_audit.writeOutcome(job->result.auditId, job->result.outcome, detail,
                         [self = QPointer(this), job](const base::Result<void> &written) {
                             if (!self)
                                 return;
                             if (!written) {
                                 qCWarning(lcCommands).noquote()
                                     << "the outcome of audit entry" << job->result.auditId
                                     << "waits to be written:" << written.error().line();
                                 if (job->result.error.cause.isEmpty())
                                     job->result.error = written.error();
                             }
                             self->answer(job);
                         });
}

void Releaser::answerRecorded(const JobPtr &job, const domain::AuditEntry &entry)
{
    if (entry.key != job->request.key || entry.who != job->asker.user()) {
        m_inFlight.remove(job->request.command);
        refuseAsAnother(*job, kForeignId);
        m_inFlight.insert(job->request.command, job);
        conclude(job, *job->verdict);
        return;
    }
    job->result.outcome = entry.outcome == Outcome::Pending ? Outcome::Unknown : entry.outcome;
    job->result.error = {ErrorCode::Unknown, entry.detail, {}};
    job->result.auditId = entry.id;
    answer(job);
}

void Releaser::answer(const JobPtr &job)
{
    const bool queued = [&] {
        const auto it = m_queues.constFind(job->request.key.source);
        return it != m_queues.cend() && it->front() == job;
    }();
    if (m_inFlight.value(job->request.command) == job)
        m_inFlight.remove(job->request.command);
    if (!job->request.dryRun)
        ++m_totals[job->result.outcome];
    qCInfo(lcCommands).noquote() << (job->request.dryRun ? "dry run of release" : "release")
                                 << job->request.command.left(32) << "by"
                                 << base::singleLine(job->asker.user()) << "of"
                                 << base::displayText(job->request.key.name) << "in"
                                 << base::displayText(job->request.key.source)
                                 << "ended:" << QString::fromLatin1(domain::outcomeName(job->result.outcome))
                                 << job->result.error.line();
    const auto waiting = std::move(job->waiting);
    if (queued)
        startNext(job->request.key.source);
    for (const auto &[id, done] : waiting) {
        protocol::ReleaseResult result = job->result;
        result.id = id;
        done(result);
    }
}

qsizetype Releaser::pending() const
{
    qsizetype count = 0;
    for (const auto &queue : m_queues)
        count += qsizetype(queue.size());
    return count;
}

} // namespace lockkeeper::agent::release
