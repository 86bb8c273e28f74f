// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/merge.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::stores::redis {

using domain::Evidence;
using domain::ExpiryKind;
using domain::NodeHolds;
using domain::NodeView;

namespace {

constexpr qint64 kNever = std::numeric_limits<qint64>::max();

/** A key of another type, an empty or an endless value: no token that could be compared. */
bool isUnreadable(const NodeReading &reading)
{
    return reading.reachable && reading.lock.present && reading.lock.identity.isEmpty();
}

NodeView viewOf(const NodeReading &reading)
{
    NodeView view;
    view.node = reading.node;
    if (!reading.reachable) {
        view.holds = NodeHolds::Unreachable;
        return view;
    }
    if (!reading.lock.present)
        return view;
    view.holds = isUnreadable(reading) ? NodeHolds::Unreadable : NodeHolds::Other;
    view.token = reading.lock.identity;
    if (reading.lock.expiry == ExpiryKind::At)
        view.expiresUs = reading.lock.expiresUs + reading.shiftUs;
    return view;
}

/** The token that most nodes hold, of equals the first. */
QByteArray leadingToken(const QList<NodeView> &nodes)
{
    QByteArray leader;
    qsizetype most = 0;
    for (const NodeView &node : nodes) {
        const qsizetype count = node.holds == NodeHolds::Other ? domain::holdersOf(nodes, node.token) : 0;
        if (count > most) {
            most = count;
            leader = node.token;
        }
    }
    return leader;
}

QByteArray pinned(const QList<NodeReading> &readings, const QByteArray &token)
{
    QList<NodeGuard> guards;
    for (const NodeReading &reading : readings) {
        const bool there = reading.reachable && reading.lock.present && reading.lock.identity == token;
        guards.append({reading.reachable, reading.instance, there ? reading.lock.freshness : QByteArray()});
    }
    return freshnessOf(guards);
}

struct NodeDeadlines
{
    bool known = false;
    qint64 leastUs = kNever; ///< the earliest that the first of them may be
    qint64 longestUs = 0;    ///< the time to live of the last of them
    qint64 noiseUs = 0;
    QList<qint64> endsUs; ///< the latest that each may be; kNever: it has none
};

NodeDeadlines deadlinesOf(const QList<NodeReading> &readings, const QByteArray &token, qint64 nowUs)
{
    NodeDeadlines all;
    bool known = true;
    for (const NodeReading &reading : readings) {
        const Observation &lock = reading.lock;
        if (!reading.reachable || !lock.present || lock.identity != token)
            continue;
        if (lock.expiry == ExpiryKind::None) {
            all.endsUs.append(kNever);
            continue;
        }
        known = known && lock.expiry == ExpiryKind::At;
        const qint64 at = lock.expiresUs + reading.shiftUs;
        all.leastUs = std::min(all.leastUs, at - reading.uncertaintyUs);
        all.longestUs = std::max(all.longestUs, at - nowUs);
        all.noiseUs = std::max(all.noiseUs, lock.expiryNoiseUs + 2 * reading.uncertaintyUs);
        all.endsUs.append(at + lock.expirySlackUs + reading.uncertaintyUs);
    }
    all.known = known && !all.endsUs.isEmpty();
    std::sort(all.endsUs.begin(), all.endsUs.end());
    return all;
}

void setDeadline(MergedLock &merged, const QList<NodeReading> &readings, qint64 nowUs)
{
    Observation &lock = merged.lock;
    const NodeDeadlines all = deadlinesOf(readings, lock.token, nowUs);
    lock.expiresBy = Evidence::Ttl;
    if (!all.known)
        return;
    // Once this deadline passes, the holders are fewer than a majority. A minority ends with its last
    // deadline.
    const qsizetype enough = lock.held ? domain::quorumOf(readings.size()) : 1;
    const qint64 endUs = all.endsUs.at(all.endsUs.size() - enough);
    if (endUs == kNever) {
        lock.expiry = ExpiryKind::None;
        return;
    }
    merged.ttlUs = std::max(merged.ttlUs, all.longestUs);
    lock.expiry = ExpiryKind::At;
    lock.expiresUs = all.leastUs - driftUs(merged.ttlUs);
    lock.expirySlackUs = endUs - lock.expiresUs;
    lock.expiryNoiseUs = all.noiseUs;
}

void nameHolders(Observation &lock)
{
    for (NodeView &node : lock.nodes) {
        if (node.holds == NodeHolds::Other && node.token == lock.token)
            node.holds = NodeHolds::Holder;
    }
}

/** A majority of the nodes shows values that are no token. The first of these nodes gives the reason. */
void takeUnreadable(Observation &lock, const QList<NodeReading> &readings)
{
    const auto first = std::find_if(readings.cbegin(), readings.cend(), isUnreadable);
    lock.flaw = first->lock.flaw == Flaw::None ? Flaw::Malformed : first->lock.flaw;
    lock.held = first->lock.held;
    lock.ownerKnown = false;
    lock.identity = lock.owner = lock.token = QByteArray();
}

} // namespace

MergedLock merge(const Subject &subject, const QList<NodeReading> &readings, qint64 ttlUs, qint64 nowUs)
{
    MergedLock merged;
    merged.ttlUs = ttlUs;
    Observation &lock = merged.lock;
    lock.set = subject.set;
    lock.name = subject.name;
    for (const NodeReading &reading : readings)
        lock.nodes.append(viewOf(reading));
    const qsizetype quorum = domain::quorumOf(readings.size());
    const QByteArray leader = leadingToken(lock.nodes);
    const qsizetype holders = leader.isEmpty() ? 0 : domain::holdersOf(lock.nodes, leader);
    const qsizetype unreachable = domain::countOf(lock.nodes, NodeHolds::Unreachable);
    const qsizetype unreadable = domain::countOf(lock.nodes, NodeHolds::Unreadable);
    lock.identity = lock.owner = lock.token = leader;
    lock.freshness = pinned(readings, leader);
    if (holders >= quorum) {
        merged.standing = QuorumStanding::Held;
        lock.held = true;
        setDeadline(merged, readings, nowUs);
        nameHolders(lock);
    } else if (unreadable >= quorum) {
        merged.standing = QuorumStanding::Unreadable;
        takeUnreadable(lock, readings);
    } else if (holders + unreachable >= quorum) {
        merged.standing = QuorumStanding::Indeterminate;
        lock.flaw = Flaw::Indeterminate;
        setDeadline(merged, readings, nowUs);
    } else if (domain::hasTraces(lock.nodes)) {
        merged.standing = QuorumStanding::NoQuorum;
        setDeadline(merged, readings, nowUs); // the likeliest holder's: its next hold has another
    } else {
        lock.present = false;
    }
    return merged;
}

QByteArray freshnessOf(const QList<NodeGuard> &nodes)
{
    QList<QByteArray> lines;
    for (const NodeGuard &node : nodes)
        lines.append((node.reachable ? QByteArray("+") : QByteArray("-")) + node.instance + ' ' +
                     node.freshness);
    return lines.join('\n');
}

QList<NodeGuard> nodeGuardsOf(const QByteArray &freshness, qsizetype count)
{
    const QList<QByteArray> lines = freshness.split('\n');
    if (lines.size() != count)
        return {};
    QList<NodeGuard> nodes;
    for (const QByteArray &line : lines) {
        const qsizetype space = line.indexOf(' ');
        if (space < 1)
            return {};
        nodes.append({line.at(0) == '+', line.mid(1, space - 1), line.mid(space + 1)});
    }
    return nodes;
}

} // namespace lockkeeper::stores::redis
