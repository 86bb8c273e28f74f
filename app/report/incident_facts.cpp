// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/incident_facts.h"

#include <QMap>
#include <QSet>

#include <algorithm>

namespace lockkeeper::app::report {

namespace {

/** Joins overlapping and touching intervals. */
QList<events::Interval> joined(QList<events::Interval> list)
{
    std::sort(list.begin(), list.end(),
              [](const events::Interval &a, const events::Interval &b) { return a.fromUs < b.fromUs; });
    QList<events::Interval> result;
    for (const events::Interval &one : std::as_const(list)) {
        if (one.toUs <= one.fromUs)
            continue;
        if (!result.isEmpty() && one.fromUs <= result.constLast().toUs)
            result.last().toUs = std::max(result.constLast().toUs, one.toUs);
        else
            result.append(one);
    }
    return result;
}

void addUnobserved(IncidentFacts &facts, const IncidentEvidence &evidence)
{
    facts.knowsObserved = evidence.hasRead(EvidencePart::Timeline);
    if (!facts.knowsObserved)
        return;
    const timeline::TimeRange &range = evidence.range;
    QList<events::Interval> list;
    const auto add = [&](qint64 fromUs, qint64 toUs) {
        list.append({std::max(fromUs, range.fromUs), std::min(toUs, range.toUs)});
    };
    for (const protocol::TimelineGap &gap : evidence.timeline.gaps) {
        if (gap.source != evidence.key.source || gap.fromUs >= range.toUs ||
            gap.toUs.value_or(range.toUs) <= range.fromUs)
            continue;
        add(gap.fromUs, gap.toUs.value_or(range.toUs));
        facts.onlyPartly = facts.onlyPartly || !gap.part.isEmpty();
    }
    add(range.fromUs, evidence.timeline.firstUs > 0 ? evidence.timeline.firstUs : range.toUs);
    const qint64 patienceUs = evidence.source ? evidence.source->patienceUs() : 0;
    if (facts.seenUntilUs + patienceUs < range.toUs)
        add(facts.seenUntilUs, range.toUs);
    facts.unobserved = joined(list);
}

void addWaits(IncidentFacts &facts, const IncidentEvidence &evidence)
{
    for (const protocol::TimelineLane &lane : evidence.timeline.lanes) {
        facts.waits += lane.waits;
        for (const protocol::TimelineSlice &slice : lane.slices) {
            facts.waitsSummed = facts.waitsSummed || slice.waits > 0 || slice.waitUs > 0;
            facts.waitCount += slice.waits;
            facts.waitedUs += slice.waitUs;
        }
    }
    std::sort(facts.waits.begin(), facts.waits.end(),
              [](const protocol::Wait &a, const protocol::Wait &b) { return a.fromUs < b.fromUs; });
    QSet<QByteArray> waiters;
    QMap<qint64, int> changes;
    for (const protocol::Wait &wait : std::as_const(facts.waits)) {
        const events::Interval seen = within(evidence.range, wait.fromUs, wait.toUs, facts.seenUntilUs);
        waiters.insert(wait.waiter);
        facts.waitedUs += seen.toUs - seen.fromUs;
        facts.longestWaitUs = std::max(facts.longestWaitUs, seen.toUs - seen.fromUs);
        ++changes[seen.fromUs];
        --changes[seen.toUs];
    }
    facts.waiters = int(waiters.size());
    facts.waitCount += facts.waits.size();
    int now = 0;
    qint64 lastedUs = 0;
    for (auto it = changes.cbegin(); it != changes.cend(); ++it) {
        now += it.value();
        const auto next = std::next(it);
        const qint64 lengthUs = next == changes.cend() ? 0 : next.key() - it.key();
        if (now > facts.peak.waiters || (now > 0 && now == facts.peak.waiters && lengthUs > lastedUs)) {
            facts.peak = {it.key(), now};
            lastedUs = lengthUs;
        }
    }
}

void addHolds(IncidentFacts &facts, const IncidentEvidence &evidence)
{
    facts.holds = evidence.holds;
    std::sort(facts.holds.begin(), facts.holds.end(), [](const protocol::Hold &a, const protocol::Hold &b) {
        return std::pair(a.fromUs, a.id) < std::pair(b.fromUs, b.id);
    });
    QSet<QByteArray> holders;
    for (const protocol::Hold &hold : std::as_const(facts.holds)) {
        if (hold.ownerKnown && !hold.owner.isEmpty())
            holders.insert(hold.owner);
    }
    facts.holders = int(holders.size());
}

/** The hold behind which clients waited longest; without waits, the longest one. */
void addMainHold(IncidentFacts &facts, const IncidentEvidence &evidence)
{
    QList<events::Interval> waits;
    for (const protocol::Wait &wait : std::as_const(facts.waits))
        waits.append(within(evidence.range, wait.fromUs, wait.toUs, facts.seenUntilUs));
    std::pair<qint64, qint64> most{-1, -1};
    for (qsizetype i = 0; i < facts.holds.size(); ++i) {
        const protocol::Hold &hold = facts.holds.at(i);
        const events::Interval held = within(evidence.range, hold.fromUs, hold.toUs, facts.seenUntilUs);
        const qint64 waitedUs = events::overlapUs(waits, held.fromUs, held.toUs);
        const std::pair<qint64, qint64> size{waitedUs, held.toUs - held.fromUs};
        if (size > most) {
            most = size;
            facts.mainHold = i;
            facts.waitedBehindUs = waitedUs;
        }
    }
}

/** The root of the chain through the lock, in one source's graph. */
std::optional<RootBlocker> rootIn(const domain::WaitGraph &graph, const domain::LockKey &key)
{
    const domain::Chains chains = domain::chainsOf(graph);
    std::optional<RootBlocker> best;
    for (const domain::ChainNode &waiter : chains.nodes) {
        if (waiter.waitsFor != key)
            continue;
        const domain::ChainNode *root = &waiter;
        for (int steps = 0; root->parent >= 0 && steps < chains.nodes.size(); ++steps)
            root = &chains.nodes.at(root->parent);
        int depth = 0;
        bool deadlock = false;
        for (const domain::ChainNode &node : chains.nodes) {
            const domain::ChainNode *top = &node;
            for (int steps = 0; top->parent >= 0 && steps < chains.nodes.size(); ++steps)
                top = &chains.nodes.at(top->parent);
            if (top != root)
                continue;
            depth = std::max(depth, node.depth);
            deadlock = deadlock || node.inCycle;
        }
        if (!best || root->blocksAll > best->behind)
            best = RootBlocker{root->session.id, root->session, depth + 1, root->blocksAll, deadlock};
    }
    return best;
}

void addRoot(IncidentFacts &facts, const IncidentEvidence &evidence)
{
    for (const domain::WaitGraph &graph : evidence.graphs) {
        if (graph.source == evidence.key.source)
            facts.root = rootIn(graph, evidence.key);
    }
    if (facts.root || facts.peak.waiters == 0)
        return;
    // A lock of another kind has no chain: its holder is the root.
    for (const protocol::Hold &hold : std::as_const(facts.holds)) {
        const events::Interval held = within(evidence.range, hold.fromUs, hold.toUs, facts.seenUntilUs);
        if (held.fromUs <= facts.peak.us && facts.peak.us < held.toUs && hold.ownerKnown)
            facts.root = RootBlocker{hold.owner, {}, 2, facts.peak.waiters, false};
    }
}

void addTraces(IncidentFacts &facts, const IncidentEvidence &evidence)
{
    const auto see = [&](qint64 us) {
        const qint64 at = std::clamp(us, evidence.range.fromUs, evidence.range.toUs);
        facts.firstSeenUs = std::min(facts.firstSeenUs.value_or(at), at);
        facts.lastSeenUs = std::max(facts.lastSeenUs.value_or(at), at);
    };
    for (const events::LockEvent &event : evidence.events)
        see(event.timeUs);
    for (const protocol::Hold &hold : std::as_const(facts.holds)) {
        see(hold.fromUs);
        see(hold.toUs.value_or(facts.seenUntilUs));
    }
}

} // namespace

events::Interval within(const timeline::TimeRange &range, qint64 fromUs, std::optional<qint64> toUs,
                        qint64 seenUntilUs)
{
    const qint64 from = std::clamp(fromUs, range.fromUs, range.toUs);
    return {from, std::clamp(toUs.value_or(seenUntilUs), from, range.toUs)};
}

qint64 IncidentFacts::unobservedUs() const
{
    qint64 sum = 0;
    for (const events::Interval &one : unobserved)
        sum += one.toUs - one.fromUs;
    return sum;
}

IncidentFacts factsOf(const IncidentEvidence &evidence)
{
    IncidentFacts facts;
    facts.seenUntilUs = evidence.source && evidence.source->lastSeenUs
                            ? std::min(*evidence.source->lastSeenUs, evidence.range.toUs)
                            : evidence.range.toUs;
    addUnobserved(facts, evidence);
    addWaits(facts, evidence);
    addHolds(facts, evidence);
    addMainHold(facts, evidence);
    addRoot(facts, evidence);
    addTraces(facts, evidence);
    return facts;
}

} // namespace lockkeeper::app::report
