// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/gather.h"

#include <QTimer>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::stores::redis {

using namespace std::chrono_literals;
using domain::NodeHolds;
using domain::NodeView;

namespace {

constexpr int kMostGatherRounds = 4;
/** By then, an acquisition in progress has usually reached the other nodes. */
constexpr auto kPause = 3ms;

/** A hash of the tokens on the nodes, without deadlines. */
size_t printOf(const QList<NodeView> &nodes)
{
    size_t print = 0;
    for (const NodeView &node : nodes)
        print = qHashMulti(print, quint8(node.holds), node.token);
    return print;
}

/** Nodes that hold the same token in both readings. */
qsizetype commonHolders(const QList<NodeView> &a, const QList<NodeView> &b)
{
    qsizetype count = 0;
    for (qsizetype i = 0; i < a.size() && i < b.size(); ++i)
        count += a.at(i).holds == NodeHolds::Holder && a.at(i).token == b.at(i).token &&
                         b.at(i).holds == NodeHolds::Holder
                     ? 1
                     : 0;
    return count;
}

} // namespace

void Memory::note(const Subject &subject, const MergedLock &merged, QList<QByteArray> runs)
{
    if (merged.standing == QuorumStanding::Absent) {
        m_known.remove(subject);
        return;
    }
    RememberedLock &known = m_known[subject];
    if (known.token != merged.lock.token)
        known.ttlUs = 0;
    known = {merged.standing, merged.lock.token, std::max(known.ttlUs, merged.ttlUs),
             printOf(merged.lock.nodes), std::move(runs)};
}

MergedLock Memory::merged(const Subject &subject, const QList<NodeReading> &readings, qint64 nowUs) const
{
    const RememberedLock known = of(subject);
    const MergedLock merged = merge(subject, readings, known.ttlUs, nowUs);
    return known.ttlUs > 0 && merged.lock.token != known.token ? merge(subject, readings, 0, nowUs) : merged;
}

Gather::Gather(NodeSet &nodes, Memory &memory, QList<Subject> subjects)
    : m_nodes(nodes), m_memory(memory), m_subjects(std::move(subjects))
{
    m_before.resize(m_subjects.size());
}

void Gather::start(PageRead page, Done done)
{
    m_page = std::move(page);
    m_done = std::move(done);
    m_firstUs = m_nodes.nowUs();
    ask();
}

void Gather::ask()
{
    ++m_round;
    m_sentUs = m_nodes.nowUs();
    m_locks = QList<QList<Observation>>(m_nodes.size());
    m_read = QList<bool>(m_nodes.size(), false);
    m_pending = int(m_nodes.size());
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        m_nodes.at(i).readPoints(m_subjects,
                                 [self = shared_from_this(), i](bool read, const QList<Observation> &locks) {
                                     self->take(i, read, locks);
                                 });
    }
}

void Gather::take(qsizetype node, bool read, const QList<Observation> &locks)
{
    m_read[node] = read;
    m_locks[node] = locks;
    if (--m_pending == 0)
        mergeAll();
}

bool Gather::isSettled(const GatheredLock &before, const MergedLock &now, const Subject &subject) const
{
    if (now.standing == QuorumStanding::Absent)
        return true;
    const bool held = now.standing == QuorumStanding::Held;
    const Memory::RememberedLock known = m_memory.of(subject);
    if (held && known.standing == QuorumStanding::Held && known.token == now.lock.token)
        return true;
    const size_t print = printOf(now.lock.nodes);
    if (known.standing == now.standing && known.print == print)
        return true;
    if (!before.any)
        return false;
    const QList<NodeView> &earlier = before.merged.lock.nodes;
    return held ? commonHolders(earlier, now.lock.nodes) >= m_nodes.quorum() : printOf(earlier) == print;
}

