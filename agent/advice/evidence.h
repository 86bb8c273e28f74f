// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"
#include "shared/events/observed.h"

#include <QHash>
#include <QList>

#include <optional>

namespace lockkeeper::agent::advice {

using events::Interval;

/** How a hold ended, as far as advice needs it. */
enum class EvidenceEnd : quint8 {
    Open = 0, ///< still held
    Released,
    Expired,
    Other, ///< taken over, forced, lost, or its end wasn't seen: its length shows nothing
};

/** One hold, as the journal has it. Times by the store's clock, in microseconds. */
struct EvidenceHold
{
    std::optional<QByteArray> owner; ///< empty: not known
    qint64 fromUs = 0;
    qint64 fromWindowUs = 0;
    bool startSeen = true;
    std::optional<qint64> toUs; ///< empty: still held
    qint64 toWindowUs = 0;
    EvidenceEnd end = EvidenceEnd::Open;
    bool isObserved = true; ///< no gap between its beginning and its end
    quint32 renewals = 0;
    std::optional<qint64> renewedUs;
    qint64 ttlUs = 0;         ///< 0: not known
    bool hasNoExpiry = false; ///< the store would keep it for ever
    QByteArray statement;     ///< of the session that held it; empty: not known
};

struct EvidenceWait
{
    qint64 fromUs = 0;
    std::optional<qint64> toUs; ///< empty: it continues
};

/** The evidence about one lock. Both lists are ordered by their beginning. */
struct LockEvidence
{
    domain::LockKey key;
    bool waitersVisible = false;
    bool isShared = false; ///< several holders at the same time: a hold is the time with any of them
    QList<EvidenceHold> holds;
    QList<EvidenceWait> waits;
};

/** The evidence about one source. */
struct SourceEvidence
{
    QList<Interval> observed;           ///< within the range, ascending
    qint64 lookUs = 0;                  ///< the time between two observations of a lock
    std::optional<qint64> clientsOffUs; ///< proven error of its clients' clocks, client minus store
};

/** Everything that advice is derived from. */
struct AdviceEvidence
{
    Interval range; ///< ends at the last moment that was read
    QList<LockEvidence> locks;
    QHash<QString, SourceEvidence> sources; ///< by name
};

/**
 * The part of a holder's text that stays the same from one acquisition to the next: "worker-3" of
 * "worker-3#24c35ef952f8". Many clients append a random token to their name. Text without a name before its
 * random part stays whole; it never recurs. Empty: the holder isn't known.
 */
QByteArray identityOf(const EvidenceHold &hold);

/** Answers whether somebody waited through a part of the time, in logarithmic time. */
class WaitCover
{
public:
    /** `waits` ordered by their beginning. */
    explicit WaitCover(const QList<EvidenceWait> &waits);
    /** True if one wait began before `fromUs` and continued at least until `toUs`. */
    bool covers(qint64 fromUs, qint64 toUs) const;

private:
    QList<qint64> m_fromUs;
    QList<qint64> m_untilUs; ///< the latest end of this wait and all before it
};

/** The index of the first hold that ends after `us`; the size of the list if all ended before. */
qsizetype firstEndingAfter(const QList<EvidenceHold> &holds, qint64 us);

/** The length of a hold, if it shows how long the holder's work takes or how long its lease lasts. Both ends
 * must have been seen within a tenth of the length, and no gap may lie between them. */
std::optional<qint64> exactLengthUs(const EvidenceHold &hold);

/** The nearest rank: the least value that `percent` of all values don't exceed. `sorted` isn't empty. */
qint64 percentileOf(const QList<qint64> &sorted, int percent);

/** A duration that people would write, and that is no shorter: 1, 1.5, 2, 3, 4 or 6 times a power of ten, in
 * seconds up to a minute; whole minutes above. */
qint64 roundedUpUs(qint64 us);

} // namespace lockkeeper::agent::advice
