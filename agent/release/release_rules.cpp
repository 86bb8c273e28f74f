// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/release_rules.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::agent::release {

namespace {

using base::ErrorCode;
using domain::Because;
using domain::Outcome;
using domain::ReleaseOff;

constexpr qsizetype kMaxReason = 1'000;
constexpr qsizetype kMaxOtherReason = 4096; ///< of acts other than a release

EarlyOutcome refused(ErrorCode code, const QString &cause, const QString &remedy = {})
{
    return {Outcome::Refused, {code, cause, remedy}};
}

EarlyOutcome changed(const QString &cause)
{
    return {Outcome::HolderChanged, {ErrorCode::Unknown, cause, {}}};
}

/** The rules that no guard can lift: the configuration, the identity, and the limits of the scheme or the
 * value. */
std::optional<EarlyOutcome> checkPossible(const LockReading &reading, const stores::LockSet &set)
{
    if (set.breakMode == stores::BreakMode::Never)
        return EarlyOutcome{Outcome::Refused, errorOf(ReleaseOff::BreakNever)};
    if (!reading.state.release.possible())
        return EarlyOutcome{Outcome::Refused, errorOf(reading.state.release.why)};
    if (reading.guard.identity.isEmpty() && reading.state.release.safety != domain::ReleaseSafety::Unsafe)
        return EarlyOutcome{Outcome::Refused, errorOf(ReleaseOff::NoIdentity)};
    return std::nullopt;
}

std::optional<EarlyOutcome> checkClaim(const protocol::ForceRelease &request, const LockReading &reading,
                                       const std::optional<domain::LockState> &live)
{
    if (request.because == Because::Expired && reading.state.phase != domain::Phase::Expired) {
        return refused(
            ErrorCode::Usage, QStringLiteral("the lease hasn't expired yet by the store's clock"),
            QStringLiteral(
                "Wait for the lease to expire, or release it as an operator (--because operator)."));
    }
    if (request.because != Because::Stuck)
        return std::nullopt;
    // Check the watched state as well as the reading: it may show a sign of life that the engine hasn't seen
    // yet.
    if (!live || live->stuck == domain::StuckReason::None || live->guard != reading.state.guard ||
        reading.state.stuck == domain::StuckReason::None) {
        return refused(ErrorCode::Usage, QStringLiteral("the agent doesn't consider this lock stuck"),
                       QStringLiteral("Check its state, or release it as an operator (--because operator)."));
    }
    return std::nullopt;
}

} // namespace

std::optional<base::Error> checkCommandId(QByteArrayView id)
{
    const bool fits = id.size() == 32 && std::all_of(id.begin(), id.end(), [](char c) {
                          return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                      });
    if (fits)
        return std::nullopt;
    return base::Error{ErrorCode::Usage, QStringLiteral("a command id is 32 lower-case hex digits"), {}};
}

std::optional<EarlyOutcome> checkRequest(const protocol::ForceRelease &request)
{
    if (request.reason.trimmed().isEmpty())
        return refused(ErrorCode::Usage, QStringLiteral("a force-release needs a reason"));
    if (request.reason.size() > kMaxReason) {
        return refused(ErrorCode::TooLarge,
                       QStringLiteral("the reason is longer than %1 characters").arg(kMaxReason));
    }
    if (request.ticket.isEmpty() && request.guard.isEmpty() && !request.holder) {
        return refused(ErrorCode::Usage, QStringLiteral("a guard or a holder is required"),
                       QStringLiteral("Copy the guard from 'lockkeeperctl locks --json'."));
    }
    return std::nullopt;
}

std::optional<EarlyOutcome> checkTicket(const std::optional<LockReading> &reading, const domain::LockKey &key,
                                        qint64 nowMonotonicUs, quint64 linkNow)
{
    if (!reading || reading->guard.key != key) {
        return refused(ErrorCode::Usage, QStringLiteral("this session hasn't read this lock"),
                       QStringLiteral("Read the lock again."));
    }
    if (nowMonotonicUs - reading->monotonicUs > kReadingValidUs) {
        return refused(ErrorCode::Timeout, QStringLiteral("the lock was read more than 5 s ago"),
                       QStringLiteral("Read the lock again."));
    }
    if (reading->link != linkNow) {
        return refused(ErrorCode::ConnectionLost,
                       QStringLiteral("the link to the store was lost since the lock was read"),
                       QStringLiteral("Read the lock again."));
    }
    return std::nullopt;
}

