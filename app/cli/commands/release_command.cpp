// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/release_command.h"

#include "app/cli/commands/act_command.h"
#include "app/cli/commands/locks_command.h"
#include "app/cli/commands/nodes_text.h"
#include "app/cli/commands/release_choice.h"
#include "app/cli/lock_name.h"
#include "app/cli/tables.h"
#include "app/cli/times.h"
#include "app/records/records.h"
#include "app/words/error_words.h"
#include "app/words/holder_words.h"
#include "app/words/scheme_words.h"
#include "shared/base/java_text.h"
#include "shared/base/nearest.h"
#include "shared/base/random_id.h"
#include "shared/base/text.h"
#include "shared/domain/sighting.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::app::cli {

using namespace records;

using base::ErrorCode;
using domain::Outcome;

namespace {

constexpr quint64 kFind = 1;
constexpr quint64 kRead = 2;
constexpr quint64 kRelease = 3;
constexpr quint64 kRefresh = 4;
constexpr quint64 kSubscribe = 5;
constexpr quint64 kRequests = 6;
constexpr quint64 kRecall = 7;
constexpr quint64 kCompare = 8;
constexpr int kRecalledAtOnce = 1'000;
constexpr qsizetype kMostCompared = 20'000;
constexpr qsizetype kLongestCompared = 256;
constexpr qsizetype kNamesShown = 3;

bool isText(const QString &text, QByteArrayView bytes)
{
    return base::textOf(bytes) == text || base::displayText(bytes) == text;
}

/** … or it is the text within Java's serialisation. */
bool isNamed(const QString &text, QByteArrayView bytes)
{
    return isText(text, bytes) || isText(text, base::withoutJavaHeader(bytes));
}

/** For a holder that is known; many layouts keep none. */
QString ownerOf(const domain::LockState &lock)
{
    return lock.owner.isEmpty() ? tr("not recorded by this scheme") : shownText(lock.owner);
}

} // namespace

QString candidateText(const domain::LockState &lock)
{
    return QStringLiteral("--place '%1' --scheme %2")
        .arg(base::displayText(lock.key.place), base::displayText(lock.key.scheme));
}

QString residueText(const domain::LockState &lock)
{
    if (domain::isConnectionScheme(lock.key.scheme))
        return tr("The program behind the connection isn't stopped. It sees an error, and may connect and "
                  "begin again.");
    return tr(
        "Release does not stop the holder. If it is running, it keeps writing unless the resource checks a "
        "fencing token.");
}

bool isMeant(const domain::LockKey &lock, const ReleaseOptions &options)
{
    return lock.source == options.source && isNamed(options.lock, lock.name) &&
           (options.place.isEmpty() || isText(options.place, lock.place)) &&
           (options.scheme.isEmpty() || isText(options.scheme, lock.scheme));
}

QByteArray globFor(const QString &text)
{
    const QByteArray utf8 = text.toUtf8();
    const qsizetype escape = utf8.indexOf('\\');
    // An escape (\xNN, \u202e) may stand for bytes that a text can't contain: anything from here on.
    return escape < 0 ? base::literalGlob(utf8) : base::literalGlob(utf8.first(escape)) + '*';
}

