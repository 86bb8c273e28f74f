// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QByteArray>
#include <QHash>
#include <QList>

#include <deque>
#include <future>
#include <vector>

namespace lockkeeper::agent::server {

/**
 * Many locks' states in little memory (about a tenth of their size as values). They are encoded, compressed
 * and taken out one page at a time. A lock may be appended again after supersede(): only its last state
 * counts. Not thread-safe.
 */
class PackedLocks
{
public:
    /** Some states in wire format: encodeState() of each, one after the other. */
    struct PackedPage
    {
        QByteArray states;
        quint32 count = 0;
    };

    /** Each lock at most once between two calls of supersede(). */
    void append(const domain::LockState &state);
    /** Earlier states of these locks no longer count; states that are appended from now on do. */
    void supersede(const QList<domain::LockKey> &locks);
    /** Call it after the last append(). */
    void seal();
    void clear();

    bool isEmpty() const { return m_pages.empty(); }
    /** True if exactly one page is left. */
    bool isLastPage() const { return m_pages.size() == 1; }
    /** Removes and returns the next page, whose `count` may be 0. There must be a page. */
    PackedPage takePage();
    /** The same, decoded to values. */
    QList<domain::LockState> takeLocks();
    qint64 bytes(); ///< held by the pages

private:
    struct Packed
    {
        QByteArray states; ///< compressed
        quint32 count = 0;
        quint32 round = 0;
        std::vector<quint32> hashes; ///< of the locks' keys
    };

    static quint32 hashOf(const domain::LockKey &key) { return quint32(qHash(key, 0)); }
    bool mayBeSuperseded(const Packed &page) const;
    QList<domain::LockState> locksOf(const QByteArray &states, const Packed &page) const;

    void settle();

    std::deque<Packed> m_pages;
    std::future<QByteArray> m_packing; ///< compresses the last page while the next one is filled
    Packed m_open;                     ///< not compressed yet
    qint64 m_bytes = 0;
    quint32 m_round = 0;
    QHash<domain::LockKey, quint32> m_since; ///< the first round whose states of a lock count; missing: 0
    QHash<quint32, quint32> m_sinceByHash;   ///< the highest of these rounds
};

} // namespace lockkeeper::agent::server
