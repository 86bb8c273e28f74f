// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/words.h"

#include "app/words/scheme_words.h"
#include "shared/base/text.h"

namespace lockkeeper::app::words {

QString Words::event(events::EventKind kind)
{
    switch (kind) {
    case events::EventKind::Acquired:
        return tr("Acquired", "event");
    case events::EventKind::Renewed:
        return tr("Renewed", "event");
    case events::EventKind::Released:
        return tr("Released", "event");
    case events::EventKind::Expired:
        return tr("Expired", "event");
    case events::EventKind::TakenOver:
        return tr("Taken over", "event");
    case events::EventKind::WaitStart:
        return tr("Wait began", "event");
    case events::EventKind::WaitEnd:
        return tr("Wait ended", "event");
    case events::EventKind::Stuck:
        return tr("Stuck", "event");
    case events::EventKind::Unstuck:
        return tr("No longer stuck", "event");
    case events::EventKind::ForceReleased:
        return tr("Force-released", "event");
    case events::EventKind::GapOpened:
        return tr("Gap opened", "event");
    case events::EventKind::GapClosed:
        return tr("Gap closed", "event");
    case events::EventKind::SourceUp:
        return tr("Source reached", "event");
    case events::EventKind::SourceDown:
        return tr("Source lost", "event");
    case events::EventKind::Lost:
        return tr("Lost by the store", "event");
    case events::EventKind::Changed:
        return tr("State changed", "event");
    }
    return {};
}

QString Words::outcome(domain::Outcome outcome)
{
    switch (outcome) {
    case domain::Outcome::Released:
        return tr("Released", "outcome");
    case domain::Outcome::HolderChanged:
        return tr("Holder changed", "outcome");
    case domain::Outcome::AlreadyFree:
        return tr("Already free", "outcome");
    case domain::Outcome::Refused:
        return tr("Refused", "outcome");
    case domain::Outcome::Unreachable:
        return tr("Unreachable", "outcome");
    case domain::Outcome::Partial:
        return tr("Partial", "outcome");
    case domain::Outcome::Unknown:
        return tr("Unknown", "outcome");
    case domain::Outcome::Pending:
        return tr("Pending", "outcome");
    case domain::Outcome::WouldRelease:
        return tr("Would release", "outcome");
    case domain::Outcome::Probed:
        return tr("Probed", "outcome");
    case domain::Outcome::AwaitingApproval:
        return tr("Awaiting approval", "outcome");
    case domain::Outcome::Rejected:
        return tr("Rejected", "outcome");
    case domain::Outcome::Ended:
        return tr("Expired without a decision", "outcome");
    case domain::Outcome::LoggedIn:
        return tr("Logged in", "outcome");
    case domain::Outcome::Discovered:
        return tr("Scanned", "outcome");
    case domain::Outcome::Accepted:
        return tr("Accepted", "outcome");
    }
    return {};
}

QString Words::outcomeSentence(domain::Outcome outcome)
{
    switch (outcome) {
    case domain::Outcome::Released:
        return tr("Released. The store confirmed it.");
    case domain::Outcome::HolderChanged:
        return tr("The lock changed in the meantime. Nothing was released.");
    case domain::Outcome::AlreadyFree:
        return tr("The lock was free already. This request released nothing.");
    case domain::Outcome::Refused:
        return tr("The release was refused. Nothing was released.");
    case domain::Outcome::Unreachable:
        return tr("The request didn't reach the store. Nothing was released.");
    case domain::Outcome::Partial:
        return tr("Only some of the nodes released the lock.");
    case domain::Outcome::Unknown:
        return tr("Outcome unknown. The request was sent, the reply lost. It isn't sent again.");
    case domain::Outcome::Pending:
        return tr("The request is under way.");
    case domain::Outcome::WouldRelease:
        return tr("A dry run of the policy. Nothing was released.");
    case domain::Outcome::Probed:
        return tr("The commands of the store's clients were listened to for a moment. Nothing was released.");
    case domain::Outcome::AwaitingApproval:
        return tr("The request waits for a second person's approval. Nothing was released yet.");
    case domain::Outcome::Rejected:
        return tr("The request was rejected. Nothing was released.");
    case domain::Outcome::Ended:
        return tr("The request ended without a decision. Nothing was released.");
    case domain::Outcome::LoggedIn:
        return tr("The login was good, and the session began.");
    case domain::Outcome::Discovered:
        return tr("The store was scanned for locks. Nothing was released.");
    case domain::Outcome::Accepted:
        return tr("An operator accepted an incomplete audit. Nothing was released.");
    }
    return {};
}

QString Words::role(const QString &code)
{
    if (code == QLatin1String("viewer"))
        return tr("Viewer", "role");
    if (code == QLatin1String("operator"))
        return tr("Operator", "role");
    if (code == QLatin1String("approver"))
        return tr("Approver", "role");
    if (code == QLatin1String("admin"))
        return tr("Administrator", "role");
    if (code == QLatin1String("policy"))
        return tr("Policy", "role");
    return code;
}

QString Words::grants(const domain::Grants &grants)
{
    QStringList parts;
    for (const domain::Grant &grant : grants.list) {
        QStringList locks;
        for (const QByteArray &glob : grant.locks)
            locks.append(base::displayText(glob));
        const QString name = role(domain::roleName(grant.role));
        const QString sources = base::displayText(grant.sources.join(QStringLiteral(", ")));
        const QString names = locks.join(QStringLiteral(", "));
        parts.append(sources.isEmpty() && names.isEmpty() ? tr("%1 everywhere", "role").arg(name)
                     : names.isEmpty()                    ? tr("%1 in %2", "role, sources").arg(name, sources)
                     : sources.isEmpty()
                         ? tr("%1 for locks %2", "role, names").arg(name, names)
                         : tr("%1 in %2 for locks %3", "role, sources, names").arg(name, sources, names));
    }
    const QString all = parts.join(QStringLiteral("; "));
    return grants.looksEverywhere() ? tr("Your role at this agent: %1").arg(all)
                                    : tr("Your role at this agent: %1. You see nothing else of it.").arg(all);
}

QString Words::link(domain::Link link)
{
    switch (link) {
    case domain::Link::Connecting:
        return tr("Connecting", "source");
    case domain::Link::Up:
        return tr("Observed", "source");
    case domain::Link::Down:
        return tr("Unreachable", "source");
    case domain::Link::Standby:
        return tr("Standby", "source");
    }
    return {};
}

QString Words::mode(domain::ObservationMode mode)
{
    return mode == domain::ObservationMode::Push ? tr("Push", "observation") : tr("Polling", "observation");
}

QString Words::evidence(domain::Evidence evidence)
{
    switch (evidence) {
    case domain::Evidence::None:
        return tr("no evidence");
    case domain::Evidence::Column:
        return tr("written by the application");
    case domain::Evidence::Ttl:
        return tr("the store's own expiry");
    case domain::Evidence::Observation:
        return tr("seen between two observations");
    case domain::Evidence::FirstSeen:
        return tr("already present when first seen");
    case domain::Evidence::Notification:
        return tr("reported by the store");
    }
    return {};
}

QString Words::stuckReason(domain::StuckReason reason)
{
    switch (reason) {
    case domain::StuckReason::None:
        return {};
    case domain::StuckReason::NoExpiry:
        return tr("Stuck: it has no expiry, though locks of this scheme expire. Its owner probably died "
                  "between taking "
                  "the lock and setting the expiry.");
    case domain::StuckReason::NoSignOfLife:
        return tr("Stuck: no sign of life for longer than the configuration allows.");
    case domain::StuckReason::HolderGone:
        return tr("Stuck: a liveness probe found its holder dead.");
    }
    return {};
}

QString Words::release(const domain::ReleaseCapability &capability, const QByteArray &scheme)
{
    switch (capability.safety) {
    case domain::ReleaseSafety::Guarded:
        return SchemeWords::guard(scheme);
    case domain::ReleaseSafety::Unsafe:
        return tr("unsafe: no identity", "release verdict");
    case domain::ReleaseSafety::Off:
        break;
    }
    return releaseOff(capability.why);
}

QString Words::releaseBriefly(domain::ReleaseSafety safety)
{
    switch (safety) {
    case domain::ReleaseSafety::Guarded:
        return tr("guarded", "release verdict");
    case domain::ReleaseSafety::Unsafe:
        return tr("unsafe", "release verdict");
    case domain::ReleaseSafety::Off:
        break;
    }
    return tr("off", "release verdict");
}

QString Words::releaseOff(domain::ReleaseOff why)
{
    switch (why) {
    case domain::ReleaseOff::None:
        return tr("Force-release is unavailable.");
    case domain::ReleaseOff::Free:
        return tr("Nothing to release: the lock is free.");
    case domain::ReleaseOff::BreakNever:
        return tr(
            "Can't release: the agent's configuration says break = \"never\". Set break = \"guarded\" in the "
            "lock set to "
            "allow releases.");
    case domain::ReleaseOff::NoIdentity:
        return tr("Can't release: nothing distinguishes this acquisition from the holder's next one. break = "
                  "\"unsafe\" in the lock set allows a release without a guard, which may end a later hold "
                  "instead.");
    case domain::ReleaseOff::Truncated:
        return tr("Can't release: the value is too long to be read whole. Release the lock with its store's "
                  "own client.");
    case domain::ReleaseOff::WrongType:
        return tr("Can't release: the key is of another type than the scheme's. Correct the scheme of its "
                  "lock set.");
    case domain::ReleaseOff::SourceDown:
        return tr("Can't release: the source isn't observed now. The Sources view names the cause.");
    case domain::ReleaseOff::NotPermitted:
        return tr("Can't release: a grant or your role doesn't allow it. The Sources view names the grant.");
    case domain::ReleaseOff::Unsupported:
        return tr("Can't release: locks of this scheme can't be broken. Stop the holder instead.");
    case domain::ReleaseOff::Malformed:
        return tr(
            "Can't release: what is stored doesn't match the scheme. Correct the scheme of its lock set.");
    case domain::ReleaseOff::Instrument:
        return tr("Can't release: the server's transaction instrument is off, so a kill can't be guarded. "
                  "The Sources view "
                  "has the statement that turns it on.");
    case domain::ReleaseOff::System:
        return tr("Can't release: a replication, system or monitoring connection is never killed. End it on "
                  "the server.");
    case domain::ReleaseOff::PreparedXa:
        return tr("Can't release: a prepared XA transaction holds it without a connection. End it with XA "
                  "COMMIT or XA "
                  "ROLLBACK.");
    case domain::ReleaseOff::TooYoung:
        return tr("Can't release yet: it was acquired too recently to be distinguished from the holder's "
                  "next acquisition. Wait a few seconds.");
    case domain::ReleaseOff::ReadOnly:
        return tr("Can't release: the server is a read-only replica. Release the lock at the primary.");
    case domain::ReleaseOff::SeveralHolders:
        return tr(
            "Can't release: several holders share it. It can be released once a single holder is left.");
    case domain::ReleaseOff::Past:
        return tr("Can't release: this is the past. Go back to now to release what is held now.");
    }
    return {};
}

QString Words::nothingToBreak()
{
    return tr("An optimistic lock is never held: there is nothing to break.");
}

QString Words::holdEnd(const QByteArray &code)
{
    if (code.isEmpty())
        return tr("still held");
    if (code == "gap")
        return tr("not observed");
    if (const auto kind = events::kindFromName(code))
        return event(*kind);
    return QString::fromUtf8(code);
}

} // namespace lockkeeper::app::words
