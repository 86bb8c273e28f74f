// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/commands/permissions.h"

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
    Answer operator()(const Failed &) const { return std::nullopt; }
};

} // namespace

QString roleName(Role role)
{
    switch (role) {
    case Role::Observer:
        return QStringLiteral("observer");
    case Role::Operator:
        return QStringLiteral("operator");
    case Role::Admin:
        return QStringLiteral("admin");
    case Role::Policy:
        return QStringLiteral("policy");
    }
    return {};
}

Permissions permissionsOf(Role role)
{
    switch (role) {
    case Role::Observer:
        return Permission::Observe;
    case Role::Operator:
        return Permission::Observe | Permission::Release | Permission::Probe;
    case Role::Policy:
        return Permission::Observe | Permission::Release;
    case Role::Admin:
        return Permission::Observe | Permission::Release | Permission::Probe | Permission::Administer;
    }
    return {};
}

Role roleOfLocalUser(const QString &user, const QString &agentUser)
{
    const bool trusted = !user.isEmpty() && (user == agentUser || user == QLatin1String("root"));
    return trusted ? Role::Operator : Role::Observer;
}

std::optional<Permission> requiredPermission(const protocol::Message &message)
{
    return std::visit(Need{}, message);
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
