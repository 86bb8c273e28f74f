// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/badge.h"

#include <QCoreApplication>

namespace lockkeeper::app::replica {

namespace {

constexpr std::array<const char *, kBadgeCount> kNames{
    "releasing", "unknown", "stuck", "expired", "contended", "expiring", "held", "optimistic", "free"};

Badge fromCondition(domain::Condition condition)
{
    switch (condition) {
    case domain::Condition::Unknown:
        return Badge::Unknown;
    case domain::Condition::Stuck:
        return Badge::Stuck;
    case domain::Condition::Expired:
        return Badge::Expired;
    case domain::Condition::Contended:
        return Badge::Contended;
    case domain::Condition::Expiring:
        return Badge::Expiring;
    case domain::Condition::Held:
        return Badge::Held;
    case domain::Condition::Optimistic:
        return Badge::Optimistic;
    case domain::Condition::Free:
        return Badge::Free;
    }
    return Badge::Unknown;
}

} // namespace

Badge badgeOf(const domain::LockState &state, const LockContext &context)
{
    if (context.releasing)
        return Badge::Releasing;
    if (context.stale)
        return Badge::Unknown;
    return fromCondition(domain::condition(state, context.nowUs));
}

QString badgeText(Badge badge)
{
    switch (badge) {
    case Badge::Releasing:
        return QCoreApplication::translate("Words", "Releasing…", "state");
    case Badge::Unknown:
        return QCoreApplication::translate("Words", "Unknown", "state");
    case Badge::Stuck:
        return QCoreApplication::translate("Words", "Stuck", "state");
    case Badge::Expired:
        return QCoreApplication::translate("Words", "Expired", "state");
    case Badge::Contended:
        return QCoreApplication::translate("Words", "Contended", "state");
    case Badge::Expiring:
        return QCoreApplication::translate("Words", "Expiring", "state");
    case Badge::Held:
        return QCoreApplication::translate("Words", "Held", "state");
    case Badge::Optimistic:
        return QCoreApplication::translate("Words", "Optimistic", "state");
    case Badge::Free:
        return QCoreApplication::translate("Words", "Free", "state");
    }
    return {};
}

QByteArrayView badgeName(Badge badge)
{
    const auto index = size_t(badge);
    return index < kNames.size() ? QByteArrayView(kNames[index]) : QByteArrayView("unknown");
}

std::optional<Badge> badgeFromName(QByteArrayView name)
{
    for (size_t i = 0; i < kNames.size(); ++i) {
        if (name == QByteArrayView(kNames[i]))
            return Badge(i);
    }
    return std::nullopt;
}

} // namespace lockkeeper::app::replica
