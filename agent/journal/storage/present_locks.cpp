// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/present_locks.h"

#include "agent/journal/storage/checksum.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

void appendNumber(QByteArray &out, quint64 number)
{
    for (; number >= 0x80; number >>= 7)
        out += char(number | 0x80);
    out += char(number);
}

std::optional<quint64> takeNumber(QByteArrayView &bytes)
{
    quint64 number = 0;
    for (int shift = 0; shift < 63 && !bytes.isEmpty(); shift += 7) {
        const auto byte = quint8(bytes.front());
        bytes = bytes.sliced(1);
        number |= quint64(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    return std::nullopt;
}

qint64 snapshotCheck(const SnapshotRow &snapshot, const QByteArray &locks)
{
    return Checksum()
        .add(snapshot.lastSeq)
        .add(snapshot.earliestUs)
        .add(snapshot.latestUs)
        .addBytes(locks)
        .value();
}

} // namespace

PresentLocks merged(const PresentLocks &before, const PresenceChanges &changes)
{
    PresentLocks news;
    news.reserve(size_t(changes.size()));
    for (auto it = changes.cbegin(); it != changes.cend(); ++it)
        news.push_back({it.key(), it.value()});
    const auto byLock = [](const PresentLock &a, const PresentLock &b) { return a.lockId < b.lockId; };
    std::sort(news.begin(), news.end(), byLock);
    PresentLocks all;
    all.reserve(before.size() + news.size());
    // For a lock in both ranges, the element of the first range is taken.
    std::set_union(news.cbegin(), news.cend(), before.cbegin(), before.cend(), std::back_inserter(all),
                   byLock);
    std::erase_if(
        all, [&changes](const PresentLock &lock) { return lock.seq == 0 && changes.contains(lock.lockId); });
    return all;
}

QByteArray packed(const PresentLocks &locks, qint64 lastSeq)
{
    QByteArray bytes;
    qint64 before = 0;
    for (const PresentLock &lock : locks) {
        appendNumber(bytes, quint64(lock.lockId - before));
        appendNumber(bytes, quint64(lastSeq - lock.seq));
        before = lock.lockId;
    }
    return bytes;
}

std::optional<PresentLocks> unpacked(QByteArrayView bytes, qint64 lastSeq)
{
    PresentLocks locks;
    qint64 lockId = 0;
    while (!bytes.isEmpty()) {
        const auto step = takeNumber(bytes);
        const auto back = step ? takeNumber(bytes) : std::nullopt;
        if (!back || *back > quint64(lastSeq))
            return std::nullopt;
        lockId += qint64(*step);
        locks.push_back({lockId, lastSeq - qint64(*back)});
    }
    return locks;
}

bool insertSnapshot(SqliteConnection &connection, const SnapshotRow &snapshot, const PresentLocks &locks)
{
    const QByteArray bytes = packed(locks, snapshot.lastSeq);
    SqliteStatement &insert = connection.statement("snapshot_insert");
    insert.bind(snapshot.lastSeq).bind(snapshot.earliestUs).bind(snapshot.latestUs);
    return connection.run(insert.bind(snapshotCheck(snapshot, bytes)).bindBytes(bytes));
}

base::Result<PresentLocks> readSnapshot(SqliteConnection &connection, qint64 lastSeq)
{
    SqliteStatement &get = connection.statement("snapshot_get");
    if (!connection.run(get.bind(lastSeq)))
        return tl::unexpected(connection.error());
    std::optional<PresentLocks> locks;
    if (get.next()) {
        const QByteArray bytes = get.bytes(3);
        if (snapshotCheck({lastSeq, get.integer(0), get.integer(1)}, bytes) == get.integer(2))
            locks = unpacked(bytes, lastSeq);
    }
    get.finish();
    if (locks)
        return std::move(*locks);
    return damagedRow("snapshots", lastSeq);
}

base::Result<PresentLocks> presentAtEnd(SqliteConnection &connection)
{
    SqliteStatement &all = connection.statement("snapshot_all");
    if (!connection.run(all))
        return tl::unexpected(connection.error());
    std::vector<qint64> numbers{0};
    while (all.next())
        numbers.push_back(all.integer(0));
    all.finish();
    PresentLocks locks;
    for (; numbers.back() > 0;
         numbers.pop_back()) { // skip a damaged one: the one before and later events replace it
        if (auto read = readSnapshot(connection, numbers.back())) {
            locks = std::move(*read);
            break;
        }
    }
    PresenceChanges changes;
    SqliteStatement &rows = connection.statement("presence_scan");
    if (!connection.run(rows.bind(numbers.back()).bind(std::numeric_limits<qint64>::max())))
        return tl::unexpected(connection.error());
    while (rows.next())
        changes.insert(rows.integer(1), rows.integer(4) != 0 ? 0 : rows.integer(0));
    rows.finish();
    return merged(locks, changes);
}

} // namespace lockkeeper::agent::journal
