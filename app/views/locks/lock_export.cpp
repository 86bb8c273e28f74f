// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/lock_export.h"

#include "app/presentation/time_format.h"
#include "app/views/widgets/table_text.h"
#include "shared/base/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

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

QJsonObject toObject(const models::LockRow &row, const domain::TimeUs &asOfUs)
{
    const domain::LockState state = row.lock.state();
    const bool ownerKnown = state.ownerKnown && state.isHeld();
    QJsonObject object{
        {QStringLiteral("source"), state.key.source},
        {QStringLiteral("scheme"), base::textOf(state.key.scheme)},
        {QStringLiteral("place"), base::textOf(state.key.place)},
        {QStringLiteral("lock"), base::textOf(state.key.name)},
        {QStringLiteral("state"), latin(state::badgeName(row.badge))},
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
            cells.append(proxy.index(row, column).data().toString());
        result.append(cells);
    }
    return result;
}

QByteArray locksToJson(const QList<const models::LockRow *> &rows, const domain::TimeUs &asOfUs)
{
    QJsonArray array;
    for (const models::LockRow *row : rows)
        array.append(toObject(*row, asOfUs));
    return QJsonDocument(array).toJson();
}

QByteArray locksToCsv(const QList<const models::LockRow *> &rows, const domain::TimeUs &asOfUs)
{
    QStringList names = {
        QStringLiteral("source"),   QStringLiteral("scheme"),    QStringLiteral("place"),
        QStringLiteral("lock"),     QStringLiteral("state"),     QStringLiteral("owner"),
        QStringLiteral("acquired"), QStringLiteral("window_ms"), QStringLiteral("acquired_by"),
        QStringLiteral("renewed"),  QStringLiteral("expires"),   QStringLiteral("ttl_ms"),
        QStringLiteral("stuck"),    QStringLiteral("release"),   QStringLiteral("guard"),
        QStringLiteral("waiters"),  QStringLiteral("seen")};
    if (asOfUs)
        names.prepend(asOfName());
    QList<QStringList> table{names};
    table.reserve(rows.size() + 1);
    for (const models::LockRow *row : rows) {
        const QJsonObject object = toObject(*row, asOfUs);
        QStringList cells;
        for (const QString &name : names)
            cells.append(cellOf(object.value(name)));
        table.append(cells);
    }
    return toCsv(table);
}

} // namespace lockkeeper::app::views