std::optional<EarlyOutcome> checkReading(const protocol::ForceRelease &request, const LockReading &reading,
                                         const stores::LockSet &set,
                                         const std::optional<domain::LockState> &live)
{
    // Check this first: a lock that may never be broken is refused even if it happens to be free.
    if (set.breakMode == stores::BreakMode::Never)
        return EarlyOutcome{Outcome::Refused, errorOf(ReleaseOff::BreakNever)};
    // A lock without a holder may have left traces on a minority of servers: these can be broken.
    const bool leftovers = domain::hasTraces(reading.state.nodes);
    if (!reading.present || (reading.state.phase == domain::Phase::Free && !leftovers)) {
        // The primary may have a lock that its replica doesn't have yet.
        if (reading.state.release.why == ReleaseOff::ReadOnly)
            return EarlyOutcome{Outcome::Refused, errorOf(ReleaseOff::ReadOnly)};
        return EarlyOutcome{Outcome::AlreadyFree, {}};
    }
    if (const auto verdict = checkPossible(reading, set))
        return verdict;
    if (!request.guard.isEmpty() && request.guard != reading.state.guard)
        return changed(
            reading.state.pinsDeadline
                ? QStringLiteral(
                      "renewed since it was read, or another acquisition of the same client: read it again")
                : QStringLiteral("this isn't the acquisition that was read"));
    if (request.holder && (!reading.state.ownerKnown || *request.holder != reading.state.owner))
        return changed(QStringLiteral("the holder isn't the one that was given"));
    return checkClaim(request, reading, live);
}

std::optional<EarlyOutcome> checkDelay(const protocol::ForceRelease &request, const LockReading &reading,
                                       const stores::ReaperPolicy &policy)
{
    const qint64 deadlineUs = reading.state.expiresUs.value_or(reading.storeUs);
    if (request.because != Because::Expired || reading.storeUs - deadlineUs >= policy.delayUs)
        return std::nullopt;
    return changed(QStringLiteral("it was renewed in the meantime: its delay starts again"));
}

std::optional<EarlyOutcome> checkPolicyClaim(const protocol::ForceRelease &request,
                                             const LockReading &reading, const stores::ReaperPolicy &policy,
                                             const std::optional<domain::LockState> &live,
                                             bool isHolderFreshlyDead)
{
    if (request.because != Because::Stuck)
        return std::nullopt;
    const bool isDead = policy.mode == stores::ReaperMode::Dead && isHolderFreshlyDead;
    const bool isStuck = policy.mode != stores::ReaperMode::Dead && live &&
                         domain::isStuckInStore(live->stuck) && domain::isStuckInStore(reading.state.stuck);
    if (isDead || isStuck)
        return std::nullopt;
    return changed(QStringLiteral("the policy's condition isn't true any more"));
}

bool needsApproval(stores::ApprovalMode mode, const LockReading &reading,
                   const std::optional<domain::LockState> &live)
{
    if (mode != stores::ApprovalMode::Live)
        return mode == stores::ApprovalMode::Always;
    // Use the same evidence as for a claim: the watched state and the reading.
    const bool stuck = live && domain::isStuckInStore(live->stuck) && live->guard == reading.state.guard &&
                       domain::isStuckInStore(reading.state.stuck);
    return reading.state.phase != domain::Phase::Expired && !stuck;
}

std::optional<EarlyOutcome> checkRequestable(const LockReading &reading)
{
    if (reading.state.guard.isEmpty())
        return refused(ErrorCode::Unsupported,
                       QStringLiteral("nothing stored identifies this acquisition, so it can't be approved"));
    return std::nullopt;
}

stores::ReleaseOrder orderFor(const protocol::ForceRelease &request, const LockReading &reading)
{
    stores::ReleaseOrder order;
    order.command = request.command;
    order.set = reading.set;
    order.guard = reading.guard;
    order.checkFreshness =
        request.because != Because::Operator || request.ifNotRenewed || reading.state.pinsDeadline;
    order.mustBeExpired = request.because == Because::Expired;
    order.dryRun = request.dryRun;
    return order;
}

domain::AuditEntry intentFor(const protocol::ForceRelease &request, const std::optional<LockReading> &reading,
                             const Asker &asker, qint64 wallUs)
{
    domain::AuditEntry entry;
    entry.timeUs = wallUs;
    entry.who = asker.user();
    entry.role = domain::roleName(asker.grants.roleAt(request.key.source, request.key.name));
    entry.key = request.key;
    entry.reason = request.reason.left(kMaxReason);
    entry.because = request.because;
    entry.command = request.command;
    if (reading && reading->present) {
        entry.holder = reading->state.owner;
        entry.guard = reading->state.guard;
    } else {
        entry.holder = request.holder.value_or(QByteArray()).left(64 * 1024);
        entry.guard = request.guard.left(64);
    }
    return entry;
}

