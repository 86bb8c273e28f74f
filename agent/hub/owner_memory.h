// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>

#include <optional>

namespace lockkeeper::agent::hub {

/**
 * Remembers the owners that the hub has stored with events, so that each is stored once. A row may then refer
 * to the owner by the time of that event: the hub reads the owner from the lock's newest event of this time
 * up to the row's number. Refers only within a UTC day, because retention drops whole days. Bounded; after
 * clear() owners are stored anew. The caller clears it after every failed batch.
 */
class OwnerMemory
{
public:
    static constexpr qsizetype kMostLocks = 65'536;

    /** The time of the event with the same owner, if a row with that number and time may refer to it. */
    std::optional<qint64> find(qint64 lockId, const QByteArray &owner, qint64 seq, qint64 timeUs) const;
    /** The owner is stored with the event of this number and time. */
    void insert(qint64 lockId, const QByteArray &owner, qint64 seq, qint64 timeUs);
    void clear() { m_locks.clear(); }

private:
    struct StoredOwner
    {
        QByteArray owner;
        qint64 seq = 0;
        qint64 timeUs = 0;
    };
    /** A hold that another holder has ended belongs to the earlier owner. */
    struct LastOwners
    {
        StoredOwner last;
        StoredOwner before;
    };

    QHash<qint64, LastOwners> m_locks;
};

} // namespace lockkeeper::agent::hub
