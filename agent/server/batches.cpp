// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/batches.h"

namespace lockkeeper::agent::server {

namespace {

/** Calls `flush` with runs of `items` that fit in a frame. */
template <typename T, typename Flush> void inFrames(const QList<T> &items, Flush flush)
{
    QList<T> run;
    qint64 weight = 0;
    for (const T &item : items) {
        const qint64 more = weightOf(item);
        if (!run.isEmpty() && (run.size() >= kItemsPerFrame || weight + more > kFrameTarget)) {
            flush(std::exchange(run, {}));
            weight = 0;
        }
        run.append(item);
        weight += more;
    }
    if (!run.isEmpty())
        flush(std::move(run));
}

QList<events::LockEvent> eventsShown(QList<events::LockEvent> events, const domain::Sight &sight)
{
    events.removeIf([&sight](const events::LockEvent &event) {
        return event.isSourceEvent() ? !sight.sees(event.key.source) : !sight.sees(event.key);
    });
    for (events::LockEvent &event : events) {
        if (event.after)
            event.after = sight.shown(std::move(*event.after));
    }
    return events;
}

} // namespace

QByteArray frameOf(const protocol::Message &message)
{
    return protocol::frame(protocol::encode(message));
}

const QByteArray &Batch::frame() const
{
    if (m_frame.isEmpty())
        m_frame = frameOf(protocol::EventBatch{m_events});
    return m_frame;
}

QByteArray Batch::frameAfter(quint64 seq) const
{
    protocol::EventBatch rest;
    for (const events::LockEvent &event : m_events) {
        if (event.seq > seq)
            rest.events.append(event);
    }
    return frameOf(rest);
}

QByteArray Batch::frameAfter(quint64 seq, const domain::Sight &sight) const
{
    protocol::EventBatch rest{eventsShown(m_events, sight), seq, lastSeq()};
    rest.events.removeIf([seq](const events::LockEvent &event) { return event.seq <= seq; });
    return frameOf(rest);
}

QList<BatchPtr> batchesOf(const QList<events::LockEvent> &events)
{
    QList<BatchPtr> batches;
    inFrames(events, [&batches](QList<events::LockEvent> run) {
        batches.append(std::make_shared<const Batch>(std::move(run)));
    });
    return batches;
}

StatesPtr States::shown(const domain::Sight &sight) const
{
    const auto seen = std::make_shared<States>();
    for (const domain::LockState &state : locks) {
        if (sight.sees(state.key))
            seen->locks.append(sight.shown(state));
    }
    for (const domain::LockKey &key : removed) {
        if (sight.sees(key))
            seen->removed.append(key);
    }
    seen->sources = sight.shown(sources);
    seen->renewals = eventsShown(renewals, sight);
    seen->unjournalled = unjournalled;
    return seen;
}

const QList<QByteArray> &States::frames() const
{
    if (!m_frames.isEmpty() || isEmpty())
        return m_frames;
    inFrames(locks, [this](QList<domain::LockState> run) {
        m_frames.append(frameOf(protocol::StateBatch{std::move(run), {}, unjournalled, {}}));
    });
    if (!removed.isEmpty() || !sources.isEmpty())
        m_frames.append(frameOf(protocol::StateBatch{{}, sources, unjournalled, removed}));
    return m_frames;
}

const QList<QByteArray> &States::renewalFrames() const
{
    if (m_renewalFrames.isEmpty()) {
        inFrames(renewals, [this](QList<events::LockEvent> run) {
            m_renewalFrames.append(frameOf(protocol::EventBatch{std::move(run)}));
        });
    }
    return m_renewalFrames;
}

} // namespace lockkeeper::agent::server
