// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/approvals.h"

#include "shared/base/random_id.h"
#include "shared/base/text.h"

#include <QPointer>

#include <algorithm>

namespace lockkeeper::agent::release {

using base::ErrorCode;
using domain::Outcome;
using State = domain::ApprovalRequest::ApprovalState;

namespace {

constexpr qint64 kRememberedUs = 600'000'000;
constexpr size_t kMostRequests = 1'000;
constexpr qsizetype kLongestWord = 1'000;

base::Error denied(const QString &cause, const QString &remedy = {})
{
    return {ErrorCode::PermissionDenied, cause, remedy};
}

QString whatBecame(const domain::ApprovalRequest &request)
{
    switch (request.state) {
    case State::Open:
        return QStringLiteral("is open");
    case State::Approved:
        return QStringLiteral("was approved by %1 already").arg(base::displayText(request.decidedBy));
    case State::Rejected:
        return QStringLiteral("was rejected by %1 already").arg(base::displayText(request.decidedBy));
    case State::Ended:
        return QStringLiteral("has ended: %1").arg(base::displayText(request.detail));
    }
    return {};
}

} // namespace

Approvals::Approvals(Releaser &releaser, journal::AuditLog &audit, const base::Clock &clock,
                     GrantsOf grantsOf, QObject *parent)
    : QObject(parent), m_releaser(releaser), m_audit(audit), m_clock(clock), m_grantsOf(std::move(grantsOf))
{
    connect(&releaser, &Releaser::awaitsApproval, this, &Approvals::add);
    // A user's ended requests count while they are remembered: a client that asks and withdraws again and
    // again would fill the audit.
    releaser.setRoomForRequests([self = QPointer(this)](const QString &user) {
        return self && std::count_if(self->m_entries.cbegin(), self->m_entries.cend(), [&](const auto &item) {
                           return item.second.request.isOpen() || item.second.request.who == user;
                       }) < qsizetype(kMostRequests);
    });
}

void Approvals::add(const Releaser::Awaiting &awaiting)
{
    const protocol::ForceRelease &order = awaiting.request;
    PendingApproval entry;
    entry.awaiting = awaiting;
    entry.untilUs = m_clock.monotonicUs() + Releaser::kApprovalWithinUs;
    entry.request.id = awaiting.auditId;
    entry.request.key = order.key;
    entry.request.who = awaiting.asker.user();
    entry.request.reason = order.reason;
    entry.request.because = order.because;
    entry.request.ifNotRenewed = order.ifNotRenewed;
    entry.request.holder = awaiting.holder;
    entry.request.guard = order.guard;
    entry.request.command = order.command;
    entry.request.askedUs = awaiting.askedUs;
    entry.request.endsUs = awaiting.endsUs;
    const domain::ApprovalRequest request = entry.request;
    m_entries.insert_or_assign(request.id, std::move(entry));
    Q_EMIT changed(request);
}

QList<domain::ApprovalRequest> Approvals::list() const
{
    QList<domain::ApprovalRequest> requests;
    for (const auto &[id, entry] : m_entries)
        requests.append(entry.request);
    return requests;
}

bool Approvals::isSeen(const PendingApproval &entry, const Asker &asker)
{
    const domain::LockKey &key = entry.request.key;
    return asker.grants.looksEverywhere() || asker.grants.may(Permission::Observe, key.source, key.name);
}

bool Approvals::mayStillAsk(const PendingApproval &entry) const
{
    const domain::LockKey &key = entry.request.key;
    return m_grantsOf(entry.awaiting.asker.identity).may(Permission::Release, key.source, key.name);
}

std::optional<base::Error> Approvals::roleRefusal(const PendingApproval &entry, const Asker &approver) const
{
    const domain::LockKey &key = entry.request.key;
    if (!m_grantsOf(approver.identity).may(Permission::Approve, key.source, key.name))
        return denied(QStringLiteral("the role %1 doesn't allow this")
                          .arg(domain::roleName(approver.grants.roleAt(key.source, key.name))),
                      QStringLiteral("lockkeeperctl whoami shows its scope."));
    return std::nullopt;
}

std::optional<base::Error> Approvals::refusalOf(const protocol::Decision &decision, const Asker &asker) const
{
    const auto it = m_entries.find(decision.request);
    if (it == m_entries.cend() || !isSeen(it->second, asker)) {
        if (!asker.grants.mayAnywhere(Permission::Approve))
            return denied(
                QStringLiteral("the role %1 doesn't allow this").arg(domain::roleName(asker.grants.role())));
        return base::Error{ErrorCode::NotFound,
                           QStringLiteral("no request has the number %1").arg(decision.request),
                           QStringLiteral("lockkeeperctl approvals lists them.")};
    }
    const PendingApproval &entry = it->second;
    // Compare only the name: the same person may have logged in by another way.
    const bool own = asker.user() == entry.request.who;
    if (own && decision.approve)
        return denied(QStringLiteral("you can't approve your own request"),
                      QStringLiteral("Ask another approver."));
    if (!own) {
        if (const auto error = roleRefusal(entry, asker))
            return error;
    }
    if (!entry.request.isOpen())
        return base::Error{
            ErrorCode::Usage,
            QStringLiteral("request %1 %2").arg(entry.request.id).arg(whatBecame(entry.request)),
            {}};
    if (entry.deciding)
        return base::Error{ErrorCode::Busy,
                           QStringLiteral("another approver is deciding request %1").arg(entry.request.id),
                           {}};
    if (m_clock.monotonicUs() >= entry.untilUs)
        return base::Error{
            ErrorCode::Usage, QStringLiteral("request %1 expired after 5 minutes").arg(entry.request.id), {}};
    if (decision.approve && !mayStillAsk(entry))
        return denied(QStringLiteral("the requester %1 may no longer release this lock")
                          .arg(base::displayText(entry.request.who)));
    return std::nullopt;
}

void Approvals::decide(const protocol::Decision &decision, const Asker &asker, Done done)
{
    if (const auto error = refusalOf(decision, asker)) {
        deny(decision, asker, *error, done);
        return;
    }
    const auto answer = [id = decision.id, done = std::move(done)](protocol::ReleaseResult result) {
        result.id = id;
        done(result);
    };
    PendingApproval &entry = m_entries.at(decision.request);
    entry.deciding = true;
    const bool withdrawn = !decision.approve && asker.user() == entry.request.who;
    const QString word =
        withdrawn ? QStringLiteral("withdrawn by the requester") : decision.reason.left(kLongestWord);
    m_audit.writeDecision(entry.request.id, asker.user(),
                          decision.approve ? Outcome::Pending : Outcome::Rejected, word,
                          [self = QPointer(this), id = entry.request.id, decision, asker, answer,
                           word](const base::Result<void> &written) {
                              if (!self)
                                  return;
                              const auto it = self->m_entries.find(id);
                              it->second.deciding = false;
                              if (!written) {
                                  protocol::ReleaseResult result; // no audit, no decision
                                  result.command = it->second.request.command;
                                  result.outcome = Outcome::Refused;
                                  result.error = written.error();
                                  result.auditId = id;
                                  answer(result);
                                  return;
                              }
                              it->second.request.detail = word;
                              self->decided(id, decision, asker, answer);
                          });
}

void Approvals::decided(qint64 id, const protocol::Decision &decision, const Asker &asker, const Done &done)
{
    PendingApproval &entry = m_entries.at(id);
    entry.request.state = decision.approve ? State::Approved : State::Rejected;
    entry.request.decidedBy = asker.user();
    entry.request.outcome = decision.approve ? Outcome::Pending : Outcome::Rejected;
    close(entry);
    if (!decision.approve) {
        protocol::ReleaseResult result;
        result.command = entry.request.command;
        result.outcome = Outcome::Rejected;
        result.auditId = id;
        m_audit.writeOutcome(id, Outcome::Rejected, entry.request.detail,
                             [done, result](const base::Result<void> &) { done(result); });
        return;
    }
    // Either user may have lost the role while the decision was written.
    std::optional<base::Error> refusal = roleRefusal(entry, asker);
    if (!refusal && !mayStillAsk(entry))
        refusal = denied(QStringLiteral("the requester %1 may no longer release this lock")
                             .arg(base::displayText(entry.request.who)));
    m_releaser.releaseApproved(entry.awaiting, asker.user(), refusal,
                               [self = QPointer(this), id, done](const protocol::ReleaseResult &result) {
                                   if (self && self->m_entries.contains(id)) {
                                       PendingApproval &released = self->m_entries.at(id);
                                       released.request.outcome = result.outcome;
                                       released.request.detail = result.error.line();
                                       self->close(released);
                                   }
                                   done(result);
                               });
}

/** Remembers the request for a while, so that a late approver learns how it ended. */
void Approvals::close(PendingApproval &entry)
{
    entry.untilUs = m_clock.monotonicUs() + kRememberedUs;
    Q_EMIT changed(domain::ApprovalRequest(entry.request));
}

void Approvals::deny(const protocol::Decision &decision, const Asker &asker, const base::Error &error,
                     const Done &done)
{
    protocol::ReleaseResult result;
    result.id = decision.id;
    result.outcome = Outcome::Refused;
    result.error = error;
    if (!m_releaser.refusals().take(intentOf(asker, {}, {}, {}, 0), Outcome::Refused)) {
        done(result);
        return;
    }
    const QString what = decision.approve ? QStringLiteral("approve request %1").arg(decision.request)
                                          : QStringLiteral("reject request %1").arg(decision.request);
    domain::AuditEntry entry = intentOf(asker, {}, what, base::randomId(), m_clock.wallUs());
    if (const auto it = m_entries.find(decision.request); it != m_entries.cend()) {
        const domain::ApprovalRequest &request = it->second.request;
        if (isSeen(it->second, asker))
            result.command = request.command;
        entry.key = request.key;
        entry.holder = request.holder;
        entry.guard = request.guard;
        entry.role = domain::roleName(asker.grants.roleAt(request.key.source, request.key.name));
    }
    m_releaser.refusals().write(entry, Outcome::Refused, error.line(), [result, done](qint64 id) mutable {
        result.auditId = id;
        done(result);
    });
}

void Approvals::end(PendingApproval &entry, const QString &why)
{
    entry.request.state = State::Ended;
    entry.request.outcome = Outcome::Ended;
    entry.request.detail = why;
    m_audit.writeOutcome(entry.request.id, Outcome::Ended, why, [](const base::Result<void> &) {});
    close(entry);
}

void Approvals::step()
{
    const qint64 now = m_clock.monotonicUs();
    for (auto it = m_entries.begin(); it != m_entries.end();) {
        PendingApproval &entry = it->second;
        if (now < entry.untilUs || entry.deciding) {
            ++it;
        } else if (entry.request.isOpen()) {
            end(entry, QStringLiteral("not decided within 5 minutes"));
            ++it;
        } else {
            it = m_entries.erase(it);
        }
    }
}

void Approvals::policyChanged()
{
    for (auto &[id, entry] : m_entries) {
        if (entry.request.isOpen() && !entry.deciding && !mayStillAsk(entry))
            end(entry, QStringLiteral("the requester may no longer release this lock"));
    }
}

void Approvals::take(const QList<events::LockEvent> &events)
{
    for (auto &[id, entry] : m_entries) {
        if (!entry.request.isOpen() || entry.deciding)
            continue;
        for (const events::LockEvent &event : events) {
            if (!endsIt(event, entry))
                continue;
            end(entry, QStringLiteral("the lock changed: %1")
                           .arg(QString::fromLatin1(events::kindName(event.kind))));
            break;
        }
    }
}

/** Whether the event reports the beginning of the acquisition that was read: a scan after the reading may be
 * the first to show it. */
bool Approvals::isItsBeginning(const events::LockEvent &event, const PendingApproval &entry)
{
    if (event.kind != events::EventKind::Acquired || !event.after)
        return false;
    const bool mayBe = event.after->acquiredBy == domain::Evidence::FirstSeen ||
                       event.timeUs - event.windowUs <= entry.awaiting.readUs;
    return mayBe && event.owner == entry.request.holder && event.after->expiresUs == entry.awaiting.expiresUs;
}

/** Whether the event ends the acquisition of the request. An event reaches the agent later than a reading, so
 * an event ends nothing if it is dated before the reading, or reports that acquisition's beginning. */
bool Approvals::endsIt(const events::LockEvent &event, const PendingApproval &entry)
{
    using events::EventKind;
    if (event.isSourceEvent() || event.key != entry.request.key || event.timeUs <= entry.awaiting.readUs ||
        isItsBeginning(event, entry))
        return false;
    switch (event.kind) {
    case EventKind::WaitStart:
    case EventKind::WaitEnd:
        return false;
    case EventKind::Released:
    case EventKind::Expired:
    case EventKind::ForceReleased:
    case EventKind::Lost:
        return event.owner == entry.request.holder &&
               !(event.after && event.after->guard == entry.request.guard);
    case EventKind::Changed:
        return !event.after || event.after->guard != entry.request.guard;
    default:
        return event.after && event.after->guard != entry.request.guard;
    }
}

} // namespace lockkeeper::agent::release
