// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/redlock/node_set.h"

#include <functional>
#include <memory>

namespace lockkeeper::stores::redis {

/** The settled state of each lock that isn't absent. */
class Memory
{
public:
    struct RememberedLock
    {
        QuorumStanding standing = QuorumStanding::Absent;
        QByteArray token;
        qint64 ttlUs = 0;
        size_t print = 0;       ///< hash of the tokens on the nodes
        QList<QByteArray> runs; ///< while held: the run id of each node that has the token, else empty
    };

    RememberedLock of(const Subject &subject) const { return m_known.value(subject); }
    /** merge() with the known time to live of this token; another holder's lease has another length. */
    MergedLock merged(const Subject &subject, const QList<NodeReading> &readings, qint64 nowUs) const;
    void note(const Subject &subject, const MergedLock &merged, QList<QByteArray> runs);

private:
    QHash<Subject, RememberedLock> m_known;
};

/**
 * Reads locks on every node that is up, all at once, and merges the readings. Nodes aren't read at the same
 * moment: an acquisition or a release under way shows on some of them. A lock that differs from its settled
 * state is therefore read again until two readings in a row agree. That pins a moment between the two at
 * which it was so everywhere. After four readings the last one counts, with the time that all of them took.
 * Keeps itself alive until done.
 */
class Gather : public std::enable_shared_from_this<Gather>
{
public:
    using PageRead = std::function<void(const Page &)>;
    using Done = std::function<void()>;

    /** `nodes` and `memory` must outlive it; when the nodes are destroyed, their answers end too. */
    Gather(NodeSet &nodes, Memory &memory, QList<Subject> subjects);

    /** Any number of pages, together with each subject once, and then done. A page without locks and times:
     * too few nodes could be read to settle anything. */
    void start(PageRead page, Done done);

private:
    struct GatheredLock
    {
        MergedLock merged;
        bool any = false;
    };

    void ask();
    void take(qsizetype node, bool read, const QList<Observation> &locks);
    void mergeAll();
    bool isSettled(const GatheredLock &before, const MergedLock &now, const Subject &subject) const;
    QList<QByteArray> runsOf(const MergedLock &merged, const Memory::RememberedLock &known) const;
    void noteLoss(MergedLock &merged, const Memory::RememberedLock &known) const;
    void again(QList<Subject> subjects, QList<GatheredLock> seen, bool atOnce);

    NodeSet &m_nodes;
    Memory &m_memory;
    QList<Subject> m_subjects;         ///< still to be settled
    QList<GatheredLock> m_before;      ///< their last readings
    QList<QList<Observation>> m_locks; ///< by node
    QList<bool> m_read;
    PageRead m_page;
    Done m_done;
    qint64 m_firstUs = 0;
    qint64 m_sentUs = 0;
    int m_pending = 0;
    int m_round = 0;
};

} // namespace lockkeeper::stores::redis
