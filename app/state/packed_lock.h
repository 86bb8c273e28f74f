// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QByteArray>
#include <QHash>

namespace lockkeeper::app::state {

/**
 * A lock's state in little memory: one block of some 200 bytes where the value takes 650 and a block for each
 * of its texts. Replica and models share the block. What most locks haven't (a session, waiters, nodes) costs
 * nothing while it isn't there. Immutable.
 */
class PackedLock
{
public:
    PackedLock() = default;
    explicit PackedLock(const domain::LockState &state);

    bool isNull() const { return m_bytes.isNull(); }
    /** As a value of its own. */
    domain::LockState state() const;
    /** The same without its guard, to be looked at while this or a copy of it lives: the texts lie in the
     * block. Never to be kept, nor any text of it. For passes over all locks. */
    domain::LockState peek() const;
    domain::LockKey key() const;
    /** The key's name or source alone, as peek() gives it. */
    QByteArrayView name() const;
    QString source() const;
    quint32 hash() const; ///< of the key
    /** The same owner and the same guard. */
    bool isSameHold(const PackedLock &other) const;
    bool isOf(const domain::LockKey &key) const;
    bool isSameLock(const PackedLock &other) const;
    qsizetype bytes() const { return m_bytes.size(); } ///< of the block
    bool operator==(const PackedLock &other) const = default;

    /** Seeded by the process, as names are hostile. */
    static quint32 hashOf(const domain::LockKey &key)
    {
        return quint32(qHash(key, size_t(QHashSeed::globalSeed())));
    }

private:
    class Texts;

    QByteArray m_bytes; ///< what is of fixed size, the texts, and the rest encoded where there is one
};

} // namespace lockkeeper::app::state