namespace {

/**
 * One guarded force-release: finds the lock, reads it again, checks that it is the intended acquisition,
 * shows the effect, asks for confirmation, and sends the request with the ticket of that reading. The agent
 * checks the guard again, and so does the store in the operation itself; the check here only avoids a useless
 * request.
 */
class ReleaseCommand final : public Command
{
    Q_OBJECT

public:
    ReleaseCommand(ReleaseOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
    void lost(const base::Error &error) override;

private:
    enum class ReleaseStep : quint8 {
        Finding,
        Refreshing,
        Recalling,
        Comparing,
        Reading,
        Probing,
        Asking,
        ReadingAgain,
        Releasing,
        Naming,
        Awaiting
    };

    void find();
    /** The lock isn't in the agent's table: only a scan after the request can prove that nobody holds it. */
    void refresh();
    /**
     * Checks in the journal whether the lock was ever seen: without a sighting, its absence proves nothing.
     */
    void recall(std::optional<quint64> beforeSeq = {});
    void recalled(const protocol::EventPage &page);
    /** The journal has no event of the lock: a command that found it may be its only trace. */
    void recallCommands(std::optional<qint64> beforeId = {});
    void recalledCommands(const protocol::AuditPage &page);
    void wasSeen();
    /** No lock with this name was ever seen: lists the locks that the user may have meant. */
    void compare();
    void compared(const protocol::SnapshotPage &page);
    void read(ReleaseStep step);
    void inspected(const protocol::Inspected &answer);
    void probe();
    void proceed();
    /** Returns false and ends the command if this isn't the intended acquisition. */
    bool accept(const protocol::Inspected &answer);
    bool acceptAgain(const protocol::Inspected &answer);
    /** The holder, shown if the operator meant somebody else; empty if none is known. */
    QString holderText(const protocol::Inspected &reading) const;
    /** Other locks held under the same name: permits of one semaphore. */
    QString namesakes() const;
    void describe();
    /** Returns false and ends the command if no confirmation could make the release possible. */
    bool mayBeConfirmed();
    void ask();
    void release();
    QString requestText(qint64 id) const;
    void await(const protocol::ReleaseResult &result);
    void follow(const domain::ApprovalRequest &request);
    void conclude(const protocol::ReleaseResult &result);
    void endAs(domain::Outcome outcome, const QString &cause, const QString &remedy = {});

    ReleaseOptions m_options;
    ReleaseStep m_step = ReleaseStep::Finding;
    LiveTable m_table;
    bool m_refreshed = false;        ///< `m_table` was read after a scan requested by this command
    std::optional<qint64> m_shownUs; ///< the deadline in the table, for the guard's acquisition
    QSet<QString> m_names;           ///< of the source's locks, for comparison
    protocol::ReleaseResult m_result;
    domain::LockKey m_key;
    protocol::Inspected m_seen;
    LiveTable m_probed;    ///< has the verdict on the holder
    qint64 m_probedUs = 0; ///< when it was sent, by the agent's clock
};

ReleaseCommand::ReleaseCommand(ReleaseOptions options, Context &context)
    : Command(context), m_options(std::move(options))
{
}

void ReleaseCommand::start()
{
    const bool asks = !m_options.yes && !m_options.dryRun;
    if (asks && !context().prompt) {
        fail({ErrorCode::Usage, tr("standard input isn't a terminal, so the release can't be confirmed"),
              tr("Add --yes to release without being asked, or --dry-run")});
        return;
    }
    Command::start();
}

void ReleaseCommand::connected(const protocol::Welcome &)
{
    send(protocol::LocksQuery{kFind, m_options.source, globFor(m_options.lock)});
}

void ReleaseCommand::received(const protocol::Message &message)
{
    if (const auto *page = std::get_if<protocol::SnapshotPage>(&message)) {
        if (m_step == ReleaseStep::Finding && m_table.add(*page))
            find();
        else if (m_step == ReleaseStep::Comparing)
            compared(*page);
    } else if (const auto *events = std::get_if<protocol::EventPage>(&message)) {
        if (m_step == ReleaseStep::Recalling)
            recalled(*events);
    } else if (const auto *audit = std::get_if<protocol::AuditPage>(&message)) {
        if (m_step == ReleaseStep::Recalling)
            recalledCommands(*audit);
    } else if (std::holds_alternative<protocol::Done>(message)) {
        if (m_step == ReleaseStep::Refreshing) {
            m_step = ReleaseStep::Finding;
            m_table = LiveTable();
            send(protocol::LocksQuery{kFind, m_options.source, globFor(m_options.lock)});
        }
    } else if (const auto *answer = std::get_if<protocol::Inspected>(&message)) {
        inspected(*answer);
    } else if (const auto *checks = std::get_if<protocol::HolderChecksPage>(&message)) {
        m_probed.setChecks(checks->checks);
        m_probedUs = checks->nowUs;
        if (m_step == ReleaseStep::Probing)
            proceed();
    } else if (const auto *result = std::get_if<protocol::ReleaseResult>(&message)) {
        if (m_step == ReleaseStep::Releasing && result->outcome == Outcome::HolderChanged) {
            m_result = *result;
            read(ReleaseStep::Naming);
        } else if (m_step == ReleaseStep::Releasing && result->outcome == Outcome::AwaitingApproval &&
                   m_options.wait && !result->dryRun) {
            await(*result);
        } else if (m_step == ReleaseStep::Releasing) {
            conclude(*result);
        }
    } else if (const auto *news = std::get_if<protocol::ApprovalChanged>(&message)) {
        follow(news->request);
    } else if (const auto *requests = std::get_if<protocol::ApprovalsPage>(&message)) {
        for (const domain::ApprovalRequest &request : requests->requests)
            follow(request);
    }
}

/** Subscribes first, so that a decision made before the list is requested appears in the list. */
void ReleaseCommand::await(const protocol::ReleaseResult &result)
{
    m_step = ReleaseStep::Awaiting;
    m_result = result;
    context().out.note(
        tr("request %1 awaits approval until %2: another person runs 'lockkeeperctl approve %1'")
            .arg(requestText(result.auditId), timeText(result.endsUs)));
    protocol::Subscribe subscribe;
    subscribe.id = kSubscribe;
    subscribe.snapshot = false;
    send(subscribe);
    send(protocol::ApprovalsQuery{kRequests});
}

/** The id as `approve` expects it with several agents. */
QString ReleaseCommand::requestText(qint64 id) const
{
    const QString number = QString::number(id);
    return context().part ? base::displayText(agent()) + QLatin1Char('/') + number : number;
}

void ReleaseCommand::follow(const domain::ApprovalRequest &request)
{
    const bool decided = !request.isOpen() && request.outcome != Outcome::Pending;
    if (m_step != ReleaseStep::Awaiting || request.id != m_result.auditId || !decided)
        return;
    m_result.outcome = request.outcome;
    m_result.endsUs = 0;
    m_result.error = {ErrorCode::Unknown,
                      request.decidedBy.isEmpty()
                          ? request.detail
                          : tr("decided by %1").arg(base::displayText(request.decidedBy)) +
                                (request.detail.isEmpty()
                                     ? QString()
                                     : QStringLiteral("; ") + base::displayText(request.detail)),
                      {}};
    conclude(m_result);
}

void ReleaseCommand::find()
{
    QList<domain::LockState> fitting;
    for (const domain::LockState &lock : m_table.locks()) {
        if (isMeant(lock.key, m_options))
            fitting.append(lock);
    }
    // A name that matches byte for byte has priority over a name that Java's serialisation wraps.
    const auto isExact = [this](const domain::LockState &lock) {
        return isText(m_options.lock, lock.key.name);
    };
    if (std::any_of(fitting.cbegin(), fitting.cend(), isExact))
        fitting.removeIf(std::not_fn(isExact));
    if (fitting.size() > 1) {
        QStringList candidates;
        for (const domain::LockState &lock : fitting)
            candidates.append(candidateText(lock));
        fail({ErrorCode::Ambiguous,
              tr("%n locks are named '%1'")
                  .replace(QLatin1String("%n"), QString::number(fitting.size()))
                  .arg(base::displayText(m_options.lock)),
              tr("Add one of: %1").arg(candidates.join(QStringLiteral(" | ")))});
        return;
    }
    if (!fitting.isEmpty()) {
        m_key = fitting.first().key;
        if (!m_options.guard.isEmpty() && fitting.first().guard == m_options.guard)
            m_shownUs = fitting.first().expiresUs;
        read(ReleaseStep::Reading);
        return;
    }
    QStringList names;
    for (const domain::SourceState &source : m_table.sources())
        names.append(base::displayText(source.name));
    if (!names.isEmpty() && !names.contains(base::displayText(m_options.source))) {
        fail({ErrorCode::Usage,
              tr("the agent watches no source named '%1'").arg(base::displayText(m_options.source)),
              tr("Its sources are: %1").arg(names.join(QStringLiteral(", ")))});
        return;
    }
    if (!m_refreshed) {
        refresh();
        return;
    }
    m_key.source = m_options.source;
    m_key.name = m_options.lock.toUtf8();
    m_key.place = m_options.place.toUtf8();
    m_key.scheme = m_options.scheme.toUtf8();
    recall();
}

void ReleaseCommand::recall(std::optional<quint64> beforeSeq)
{
    m_step = ReleaseStep::Recalling;
    protocol::HistoryQuery query;
    query.id = kRecall;
    query.source = m_options.source;
    query.lockGlob = globFor(m_options.lock);
    query.limit = kRecalledAtOnce;
    query.beforeSeq = beforeSeq;
    query.descending = true;
    send(query);
}

void ReleaseCommand::recalled(const protocol::EventPage &page)
{
    const bool known =
        std::any_of(page.events.cbegin(), page.events.cend(),
                    [this](const events::LockEvent &event) { return isMeant(event.key, m_options); });
    if (known)
        wasSeen();
    else if (const auto goOn = page.goOnFrom())
        recall(goOn);
    else
        recallCommands();
}

void ReleaseCommand::recallCommands(std::optional<qint64> beforeId)
{
    protocol::AuditQuery query;
    query.id = kRecall;
    query.limit = kRecalledAtOnce;
    query.beforeId = beforeId;
    send(query);
}

void ReleaseCommand::recalledCommands(const protocol::AuditPage &page)
{
    const bool known =
        std::any_of(page.entries.cbegin(), page.entries.cend(), [this](const domain::AuditEntry &entry) {
            return entry.isRelease() && isMeant(entry.key, m_options) &&
                   domain::provesSighting(entry.outcome);
        });
    if (known)
        wasSeen();
    else if (page.more && !page.entries.isEmpty())
        recallCommands(page.entries.constLast().id);
    else
        compare();
}

void ReleaseCommand::wasSeen()
{
    const QString others = namesakes();
    endAs(Outcome::AlreadyFree, others.isEmpty() ? tr("no lock of this name exists now") : others);
}

void ReleaseCommand::compare()
{
    m_step = ReleaseStep::Comparing;
    send(protocol::LocksQuery{kCompare, m_options.source, {}});
}

void ReleaseCommand::compared(const protocol::SnapshotPage &page)
{
    for (const domain::LockState &lock : page.locks) {
        const QString name = lockName(lock.key);
        if (name.size() <= kLongestCompared)
            m_names.insert(name);
    }
    if (!page.last && m_names.size() < kMostCompared)
        return;
    QStringList names = m_names.values();
    names.sort();
    const QStringList near = base::nearestNames(m_options.lock, names, kNamesShown);
    const QString others = namesakes();
    const QString seen =
        m_options.place.isEmpty() && m_options.scheme.isEmpty()
            ? tr("no lock of this name was ever seen here: %1 (as far back as the journal reaches)")
            : tr("no lock of this name was ever seen here with that place and scheme: %1 (as far back as the "
                 "journal reaches)");
    const QString cause = seen.arg(base::displayText(m_options.lock));
    fail({ErrorCode::NotFound, others.isEmpty() ? cause : QStringLiteral("%1; %2").arg(cause, others),
          near.isEmpty() ? tr("'lockkeeperctl locks' lists the existing locks")
                         : tr("Did you mean %1?").arg(near.join(QStringLiteral(", ")))});
}

void ReleaseCommand::refresh()
{
    m_refreshed = true;
    m_step = ReleaseStep::Refreshing;
    send(protocol::ReadNow{kRefresh, m_options.source});
}

void ReleaseCommand::read(ReleaseStep step)
{
    m_step = step;
    send(protocol::Inspect{kRead, m_key});
}

void ReleaseCommand::inspected(const protocol::Inspected &answer)
{
    if (m_step == ReleaseStep::Naming) {
        const QString now = answer.error || !answer.present ? QString() : holderText(answer);
        if (!now.isEmpty())
            m_result.error.cause += (m_result.error.cause.isEmpty() ? QString() : QStringLiteral("; ")) + now;
        conclude(m_result);
    } else if (m_step == ReleaseStep::Reading && accept(answer)) {
        m_seen = answer;
        if (m_options.yes || m_options.dryRun || context().json)
            proceed();
        else
            probe();
    } else if (m_step == ReleaseStep::ReadingAgain && accept(answer) && acceptAgain(answer)) {
        m_seen = answer;
        release();
    }
}

/** Asks whether the holder is alive, before the operator decides. */
void ReleaseCommand::probe()
{
    m_step = ReleaseStep::Probing;
    send(protocol::HolderChecksQuery{kRead, m_key});
}

void ReleaseCommand::proceed()
{
    describe();
    if (m_options.yes || m_options.dryRun)
        release();
    else if (mayBeConfirmed())
        ask();
}

bool ReleaseCommand::accept(const protocol::Inspected &answer)
{
    const domain::LockState &state = answer.state;
    if (answer.error) {
        fail(*answer.error);
        return false;
    }
    m_seen.state.key = m_key;
    if (!answer.present) {
        const QString others = namesakes();
        endAs(Outcome::AlreadyFree, others.isEmpty() ? tr("not held") : others);
        return false;
    }
    const bool nobodyIsKnown = state.phase == domain::Phase::Free || state.phase == domain::Phase::Unknown;
    if (nobodyIsKnown && !domain::hasTraces(state.nodes))
        return true; // no holder to compare: the agent decides and gives the reason
    if (!m_options.guard.isEmpty() && state.guard != m_options.guard) {
        const QString cause = state.pinsDeadline ? tr("it was renewed since it was read, or is another "
                                                      "acquisition of the same client: read it again")
                                                 : tr("it is another acquisition than the guard's");
        endAs(Outcome::HolderChanged, QStringLiteral("%1; %2").arg(cause, holderText(answer)));
        return false;
    }
    if (m_options.holder && !(state.ownerKnown && isNamed(*m_options.holder, state.owner))) {
        endAs(Outcome::HolderChanged, holderText(answer));
        return false;
    }
    const domain::TimeUs &meantUs = m_options.expiresUs ? m_options.expiresUs : m_shownUs;
    if (m_options.ifNotRenewed && meantUs && state.expiresUs != meantUs) {
        endAs(Outcome::HolderChanged, tr("it was renewed in the meantime; %1").arg(holderText(answer)));
        return false;
    }
    return true;
}

/**
 * Checks that the state that the operator confirmed still holds: the ticket doesn't cover the time for the
 * confirmation.
 */
bool ReleaseCommand::acceptAgain(const protocol::Inspected &answer)
{
    const bool fresh = m_options.ifNotRenewed || m_options.because != domain::Because::Operator;
    if (answer.state.guard != m_seen.state.guard)
        endAs(Outcome::HolderChanged,
              answer.state.pinsDeadline
                  ? tr("it was renewed while you were asked, or another acquisition took its place")
                  : tr("another acquisition took its place while you were asked"));
    else if (fresh && answer.state.expiresUs != m_seen.state.expiresUs)
        endAs(Outcome::HolderChanged, tr("it was renewed while you were asked"));
    else
        return true;
    return false;
}

QString ReleaseCommand::holderText(const protocol::Inspected &reading) const
{
    const domain::LockState &state = reading.state;
    if (state.phase == domain::Phase::Free)
        return tr("it isn't held now");
    if (state.phase == domain::Phase::Unknown)
        return tr("the data stored under its name now names no holder");
    const QString holder = state.ownerKnown ? ownerOf(state) : QStringLiteral("NULL");
    return state.acquiredUs ? tr("its holder is %1, for %2")
                                  .arg(holder, durationInSentence(reading.storeUs - *state.acquiredUs))
                            : tr("its holder is %1").arg(holder);
}

QString ReleaseCommand::namesakes() const
{
    QStringList others;
    for (const domain::LockState &lock : m_table.locks()) {
        if (lock.isHeld() && lock.key != m_key && lock.key.source == m_key.source &&
            isNamed(m_options.lock, lock.key.name))
            others.append(QStringLiteral("%1 (%2)").arg(ownerOf(lock), base::displayText(lock.key.place)));
    }
    return others.isEmpty()
               ? QString()
               : tr("this one isn't held; under the same name: %1").arg(others.join(QStringLiteral(", ")));
}

void ReleaseCommand::describe()
{
    const domain::LockState &state = m_seen.state;
    const SourceView view{{}, m_seen.storeUs, false};
    const qint64 now = m_seen.storeUs;
    const domain::Liveness liveness = domain::liveness(state, now);
    QStringList lines;
    const auto fact = [&lines](const QString &name, const QString &value) {
        lines.append(name + QString(std::max(1, 12 - displayWidth(name)), QLatin1Char(' ')) + value);
    };
    fact(tr("Lock"), lockName(state.key));
    fact(tr("Source"), QStringLiteral("%1 · %2 · %3")
                           .arg(base::displayText(state.key.source), base::displayText(state.key.scheme),
                                base::displayText(state.key.place)));
    fact(tr("State"), conditionText(conditionOf(state, view)));
    fact(tr("Holder"), state.ownerKnown                        ? ownerOf(state)
                       : state.phase == domain::Phase::Unknown ? tr("unknown")
                                                               : QStringLiteral("NULL"));
    const QString held = heldText(state, now);
    fact(tr("Held for"), state.acquiredBy == domain::Evidence::FirstSeen
                             ? QStringLiteral("≥ ") + held
                             : QStringLiteral("%1 (±: %2)").arg(held, heldWindowText(state)));
    fact(tr("Remaining"), state.isHeld() && state.expiry == domain::ExpiryKind::None
                              ? tr("no-expiry")
                              : remainingText(state, now));
    fact(tr("Alive"), liveness.sinceRenewalUs
                          ? tr("last renewal seen %1 ago").arg(durationInSentence(*liveness.sinceRenewalUs))
                          : tr("unknown"));
    if (const domain::HolderCheck *check = m_probed.checkOf(state);
        check && words::HolderWords::hasAnswer(*check))
        fact(tr("Its holder"), words::HolderWords::line(*check, m_probedUs - check->checkedUs));
    fact(tr("Waiters"),
         state.waiterCount() ? QString::number(*state.waiterCount()) : tr("not shown by this scheme"));
    if (m_seen.companions.count > 0)
        fact(tr("Its lease"), words::SchemeWords::companions(m_seen.companions));
    if (!state.nodes.isEmpty())
        fact(tr("Nodes"), nodesText(state));
    if (state.release.possible() || state.release.why == domain::ReleaseOff::None) {
        fact(tr("Guard"), base::displayText(state.guard));
        fact(tr("Will run"), base::displayText(m_seen.willRun));
    }
    if (m_seen.needsApproval)
        fact(tr("Approval"), tr("a second person must approve within 5 minutes"));
    lines.append(QString());
    lines.append(residueText(state));
    const QString text = lines.join(QLatin1Char('\n'));
    if (!context().json)
        context().out.text(text + QLatin1Char('\n'));
}

bool ReleaseCommand::mayBeConfirmed()
{
    const domain::ReleaseCapability &can = m_seen.state.release;
    if (can.possible() || can.why == domain::ReleaseOff::None)
        return true;
    if (can.why == domain::ReleaseOff::NoIdentity)
        endAs(Outcome::Refused,
              tr("nothing stored distinguishes this hold from the next one, so no release can be guarded"),
              tr("break = \"unsafe\" in its lock set would allow it, by name or plain value alone, even if "
                 "another client has acquired it since"));
    else
        release(); // the agent rejects it with its reason, and audits that
    return false;
}

void ReleaseCommand::ask()
{
    m_step = ReleaseStep::Asking;
    if (context().json)
        context().out.note(residueText(m_seen.state));
    context().out.note(tr("type 'yes' to force-release lock %1").arg(lockName(m_key)));
    context().prompt([this](const QString &answer) {
        if (m_step != ReleaseStep::Asking)
            return;
        if (answer.trimmed() == QLatin1String("yes"))
            read(ReleaseStep::ReadingAgain);
        else
            fail({ErrorCode::Cancelled, tr("not confirmed, nothing was done"), {}});
    });
}

void ReleaseCommand::release()
{
    m_step = ReleaseStep::Releasing;
    protocol::ForceRelease request;
    request.id = kRelease;
    request.command = base::randomId();
    request.key = m_key;
    request.ticket = m_seen.ticket;
    request.guard = m_seen.state.guard;
    if (m_options.holder)
        request.holder = m_seen.state.owner;
    request.because = m_options.because;
    request.ifNotRenewed = m_options.ifNotRenewed;
    request.reason = m_options.reason;
    request.dryRun = m_options.dryRun;
    send(request);
}

void ReleaseCommand::endAs(Outcome outcome, const QString &cause, const QString &remedy)
{
    protocol::ReleaseResult result;
    result.outcome = outcome;
    result.dryRun = m_options.dryRun;
    result.error = {ErrorCode::Unknown, cause, remedy};
    m_seen.state.key = m_key;
    conclude(result);
}

void ReleaseCommand::conclude(const protocol::ReleaseResult &result)
{
    const Exit status = exitOf(result);
    context().out.done(int(status));
    if (context().json) {
        QJsonObject object = releaseObject(result, m_seen.state, m_seen.willRun);
        QJsonArray names;
        for (const QByteArray &name : m_seen.companions.names)
            names.append(base::textOf(name));
        object.insert(QStringLiteral("companions"), m_seen.companions.count);
        object.insert(QStringLiteral("companion_names"), names);
        if (context().part)
            object.insert(QStringLiteral("agent"), agent());
        context().out.write(jsonLine(object));
    }
    const QString name = lockName(m_key);
    QString text;
    switch (result.outcome) {
    case Outcome::Released:
        if (result.dryRun)
            text = tr("Would be released: %1. Nothing was written.").arg(name);
        else if (result.replicated)
            text = tr("Released: %1.").arg(name) +
                   (result.error.cause.isEmpty() ? QString()
                                                 : QLatin1Char('\n') + words::ErrorWords::line(result.error));
        else
            text = tr("Released: %1. Not replicated: a failover of the store may bring it back.").arg(name);
        break;
    case Outcome::HolderChanged:
        text = tr("holder changed, nothing was done: %1").arg(name);
        break;
    case Outcome::AlreadyFree:
        text = tr("already free: %1").arg(name);
        break;
    case Outcome::Unreachable:
        text = tr("the store can't be reached, nothing was done: %1").arg(name);
        break;
    case Outcome::Unknown:
    case Outcome::Pending:
        text = tr("outcome unknown: %1. It won't be repeated; check the lock and 'lockkeeperctl audit'")
                   .arg(name);
        break;
    case Outcome::AwaitingApproval:
        text = result.dryRun
                   ? tr("a release would await a second person's approval: %1. Nothing was written").arg(name)
                   : tr("awaiting approval, nothing was done yet: %1. Another person must run 'lockkeeperctl "
                        "approve %2' "
                        "within 5 minutes; 'lockkeeperctl approvals' lists it")
                         .arg(name, requestText(result.auditId));
        break;
    case Outcome::Rejected:
        text = tr("rejected, nothing was done: %1").arg(name);
        break;
    case Outcome::Ended:
        text = tr("the request ended without a decision, nothing was done: %1").arg(name);
        break;
    case Outcome::Refused:
        text = tr("refused: %1").arg(name);
        break;
    case Outcome::WouldRelease: // in the audit only
    case Outcome::Probed:
    case Outcome::LoggedIn:
    case Outcome::Discovered:
    case Outcome::Accepted:
        break;
    case Outcome::Partial:
        text = tr("released on some nodes only, and too few: %1").arg(name);
        break;
    }
    const QString cause = words::ErrorWords::line(result.error).trimmed();
    if (!context().json && !result.nodes.isEmpty())
        context().out.text(nodeOutcomesText(result.nodes));
    if (status != Exit::Done)
        context().out.note(cause.isEmpty() ? text : text + QStringLiteral(": ") + cause);
    else if (!context().json)
        context().out.text(text + QLatin1Char('\n'));
    finish(status);
}

void ReleaseCommand::lost(const base::Error &error)
{
    if (m_step == ReleaseStep::Naming)
        conclude(m_result);
    else if (m_step == ReleaseStep::Awaiting) // it continues without this command
        endAs(Outcome::Unknown, tr("request %1 may still be decided; %2")
                                    .arg(requestText(m_result.auditId), words::ErrorWords::line(error)));
    else if (m_step == ReleaseStep::Releasing && !m_options.dryRun)
        endAs(Outcome::Unknown, words::ErrorWords::line(error));
    else
        fail(error);
}

/** Asks for the locks that the name may mean. */
class FindSpec final : public CommandSpec
{
public:
    explicit FindSpec(const QString &lock) { m_options.nameGlob = globFor(lock); }
    Summary summary() const override { return {"", {}, "", ""}; }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return makeLocksCommand(m_options, context);
    }

private:
    LocksOptions m_options;
};

class ReleaseSpec final : public ActSpec, public WithOptions<ReleaseOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"release", tr("guarded force-release; prints the outcome"),
                "release orders-redis lock:a --guard 5f0c91d2 --reason 'its pod was killed' --dry-run",
                "release orders-db job:42 --holder billing-7 --because stuck --reason 'hangs since 02:00'"};
    }
    void declare(Arguments &arguments) override;
    void check(Arguments &arguments) override;

    QString target() const override { return options.source; }
    std::unique_ptr<CommandSpec> question() const override
    {
        return std::make_unique<FindSpec>(options.lock);
    }
    Choice choose(const FanOut &agents) const override;
    std::unique_ptr<Command> makeAt(Context &context, const QString &source) const override
    {
        ReleaseOptions there = options;
        there.source = source;
        return std::make_unique<ReleaseCommand>(there, context);
    }
};

