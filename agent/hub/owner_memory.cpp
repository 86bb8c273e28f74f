// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/hub/owner_memory.h"

#include "agent/hub/utc_day.h"

namespace lockkeeper::agent::hub {

std::optional<qint64> OwnerMemory::find(qint64 lockId, const QByteArray &owner, qint64 seq,
                                        qint64 timeUs) const
{
    const auto found = m_locks.constFind(lockId);
    if (found == m_locks.cend())
        return std::nullopt;
    const bool isLast = found->last.seq <= seq;
    const StoredOwner &stored = isLast ? found->last : found->before;
    if (stored.seq == 0 || stored.seq > seq || stored.owner != owner ||
        utcDayOf(stored.timeUs) != utcDayOf(timeUs))
        return std::nullopt;
    return stored.timeUs;
}

void OwnerMemory::insert(qint64 lockId, const QByteArray &owner, qint64 seq, qint64 timeUs)
{
    if (m_locks.size() >= kMostLocks && !m_locks.contains(lockId))
        m_locks.clear();
    LastOwners &owners = m_locks[lockId];
    owners.before = std::move(owners.last);
    owners.last = {owner, seq, timeUs};
}

} // namespace lockkeeper::agent::hub
