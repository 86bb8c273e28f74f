// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/source_engine_p.h"

#include <algorithm>

namespace lockkeeper::agent::engine {

using events::Kind;
using events::LockEvent;

namespace {

LockEvent ofPart(LockEvent event, const QByteArray &node, const QString &ranges)
{
    event.detail.insert(QStringLiteral("partial"), true);
    event.detail.insert(QStringLiteral("node"), QString::fromUtf8(node));
    if (!ranges.isEmpty())
        event.detail.insert(QStringLiteral("slots"), ranges);
    return event;
}

/** Slots that move are a part beside that of the node that has them. */
QByteArray partId(const stores::PartState &part)
{
    return part.polled ? part.node + '/' + part.ranges.toUtf8() : part.node;
}

} // namespace

/** A gap of this part alone: what the other servers have is seen as before. */
void SourceEngine::Private::partDown(const stores::PartState &part, Instant now, Step &step)
{
    source.error = warning = part.error;
    if (const auto known = blind.find(partId(part)); known != blind.end()) {
        known->up = false;
        return;
    }
    blind.insert(partId(part), {part.node, part.ranges, part.polled ? part.holds : nullptr, false, 0});
    const qint64 nowUs = eventTimeUs(now);
    const qint64 at = source.lastSeenUs.value_or(nowUs);
    LockEvent event = ofPart(builder.ofSource(Kind::GapOpened, at, nowUs), part.node, part.ranges);
    event.detail.insert(QStringLiteral("cause"),
                        part.polled ? QStringLiteral("slots_moving") : QStringLiteral("source_down"));
    event.detail.insert(QStringLiteral("message"), part.error.cause);
    step.events.append(event);
    if (!part.polled)
        return;
    setPace();
    passes.hurry(now.monotonicUs);
}

/** Nobody tells of this lock's changes. */
bool SourceEngine::Private::isPolled(const stores::Subject &lock) const
{
    return std::any_of(blind.cbegin(), blind.cend(),
                       [&lock](const BlindPart &part) { return part.polled && part.polled(lock); });
}

/** Passes are for the locks that nobody tells of, or prove what was told. */
void SourceEngine::Private::setPace()
{
    const bool poll = !push.on || std::any_of(blind.cbegin(), blind.cend(),
                                              [](const BlindPart &part) { return part.polled != nullptr; });
    passes.setPollUs((poll ? spec.pollMs : spec.reconcileMs) * 1000);
}

void SourceEngine::Private::partUp(const stores::PartState &part)
{
    if (const auto known = blind.find(partId(part)); known != blind.end()) {
        known->up = true;
        known->upAt = passes.stamp();
    }
    if (!part.restarted || !part.holds)
        return;
    returned.append({part.failover, part.holds, passes.stamp()});
    for (quint32 index = 0; index < table.end(); ++index) {
        if (!table.isUsed(index))
            continue;
        Record &record = table.at(index);
        if (record.isOccupied() && part.holds({record.set, record.name().toByteArray()}))
            record.serverGone = part.failover ? 2 : 1;
    }
}

/** After the first whole pass that began when a part was there again. */
void SourceEngine::Private::closeParts(const stores::PassEnd &end, Step &step)
{
    if (blind.isEmpty())
        return;
    for (auto part = blind.begin(); part != blind.end();) {
        if (!part->up || part->upAt == passes.stamp()) {
            ++part;
            continue;
        }
        step.events.append(
            ofPart(builder.ofSource(Kind::GapClosed, end.endedUs, end.endedUs), part->node, part->ranges));
        part = blind.erase(part);
    }
    setPace();
    if (blind.isEmpty())
        source.error = warning = push.linkWarning;
}

} // namespace lockkeeper::agent::engine
