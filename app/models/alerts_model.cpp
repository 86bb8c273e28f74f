// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/alerts_model.h"

#include "app/session/qualify.h"
#include "app/session/source_names.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <tuple>

namespace lockkeeper::app::models {

using domain::Alert;
using domain::AlertPhase;

namespace {

constexpr std::array<const char *, AlertColumnCount> kAlertColumns{
    "severity", "condition", "subject", "holder", "lasts", "fired",
    "phase",    "by",        "value",   "source", "rule",  "since"};
constexpr std::array<const char *, ReceiverColumnCount> kReceiverColumns{"name",      "type",    "state",
                                                                         "delivered", "waiting", "error"};

/** The order without a sorted column: what needs a person first. The id makes it complete. */
auto urgency(const AlertRow &row)
{
    return std::tuple(row.phase, -int(row.alert.severity), -row.alert.firedUs, row.alert.id);
}

/** −1, 0 or 1. */
template <typename Key> int compare(const Key &a, const Key &b)
{
    return a < b ? -1 : b < a ? 1 : 0;
}

int compareColumn(const AlertRow &a, const AlertRow &b, int column)
{
    const Alert &x = a.alert;
    const Alert &y = b.alert;
    switch (column) {
    case AlertSeverityColumn:
        return compare(x.severity, y.severity);
    case AlertConditionColumn:
        return compare(x.condition, y.condition);
    case AlertSubjectColumn:
        return compare(std::tuple(x.lock.name, x.source), std::tuple(y.lock.name, y.source));
    case AlertHolderColumn:
        return compare(x.holder, y.holder);
    case AlertLastsColumn:
        return compare(a.lastsUs(), b.lastsUs());
    case AlertFiredColumn:
        return compare(x.firedUs, y.firedUs);
    case AlertPhaseColumn:
        return compare(a.phase, b.phase);
    case AlertPersonColumn:
        return compare(x.acknowledgedBy, y.acknowledgedBy);
    case AlertValueColumn: // values of different units have no order
        return compare(std::tuple(records::alertUnit(x.condition), x.value),
                       std::tuple(records::alertUnit(y.condition), y.value));
    case AlertSourceColumn:
        return compare(x.source, y.source);
    case AlertRuleColumn:
        return compare(x.rule, y.rule);
    case AlertSinceColumn:
        return compare(x.sinceUs, y.sinceUs);
    default:
        return 0;
    }
}

} // namespace

AlertsModel::AlertsModel(const replica::AlertBoard &board, QObject *parent)
    : RawModel(kAlertColumns, parent), m_board(board)
{
    refresh(true);
}

const AlertRow *AlertsModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[row] : nullptr;
}

int AlertsModel::rowOf(const QByteArray &id) const
{
    const auto it = std::find_if(m_rows.cbegin(), m_rows.cend(),
                                 [&id](const AlertRow &row) { return row.alert.id == id; });
    return it == m_rows.cend() ? -1 : int(it - m_rows.cbegin());
}

void AlertsModel::setShown(AlertPhase phase, bool shown)
{
    m_shown.at(std::size_t(phase)) = shown;
    refresh(true);
}

AlertRow AlertsModel::rowFor(const Alert &alert) const
{
    return {alert, m_board.phase(alert), m_board.awaySinceUs(alert), m_board.nowUs(alert.source),
            m_board.agentOf(alert.source)};
}

bool AlertsModel::isBefore(const AlertRow &a, const AlertRow &b) const
{
    const int order = compareColumn(a, b, m_column);
    if (order != 0)
        return m_direction == Qt::AscendingOrder ? order < 0 : order > 0;
    return urgency(a) < urgency(b);
}

void AlertsModel::refresh(bool arrange)
{
    QList<AlertRow> now;
    m_counts = {};
    for (const Alert &alert : m_board.alerts()) {
        now.append(rowFor(alert));
        ++m_counts.at(std::size_t(now.constLast().phase));
    }
    if (arrange) {
        QList<AlertRow> wanted = now;
        wanted.removeIf([this](const AlertRow &row) { return !m_shown.at(std::size_t(row.phase)); });
        std::sort(wanted.begin(), wanted.end(),
                  [this](const AlertRow &a, const AlertRow &b) { return isBefore(a, b); });
        this->arrange(wanted);
    }
    revalue(now);
}