domain::AuditEntry intentOf(const Asker &asker, QByteArrayView scheme, const QString &reason,
                            const QByteArray &command, qint64 wallUs)
{
    domain::AuditEntry entry;
    entry.timeUs = wallUs;
    entry.who = asker.user();
    entry.role = domain::roleName(asker.grants.role());
    entry.key.scheme = scheme.toByteArray();
    entry.reason = reason.left(kMaxOtherReason);
    entry.command = command;
    return entry;
}

Outcome outcomeOf(const base::Error &error, bool mayHaveRead)
{
    switch (error.code) {
    case ErrorCode::Usage:
    case ErrorCode::NotFound:
    case ErrorCode::PermissionDenied:
    case ErrorCode::Unsupported:
    case ErrorCode::Authentication:
    case ErrorCode::Busy:
    case ErrorCode::ReadOnly: // a standby
        return Outcome::Refused;
    default:
        return mayHaveRead ? Outcome::Unknown : Outcome::Unreachable;
    }
}

base::Error errorOf(ReleaseOff why)
{
    switch (why) {
    case ReleaseOff::None:
    case ReleaseOff::Free:
        return {ErrorCode::NotFound, QStringLiteral("the lock isn't held"), {}};
    case ReleaseOff::BreakNever:
        return {ErrorCode::PermissionDenied, QStringLiteral("the configuration says break = \"never\""), {}};
    case ReleaseOff::NoIdentity:
        return {ErrorCode::Unsupported,
                QStringLiteral("nothing stored distinguishes this acquisition from the holder's next one: it "
                               "has no deadline and no identity from the store"),
                QStringLiteral("break = \"unsafe\" in its lock set allows it, but the release may then hit "
                               "the holder's next acquisition.")};
    case ReleaseOff::Truncated:
        return {ErrorCode::TooLarge, QStringLiteral("the value is longer than the part that is read"), {}};
    case ReleaseOff::WrongType:
        return {ErrorCode::Unsupported, QStringLiteral("the key isn't of the scheme's type"), {}};
    case ReleaseOff::SourceDown:
        return {ErrorCode::Unreachable, QStringLiteral("the store can't be reached"), {}};
    case ReleaseOff::NotPermitted:
        return {ErrorCode::PermissionDenied, QStringLiteral("the agent's rights don't allow a release"),
                QStringLiteral("lockkeeper-agent --check names the missing right.")};
    case ReleaseOff::Unsupported:
        return {ErrorCode::Unsupported, QStringLiteral("locks of this scheme can't be broken"), {}};
    case ReleaseOff::Malformed:
        return {ErrorCode::Unsupported, QStringLiteral("the stored value doesn't match the scheme"), {}};
    case ReleaseOff::Instrument:
        return {ErrorCode::Unsupported, QStringLiteral("the server's transaction instrument is off"),
                QStringLiteral("lockkeeper-agent --check shows how to enable it.")};
    case ReleaseOff::System:
        return {ErrorCode::Unsupported,
                QStringLiteral("a replication, system or monitoring connection is never killed"),
                {}};
    case ReleaseOff::PreparedXa:
        return {ErrorCode::Unsupported,
                QStringLiteral("a prepared XA transaction holds it without a connection"),
                QStringLiteral("XA RECOVER lists it; commit or roll it back there.")};
    case ReleaseOff::TooYoung:
        return {ErrorCode::Unsupported,
                QStringLiteral(
                    "it was acquired too recently to be distinguished from the holder's next acquisition"),
                QStringLiteral("Try again in a few seconds.")};
    case ReleaseOff::SeveralHolders:
        return {ErrorCode::Unsupported, QStringLiteral("several holders share the lock"),
                QStringLiteral("It can be released once a single holder is left.")};
    case ReleaseOff::Past: // no release is based on such a state
        return {ErrorCode::Unsupported, QStringLiteral("this is a past state"), {}};
    case ReleaseOff::ReadOnly:
        return {ErrorCode::ReadOnly, QStringLiteral("the server is a read-only replica"),
                QStringLiteral("Release at the primary.")};
    }
    return {};
}

} // namespace lockkeeper::agent::release
