// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/sources_model.h"

#include "app/state/seconds.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace lockkeeper::app::models {

namespace {
constexpr std::array<const char *, SourceColumnCount> kSourceColumns{
    "name", "link",         "last_seen", "locks",  "findings", "poll", "pass",
    "mode", "clock_offset", "store",     "server", "address",  "error"};
constexpr std::array<const char *, AccessColumnCount> kAccessNames{"need", "for_breaking", "granted",
                                                                   "remedy"};
} // namespace

QByteArray sourceColumnName(int column)
{
    return column >= 0 && column < SourceColumnCount ? QByteArray(kSourceColumns[size_t(column)])
                                                     : QByteArray();
}

SourcesModel::SourcesModel(state::Replica &replica, QObject *parent) : RawModel(parent), m_replica(replica)
{
    connect(&replica, &state::Replica::sourcesChanged, this, &SourcesModel::refresh);
    connect(&replica, &state::Replica::reset, this, &SourcesModel::refresh);
    connect(&replica, &state::Replica::offlineChanged, this, &SourcesModel::refresh);
    connect(&m_second, &QTimer::timeout, this, &SourcesModel::refresh);
    state::startSeconds(m_second);
    refresh();
}

int SourcesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int SourcesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(SourceColumnCount);
}

const domain::SourceState *SourcesModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[row].state : nullptr;
}

int SourcesModel::rowOf(const QString &name) const
{
    const auto it =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &row) { return row.state.name == name; });
    return it == m_rows.end() ? -1 : int(it - m_rows.begin());
}

int SourcesModel::observedCount() const
{
    return int(std::count_if(m_rows.begin(), m_rows.end(), [](const Row &row) {
        return row.state.link == domain::Link::Up && !row.stale;
    }));
}

/** Both lists are sorted by name: one walk finds what came, went and changed. */
void SourcesModel::refresh()
{
    const QList<domain::SourceState> next = m_replica.sources();
    QList<int> changed;
    int row = 0;
    for (const domain::SourceState &state : next) {
        while (row < rowCount() && m_rows[row].state.name < state.name) {
            beginRemoveRows({}, row, row);
            m_rows.removeAt(row);
            endRemoveRows();
        }
        const Row wanted{state, m_replica.isStale(state.name)};
        if (row == rowCount() || m_rows[row].state.name != state.name) {
            beginInsertRows({}, row, row);
            m_rows.insert(row, wanted);
            endInsertRows();
        } else if (!(m_rows[row] == wanted)) {
            m_rows[row] = wanted;
            changed.append(row);
        }
        ++row;
    }
    if (row < rowCount()) {
        beginRemoveRows({}, row, rowCount() - 1);
        m_rows.resize(row);
        endRemoveRows();
    }
    announceRows(changed);
}

QVariant SourcesModel::raw(const QModelIndex &index, int role) const
{
    const Row &row = m_rows[index.row()];
    const domain::SourceState &state = row.state;
    if (role == ValueRole)
        return value(state, index.column());
    if (role == StaleRole)
        return row.stale;
    if (role == LinkRole)
        return int(state.link);
    if (role == ClockWarningRole)
        return std::abs(state.clockOffsetUs) > kClockWarningUs;
    if (role == MissingAccessRole)
        return int(std::count_if(state.access.begin(), state.access.end(),
                                 [](const auto &a) { return !a.granted; }));
    return {};
}

QVariant SourcesModel::value(const domain::SourceState &state, int column) const
{
    switch (column) {
    case SourceNameColumn:
        return state.name;
    case SourceLinkColumn:
        return int(state.link);
    case SourceLastSeenColumn:
        return state.lastSeenUs ? QVariant(*state.lastSeenUs) : QVariant();
    case SourceLocksColumn:
        return state.counts.total;
    case SourceFindingsColumn:
        return int(state.findings.size());
    case SourcePollColumn:
        return state.pollMs;
    case SourcePassColumn:
        return state.passUs;
    case SourceModeColumn:
        return int(state.mode);
    case SourceClockOffsetColumn:
        return state.clockOffsetUs;
    case SourceStoreColumn:
        return state.store;
    case SourceServerColumn:
        return state.server;
    case SourceAddressColumn:
        return state.address;
    case SourceErrorColumn:
        return state.error.cause;
    default:
        return {};
    }
}

int AccessModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_access.size());
}

int AccessModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(AccessColumnCount);
}

QByteArray AccessModel::columnName(int column) const
{
    return column >= 0 && column < AccessColumnCount ? QByteArray(kAccessNames[size_t(column)])
                                                     : QByteArray();
}

const domain::Access *AccessModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_access[row] : nullptr;
}

void AccessModel::setAccess(QList<domain::Access> access)
{
    // Two lock sets may need the same right.
    QList<domain::Access> once;
    for (const domain::Access &right : std::as_const(access)) {
        if (!once.contains(right))
            once.append(right);
    }
    access = once;
    std::stable_partition(access.begin(), access.end(), [](const domain::Access &a) { return !a.granted; });
    if (access == m_access)
        return;
    beginResetModel();
    m_access = std::move(access);
    endResetModel();
}

QVariant AccessModel::raw(const QModelIndex &index, int role) const
{
    if (role != ValueRole)
        return {};
    const domain::Access &access = m_access[index.row()];
    switch (index.column()) {
    case AccessNeedColumn:
        return access.need;
    case AccessForBreakingColumn:
        return access.forBreaking;
    case AccessGrantedColumn:
        return access.granted;
    case AccessRemedyColumn:
        return access.remedy;
    default:
        return {};
    }
}

} // namespace lockkeeper::app::models
