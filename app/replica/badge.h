// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QMetaType>
#include <QString>

#include <array>

namespace lockkeeper::app::replica {

/**
 * The single word that a row of the console shows: the first that applies, worst first (also the order by
 * severity).
 */
enum class Badge : quint8 {
    Releasing = 0, ///< this console's force-release is under way
    Unknown,       ///< not observed lately, or the stored data makes no sense
    Stuck,
    Expired,
    Contended,
    Expiring,
    Held,
    Optimistic,
    Free,
};
inline constexpr int kBadgeCount = 9;

/** The number of locks with each badge, indexed by the badge's number. */
using BadgeCounts = std::array<qint64, kBadgeCount>;

/** The facts besides a lock's state that its texts depend on. */
struct LockContext
{
    qint64 nowUs = 0;   ///< the store's clock; for a stale source the moment it was last observed
    bool stale = false; ///< the source isn't being observed: the lock counts as Unknown
    bool releasing = false;
    QString agent; ///< the agent's name
};

Badge badgeOf(const domain::LockState &state, const LockContext &context);

/** The badge's word in the interface's language. */
QString badgeText(Badge badge);
/** The stable name used in filters: "stuck", "releasing", … */
QByteArrayView badgeName(Badge badge);
std::optional<Badge> badgeFromName(QByteArrayView name);

} // namespace lockkeeper::app::replica

Q_DECLARE_METATYPE(lockkeeper::app::replica::Badge)
