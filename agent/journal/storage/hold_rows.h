// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/event_store.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

/** How a hold ended, as stored in the column `end`; the names are those of protocol::Hold::end. */
enum class HoldEnd : quint8 { Open = 0, Released, Expired, TakenOver, ForceReleased, Gap, Lost };
QByteArray holdEndName(HoldEnd end);
/** The inverse; Open for an unknown name. */
HoldEnd holdEndFromName(QByteArrayView name);
/** How an event of this kind ends the open hold; Open: it doesn't. */
HoldEnd endOf(events::EventKind kind);

/** The checksums of the three groups of columns of a hold. */
qint64 holdOpenCheck(qint64 lockId, const std::optional<QByteArray> &owner, qint64 fromUs, qint64 windowUs,
                     bool startSeen);
qint64 holdRenewCheck(qint64 holdId, const RenewalNote &note);
qint64 holdCloseCheck(qint64 holdId, qint64 toUs, qint64 windowUs, HoldEnd end, qint64 events);

/** Appends its checksum to a state; unsealState() is the inverse (empty: damaged). */
QByteArray sealState(const QByteArray &encoded);
std::optional<QByteArray> unsealState(const QByteArray &sealed);

/** A checked row of `SELECT * FROM holds`; the caller fills in the key. */
struct HoldRow
{
    qint64 holdId = 0;
    qint64 lockId = 0;
    protocol::Hold hold;
    RenewalNote note;
    QByteArray state;  ///< sealed; empty once closed, and while the first event contains it
    qint64 endSeq = 0; ///< of the event that ended it; 0 while open
};
base::Result<HoldRow> readHold(const SqliteStatement &row);
constexpr int kHoldColumns = 18;

/** When a lock was held, without its owner. A ranking adds up tens of thousands of these. */
struct HoldSpan
{
    qint64 fromUs = 0;
    qint64 fromWindowUs = 0;
    bool startSeen = false;
    std::optional<qint64> toUs; ///< empty: still held
    qint64 toWindowUs = 0;
    HoldEnd end = HoldEnd::Open;
};
/** Reads the columns hold_id, lock_id, owner, from_us, from_window_us, start_seen, open_check, to_us,
 * to_window_us, end, close_check, events. Returns Corrupt, naming the row, if the row is damaged. */
base::Result<HoldSpan> readHoldSpan(const SqliteStatement &row);

} // namespace lockkeeper::agent::journal