void ReleaseSpec::declare(Arguments &arguments)
{
    ReleaseOptions &o = options;
    arguments.text("SOURCE", o.source, help("the lock's source"))->required();
    arguments.text("LOCK", o.lock, help("the lock's name as 'locks' shows it"))->required();
    arguments.text("--place", o.place, help("the lock's place in the source, if the name is ambiguous"));
    arguments.text("--scheme", o.scheme, help("the lock's scheme, if the name is ambiguous"));
    arguments.text("--holder", o.holder, help("release only what this owner holds"));
    arguments.bytes("--guard", o.guard, help("release only this acquisition ('guard' of 'locks --json')"));
    arguments.text("--reason", o.reason, help("the reason, for the audit"))->required();
    static const std::vector<std::string> kCauses{"operator", "expired", "stuck"};
    arguments.choice(
        "--because", kCauses,
        [&o](std::size_t cause) {
            o.because = domain::becauseFromName(QByteArrayView(kCauses.at(cause))).value_or(o.because);
        },
        help("the claim to check; expired and stuck also require that it wasn't renewed"));
    arguments.flag("--if-not-renewed", o.ifNotRenewed,
                   help("only if it wasn't renewed since the agent showed the guard's acquisition"));
    arguments
        .number("--expires-us", o.expiresUs,
                help("with --if-not-renewed: the expires_us shown beside the guard in locks --json"))
        ->needs("--if-not-renewed");
    arguments.flag("--dry-run", o.dryRun, help("check everything, write nothing"));
    arguments.yes(o.yes);
    arguments.flag("--wait", o.wait,
                   help("if a second person must approve: wait for the decision and the outcome"));
}

