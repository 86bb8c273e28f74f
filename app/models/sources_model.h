// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/records/csv_lines.h"
#include "app/replica/replica.h"

#include <QTimer>

namespace lockkeeper::app::models {

enum SourceColumn {
    SourceNameColumn = 0,
    SourceLinkColumn,     ///< domain::Link
    SourceLastSeenColumn, ///< an instant, the store's clock
    SourceLocksColumn,
    SourceFindingsColumn,    ///< the number of findings
    SourcePollColumn,        ///< the configured interval
    SourcePassColumn,        ///< the duration of the last full scan
    SourceModeColumn,        ///< domain::ObservationMode
    SourceClockOffsetColumn, ///< store − agent
    SourceStoreColumn,
    SourceServerColumn,
    SourceAddressColumn,
    SourceErrorColumn, ///< the cause
    SourceColumnCount,
};

/** One row per source of the replica, by name. */
class SourcesModel : public RawModel
{
    Q_OBJECT

public:
    static constexpr qint64 kClockWarningUs = 2'000'000;

    explicit SourcesModel(replica::Replica &replica, QObject *parent = nullptr);

    const domain::SourceState *at(int row) const;
    int rowOf(const QString &name) const;
    /** True if the source isn't being observed; false for a row that doesn't exist. */
    bool isStale(int row) const;

    QJsonObject record(int row) const override;
    QStringList recordColumns() const override { return records::sourceColumns(); }

    /** Copies the replica's sources; also called by its signals and once a second. */
    void refresh();

private:
    int rows() const override { return int(m_rows.size()); }
    struct SourceRow
    {
        domain::SourceState state;
        bool stale = false;
        bool operator==(const SourceRow &) const = default;
    };

    replica::Replica &m_replica;
    QTimer m_second;
    QList<SourceRow> m_rows;
};

enum AccessColumn {
    AccessNeedColumn = 0, ///< the stable code
    AccessForBreakingColumn,
    AccessGrantedColumn,
    AccessRemedyColumn, ///< the statement to run
    AccessColumnCount,
};

/** The agent's rights at one source, missing grants first. */
class AccessModel : public RawModel
{
    Q_OBJECT

public:
    explicit AccessModel(QObject *parent = nullptr);

    const domain::Access *at(int row) const;
    void setAccess(QList<domain::Access> access);

private:
    int rows() const override { return int(m_access.size()); }
    QList<domain::Access> m_access;
};

} // namespace lockkeeper::app::models
