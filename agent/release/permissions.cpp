// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/permissions.h"

#include "shared/base/text.h"

namespace lockkeeper::agent::release {

namespace {

using namespace protocol;

using Open = std::variant<Hello, Ping, Pong, Goodbye, Login, Cancel>;
/** A Decision and an AlertAction need more than this: Approvals and Alerts check the role on the lock.
 * Approvals audits refusals. */
using Observing =
    std::variant<WhoAmI, ApprovalsQuery, Decision, AlertsQuery, AlertAction, Subscribe, LocksQuery,
                 HistoryQuery, HoldsQuery, AuditQuery, StatusQuery, ChainsQuery, ContentionQuery,
                 TimelineQuery, WaitingQuery, AdviceQuery, HolderChecksQuery, ReadNow, Inspect>;

using Administering = std::variant<DiscoverRequest, ReceiverTest>; ///< they name no source

// A message that is missing here, or listed twice, doesn't compile.
struct Need
{
    using Answer = std::optional<Permission>;
    Answer operator()(const OneOf<Open> auto &) const { return Permission::None; }
    Answer operator()(const OneOf<Observing> auto &) const { return Permission::Observe; }
    Answer operator()(const ForceRelease &) const { return Permission::Release; }
    Answer operator()(const ProbeRequest &) const { return Permission::Probe; }
    Answer operator()(const OneOf<Administering> auto &) const { return Permission::Administer; }
    Answer operator()(const OneOf<FromAgent> auto &) const { return std::nullopt; }
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
    const bool everywhere = *needed == Permission::Administer;
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
        : std::holds_alternative<ReceiverTest>(message) ? QStringLiteral("the receivers of alerts")
        : everywhere ? QStringLiteral("stores outside the configured sources")
                     : QStringLiteral("all of %1").arg(base::displayText(probe ? probe->source : QString()));
    return base::Error{base::ErrorCode::PermissionDenied,
                       QStringLiteral("the role %1 doesn't cover %2").arg(role, what),
                       QStringLiteral("lockkeeperctl whoami shows its scope.")};
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

} // namespace lockkeeper::agent::release