void ReleaseSpec::check(Arguments &arguments)
{
    options.guard = options.guard.trimmed().toLower();
    const bool isHex = std::all_of(options.guard.cbegin(), options.guard.cend(),
                                   [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    if (!options.holder && options.guard.isEmpty())
        arguments.blame("release", tr("--guard or --holder is required"),
                        tr("Copy the guard from 'lockkeeperctl locks --json'"));
    else if (!isHex)
        arguments.blame("--guard", tr("a guard is hexadecimal digits"),
                        tr("Copy it from 'locks --json'; where it is null, nothing stored identifies the "
                           "acquisition, and only --holder can name it"));
    else if (options.reason.trimmed().isEmpty())
        arguments.blame("--reason", tr("the reason is empty"), tr("Enter a reason for the audit"));
}

ActSpec::Choice ReleaseSpec::choose(const FanOut &all) const
{
    QList<const LiveTable *> tables;
    QList<qsizetype> agents;
    QStringList sources;
    for (qsizetype i = 0; i < all.count(); ++i) {
        if (!all.hasAnswered(i))
            continue;
        agents.append(i);
        tables.append(&all.part(i).locks);
        for (const domain::SourceState &source : all.part(i).locks.sources())
            sources.append(pathTo(all, i, source.name));
    }
    const ReleaseChoice choice = chooseForRelease(tables, options);
    if (choice.agent)
        return {agents.at(*choice.agent), {}, {}};
    if (choice.candidates.isEmpty())
        return noSource(options.source, sources);
    QStringList candidates;
    for (const ReleaseChoice::ReleaseCandidate &one : choice.candidates) {
        const QString path = pathTo(all, agents.at(one.agent), options.source);
        candidates.append(one.lock ? path + QLatin1Char(' ') + candidateText(*one.lock) : path);
    }
    return {{},
            tr("'%1' in '%2' may be another lock at each agent")
                .arg(base::displayText(options.lock), base::displayText(options.source)),
            oneOf(candidates)};
}

} // namespace

std::unique_ptr<CommandSpec> releaseCommand()
{
    return std::make_unique<ReleaseSpec>();
}

} // namespace lockkeeper::app::cli

#include "release_command.moc"
