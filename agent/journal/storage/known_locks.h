// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/connection.h"
#include "shared/domain/lock_key.h"

#include <QHash>

#include <vector>

namespace lockkeeper::agent::journal {

/**
 * The numbers of the locks that were written lately, by 128 bits of two seeded hashes of what names them: 24
 * bytes a lock whatever its name. Two locks are taken for one with a chance below 10^-24, which nobody
 * who chooses names can raise. Forgets all when it is full. Not thread-safe.
 */
class LockNumbers
{
public:
    static constexpr size_t kMost = 131'072;

    /** What names a lock, as 128 bits. */
    struct Fingerprint
    {
        quint64 a = 0;
        quint64 b = 0;
        bool operator==(const Fingerprint &) const = default;
    };

    explicit LockNumbers(size_t most = kMost);
    Fingerprint fingerprint(qint64 sourceId, const domain::LockKey &key) const;
    std::optional<qint64> find(const Fingerprint &print) const;
    /** The next insert() forgets all before it. */
    bool isFull() const { return m_used >= m_most; }
    /** One that find() doesn't know. */
    void insert(const Fingerprint &print, qint64 lockId);
    void clear();

private:
    struct Entry
    {
        Fingerprint print;
        qint64 lockId = 0; ///< 0: a free slot
    };

    /** Where the fingerprint is, or the free slot where it would be. */
    size_t slotOf(const Fingerprint &print) const;

    size_t m_most;
    quint64 m_seedA;
    quint64 m_seedB;
    std::vector<Entry> m_slots;
    size_t m_used = 0;
};

struct OpenHold
{
    qint64 id = 0;
    qint64 fromUs = 0;
};

/**
 * Which hold of a lock is open. Remembers all while they are few; of more, those asked for lately, and asks
 * the file for the others. Belongs to the writer's thread; false means connection.error().
 */
class OpenHolds
{
public:
    static constexpr qsizetype kMost = 131'072;

    explicit OpenHolds(Connection &connection, qsizetype most = kMost)
        : m_connection(connection), m_most(most)
    {
    }
    bool reload();
    bool find(qint64 lockId, std::optional<OpenHold> &found);
    void insert(qint64 lockId, const OpenHold &hold);
    void remove(qint64 lockId) { m_known.remove(lockId); }

private:
    Connection &m_connection;
    QHash<qint64, OpenHold> m_known; ///< by lock
    qsizetype m_most;
    bool m_all = true; ///< no other lock has an open hold
};

} // namespace lockkeeper::agent::journal
