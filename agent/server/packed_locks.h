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
 * Many locks' states in little memory (about a tenth of what they take as values): encoded and compressed a
 * page at a time, and taken out in the same way. A lock may be appended again after supersede(): only its
 * last state counts. Not thread-safe.
 */
class PackedLocks
{
public:
    /** Some states as they go onto the wire: encodeState() of each, one after the other. */
    struct Page
    {
        QByteArray states;
        quint32 count = 0;
    };

    /** Each lock at most once between two calls of supersede(). */
    void append(const domain::LockState &state);
    /** What there is of these locks so far doesn't count; what is appended from now on does. */
    void supersede(const QList<domain::LockKey> &locks);
    /** After the last append(). */
    void seal();
    void clear();

    bool isEmpty() const { return m_pages.empty(); }
    /** True before the last one is taken. */
    bool isLastPage() const { return m_pages.size() == 1; }
    /** The next page, which may be empty, and frees it. There must be one. */
    Page takePage();
    /** The same as values. */
    QList<domain::LockState> takeLocks();
    qint64 bytes(); ///< that the pages hold

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
    std::future<QByteArray> m_packing; ///< of the last page, beside the copying of the next
    Packed m_open;                     ///< not compressed yet
    qint64 m_bytes = 0;
    quint32 m_round = 0;
    QHash<domain::LockKey, quint32> m_since; ///< the round from which on a lock's states count; left out: 0
    QHash<quint32, quint32> m_sinceByHash;   ///< the highest of those
};

} // namespace lockkeeper::agent::server
