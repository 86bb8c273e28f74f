// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/lock_export.h"

#include "app/presentation/time_format.h"
#include "app/views/widgets/table_text.h"
#include "shared/base/json_line.h"
#include "shared/base/text.h"

#include <QDeadlineTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace lockkeeper::app::views {

namespace {

QJsonValue timeValue(const domain::TimeUs &time)
{
    return time ? QJsonValue(presentation::TimeFormat::rfc3339(*time)) : QJsonValue();
}

QString latin(QByteArrayView name)
{
    return QString::fromLatin1(name.data(), name.size());
}

QJsonArray waitersOf(const domain::LockState &state)
{
    QJsonArray result;
    for (const domain::Waiter &waiter : state.waiters)
        result.append(QJsonObject{{QStringLiteral("id"), base::textOf(waiter.id)},
                                  {QStringLiteral("since"), timeValue(waiter.sinceUs)}});
    return result;
}

QString asOfName()
{
    return QStringLiteral("as_of");
}

QJsonObject toObject(const state::PackedLock &lock, state::Badge badge, const domain::TimeUs &asOfUs)
{
    const domain::LockState state = lock.state();
    const bool ownerKnown = state.ownerKnown && state.isHeld();
    QJsonObject object{
        {QStringLiteral("source"), state.key.source},
        {QStringLiteral("scheme"), base::textOf(state.key.scheme)},
        {QStringLiteral("place"), base::textOf(state.key.place)},
        {QStringLiteral("lock"), base::textOf(state.key.name)},
        {QStringLiteral("state"), latin(state::badgeName(badge))},
        {QStringLiteral("owner"), ownerKnown ? QJsonValue(base::textOf(state.owner)) : QJsonValue()},
        {QStringLiteral("acquired"), timeValue(state.acquiredUs)},
        {QStringLiteral("window_ms"), double(state.windowUs) / 1000.0},
        {QStringLiteral("acquired_by"), latin(domain::evidenceName(state.acquiredBy))},
        {QStringLiteral("renewed"), timeValue(state.renewedUs)},
        {QStringLiteral("expires"), timeValue(state.expiresUs)},
        {QStringLiteral("ttl_ms"), state.ttlMs > 0 ? QJsonValue(state.ttlMs) : QJsonValue()},
        {QStringLiteral("stuck"), latin(domain::stuckReasonName(state.stuck))},
        {QStringLiteral("release"), latin(domain::safetyName(state.release.safety))},
        {QStringLiteral("guard"), QString::fromLatin1(state.guard)},
        {QStringLiteral("waiters"), state.waitersVisible ? QJsonValue(waitersOf(state)) : QJsonValue()},
        {QStringLiteral("seen"), timeValue(state.seenUs)}};
    if (asOfUs)
        object.insert(asOfName(), timeValue(asOfUs));
    return object;
}

constexpr int kMostBeginnings = 5;
const QStringList kNames = {
    QStringLiteral("source"),   QStringLiteral("scheme"),    QStringLiteral("place"),
    QStringLiteral("lock"),     QStringLiteral("state"),     QStringLiteral("owner"),
    QStringLiteral("acquired"), QStringLiteral("window_ms"), QStringLiteral("acquired_by"),
    QStringLiteral("renewed"),  QStringLiteral("expires"),   QStringLiteral("ttl_ms"),
    QStringLiteral("stuck"),    QStringLiteral("release"),   QStringLiteral("guard"),
    QStringLiteral("waiters"),  QStringLiteral("seen")};

QString cellOf(const QJsonValue &value)
{
    if (value.isNull())
        return {};
    if (value.isArray())
        return QString::number(value.toArray().size());
    if (value.isDouble())
        return QString::number(value.toDouble(), 'f', QLocale::FloatingPointShortest);
    return value.toString();
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

QByteArray locksToJson(const QList<const models::LockRow *> &rows, const domain::TimeUs &asOfUs)
{
    QJsonArray array;
    for (const models::LockRow *row : rows)
        array.append(toObject(row->lock, row->badge, asOfUs));
    return base::safeJson(QJsonDocument(array).toJson());
}

LocksSource::LocksSource(const models::LocksProxy *proxy, ExportColumns::Format format, domain::TimeUs asOfUs)
    : m_proxy(proxy), m_format(format), m_names(kNames), m_asOfUs(asOfUs)
{
    if (m_asOfUs)
        m_names.prepend(asOfName());
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
    m_row = 0;
    ++m_beginnings;
}

void LocksSource::gather()
{
    const QDeadlineTimer turn(m_beginnings < kMostBeginnings ? QDeadlineTimer(kExportTurn)
                                                             : QDeadlineTimer(QDeadlineTimer::Forever));
    const int count = m_proxy->rowCount();
    for (; m_row < count && !turn.hasExpired(); ++m_row) {
        if (const models::LockRow *row = m_proxy->lockAt(m_row))
            m_locks.push_back({row->lock, row->badge});
    }
    m_gathered = m_row == count;
}

void LocksSource::next()
{
    const bool csv = m_format == ExportColumns::Format::Csv;
    if (!m_gathered) {
        gather();
        Q_EMIT part(m_gathered && csv ? toCsv({m_names}) : QByteArray(), 0, 0, m_gathered && m_locks.empty());
        return;
    }
    const QDeadlineTimer turn(kExportTurn);
    const size_t before = m_written;
    QByteArray bytes;
    for (; m_written < m_locks.size() && !turn.hasExpired(); ++m_written) {
        const Lock lock = std::exchange(m_locks[m_written], {});
        const QJsonObject object = toObject(lock.lock, lock.badge, m_asOfUs);
        if (csv) {
            QStringList cells;
            for (const QString &name : m_names)
                cells.append(cellOf(object.value(name)));
            bytes += toCsv({cells});
        } else {
            bytes += base::compactJson(QJsonDocument(object)) + '\n';
        }
    }
    Q_EMIT part(bytes, qint64(m_written - before), double(m_written) / double(m_locks.size()),
                m_written == m_locks.size());
}

} // namespace lockkeeper::app::views
