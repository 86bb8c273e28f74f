// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/gap_tracker.h"

#include "agent/engine/scan_scheduler.h"
#include "shared/base/text.h"
#include "shared/stores/set_part.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockkeeper::agent::engine {

using events::EventCause;
using events::EventKind;
using events::LockEvent;

namespace {

LockEvent ofPart(LockEvent event, const QByteArray &node, const QString &ranges)
{
    event.detail.partial = true;
    event.detail.node = QString::fromUtf8(node);
    if (!ranges.isEmpty() && ranges != stores::kSetPart)
        event.detail.slotRanges = ranges;
    return event;
}

/** Adds the gap's beginning, whose event may be far back by then. */
LockEvent closed(LockEvent event, qint64 sinceUs)
{
    event.detail.sinceUs = sinceUs;
    return event;
}

/** Moving slots are a part beside the node that has them. */
QByteArray shardId(const stores::ShardState &part)
{
    return part.polled ? part.node + '/' + part.ranges.toUtf8() : part.node;
}

} // namespace

void GapTracker::open(qint64 timeUs, EventCause cause, EngineStep &step)
{
    if (m_context.source.gapSinceUs || timeUs == 0)
        return;
    m_context.source.gapSinceUs = timeUs;
    events::LockEvent event = m_context.builder.ofSource(EventKind::GapOpened, timeUs, timeUs);
    event.detail.cause = cause;
    step.events.append(event);
}

void GapTracker::close(qint64 timeUs, EngineStep &step)
{
    if (!m_context.source.gapSinceUs)
        return;
    step.events.append(closed(m_context.builder.ofSource(EventKind::GapClosed, timeUs, timeUs),
                              *std::exchange(m_context.source.gapSinceUs, std::nullopt)));
}

void GapTracker::linkMade()
{
    for (BlindShard &part : m_blind) // the store reports again the parts that are down
        part.up = true;
}

void GapTracker::instanceChanged(Return why, bool rows)
{
    m_returned.append({why, {}, m_scheduler.stamp(), rows});
}

/** Opens a gap although the link is up: the source wasn't seen since the last whole scan. */
void GapTracker::breakOff(EventCause cause, EngineStep &step, bool always)
{
    if (m_context.source.gapSinceUs && !always)
        return;
    open(m_context.source.lastSeenUs.value_or(m_context.source.sinceWallUs), cause, step);
    ++m_context.epoch; // a hold that ended meanwhile may not have ended by its deadline
}

void GapTracker::scanFailed(const base::Error &why, EngineStep &step)
{
    if (++m_failedScans < 2)
        return;
    breakOff(EventCause::ScansFailed, step);
    if (!step.events.isEmpty() && !why.cause.isEmpty())
        step.events.last().detail.message = base::singleLine(why.cause);
}

void GapTracker::scanFinished(const stores::ScanEnd &end, EngineStep &step)
{
    m_failedScans = 0;
    m_returned.removeIf([this](const Returned &server) { return server.at != m_scheduler.stamp(); });
    closeShards(end, step);
}

QList<domain::Finding> GapTracker::unseenParts() const
{
    QList<domain::Finding> parts;
    for (const BlindShard &part : m_blind) {
        if (!part.polled)
            parts.append({domain::kPartUnseen, domain::Severity::Warning, part.node, part.sinceUs});
    }
    std::sort(parts.begin(), parts.end(), [](const auto &a, const auto &b) { return a.value < b.value; });
    return parts;
}

bool GapTracker::hasPolled() const
{
    return std::any_of(m_blind.cbegin(), m_blind.cend(),
                       [](const BlindShard &part) { return part.polled != nullptr; });
}

void GapTracker::noteReturn(events::LockEvent &event, const LockRecord &record, const Past &past,
                            const Verdict &verdict, bool replaced) const
{
    std::optional<Return> why;
    if (replaced)
        why = past.inFailover ? Return::Failover : past.rewound ? Return::WentBack : Return::Restart;
    for (const Returned &server : m_returned) {
        if (!why && event.kind == EventKind::Acquired && (server.rows || m_context.builder.mayLose(record)) &&
            (!server.holds || server.holds({record.set, record.name().toByteArray()})))
            why = server.why;
    }
    if (!why)
        return;
    static constexpr std::array kCauses{EventCause::Restart, EventCause::Failover, EventCause::WentBack};
    event.detail.cause = kCauses.at(size_t(*why));
    const bool known = past.previous != 0 && past.previous == record.identityHash();
    if (known || verdict.cameBack || (verdict.wentBack && verdict.begin))
        event.detail.cameBack = true;
}

/** Opens a gap of this part alone: the other servers' locks are seen as before. */
void GapTracker::shardDown(const stores::ShardState &part, Instant now, EngineStep &step)
{
    m_context.source.error = m_context.warning = part.error;
    if (const auto known = m_blind.find(shardId(part)); known != m_blind.end()) {
        known->up = false;
        return;
    }
    const qint64 nowUs = m_context.eventTimeUs(now);
    const qint64 at = m_context.source.lastSeenUs.value_or(nowUs);
    m_blind.insert(shardId(part), {part.node, part.ranges, part.polled ? part.holds : nullptr, at, false, 0});
    LockEvent event =
        ofPart(m_context.builder.ofSource(EventKind::GapOpened, at, nowUs), part.node, part.ranges);
    event.detail.cause = part.polled                                            ? EventCause::SlotsMoving
                         : stores::isSetPart(part)                              ? EventCause::SetUnread
                         : part.error.code == base::ErrorCode::PermissionDenied ? EventCause::NotPermitted
                                                                                : EventCause::SourceDown;
    event.detail.message = part.error.cause;
    step.events.append(event);
}

bool GapTracker::isPolled(const stores::Subject &lock) const
{
    return std::any_of(m_blind.cbegin(), m_blind.cend(),
                       [&lock](const BlindShard &part) { return part.polled && part.polled(lock); });
}

void GapTracker::shardUp(const stores::ShardState &part)
{
    if (const auto known = m_blind.find(shardId(part)); known != m_blind.end()) {
        known->up = true;
        known->upAt = m_scheduler.stamp();
    }
    if (!part.restarted || !part.holds)
        return;
    m_returned.append(
        {part.failover ? Return::Failover : Return::Restart, part.holds, m_scheduler.stamp(), false});
    for (quint32 index = 0; index < m_context.table.end(); ++index) {
        if (!m_context.table.isUsed(index))
            continue;
        LockRecord &record = m_context.table.at(index);
        if (record.isOccupied() && part.holds({record.set, record.name().toByteArray()}))
            record.serverGone = part.failover ? 2 : 1;
    }
}

/** Closes a part's gap after the first whole scan that began once the part was up again. */
void GapTracker::closeShards(const stores::ScanEnd &end, EngineStep &step)
{
    if (m_blind.isEmpty())
        return;
    for (auto part = m_blind.begin(); part != m_blind.end();) {
        if (!part->up || part->upAt == m_scheduler.stamp()) {
            ++part;
            continue;
        }
        step.events.append(
            closed(ofPart(m_context.builder.ofSource(EventKind::GapClosed, end.endedUs, end.endedUs),
                          part->node, part->ranges),
                   part->sinceUs));
        if (part->ranges == stores::kSetPart) // so that this event alone shows that it is no node
            step.events.last().detail.cause = EventCause::SetUnread;
        part = m_blind.erase(part);
    }
    if (m_blind.isEmpty())
        m_context.source.error = m_context.warning = m_context.linkWarning;
}

} // namespace lockkeeper::agent::engine
