// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/push/read_back.h"

#include <QHash>

#include <deque>
#include <optional>

namespace lockkeeper::stores::redis {

/**
 * A server's clock against the monotonic one: it showed `storeUs` at `monotonicUs` or later. What is carried
 * over is a lower bound, however the two are apart.
 */
struct ClockTie
{
    qint64 monotonicUs = 0;
    qint64 storeUs = 0;
};

/**
 * The keys of a slot on the move that were told to have changed, by nodes whose own word about them doesn't
 * count, until they have been read where they are.
 *
 * - A key is in a reading at most once at a time, whoever tells of it: answers never overtake each other.
 * - What a reading shows happened after the earliest of: what its tellers had told before; what each node
 * that was asked on the way had told before it sent on; what the node that answered had told. Times of
 * several clocks are compared by the monotonic one, each as early as it can have been, so that a window may
 * be wider than the truth by the ways of the questions and never narrower.
 * - That something came and went unseen is claimed by what the answering node itself has told: a key's
 *   departure is told by the node that it left as if it had been deleted. Where the answering node has told
 *   nothing of the key, with all told that came before the reading, the key never was there, and what the
 *   other node has told was no departure: see stayed().
 *
 * Keys are those of the server, by lock set. Pure.
 */
class StrayKeys
{
public:
    /** A node that was asked for a key. */
    struct Asked
    {
        quint16 server = 0;
        ClockTie clock;
        qint64 toldUntilUs = 0; ///< by its clock: push::Tracker::toldUntilUs()
    };
    void note(quint16 server, const push::Strays &strays);
    /** Those that wait, which are then in a reading. */
    QList<Subject> take();
    /** The node that was asked sends on. */
    void sentOn(const Subject &key, const Asked &by);
    /** True where the reading has asked the node. */
    bool hasAsked(const Subject &key, quint16 server) const;
    /** What a reading answers, which was read at a node at `endedUs` of its clock and came at `arrivedUs` of
     * the monotonic one: with the least time of the change by that clock (0: not proven), and told as that
     * node has told it. Empty where the key isn't in a reading. */
    std::optional<push::DirtyKeys::Asked> answer(const Subject &key, const Asked &at, qint64 endedUs,
                                                 qint64 arrivedUs) const;
    /**
     * The same for a key that wasn't there, where the node that was read has told nothing of it up to
     * `endedUs`, nor been without its subscription since `tellsSinceUs`: one other node has told, of changes
     * that came after whatever has shown the key absent. They were no departure then, and count as if the
     * node that was read had told them. Empty where that isn't certain, or they may be older than kMemoryUs.
     */
    std::optional<push::DirtyKeys::Asked> stayed(const Subject &key, const Asked &at, qint64 endedUs,
                                                 qint64 arrivedUs, qint64 tellsSinceUs) const;
    /** Its reading ends when it is known what the node that was read had to tell; see stayed(). */
    void holdBack(const Subject &key);
    bool isHeldBack(const Subject &key) const;
    bool hasTold(const Subject &key, quint16 server) const;
    /** Its reading shows nothing that can be told: it waits again. */
    void again(const Subject &key);
    void end(const Subject &key);
    /** The key was read at a node, whoever asked, and wasn't there at `atUs` of its clock; the answer came at
     * `arrivedUs` of the monotonic one. */
    void wasAbsent(const Subject &key, quint16 server, qint64 atUs, qint64 arrivedUs);
    /** How long that is remembered of keys that wait for nothing. */
    static constexpr qint64 kMemoryUs = 5'000'000; ///< proofs of a quiet source are up to 2 s apart
    bool isEmpty() const { return m_entries.isEmpty(); }
    void clear();

private:
    /** What one node has told. */
    struct Teller
    {
        qint64 sinceUs = 0;     ///< by its clock; 0: not proven
        qint64 monotonicUs = 0; ///< the same, as early as it can have been
        push::DirtyKeys::Asked asked;
    };
    using Tellers = QHash<quint16, Teller>;
    struct Entry
    {
        Tellers waiting;
        Tellers read;        ///< what the reading answers
        QList<Asked> sentOn; ///< in the reading
        bool isRead = false;
        bool isHeldBack = false;
    };

    /** When a node's answer said last that the key isn't there. */
    struct Absence
    {
        qint64 monotonicUs = 0;
        Subject key;
        quint16 server = 0;
    };

    void remember(const Absence &absence);
    bool wasAbsentElsewhere(const Subject &key, quint16 server, qint64 sinceUs) const;
    static void add(Tellers &tellers, quint16 server, const Teller &teller);

    QHash<Subject, Entry> m_entries;
    QList<Subject> m_queue;                          ///< in the order told
    QHash<Subject, QHash<quint16, qint64>> m_absent; ///< by server; see wasAbsent()
    std::deque<Absence> m_absences;                  ///< the same in the order of time, and older ones
};

} // namespace lockkeeper::stores::redis
