// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/sqlite_connection.h"
#include "shared/domain/lock_key.h"

#include <QHash>

#include <vector>

namespace lockkeeper::agent::journal {

/**
 * The numbers of recently written locks, by a fingerprint of 128 bits: two seeded hashes of the fields that
 * identify a lock. Takes 24 bytes per lock, however long its name is. The chance that two locks are taken for
 * the same is below 10^-24, and a person who chooses names can't raise it. Forgets everything when it is
 * full. Not thread-safe.
 */
class LockNumbers
{
public:
    static constexpr size_t kMost = 131'072;

    /** The 128 bits that identify a lock. */
    struct Fingerprint
    {
        quint64 a = 0;
        quint64 b = 0;
        bool operator==(const Fingerprint &) const = default;
    };

    explicit LockNumbers(size_t most = kMost);
    Fingerprint fingerprint(qint64 sourceId, const domain::LockKey &key) const;
    std::optional<qint64> find(const Fingerprint &print) const;
    /** The next insert() forgets all earlier locks. */
    bool isFull() const { return m_used >= m_most; }
    /** Adds a lock that find() doesn't know. */
    void insert(const Fingerprint &print, qint64 lockId);
    void clear();

private:
    struct NumberedLock
    {
        Fingerprint print;
        qint64 lockId = 0; ///< 0: a free slot
    };

    /** The slot of the fingerprint, or the free slot where it belongs. */
    size_t slotOf(const Fingerprint &print) const;

    size_t m_most;
    quint64 m_seedA;
    quint64 m_seedB;
    std::vector<NumberedLock> m_slots;
    size_t m_used = 0;
};

struct OpenHold
{
    qint64 id = 0;
    qint64 fromUs = 0;
};

/**
 * Finds the open hold of a lock. Remembers all open holds while they are few. Otherwise it remembers those
 * that were used lately, and reads the others from the file. Belongs to the writer's thread; false means
 * connection.error().
 */
class OpenHolds
{
public:
    static constexpr qsizetype kMost = 131'072;

    explicit OpenHolds(SqliteConnection &connection, qsizetype most = kMost)
        : m_connection(connection), m_most(most)
    {
    }
    bool reload();
    bool find(qint64 lockId, std::optional<OpenHold> &found);
    void insert(qint64 lockId, const OpenHold &hold);
    void remove(qint64 lockId) { m_known.remove(lockId); }

private:
    SqliteConnection &m_connection;
    QHash<qint64, OpenHold> m_known; ///< by lock
    qsizetype m_most;
    bool m_all = true; ///< no other lock has an open hold
};

} // namespace lockkeeper::agent::journal
