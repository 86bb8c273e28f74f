// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QByteArray>
#include <QHash>

namespace lockkeeper::app::replica {

/**
 * A lock's state in little memory: one block of about 200 bytes, where the value takes 650 bytes and a block
 * for each of its texts. Replica and models share the block. Fields that most locks lack (a session, waiters,
 * nodes) cost nothing when absent. Immutable.
 */
class PackedLock
{
public:
    PackedLock() = default;
    explicit PackedLock(const domain::LockState &state);

    bool isNull() const { return m_bytes.isNull(); }
    /** The state as an independent value. */
    domain::LockState state() const;
    /**
     * The state without its guard, valid while this object or a copy of it lives, because the texts lie in
     * the block. Never keep it or any text of it. For passes over all locks.
     */
    domain::LockState peek() const;
    domain::LockKey key() const;
    /** Only the key's name or source, with the lifetime that peek() describes. */
    QByteArrayView name() const;
    QString source() const;
    quint32 hash() const; ///< of the key
    /** The same owner and the same guard. */
    bool isSameHold(const PackedLock &other) const;
    bool isOf(const domain::LockKey &key) const;
    bool isSameLock(const PackedLock &other) const;
    qsizetype bytes() const { return m_bytes.size(); } ///< of the block
    bool operator==(const PackedLock &other) const = default;

    /** The seed differs per process, because names may be hostile. */
    static quint32 hashOf(const domain::LockKey &key)
    {
        return quint32(qHash(key, size_t(QHashSeed::globalSeed())));
    }

private:
    class TextBlock;

    QByteArray m_bytes; ///< the fixed part, the texts, and the encoded rest, if any
};

} // namespace lockkeeper::app::replica
