// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/hub/hub_rows.h"

#include "agent/journal/storage/packed_state.h"

#include <QJsonDocument>

namespace lockkeeper::agent::hub {

const char kCopyLocks[] =
    "COPY lockkeeper.locks (lock, source, journal, scheme, place, name) FROM STDIN BINARY";
const char kCopyEvents[] =
    "COPY lockkeeper.events (at, seq, lock, owner_at, journal, kind, phase, window_us, seen_us, "
    "ttl_ms, lasts_us, owner, waiter, command, detail, after) FROM STDIN BINARY";
const char kCopyHolds[] =
    "COPY lockkeeper.holds (ended, began, hold, lock, owner_at, journal, how, start_seen, "
    "began_window_us, ended_window_us, events, renewals, longest_gap_us, owner) "
    "FROM STDIN BINARY";
const char kCopyWaits[] =
    "COPY lockkeeper.waits (ended, began, wait, lock, journal, waiter) FROM STDIN BINARY";

namespace {

constexpr qint16 kLockColumns = 6;
constexpr qint16 kEventCopyColumns = 16;
constexpr qint16 kHoldCopyColumns = 14;
constexpr qint16 kWaitColumns = 6;

std::optional<QByteArray> unlessEmpty(const QByteArray &bytes)
{
    return bytes.isEmpty() ? std::nullopt : std::optional(bytes);
}

/** Wraps around, so that adding it again is exact for any two numbers. */
qint64 offsetOf(qint64 to, qint64 from)
{
    return qint64(quint64(to) - quint64(from));
}

/**
 * The rest of the state, as the journal packs it. Includes the key only if that is another lock's. Nobody can
 * release a past state, so it goes without its guard, which takes more room than all the rest.
 */
std::optional<QByteArray> restOfState(const events::LockEvent &event)
{
    if (!event.after)
        return std::nullopt;
    domain::LockState base = journal::stateBy(event);
    base.key = event.after->key == domain::LockKey() ? event.after->key : event.key;
    domain::LockState rest = *event.after;
    rest.guard.clear();
    rest.release = {};
    base.phase = rest.phase; // a column
    return journal::packState(rest, base);
}

/** The column lasts_us. Most leases last as long as their TTL, and need no value. */
void addLifetime(CopyRows &rows, const events::LockEvent &event)
{
    if (!event.expiresUs) {
        event.ttlMs ? rows.notANumber() : rows.null();
        return;
    }
    const qint64 lastsUs = offsetOf(*event.expiresUs, event.timeUs);
    const bool isTtl = event.ttlMs && lastsUs / 1'000 == *event.ttlMs && lastsUs % 1'000 == 0;
    isTtl ? rows.null() : rows.numeric(lastsUs);
}

} // namespace

void addLock(CopyRows &rows, qint32 journalNumber, const journal::StoredLockRow &lock)
{
    rows.begin(kLockColumns);
    rows.bigint(lock.lockId).bigint(lock.sourceId).integer(journalNumber);
    rows.bytes(lock.key.scheme).bytes(lock.key.place).bytes(lock.key.name);
}

void addEvent(CopyRows &rows, qint32 journalNumber, const journal::EventRow &row, OwnerMemory &owners)
{
    const events::LockEvent &event = row.event;
    const qint64 lock = row.lockId.value_or(-row.sourceId);
    const auto seq = qint64(event.seq);
    std::optional<QByteArray> owner;
    std::optional<qint64> ownerAt;
    if (event.ownerKnown) {
        ownerAt = owners.find(lock, event.owner, seq, event.timeUs);
        if (!ownerAt) {
            owner = event.owner;
            owners.insert(lock, event.owner, seq, event.timeUs);
        }
    }
    rows.begin(kEventCopyColumns);
    rows.time(event.timeUs).bigint(seq).bigint(lock).time(ownerAt).smallint(qint16(journalNumber));
    rows.character(qint8(event.kind));
    if (event.after)
        rows.character(qint8(event.after->phase));
    else
        rows.null();
    rows.amount(event.windowUs).amount(offsetOf(event.observedUs, event.timeUs)).numeric(event.ttlMs);
    addLifetime(rows, event);
    rows.bytes(owner).bytes(event.waiter).bytes(unlessEmpty(event.command));
    const QJsonObject detail = event.detail.toJson();
    rows.bytes(detail.isEmpty() ? std::nullopt
                                : std::optional(QJsonDocument(detail).toJson(QJsonDocument::Compact)));
    rows.bytes(restOfState(event));
}

void addHold(CopyRows &rows, qint32 journalNumber, const journal::HoldRow &row, const OwnerMemory &owners)
{
    const protocol::Hold &hold = row.hold;
    const qint64 endedUs = hold.toUs.value_or(hold.fromUs);
    std::optional<qint64> ownerAt;
    if (hold.ownerKnown)
        ownerAt = owners.find(row.lockId, hold.owner, row.holdId, endedUs);
    rows.begin(kHoldCopyColumns);
    rows.time(endedUs).time(hold.fromUs).bigint(row.holdId).bigint(row.lockId).time(ownerAt);
    rows.integer(journalNumber).smallint(qint16(journal::holdEndFromName(hold.end)));
    rows.smallint(hold.startSeen ? 1 : 0).amount(hold.fromWindowUs).amount(hold.toWindowUs);
    rows.amount(row.endSeq == 0 ? 0 : row.endSeq - row.holdId).amount(hold.renewals);
    rows.amount(hold.longestRenewalGapUs);
    if (hold.ownerKnown && !ownerAt)
        rows.bytes(hold.owner);
    else
        rows.null();
}

void addWait(CopyRows &rows, qint32 journalNumber, const HubWait &wait)
{
    rows.begin(kWaitColumns);
    rows.time(wait.toUs).time(wait.fromUs).bigint(wait.waitId).bigint(wait.lockId).integer(journalNumber);
    rows.bytes(wait.waiter);
}

} // namespace lockkeeper::agent::hub
