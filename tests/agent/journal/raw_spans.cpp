// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/raw_spans.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>

#include <functional>

namespace lockkeeper::tests {

namespace {

void readRows(const QString &path, const QString &sql, const std::function<void(const QSqlQuery &)> &visit)
{
    const QString name = QStringLiteral("raw-spans");
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        db.setDatabaseName(path);
        if (!db.open())
            qFatal("the journal can't be read");
        QSqlQuery rows(db);
        rows.setForwardOnly(true);
        if (!rows.exec(sql))
            qFatal("the journal's rows can't be read");
        while (rows.next())
            visit(rows);
    }
    QSqlDatabase::removeDatabase(name);
}

} // namespace

QList<RawSpan> rawSpans(const QString &path)
{
    QList<RawSpan> spans;
    for (const bool ofWait : {false, true}) {
        const QString sql =
            ofWait ? QStringLiteral("SELECT wait_id, name, waiter, from_us, to_us, 0 FROM waits "
                                    "JOIN locks USING(lock_id)")
                   : QStringLiteral("SELECT hold_id, name, owner, from_us, to_us, end FROM holds "
                                    "JOIN locks USING(lock_id)");
        readRows(path, sql, [&](const QSqlQuery &row) {
            spans.append({ofWait, row.value(0).toLongLong(), row.value(1).toByteArray(),
                          row.value(2).toByteArray(), row.value(3).toLongLong(),
                          row.value(4).isNull() ? RawSpan::kOpen : row.value(4).toLongLong(),
                          row.value(5).toInt()});
        });
    }
    return spans;
}

QList<qint64> rawEventTimes(const QString &path)
{
    QList<qint64> times;
    readRows(path, QStringLiteral("SELECT t_us FROM events"),
             [&](const QSqlQuery &row) { times.append(row.value(0).toLongLong()); });
    return times;
}

} // namespace lockkeeper::tests
