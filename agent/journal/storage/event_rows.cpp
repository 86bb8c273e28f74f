// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/event_rows.h"

#include "agent/journal/storage/checksum.h"
#include "agent/journal/storage/packed_state.h"
#include "shared/protocol/codec.h"

#include <QCborMap>
#include <QCborValue>

namespace lockkeeper::agent::journal {

namespace {

/** The columns that aren't plain numbers of the event. */
struct Blobs
{
    std::optional<QByteArray> owner;
    std::optional<QByteArray> waiter;
    std::optional<QByteArray> command;
    std::optional<QByteArray> detail;
    std::optional<QByteArray> after;
};

qint64 checksumOf(const events::LockEvent &event, qint64 sourceId, std::optional<qint64> lockId,
                  const Blobs &blobs)
{
    Checksum sum;
    sum.add(qint64(event.seq)).add(sourceId).add(lockId).add(qint64(event.kind)).addBytes(blobs.owner);
    sum.add(event.timeUs).add(event.windowUs).add(event.observedUs).add(event.ttlMs).add(event.expiresUs);
    sum.addBytes(blobs.waiter).addBytes(blobs.command).addBytes(blobs.detail).addBytes(blobs.after);
    return sum.value();
}

tl::unexpected<base::Error> damaged(const char *table, qint64 row)
{
    return base::failure(
        base::ErrorCode::Corrupt,
        QStringLiteral("row %1 of the journal's table %2 is damaged").arg(row).arg(QLatin1String(table)),
        QStringLiteral("Check the disk, and restore the journal from a backup"));
}

Blobs blobsOf(const events::LockEvent &event)
{
    Blobs blobs;
    if (event.ownerKnown)
        blobs.owner = event.owner;
    blobs.waiter = event.waiter;
    if (!event.command.isEmpty())
        blobs.command = event.command;
    if (!event.detail.isEmpty())
        blobs.detail = protocol::encodeDetail(event.detail);
    if (event.after) {
        domain::LockState base = stateBy(event);
        base.key = event.key;
        blobs.after = packState(*event.after, base);
    }
    return blobs;
}

} // namespace

void bindEvent(Statement &statement, const events::LockEvent &event, qint64 sourceId,
               std::optional<qint64> lockId)
{
    const Blobs blobs = blobsOf(event);
    statement.bind(qint64(event.seq))
        .bind(sourceId)
        .bind(lockId)
        .bind(qint64(event.kind))
        .bindBytes(blobs.owner);
    statement.bind(event.timeUs)
        .bind(event.windowUs)
        .bind(event.observedUs)
        .bind(event.ttlMs)
        .bind(event.expiresUs);
    statement.bindBytes(blobs.waiter).bindBytes(blobs.command).bindBytes(blobs.detail).bindBytes(blobs.after);
    statement.bind(checksumOf(event, sourceId, lockId, blobs));
}

base::Result<EventRow> readEvent(const Statement &row, bool withAfter)
{
    EventRow out;
    events::LockEvent &event = out.event;
    event.seq = quint64(row.integer(0));
    out.sourceId = row.integer(1);
    out.lockId = row.optionalInteger(2);
    const qint64 kind = row.integer(3);
    event.kind = events::Kind(kind);
    event.timeUs = row.integer(5);
    event.windowUs = row.integer(6);
    event.observedUs = row.integer(7);
    event.ttlMs = row.optionalInteger(8);
    event.expiresUs = row.optionalInteger(9);
    const Blobs blobs{row.optionalBytes(4), row.optionalBytes(10), row.optionalBytes(11),
                      row.optionalBytes(12), row.optionalBytes(13)};
    if (kind < 0 || kind > qint64(events::kLastKind) ||
        checksumOf(event, out.sourceId, out.lockId, blobs) != row.integer(14))
        return damaged("events", qint64(event.seq));
    event.ownerKnown = blobs.owner.has_value();
    event.owner = blobs.owner.value_or(QByteArray());
    event.waiter = blobs.waiter;
    event.command = blobs.command.value_or(QByteArray());
    if (blobs.detail)
        event.detail = QCborValue::fromCbor(*blobs.detail).toMap().toJsonObject();
    if (withAfter && blobs.after) {
        auto state = unpackState(*blobs.after, stateBy(event));
        if (!state)
            return damaged("events", qint64(event.seq));
        event.after = std::move(*state);
    }
    return out;
}

qint64 lockChecksum(qint64 sourceId, const domain::LockKey &key)
{
    return Checksum().add(sourceId).addBytes(key.scheme).addBytes(key.place).addBytes(key.name).value();
}

base::Result<LockRow> readLock(const Statement &row)
{
    LockRow out;
    out.lockId = row.integer(0);
    out.sourceId = row.integer(1);
    out.key.scheme = row.bytes(2);
    out.key.place = row.bytes(3);
    out.key.name = row.bytes(4);
    if (lockChecksum(out.sourceId, out.key) != row.integer(5))
        return damaged("locks", out.lockId);
    return out;
}

} // namespace lockkeeper::agent::journal
