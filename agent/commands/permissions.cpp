// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/commands/permissions.h"

#include "shared/base/text.h"

namespace lockkeeper::agent::commands {

namespace {

using namespace protocol;

// One line a message: a message that is added to the vocabulary and forgotten here doesn't compile.
struct Need
{
    using Answer = std::optional<Permission>;
    Answer operator()(const Hello &) const { return Permission::None; }
    Answer operator()(const Ping &) const { return Permission::None; }
    Answer operator()(const Pong &) const { return Permission::None; }
    Answer operator()(const Goodbye &) const { return Permission::None; }
    Answer operator()(const Login &) const { return Permission::None; }
    Answer operator()(const LoginNeeded &) const { return std::nullopt; }
    Answer operator()(const Cancel &) const { return Permission::None; }
    Answer operator()(const WhoAmI &) const { return Permission::Observe; }
    Answer operator()(const ApprovalsQuery &) const { return Permission::Observe; }
    /** What it decides on says the rest: Approvals judges, and audits what it refuses. */
    Answer operator()(const Decision &) const { return Permission::Observe; }
    Answer operator()(const Subscribe &) const { return Permission::Observe; }
    Answer operator()(const LocksQuery &) const { return Permission::Observe; }
    Answer operator()(const HistoryQuery &) const { return Permission::Observe; }
    Answer operator()(const HoldsQuery &) const { return Permission::Observe; }
    Answer operator()(const AuditQuery &) const { return Permission::Observe; }
    Answer operator()(const StatusQuery &) const { return Permission::Observe; }
    Answer operator()(const ChainsQuery &) const { return Permission::Observe; }
    Answer operator()(const ContentionQuery &) const { return Permission::Observe; }
    Answer operator()(const TimelineQuery &) const { return Permission::Observe; }
    Answer operator()(const WaitingQuery &) const { return Permission::Observe; }
    Answer operator()(const ReadNow &) const { return Permission::Observe; }
    Answer operator()(const Inspect &) const { return Permission::Observe; }
    Answer operator()(const ForceRelease &) const { return Permission::Release; }
    Answer operator()(const ProbeRequest &) const { return Permission::Probe; }
    Answer operator()(const DiscoverRequest &) const { return Permission::Administer; }
    Answer operator()(const Welcome &) const { return std::nullopt; }
    Answer operator()(const Subscribed &) const { return std::nullopt; }
    Answer operator()(const SnapshotPage &) const { return std::nullopt; }
    Answer operator()(const EventBatch &) const { return std::nullopt; }
    Answer operator()(const StateBatch &) const { return std::nullopt; }
    Answer operator()(const EventPage &) const { return std::nullopt; }
    Answer operator()(const HoldPage &) const { return std::nullopt; }
    Answer operator()(const AuditPage &) const { return std::nullopt; }
    Answer operator()(const Inspected &) const { return std::nullopt; }
    Answer operator()(const ReleaseResult &) const { return std::nullopt; }
    Answer operator()(const Done &) const { return std::nullopt; }
    Answer operator()(const Status &) const { return std::nullopt; }
    Answer operator()(const ChainsPage &) const { return std::nullopt; }
    Answer operator()(const ContentionPage &) const { return std::nullopt; }
    Answer operator()(const TimelinePage &) const { return std::nullopt; }
    Answer operator()(const WaitingPage &) const { return std::nullopt; }
    Answer operator()(const ProbeResult &) const { return std::nullopt; }
    Answer operator()(const DiscoverResult &) const { return std::nullopt; }
    Answer operator()(const Identified &) const { return std::nullopt; }
    Answer operator()(const ApprovalsPage &) const { return std::nullopt; }
    Answer operator()(const ApprovalChanged &) const { return std::nullopt; }
    Answer operator()(const Failed &) const { return std::nullopt; }
};

} // namespace

std::optional<Permission> requiredPermission(const protocol::Message &message)
{
    return std::visit(Need{}, message);
}

std::optional<base::Error> refusalOf(const protocol::Message &message, const domain::Grants &grants)
{
    const auto needed = requiredPermission(message);
    if (!needed)
        return base::Error{base::ErrorCode::Protocol, QStringLiteral("this message is not a request"), {}};
    if (*needed == Permission::None)
        return std::nullopt;
    const auto *release = std::get_if<ForceRelease>(&message);
    const auto *probe = std::get_if<ProbeRequest>(&message);
    const bool everywhere = std::holds_alternative<DiscoverRequest>(message); // it names no source
    const bool may = everywhere ? grants.mayEverywhere(*needed)
                     : release  ? grants.may(*needed, release->key.source, release->key.name)
                     : probe    ? grants.mayOnAll(*needed, probe->source)
                                : grants.mayAnywhere(*needed);
    if (may)
        return std::nullopt;
    const QString role = domain::roleName(grants.role());
    if (!grants.mayAnywhere(*needed))
        return base::Error{base::ErrorCode::PermissionDenied,
                           QStringLiteral("the role %1 doesn't allow this").arg(role),
                           QStringLiteral("Ask for an [[access]] entry in the agent's configuration.")};
    const QString what =
        release ? QStringLiteral("\"%1\" in %2")
                      .arg(base::displayText(release->key.name), base::displayText(release->key.source))
        : everywhere ? QStringLiteral("stores that no source names")
                     : QStringLiteral("all of %1").arg(base::displayText(probe ? probe->source : QString()));
    return base::Error{base::ErrorCode::PermissionDenied,
                       QStringLiteral("the role %1 doesn't extend to %2").arg(role, what),
                       QStringLiteral("lockkeeperctl whoami says where it does.")};
}

quint64 requestId(const protocol::Message &message)
{
    return std::visit(
        [](const auto &m) -> quint64 {
            if constexpr (requires { m.id; })
                return m.id;
            else
                return 0;
        },
        message);
}

} // namespace lockkeeper::agent::commands
