// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/batches.h"

namespace lockkeeper::agent::server {

namespace {

constexpr qint64 kFlatState = 220;
constexpr qint64 kFlatEvent = 160;

qint64 keyWeight(const domain::LockKey &key)
{
    return key.name.size() + key.source.size() + key.place.size() + key.scheme.size();
}

qint64 detailWeight(const QJsonObject &detail)
{
    // "previous" holds an owner, which can be long; other values are short.
    qint64 bytes = 0;
    for (auto it = detail.begin(); it != detail.end(); ++it)
        bytes += it.key().size() + (it->isString() ? it->toString().size() : 8);
    return bytes;
}

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

} // namespace

qint64 weightOf(const domain::LockState &state)
{
    qint64 bytes = kFlatState + keyWeight(state.key) + state.owner.size() + state.token.size() +
                   state.fencing.size() + state.guard.size();
    for (const domain::Waiter &waiter : state.waiters)
        bytes += 16 + waiter.id.size() + waiter.detail.size();
    if (state.session) {
        const domain::Session &s = *state.session;
        bytes += 64 + s.id.size() + s.user.size() + s.client.size() + s.program.size() +
                 s.transaction.size() + s.statement.size();
    }
    return bytes;
}

qint64 weightOf(const events::LockEvent &event)
{
    return kFlatEvent + keyWeight(event.key) + event.owner.size() +
           event.waiter.value_or(QByteArray()).size() + detailWeight(event.detail) +
           (event.after ? weightOf(*event.after) : 0);
}

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

QList<BatchPtr> batchesOf(const QList<events::LockEvent> &events)
{
    QList<BatchPtr> batches;
    inFrames(events, [&batches](QList<events::LockEvent> run) {
        batches.append(std::make_shared<const Batch>(std::move(run)));
    });
    return batches;
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
