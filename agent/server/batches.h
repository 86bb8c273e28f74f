// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/server/packed_locks.h"
#include "shared/domain/sight.h"
#include "shared/protocol/codec.h"
#include "shared/protocol/messages.h"
#include "shared/protocol/weight.h"

#include <QList>

#include <memory>

namespace lockkeeper::agent::server {

/** The approximate limit of a stream's frame: well below the protocol's limit and a session's queue. */
inline constexpr qint64 kFrameTarget = 512 * 1024;
inline constexpr qsizetype kItemsPerFrame = 500;

using protocol::weightOf;

/** A message as the bytes that Channel::sendFrame() takes. */
QByteArray frameOf(const protocol::Message &message);

/** Consecutive events in one frame, encoded for the first session that needs it and then shared by all. */
class Batch
{
public:
    explicit Batch(QList<events::LockEvent> events) : m_events(std::move(events)) {}
    const QList<events::LockEvent> &events() const { return m_events; }
    quint64 firstSeq() const { return m_events.constFirst().seq; }
    quint64 lastSeq() const { return m_events.constLast().seq; }
    const QByteArray &frame() const;
    /** The frame of the events after `seq` only. */
    QByteArray frameAfter(quint64 seq) const;
    /** The frame of the events after `seq` that this sight allows, made for one session. */
    QByteArray frameAfter(quint64 seq, const domain::Sight &sight) const;

private:
    QList<events::LockEvent> m_events;
    mutable QByteArray m_frame;
};
using BatchPtr = std::shared_ptr<const Batch>;

/** Cuts events into batches by count and weight; never an empty one. */
QList<BatchPtr> batchesOf(const QList<events::LockEvent> &events);

/** Unsequenced changes of about a tenth of a second, encoded once and shared. */
class States
{
public:
    QList<domain::LockState> locks;
    QList<domain::LockKey> removed;
    QList<domain::SourceState> sources;
    QList<events::LockEvent> renewals;
    bool unjournalled = false;

    bool isEmpty() const { return locks.isEmpty() && removed.isEmpty() && sources.isEmpty(); }
    /** The changes that this sight allows. */
    std::shared_ptr<const States> shown(const domain::Sight &sight) const;
    const QList<QByteArray> &frames() const;
    const QList<QByteArray> &renewalFrames() const;

private:
    mutable QList<QByteArray> m_frames;
    mutable QList<QByteArray> m_renewalFrames;
};
using StatesPtr = std::shared_ptr<const States>;

/** The table, or the part of it that was asked for, as of one number. `sources` are from the same moment.
 * Made for one asker, which may consume it. */
struct Snapshot
{
    quint64 seq = 0;
    PackedLocks locks;
    QList<domain::SourceState> sources;
};
using SnapshotPtr = std::shared_ptr<Snapshot>;

} // namespace lockkeeper::agent::server
