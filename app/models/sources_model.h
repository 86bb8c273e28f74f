// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/state/replica.h"

#include <QTimer>

namespace lockkeeper::app::models {

enum SourceColumn {
    SourceNameColumn = 0,    ///< QString
    SourceLinkColumn,        ///< int: domain::Link
    SourceLastSeenColumn,    ///< qint64: an instant, the store's clock
    SourceLocksColumn,       ///< qint64
    SourceFindingsColumn,    ///< int: how many findings
    SourcePollColumn,        ///< qint64 ms: the configured interval
    SourcePassColumn,        ///< qint64 µs: how long the last full scan took
    SourceModeColumn,        ///< int: domain::ObservationMode
    SourceClockOffsetColumn, ///< qint64 µs: store − agent
    SourceStoreColumn,       ///< QByteArray
    SourceServerColumn,      ///< QString
    SourceAddressColumn,     ///< QString
    SourceErrorColumn,       ///< QString: the cause
    SourceColumnCount,
};
QByteArray sourceColumnName(int column);

/** One row a source of the replica, by name. */
class SourcesModel : public RawModel
{
    Q_OBJECT

public:
    enum Role {
        StaleRole = OwnRole, ///< bool
        LinkRole,            ///< int: domain::Link
        ClockWarningRole,    ///< bool: more than 2 s off
        MissingAccessRole,   ///< int: grants that are missing
    };
    static constexpr qint64 kClockWarningUs = 2'000'000;

    explicit SourcesModel(state::Replica &replica, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QByteArray columnName(int column) const override { return sourceColumnName(column); }
    const domain::SourceState *at(int row) const;
    int rowOf(const QString &name) const;
    /** Sources that are up and observed, for "4/5 sources". */
    int observedCount() const;

    /** Takes the replica's sources over; also run by its signals and once a second. */
    void refresh();

protected:
    QVariant raw(const QModelIndex &index, int role) const override;

private:
    struct Row
    {
        domain::SourceState state;
        bool stale = false;
        bool operator==(const Row &) const = default;
    };
    QVariant value(const domain::SourceState &state, int column) const;

    state::Replica &m_replica;
    QTimer m_second;
    QList<Row> m_rows;
};

enum AccessColumn {
    AccessNeedColumn = 0,    ///< QByteArray: the stable code
    AccessForBreakingColumn, ///< bool
    AccessGrantedColumn,     ///< bool
    AccessRemedyColumn,      ///< QString: the statement to run
    AccessColumnCount,
};

/** What the agent may do at one source, missing grants first. */
class AccessModel : public RawModel
{
    Q_OBJECT

public:
    using RawModel::RawModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QByteArray columnName(int column) const override;
    const domain::Access *at(int row) const;
    void setAccess(QList<domain::Access> access);

protected:
    QVariant raw(const QModelIndex &index, int role) const override;

private:
    QList<domain::Access> m_access;
};

} // namespace lockkeeper::app::models
