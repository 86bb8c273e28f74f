// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sets/table_set.h"
#include "shared/stores/sql/tables/row_layout.h"
#include "shared/stores/sql/tables/row_rules.h"

namespace lockkeeper::stores::sql {

/** One row of a mapped table, read alone. */
struct MappedReading
{
    std::optional<MappedRow> row; ///< empty: there is no such row
    Observation lock;
    qint64 nowUs = 0; ///< the store's clock in the same statement, or just after where there is no row
};

/** Any table of locks that a preset or the configuration describes. */
class MappedTable final : public TableSet
{
public:
    /**
     * Finds the table in the catalogue and prepares all that observing needs. The error for a missing right
     * has the GRANT to run.
     */
    static base::Result<std::unique_ptr<MappedTable>> open(const SetContext &context);

    QList<domain::Access> access() override;
    base::Result<SetReading> one(const QByteArray &name) override;
    base::Result<SetReading> oneAnew(const QByteArray &name) override;
    ReleaseAttempt release(const ReleaseOrder &order, JobStage &stage) override;
    std::optional<binlog::WatchedSet> watched() const override;

    base::Result<MappedReading> readRow(const QByteArray &name);
    const RowRules &rules() const { return m_rules; }
    /** The values to compare with the name's columns, and those that a break writes. */
    base::Result<Values> fixedValues(const QByteArray &name) const;

protected:
    bool observeRow(Observation &lock, const RowCells &row, qint64 nowUs) override;
    int nowColumn() const override { return m_layout.now; }
    void addValues(Values &values) const override;

private:
    MappedTable(const SetContext &context, ResolvedTable table, Statements statements,
                const TablePreset &layout, Protocol protocol);
    /** Reads everything except the name. The values live as long as `row`. */
    void readValues(MappedRow &read, const RowCells &row) const;
    void readName(QByteArray &name, const RowCells &row) const;
    /** See Inspection. */
    QHash<QByteArray, QByteArray> freeTexts() const;

    const ServerFacts &m_facts;
    const ReleaseSeams &m_seams;
    BreakMode m_mode;
    QByteArray m_glob;
    RowLayout m_layout;
    RowRules m_rules;
    MappedRow m_row;     ///< of a scan: its values are valid for the current row only
    QByteArray m_hidden; ///< glob of names that are no locks; empty: none
};

} // namespace lockkeeper::stores::sql
