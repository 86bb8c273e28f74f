// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/hub_batch.h"
#include "agent/journal/query/queries.h"

namespace lockkeeper::agent::forward {

/** The next rows of the journal for one hub. */
struct OutboxReading
{
    hub::HubBatch batch;
    qint64 newestSeq = 0;  ///< of the journal
    qint64 lastSeenUs = 0; ///< when the batch's last event was observed, by its store's clock; 0: no events

    /** The hub has events that this journal hasn't reached: its numbers mean other events. */
    bool isForeign = false;

    /** The hub has every row. */
    bool isEmpty() const { return batch.toSeq < batch.fromSeq && !hasAudit(); }
    bool hasAudit() const { return !batch.records.isEmpty() || !batch.signatures.isEmpty(); }
};

/** How far a reader of the outbox has come. */
struct OutboxPosition
{
    hub::Watermark watermark;
    qint64 signedRecords = -1; ///< signatures of so many records were sent; −1: none in this run
};

/**
 * Reads what follows `position`, within the limits and in one snapshot of the journal. Events that the
 * journal no longer has, or that can't be read, are holes. Runs in the thread of the journal's reader.
 */
base::Result<OutboxReading> readOutbox(journal::Queries &queries, const OutboxPosition &position,
                                       const journal::OutboxLimits &limits = {});

} // namespace lockkeeper::agent::forward
