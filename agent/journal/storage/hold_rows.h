// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/event_store.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

/** How a hold ended, as the column `end` says; names as protocol::Hold::end. */
enum class HoldEnd : quint8 { Open = 0, Released, Expired, TakenOver, ForceReleased, Gap, Lost };
QByteArray holdEndName(HoldEnd end);
/** How an event of this kind ends the hold that is open; Open: it doesn't. */
HoldEnd endOf(events::Kind kind);

/** The checksums of the three groups of columns of a hold. */
qint64 holdOpenCheck(qint64 lockId, const std::optional<QByteArray> &owner, qint64 fromUs, qint64 windowUs,
                     bool startSeen);
qint64 holdRenewCheck(qint64 holdId, const RenewalNote &note);
qint64 holdCloseCheck(qint64 holdId, qint64 toUs, qint64 windowUs, HoldEnd end, qint64 events);

/** A state with its checksum behind it, and the inverse (empty: damaged). */
QByteArray sealState(const QByteArray &encoded);
std::optional<QByteArray> unsealState(const QByteArray &sealed);

/** A row of `SELECT * FROM holds`, checked; the key is filled in by the caller. */
struct HoldRow
{
    qint64 holdId = 0;
    qint64 lockId = 0;
    protocol::Hold hold;
    RenewalNote note;
    QByteArray state;  ///< sealed; empty once closed, and while its first event tells it
    qint64 endSeq = 0; ///< of the event that ended it; 0 while open
};
base::Result<HoldRow> readHold(const Statement &row);
constexpr int kHoldColumns = 18;

/** When a lock was held, without by whom: what a ranking adds up of tens of thousands. */
struct HoldSpan
{
    qint64 fromUs = 0;
    qint64 fromWindowUs = 0;
    bool startSeen = false;
    std::optional<qint64> toUs; ///< empty: still held
    qint64 toWindowUs = 0;
    HoldEnd end = HoldEnd::Open;
};
/** Of the columns hold_id, lock_id, owner, from_us, from_window_us, start_seen, open_check, to_us,
 * to_window_us, end, close_check, events. Corrupt, naming the row. */
base::Result<HoldSpan> readHoldSpan(const Statement &row);

} // namespace lockkeeper::agent::journal
