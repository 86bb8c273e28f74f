// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/shedlock.h"
#include "shared/stores/sql/table_set.h"

namespace lockkeeper::stores::sql {

/** One row, read alone. */
struct RowReading
{
    std::optional<LockRow> row; ///< empty: there is no such row
    qint64 nowUs = 0; ///< the store's clock in the same statement, or just after where there is no row
};

/** A ShedLock table: its rows are read straight into observations, as there may be a million of them. */
class LockTable final : public TableSet
{
public:
    /**
     * Finds the table in the catalogue and prepares what observing needs. The error of a missing right
     * carries the GRANT to run.
     */
    static base::Result<std::unique_ptr<LockTable>> open(const SetContext &context);

    const ShedlockReader &reader() const { return m_reader; }

    base::Result<RowReading> readRow(const QByteArray &name);
    /** The observation of one name, absent ones too. */
    Observation observation(const QByteArray &name, const RowReading &reading) const;
    base::Result<SetReading> one(const QByteArray &name) override;
    ReleaseResult release(const ReleaseOrder &order, JobStage &stage) override;
    std::optional<binlog::WatchedSet> watched() const override;

protected:
    bool observeRow(Observation &lock, const RowCells &row, qint64 nowUs) override;
    int nowColumn() const override;

private:
    LockTable(const SetContext &context, Table table, Statements statements);
    LockRow lockRowOf(const RowCells &row) const;

    const ServerFacts &m_facts;
    const ReleaseSeams &m_seams;
    QTimeZone m_zone;
    QByteArray m_match;
    ShedlockReader m_reader;
    int m_oddExpiry = -1; ///< where the statement [row] has the texts of odd times; -1: nowhere
    int m_oddAcquisition = -1;
};

} // namespace lockkeeper::stores::sql
