// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/hub_batch.h"
#include "agent/hub/owner_memory.h"
#include "agent/hub/pg_connection.h"

#include <QDeadlineTimer>
#include <QSet>

namespace lockkeeper::agent::hub {

/**
 * Writes a journal's rows into the hub's database (resources/sql/hub/postgresql). Each batch is one
 * transaction; the functions begin_batch() and end_batch() of the database check it against the watermark.
 * About once a minute it also runs the database's maintain(), which makes partitions and drops old ones.
 *
 * A record of the audit that doesn't verify is stored with a flag, and logged.
 */
class HubWriter final : public HubSink
{
public:
    explicit HubWriter(HubTarget target);

    base::Result<Watermark> open(const ForwardingAgent &agent) override;
    base::Result<Watermark> write(const HubBatch &batch) override;
    void interrupt() override { m_interrupt.raise(); }

private:
    /** The answer of begin_batch(). */
    struct BatchGate
    {
        bool isVoid = false;
        Watermark watermark;
        QByteArray lastHash;
    };

    base::Result<void> checkVersion();
    base::Result<Watermark> openJournal();
    /** Makes partitions for the days of the batch's rows, if it isn't known that they exist. */
    base::Result<void> prepareDays(const HubBatch &batch);
    /** Calls the database's maintain() in its own transaction. Fails only if the connection is lost. */
    base::Result<void> maintain(const QSet<qint64> &days);
    base::Result<BatchGate> beginBatch(const HubBatch &batch);
    base::Result<void> copyRows(const HubBatch &batch, const Watermark &before);
    base::Result<void> addRareRows(const HubBatch &batch, const BatchGate &gate);
    base::Result<void> addRecord(const journal::AuditRecord &record, bool follows);
    base::Result<Watermark> writeOpen(const HubBatch &batch);

    HubTarget m_target;
    base::Interrupt m_interrupt;
    PgConnection m_connection;
    ForwardingAgent m_agent;
    qint32 m_journal = 0; ///< number in the hub; 0: not open
    OwnerMemory m_owners;
    QSet<qint64> m_days;    ///< days since the epoch (UTC) that have partitions
    QSet<qint64> m_sources; ///< that the hub has
    QDeadlineTimer m_maintenance;
};

} // namespace lockkeeper::agent::hub
