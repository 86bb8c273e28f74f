// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/contention_meter.h"
#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/records.h"
#include "shared/protocol/messages.h"

#include <QHash>
#include <QSet>

#include <utility>

namespace lockkeeper::agent::journal {

struct ContentionRank;
class ContentionRanks;

/** Questions about the cost of locks in a range of time. See QueryContext. */
class ContentionQueries
{
public:
    explicit ContentionQueries(QueryContext &context) : m_context(context) {}

    /**
     * The locks that were waited for or changed hands in the range, ordered by the waiting in it, then by how
     * often. With another ranking: the waiters, or the blockers (see BlockerCosts). A range without an end
     * ends now. `seenUntil`: last observations of sources that the journal doesn't know yet.
     */
    base::Result<protocol::ContentionPage> contention(const protocol::ContentionQuery &query,
                                                      const SeenUntil &seenUntil);

private:
    using Observed = QList<Interval>;
    struct Cost;
    using Costs = QHash<std::pair<QString, QByteArray>, Cost>; ///< by source and waiter
    base::Result<protocol::ContentionPage> answer(const protocol::ContentionQuery &query,
                                                  const SeenUntil &seenUntil);
    base::Result<void> costWaits(const protocol::ContentionQuery &query, Interval range,
                                 const QueryContext::LockIds &wanted, Costs &costs);
    base::Result<void> addWaiters(const protocol::ContentionQuery &query, Interval range,
                                  const SeenUntil &seenUntil, const QueryContext::LockIds &wanted,
                                  protocol::ContentionPage &page);
    base::Result<void> addBlockers(const protocol::ContentionQuery &query, Interval range,
                                   const SeenUntil &seenUntil, const QueryContext::LockIds &wanted,
                                   protocol::ContentionPage &page);
    base::Result<void> addRanked(const protocol::ContentionQuery &query, Interval range,
                                 const SeenUntil &seenUntil, ContentionRanks &ranks,
                                 protocol::ContentionPage &page);
    base::Result<void> addSums(Interval range, const QueryContext::LockIds &wanted,
                               protocol::ContentionPage &page);
    base::Result<qint64> firstHoldFor(qint64 lockId, qint64 firstEnded, qint64 fromUs);
    base::Result<void> feedHolds(qint64 lockId, const ContentionRank &rank, Interval range,
                                 ContentionMeter &meter);
    base::Result<void> feedWaits(qint64 lockId, const ContentionRank &rank, ContentionMeter &meter);
    base::Result<bool> showedWaiters(qint64 lockId);
    base::Result<domain::Contention> contentionOf(qint64 lockId, const ContentionRank &rank, Interval range,
                                                  const Observed &observed);
    base::Result<void> addContention(qint64 lockId, const ContentionRank &rank, Interval range,
                                     const SeenUntil &seenUntil, QHash<QString, Observed> &observed,
                                     protocol::ContentionPage &page);

    QueryContext &m_context;
};

} // namespace lockkeeper::agent::journal
