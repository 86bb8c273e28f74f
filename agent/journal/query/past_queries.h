// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/hold_rows.h"
#include "agent/journal/storage/records.h"
#include "shared/protocol/messages.h"

#include <functional>

namespace lockkeeper::agent::journal {

/**
 * Keeps the part of a lock's state that is still known for the moment `atUs`. `state` is the state after the
 * lock's last event up to `atUs`; renewals and observations between two events aren't known. `renewals`:
 * those of its hold until its end, or now; empty: not known. Pure.
 */
domain::LockState stateAt(domain::LockState state, const std::optional<RenewalNote> &renewals, qint64 atUs);

/**
 * The table of locks as it was at a past moment. Each lock has the state after its last event that is dated
 * no later, in the order in which the events were journalled. The answer is exactly that of a replay of all
 * events; the snapshots only save most of the replay. See QueryContext.
 */
class PastQueries
{
public:
    using Each = std::function<void(const domain::LockState &)>;

    explicit PastQueries(QueryContext &context) : m_context(context) {}

    /** `seenUntil`: last observations of sources that the journal doesn't know yet. */
    base::Result<PastTable> locksAt(const protocol::LocksQuery &query, const SeenUntil &seenUntil,
                                    const Each &each);

private:
    /** The locks that were in the table, and those for which that isn't certain. */
    struct Presence
    {
        PresenceChanges changes;
        QSet<qint64> unsure; ///< locks whose next change may have happened before
    };

    base::Result<PastTable> tellAll(const protocol::LocksQuery &query, qint64 atUs,
                                    const SeenUntil &seenUntil, const Each &each);
    base::Result<PresentLocks> presentAt(qint64 atUs, QSet<qint64> &unsure, quint64 &seq);
    base::Result<void> scanForward(qint64 low, qint64 high, qint64 atUs, Presence &presence);
    base::Result<void> correct(qint64 low, qint64 high, qint64 lastSeq, qint64 atUs, Presence &presence);
    base::Result<void> tell(const PresentLock &lock, bool unsure, qint64 atUs, const Each &each);
    base::Result<std::optional<HoldRow>> holdOf(const PresentLock &lock, qint64 atUs);
    base::Result<QList<domain::SourceState>> sourcesAt(qint64 atUs, const SeenUntil &seenUntil);

    QueryContext &m_context;
    QHash<QString, qint64> m_seenUs; ///< by source: its last observation up to the requested moment
    QSet<QString> m_partlySeen;      ///< sources with a part that wasn't observed at that moment
};

} // namespace lockkeeper::agent::journal