void Gather::mergeAll()
{
    const qint64 endedUs = m_nodes.nowUs();
    if (std::count(m_read.cbegin(), m_read.cend(), true) < m_nodes.quorum()) {
        m_page({0, 0, {}});
        m_done();
        return;
    }
    Page settled{m_sentUs, endedUs, {}};
    Page doubtful{m_firstUs, endedUs, {}};
    QList<Subject> open;
    QList<GatheredLock> seen;
    bool atOnce = true;
    for (qsizetype s = 0; s < m_subjects.size(); ++s) {
        QList<NodeReading> readings;
        for (qsizetype i = 0; i < m_nodes.size(); ++i)
            readings.append(m_nodes.readingOf(i, m_read.at(i) ? &m_locks.at(i).at(s) : nullptr));
        const Subject &subject = m_subjects.at(s);
        const Memory::RememberedLock known = m_memory.of(subject);
        MergedLock merged = m_memory.merged(subject, readings, m_sentUs);
        const bool calm = isSettled(m_before.at(s), merged, subject);
        if (!calm && m_round < kMostGatherRounds) {
            atOnce = atOnce && merged.standing == QuorumStanding::Held;
            open.append(subject);
            seen.append({merged, true});
            continue;
        }
        noteLoss(merged, known);
        m_memory.note(subject, merged, runsOf(merged, known));
        (calm ? settled : doubtful).locks.append(merged.lock);
    }
    if (!settled.locks.isEmpty() || m_subjects.isEmpty())
        m_page(settled);
    if (!doubtful.locks.isEmpty())
        m_page(doubtful);
    if (open.isEmpty())
        m_done();
    else
        again(std::move(open), std::move(seen), atOnce);
}

/** The runs of the nodes that hold the token. They are kept while the lock's state is unknown, and while
 * something is left of the token: each reading then reports again how it was lost. */
QList<QByteArray> Gather::runsOf(const MergedLock &merged, const Memory::RememberedLock &known) const
{
    const bool held =
        merged.standing == QuorumStanding::Held || merged.standing == QuorumStanding::Unreadable;
    if (!held && merged.lock.token == known.token)
        return known.runs;
    QList<QByteArray> runs;
    for (qsizetype i = 0; merged.standing == QuorumStanding::Held && i < m_nodes.size(); ++i) {
        const bool holds = merged.lock.nodes.at(i).holds == NodeHolds::Holder;
        runs.append(holds ? m_nodes.at(i).info.instance : QByteArray());
    }
    return runs;
}

/** The lock is lost if its holder would still have a majority with the nodes that had the token and were
 * restarted since. */
void Gather::noteLoss(MergedLock &merged, const Memory::RememberedLock &known) const
{
    if (known.runs.size() != m_nodes.size() || merged.standing == QuorumStanding::Held ||
        merged.standing == QuorumStanding::Indeterminate)
        return;
    qsizetype had = 0;
    qsizetype forgot = 0;
    for (qsizetype i = 0; i < m_nodes.size(); ++i) {
        const NodeView &node = merged.lock.nodes.at(i);
        const bool there = node.holds == NodeHolds::Other && node.token == known.token;
        const bool restarted = !known.runs.at(i).isEmpty() && node.holds != NodeHolds::Unreachable &&
                               known.runs.at(i) != m_nodes.at(i).info.instance;
        had += there || restarted ? 1 : 0;
        forgot += restarted && !there ? 1 : 0;
    }
    merged.lock.lost = forgot > 0 && had >= m_nodes.quorum();
}

void Gather::again(QList<Subject> subjects, QList<GatheredLock> seen, bool atOnce)
{
    m_subjects = std::move(subjects);
    m_before = std::move(seen);
    // A node is the context: once the nodes are gone, nobody waits for the answer.
    QTimer::singleShot(atOnce ? 0ms : kPause, Qt::PreciseTimer, &m_nodes.at(0),
                       [self = shared_from_this()] { self->ask(); });
}

} // namespace lockkeeper::stores::redis
