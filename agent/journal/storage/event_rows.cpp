// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/event_rows.h"

#include "agent/journal/storage/checksum.h"
#include "agent/journal/storage/packed_state.h"
#include "shared/protocol/codec.h"

#include <QCborMap>
#include <QCborValue>
#include <QCryptographicHash>
#include <QtEndian>

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

Blobs blobsOf(const events::LockEvent &event)
{
    Blobs blobs;
    if (event.ownerKnown)
        blobs.owner = event.owner;
    blobs.waiter = event.waiter;
    if (!event.command.isEmpty())
        blobs.command = event.command;
    if (const QJsonObject detail = event.detail.toJson(); !detail.isEmpty())
        blobs.detail = protocol::encodeDetail(detail);
    if (event.after) {
        domain::LockState base = stateBy(event);
        base.key = event.key;
        blobs.after = packState(*event.after, base);
    }
    return blobs;
}

/** Wraps around, so that sumOf() is exact for any two numbers. */
qint64 differenceOf(qint64 to, qint64 from)
{
    return qint64(quint64(to) - quint64(from));
}

qint64 sumOf(qint64 from, qint64 difference)
{
    return qint64(quint64(from) + quint64(difference));
}

} // namespace

void bindEvent(SqliteStatement &statement, const events::LockEvent &event, qint64 sourceId,
               std::optional<qint64> lockId, std::optional<qint64> holdId)
{
    const Blobs blobs = blobsOf(event);
    statement.bind(qint64(event.seq)).bind(sourceId).bind(lockId).bind(qint64(event.kind));
    const bool begins = holdId == qint64(event.seq); // the row of its hold is inserted after it
    if (begins && blobs.owner)
        statement.bind(qint64(0));
    else
        statement.bindBytes(blobs.owner);
    statement.bind(event.timeUs)
        .bind(event.windowUs)
        .bind(differenceOf(event.observedUs, event.timeUs))
        .bind(event.ttlMs)
        .bind(event.expiresUs ? std::optional(differenceOf(*event.expiresUs, event.timeUs)) : std::nullopt);
    statement.bindBytes(blobs.waiter).bindBytes(blobs.command).bindBytes(blobs.detail).bindBytes(blobs.after);
    statement.bind(checksumOf(event, sourceId, lockId, blobs)).bind(begins ? std::nullopt : holdId);
}

base::Result<EventRow> readEvent(const SqliteStatement &row, bool withAfter, int first)
{
    EventRow out;
    events::LockEvent &event = out.event;
    event.seq = quint64(row.integer(first));
    out.sourceId = row.integer(first + 1);
    out.lockId = row.optionalInteger(first + 2);
    const qint64 kind = row.integer(first + 3);
    event.kind = events::EventKind(kind);
    const int owner = row.optionalInteger(first + 4) ? first + 15 : first + 4;
    event.timeUs = row.integer(first + 5);
    event.windowUs = row.integer(first + 6);
    event.observedUs = sumOf(event.timeUs, row.integer(first + 7));
    event.ttlMs = row.optionalInteger(first + 8);
    if (const auto lasts = row.optionalInteger(first + 9))
        event.expiresUs = sumOf(event.timeUs, *lasts);
    const Blobs blobs{row.optionalBytes(owner), row.optionalBytes(first + 10), row.optionalBytes(first + 11),
                      row.optionalBytes(first + 12), row.optionalBytes(first + 13)};
    if (kind < 0 || kind > qint64(events::kLastKind) ||
        checksumOf(event, out.sourceId, out.lockId, blobs) != row.integer(first + 14))
        return damagedRow("events", qint64(event.seq));
    event.ownerKnown = blobs.owner.has_value();
    event.owner = blobs.owner.value_or(QByteArray());
    event.waiter = blobs.waiter;
    event.command = blobs.command.value_or(QByteArray());
    if (blobs.detail)
        event.detail =
            events::EventDetail::fromJson(QCborValue::fromCbor(*blobs.detail).toMap().toJsonObject());
    if (withAfter && blobs.after) {
        auto state = unpackState(*blobs.after, stateBy(event));
        if (!state)
            return damagedRow("events", qint64(event.seq));
        event.after = std::move(*state);
    }
    return out;
}

qint64 lockChecksum(qint64 sourceId, const domain::LockKey &key)
{
    return Checksum().add(sourceId).addBytes(key.scheme).addBytes(key.place).addBytes(key.name).value();
}

qint64 nameHash(const QByteArray &name)
{
    const QByteArray hash = QCryptographicHash::hash(name, QCryptographicHash::Sha1);
    return qFromLittleEndian<qint32>(hash.constData());
}

base::Result<StoredLockRow> readLock(const SqliteStatement &row, int first)
{
    StoredLockRow out;
    out.lockId = row.integer(first);
    out.sourceId = row.integer(first + 1);
    out.key.scheme = row.bytes(first + 2);
    out.key.place = row.bytes(first + 3);
    out.key.name = row.bytes(first + 4);
    if (lockChecksum(out.sourceId, out.key) != row.integer(first + 5))
        return damagedRow("locks", out.lockId);
    return out;
}

} // namespace lockkeeper::agent::journal
