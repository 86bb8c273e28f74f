// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/lock_export.h"

#include "app/records/csv_lines.h"
#include "shared/base/json_line.h"

#include <QDeadlineTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace lockkeeper::app::views {

namespace {

constexpr int kMostBeginnings = 5;

QString alsoSeenBy()
{
    return QStringLiteral("also_seen_by");
}

ExportedLock exportedLock(const models::LockModel &model, const models::LockRow &row,
                          const domain::TimeUs &asOfUs)
{
    const replica::LockContext context = model.judgedBy(row);
    const domain::LockKey key = row.lock.peek().key;
    const domain::SourceState *source = model.replica().source(key.source);
    QStringList agents = model.replica().agentsOf(key);
    ExportedLock lock{
        row.lock, {}, agents.takeFirst(), model.replica().labelOf(key.source), std::move(agents)};
    lock.view.store = source ? source->store : QByteArray();
    lock.view.nowUs = context.nowUs;
    lock.view.stale = context.stale;
    if (asOfUs)
        lock.view.asOfUs = *asOfUs;
    return lock;
}

QJsonObject objectOf(const ExportedLock &lock, bool severalAgents)
{
    return records::withAgent(records::lockObject(lock.lock.state(), lock.view, lock.agent,
                                                  severalAgents ? std::optional(lock.others) : std::nullopt),
                              lock.agent, lock.label);
}

} // namespace

QList<QStringList> lockCells(const models::LocksProxy &proxy, const QList<int> &rows,
                             const QList<int> &columns)
{
    QList<QStringList> result;
    QStringList titles;
    for (const int column : columns)
        titles.append(proxy.headerData(column, Qt::Horizontal).toString());
    result.append(titles);
    for (const int row : rows) {
        QStringList cells;
        for (const int column : columns)
            cells.append(proxy.index(row, column).data(models::kWholeRole).toString());
        result.append(cells);
    }
    return result;
}

QByteArray locksToJson(const models::LockModel &model, const QList<const models::LockRow *> &rows,
                       const domain::TimeUs &asOfUs)
{
    QJsonArray array;
    for (const models::LockRow *row : rows) {
        const ExportedLock lock = exportedLock(model, *row, asOfUs);
        array.append(objectOf(lock, !lock.others.isEmpty()));
    }
    return base::safeJson(QJsonDocument(array).toJson());
}

LocksSource::LocksSource(const models::LocksProxy *proxy, records::FileFormat::Syntax kind,
                         domain::TimeUs asOfUs)
    : m_proxy(proxy), m_asOfUs(asOfUs), m_format{kind, records::lockColumns(asOfUs.has_value())}
{
    connect(proxy, &QAbstractItemModel::modelReset, this, &LocksSource::beginAgain);
    connect(proxy, &QAbstractItemModel::layoutChanged, this, &LocksSource::beginAgain);
    connect(proxy, &QAbstractItemModel::rowsInserted, this, &LocksSource::beginAgain);
    connect(proxy, &QAbstractItemModel::rowsRemoved, this, &LocksSource::beginAgain);
}

void LocksSource::beginAgain()
{
    if (m_gathered)
        return;
    m_locks.clear();
    m_severalAgents = false;
    m_row = 0;
    ++m_beginnings;
}

void LocksSource::gather()
{
    const QDeadlineTimer turn(m_beginnings < kMostBeginnings ? QDeadlineTimer(kExportTurn)
                                                             : QDeadlineTimer(QDeadlineTimer::Forever));
    const int count = m_proxy->rowCount();
    for (; m_row < count && !turn.hasExpired(); ++m_row) {
        if (const models::LockRow *row = m_proxy->lockAt(m_row)) {
            m_locks.push_back(exportedLock(m_proxy->source(), *row, m_asOfUs));
            m_severalAgents = m_severalAgents || !m_locks.back().others.isEmpty();
        }
    }
    m_gathered = m_row == count;
    if (m_gathered && m_severalAgents)
        m_format.columns.append(alsoSeenBy());
}

void LocksSource::next()
{
    if (!m_gathered) {
        gather();
        Q_EMIT part(m_gathered ? m_format.header() : QByteArray(), 0, 0, m_gathered && m_locks.empty());
        return;
    }
    const QDeadlineTimer turn(kExportTurn);
    const size_t before = m_written;
    QByteArray bytes;
    for (; m_written < m_locks.size() && !turn.hasExpired(); ++m_written) {
        bytes += m_format.line(objectOf(std::exchange(m_locks[m_written], {}), m_severalAgents));
    }
    Q_EMIT part(bytes, qint64(m_written - before), double(m_written) / double(m_locks.size()),
                m_written == m_locks.size());
}

} // namespace lockkeeper::app::views
