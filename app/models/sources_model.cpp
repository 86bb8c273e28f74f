// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/sources_model.h"

#include "app/models/seconds.h"
#include "app/records/records.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockkeeper::app::models {

namespace {
constexpr std::array<const char *, SourceColumnCount> kSourceColumns{
    "name", "link",         "last_seen", "locks",  "findings", "poll", "pass",
    "mode", "clock_offset", "store",     "server", "address",  "error"};
constexpr std::array<const char *, AccessColumnCount> kAccessColumns{"need", "for_breaking", "granted",
                                                                     "remedy"};
} // namespace

SourcesModel::SourcesModel(replica::Replica &replica, QObject *parent)
    : RawModel(kSourceColumns, parent), m_replica(replica)
{
    connect(&replica, &replica::Replica::sourcesChanged, this, &SourcesModel::refresh);
    connect(&replica, &replica::Replica::reset, this, &SourcesModel::refresh);
    connect(&replica, &replica::Replica::offlineChanged, this, &SourcesModel::refresh);
    connect(&m_second, &QTimer::timeout, this, &SourcesModel::refresh);
    models::startSeconds(m_second);
    refresh();
}

const domain::SourceState *SourcesModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[row].state : nullptr;
}

bool SourcesModel::isStale(int row) const
{
    return row >= 0 && row < rowCount() && m_rows[row].stale;
}

int SourcesModel::rowOf(const QString &name) const
{
    const auto it = std::find_if(m_rows.begin(), m_rows.end(),
                                 [&](const SourceRow &row) { return row.state.name == name; });
    return it == m_rows.end() ? -1 : int(it - m_rows.begin());
}

QJsonObject SourcesModel::record(int row) const
{
    const domain::SourceState *source = at(row);
    if (!source)
        return {};
    const qint64 wallUs = m_replica.storeNowUs(source->name) - source->clockOffsetUs;
    return records::withAgent(records::sourceObject(*source, wallUs), m_replica.agentOf(source->name),
                              m_replica.labelOf(source->name));
}

/** Both lists are sorted by name: one pass finds added, removed and changed sources. */
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
        const SourceRow wanted{state, m_replica.isStale(state.name)};
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

AccessModel::AccessModel(QObject *parent) : RawModel(kAccessColumns, parent) {}

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

} // namespace lockkeeper::app::models
