// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/contention_meter.h"

#include <algorithm>
#include <numeric>

namespace lockkeeper::agent::journal {

namespace {

/** The nearest rank: the least value that `percent` of all values don't exceed. `sorted` isn't empty. */
qint64 percentile(const std::vector<qint64> &sorted, size_t percent)
{
    return sorted.at((sorted.size() * percent + 99) / 100 - 1);
}

domain::Spread spreadOf(std::vector<qint64> &lengths)
{
    domain::Spread spread;
    if (lengths.empty())
        return spread;
    std::sort(lengths.begin(), lengths.end());
    spread.count = qint64(lengths.size());
    spread.totalUs = std::accumulate(lengths.cbegin(), lengths.cend(), qint64(0));
    spread.p50Us = percentile(lengths, 50);
    spread.p95Us = percentile(lengths, 95);
    spread.maxUs = lengths.back();
    return spread;
}

} // namespace

void ContentionMeter::addHold(const HoldSpan &hold)
{
    if (hold.fromUs - hold.fromWindowUs > m_range.toUs)
        return;
    if (hold.startSeen && hold.fromUs >= m_range.fromUs && hold.fromUs <= m_range.toUs)
        ++m_sum.acquisitions;
    countEnd(hold);
    addHeld(hold);
    addHandover(hold);
    m_before = hold;
}

void ContentionMeter::countEnd(const HoldSpan &hold)
{
    if (!hold.toUs || *hold.toUs > m_range.toUs) {
        m_runningUs = std::max(m_runningUs, m_range.toUs - std::min(hold.fromUs, m_range.toUs));
        return;
    }
    if (*hold.toUs < m_range.fromUs)
        return;
    if (hold.end == HoldEnd::TakenOver)
        ++m_sum.takeovers;
    else if (hold.end == HoldEnd::Expired)
        ++m_sum.expiries;
    else if (hold.end == HoldEnd::ForceReleased)
        ++m_sum.forced;
    if (hold.startSeen && hold.end != HoldEnd::Gap)
        m_holds.push_back(std::max<qint64>(0, *hold.toUs - hold.fromUs));
}

void ContentionMeter::addHeld(const HoldSpan &hold)
{
    const qint64 endUs = hold.toUs.value_or(m_range.toUs);
    m_sum.heldLowUs += overlapUs(m_observed, hold.fromUs, endUs - hold.toWindowUs);
    // The windows of one hold's end and of the next hold's beginning overlap: no moment counts twice.
    const qint64 startUs = std::max(hold.fromUs - hold.fromWindowUs, m_heldUntilUs);
    m_sum.heldHighUs += overlapUs(m_observed, startUs, endUs);
    m_heldUntilUs = std::max(m_heldUntilUs, endUs);
}

void ContentionMeter::addHandover(const HoldSpan &hold)
{
    if (!m_before || !m_before->toUs || m_before->end == HoldEnd::Gap || !hold.startSeen ||
        hold.fromUs < m_range.fromUs || hold.fromUs > m_range.toUs)
        return;
    const qint64 endUs = *m_before->toUs;
    const qint64 lastUs = std::max(endUs, hold.fromUs);
    if (overlapUs(m_observed, std::max(endUs, m_range.fromUs), lastUs) !=
        lastUs - std::max(endUs, m_range.fromUs))
        return; // not observed in between: others may have held the lock
    m_low.push_back(std::max<qint64>(0, hold.fromUs - hold.fromWindowUs - endUs));
    m_high.push_back(std::max<qint64>(0, hold.fromUs - (endUs - m_before->toWindowUs)));
}

void ContentionMeter::addWait(qint64 fromUs, std::optional<qint64> toUs)
{
    const qint64 endUs = std::min(toUs.value_or(m_range.toUs), m_range.toUs);
    // If a clock was set back, the wait ended before it began.
    if (std::min(fromUs, toUs.value_or(fromUs)) > m_range.toUs || endUs < m_range.fromUs)
        return;
    m_waits.push_back(std::max<qint64>(0, endUs - fromUs));
    m_sum.waits.totalUs += std::max<qint64>(0, endUs - std::max(fromUs, m_range.fromUs));
}

domain::Contention ContentionMeter::result()
{
    domain::Contention sum = m_sum;
    sum.waits = spreadOf(m_waits);
    sum.waits.totalUs = m_sum.waits.totalUs;
    sum.holds = spreadOf(m_holds);
    sum.holds.maxUs = std::max(sum.holds.maxUs, m_runningUs);
    sum.handoverLow = spreadOf(m_low);
    sum.handoverHigh = spreadOf(m_high);
    sum.observedUs = overlapUs(m_observed, m_range.fromUs, m_range.toUs);
    return sum;
}

} // namespace lockkeeper::agent::journal
