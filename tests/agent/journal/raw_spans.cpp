// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/raw_spans.h"

#include <QMap>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>
#include <QVariant>

#include <array>
#include <functional>
#include <tuple>

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
            ofWait ? QStringLiteral("SELECT wait_id, lock_id, name, waiter, from_us, to_us, 0 FROM waits "
                                    "JOIN locks USING(lock_id)")
                   : QStringLiteral("SELECT hold_id, lock_id, name, owner, from_us, to_us, end FROM holds "
                                    "JOIN locks USING(lock_id)");
        readRows(path, sql, [&](const QSqlQuery &row) {
            spans.append({ofWait, row.value(0).toLongLong(), row.value(1).toLongLong(),
                          row.value(2).toByteArray(), row.value(3).toByteArray(), row.value(4).toLongLong(),
                          row.value(5).isNull() ? RawSpan::kOpen : row.value(5).toLongLong(),
                          row.value(6).toInt()});
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

QStringList rawRollups(const QString &path)
{
    QStringList lines;
    for (const char *unit : {"hours", "days"}) {
        readRows(path, QStringLiteral("SELECT * FROM rollup_%1").arg(QLatin1String(unit)),
                 [&](const QSqlQuery &row) {
                     QString line =
                         QStringLiteral("%1 %2 lock %3:")
                             .arg(QLatin1String(unit), row.value(0).toString(), row.value(1).toString());
                     for (int column = 2; column < 9; ++column)
                         line += QLatin1Char(' ') + row.value(column).toString();
                     lines += line + QStringLiteral(" ids %1-%2 %3-%4")
                                         .arg(row.value(9).toLongLong())
                                         .arg(row.value(10).toLongLong())
                                         .arg(row.value(11).toLongLong())
                                         .arg(row.value(12).toLongLong());
                 });
    }
    readRows(path, QStringLiteral("SELECT * FROM rollup_crossings"), [&](const QSqlQuery &row) {
        lines += QStringLiteral("crossing %1: %2-%3 #%4 lock %5")
                     .arg(row.value(0).toString(), row.value(4).toString(), row.value(1).toString(),
                          row.value(2).toString(), row.value(3).toString());
    });
    lines.sort();
    return lines;
}

QStringList countedRollups(const QList<RawSpan> &spans, qint64 untilUs)
{
    constexpr qint64 kHour = 3'600'000'000;
    struct Row
    {
        std::array<qint64, 7> values{};
        std::array<qint64, 4> ids{};
    };
    QStringList lines;
    for (const bool ofDays : {false, true}) {
        const qint64 unit = ofDays ? 24 * kHour : kHour;
        const auto unitOf = [unit](qint64 at) { return at >= 0 ? at / unit : -((-at + unit - 1) / unit); };
        QMap<std::pair<qint64, qint64>, Row> rows;
        for (const RawSpan &span : spans) {
            if (span.toUs >= untilUs)
                continue;
            const bool isLong = span.toUs - span.fromUs > 24 * kHour;
            for (const qint64 whose : {span.lockId, qint64(-1)}) {
                Row &end = rows[{unitOf(span.toUs), whose}];
                ++end.values[span.ofWait ? 2 : 0];
                end.values[4] += span.end == 4;
                end.values[5] += span.end == 2;
                end.values[6] += span.end == 3;
                qint64 &first = end.ids[span.ofWait ? 2 : 0];
                qint64 &last = end.ids[span.ofWait ? 3 : 1];
                first = first == 0 ? span.id : std::min(first, span.id);
                last = std::max(last, span.id);
                for (qint64 u = unitOf(span.fromUs); !isLong && u <= unitOf(span.toUs); ++u) {
                    const qint64 shared = span.sharedUs(u * unit, (u + 1) * unit, 0);
                    if (shared > 0)
                        rows[{u, whose}].values[span.ofWait ? 3 : 1] += shared;
                }
            }
            if (!ofDays && span.fromUs < span.toUs && unitOf(span.fromUs) != unitOf(span.toUs))
                lines += QStringLiteral("crossing %1: %2-%3 #%4 lock %5")
                             .arg((isLong ? 2 : 0) + (span.ofWait ? 1 : 0))
                             .arg(span.fromUs)
                             .arg(span.toUs)
                             .arg(span.id)
                             .arg(span.lockId);
        }
        for (auto it = rows.cbegin(); it != rows.cend(); ++it) {
            QString line = QStringLiteral("%1 %2 lock %3:")
                               .arg(ofDays ? QStringLiteral("days") : QStringLiteral("hours"))
                               .arg(it.key().first)
                               .arg(it.key().second);
            for (const qint64 value : it->values)
                line += QLatin1Char(' ') + QString::number(value);
            lines += line + QStringLiteral(" ids %1-%2 %3-%4")
                                .arg(it->ids[0])
                                .arg(it->ids[1])
                                .arg(it->ids[2])
                                .arg(it->ids[3]);
        }
    }
    lines.sort();
    return lines;
}

QString differences(const QStringList &told, const QStringList &counted)
{
    QStringList lines;
    for (const QString &line : told) {
        if (!counted.contains(line))
            lines += QLatin1String("+ ") + line;
    }
    for (const QString &line : counted) {
        if (!told.contains(line))
            lines += QLatin1String("- ") + line;
    }
    return lines.mid(0, 10).join(QLatin1Char('\n'));
}

void compareWithRecount(const protocol::TimelinePage &page, const QList<RawSpan> &spans, qint64 nowUs)
{
    for (const protocol::TimelineLane &lane : page.lanes) {
        qint64 waitUs = 0;
        QList<qint64> holds;
        QMap<qint64, protocol::TimelineSlice> slices;
        for (const RawSpan &span : spans) {
            if ((lane.key && span.lock != lane.key->name) || !span.reaches(page.fromUs, page.toUs))
                continue;
            waitUs += span.ofWait ? span.sharedUs(page.fromUs, page.toUs, nowUs) : 0;
            if (!span.ofWait)
                holds += span.id;
            for (qint64 s = page.fromUs / page.sliceUs * page.sliceUs; s < page.toUs; s += page.sliceUs) {
                const qint64 low = std::max(s, page.fromUs);
                const qint64 high = std::min(s + page.sliceUs, page.toUs);
                protocol::TimelineSlice &slice = slices[s];
                (span.ofWait ? slice.waitUs : slice.heldUs) += span.sharedUs(low, high, nowUs);
                if (span.toUs >= low && span.toUs < high) {
                    ++(span.ofWait ? slice.waits : slice.holds);
                    slice.forced += span.end == 4;
                }
            }
        }
        QCOMPARE(lane.waitUs, waitUs);
        if (!lane.holds.isEmpty() || !lane.waits.isEmpty()) {
            QList<qint64> told;
            for (const protocol::Hold &hold : lane.holds)
                told += hold.id;
            std::sort(told.begin(), told.end());
            std::sort(holds.begin(), holds.end());
            QCOMPARE(told, holds);
            continue;
        }
        for (const protocol::TimelineSlice &slice : lane.slices) {
            protocol::TimelineSlice counted = slices.take(slice.fromUs);
            counted.fromUs = slice.fromUs;
            QCOMPARE(slice, counted);
        }
        for (const protocol::TimelineSlice &left : std::as_const(slices))
            QCOMPARE(left, protocol::TimelineSlice{});
    }
}

void compareWithRecount(const protocol::ContentionPage &page, const QList<RawSpan> &spans)
{
    struct Figures
    {
        qint64 lockId = 0;
        qint64 waitUs = 0;
        qint64 waits = 0;
        qint64 ended = 0;
    };
    QMap<QByteArray, Figures> locks;
    for (const RawSpan &span : spans) {
        const bool isThere = span.ofWait ? span.reaches(page.fromUs, page.toUs + 1)
                                         : span.toUs >= page.fromUs && span.toUs <= page.toUs;
        if (!isThere)
            continue;
        Figures &lock = locks[span.lock];
        lock.lockId = span.lockId;
        lock.waitUs += span.ofWait ? span.sharedUs(page.fromUs, page.toUs, page.toUs) : 0;
        ++(span.ofWait ? lock.waits : lock.ended);
    }
    QList<QByteArray> order = locks.keys();
    std::sort(order.begin(), order.end(), [&locks](const QByteArray &a, const QByteArray &b) {
        const Figures &x = locks[a];
        const Figures &y = locks[b];
        return std::tuple(-x.waitUs, -x.waits, -x.ended, x.lockId) <
               std::tuple(-y.waitUs, -y.waits, -y.ended, y.lockId);
    });
    QList<QByteArray> told;
    for (const domain::Contention &lock : page.locks) {
        told += lock.key.name;
        QCOMPARE(lock.waits.totalUs, locks.value(lock.key.name).waitUs);
        QCOMPARE(lock.waits.count, locks.value(lock.key.name).waits);
    }
    QCOMPARE(told, order);
}

} // namespace lockkeeper::tests