/**
 * Removes and moves rows one by one, so that the selection stays with its alert. Neighbours that are new are
 * inserted together: a storm brings thousands.
 */
void AlertsModel::arrange(const QList<AlertRow> &wanted)
{
    const auto idsOf = [](const QList<AlertRow> &rows) {
        QSet<QByteArray> ids;
        for (const AlertRow &row : rows)
            ids.insert(row.alert.id);
        return ids;
    };
    const QSet<QByteArray> kept = idsOf(wanted);
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (kept.contains(m_rows.at(row).alert.id))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.removeAt(row);
        endRemoveRows();
    }
    const QSet<QByteArray> present = idsOf(m_rows);
    const auto isNew = [&](int row) {
        return row < wanted.size() && !present.contains(wanted.at(row).alert.id);
    };
    for (int row = 0; row < wanted.size(); ++row) {
        if (isNew(row)) {
            int end = row + 1;
            while (isNew(end))
                ++end;
            beginInsertRows({}, row, end - 1);
            m_rows = m_rows.first(row) + wanted.sliced(row, end - row) + m_rows.sliced(row);
            endInsertRows();
            row = end - 1;
        } else if (m_rows.at(row).alert.id != wanted.at(row).alert.id) {
            const int from = rowOf(wanted.at(row).alert.id);
            beginMoveRows({}, from, from, {}, row);
            m_rows.move(from, row);
            endMoveRows();
        }
    }
}

void AlertsModel::revalue(const QList<AlertRow> &now)
{
    QHash<QByteArray, const AlertRow *> byId;
    for (const AlertRow &one : now)
        byId.insert(one.alert.id, &one);
    QList<int> changed;
    for (int row = 0; row < rowCount(); ++row) {
        const AlertRow *one = byId.value(m_rows.at(row).alert.id);
        if (!one || m_rows.at(row) == *one)
            continue;
        m_rows[row] = *one;
        changed.append(row);
    }
    announceRows(changed);
}

void AlertsModel::sort(int column, Qt::SortOrder order)
{
    m_column = column;
    m_direction = order;
    refresh(true);
}

QJsonObject AlertsModel::record(int row) const
{
    const AlertRow *one = at(row);
    if (!one)
        return {};
    Alert plain = one->alert;
    if (m_board.agents().size() > 1) {
        plain.id = session::plainAlertId(plain);
        plain.source = session::splitName(plain.source).source;
    }
    return records::alertObject(plain, one->phase, one->agent);
}

ReceiversModel::ReceiversModel(const replica::AlertBoard &board, QObject *parent)
    : RawModel(kReceiverColumns, parent), m_board(board)
{
    refresh();
}

const ReceiverRow *ReceiversModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[row] : nullptr;
}

void ReceiversModel::refresh()
{
    QList<ReceiverRow> now;
    for (auto agent = m_board.agents().cbegin(); agent != m_board.agents().cend(); ++agent) {
        for (const protocol::AlertReceiver &receiver : agent->receivers)
            now.append({receiver, agent.key(), agent->awaySinceUs});
    }
    std::stable_partition(now.begin(), now.end(),
                          [](const ReceiverRow &row) { return row.receiver.failingSinceUs.has_value(); });
    const auto isSame = [](const ReceiverRow &a, const ReceiverRow &b) {
        return a.label == b.label && a.receiver.name == b.receiver.name;
    };
    if (!std::equal(now.cbegin(), now.cend(), m_rows.cbegin(), m_rows.cend(), isSame)) {
        beginResetModel();
        m_rows = now;
        endResetModel();
        return;
    }
    QList<int> changed;
    for (int row = 0; row < now.size(); ++row) {
        if (now.at(row) == m_rows.at(row))
            continue;
        m_rows[row] = now.at(row);
        changed.append(row);
    }
    announceRows(changed);
}

} // namespace lockkeeper::app::models
