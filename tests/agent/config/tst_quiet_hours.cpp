// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/quiet_hours.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QTest>

namespace tst_quiet_hours {

using namespace lockkeeper::agent::config;

namespace {

qint64 us(const char *utc)
{
    return QDateTime::fromString(QString::fromLatin1(utc), Qt::ISODate).toMSecsSinceEpoch() * 1'000;
}

} // namespace

class TestQuietHours : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endOf_data();
    void endOf();
    void listsTheNextWindows();
    void refuses_data();
    void refuses();
};

void TestQuietHours::endOf_data()
{
    QTest::addColumn<QString>("hours");
    QTest::addColumn<QByteArray>("now");
    QTest::addColumn<QByteArray>("end"); // empty: not quiet

    const auto row = [](const char *name, const char *hours, const char *now, const char *end) {
        QTest::newRow(name) << QString::fromLatin1(hours) << QByteArray(now) << QByteArray(end);
    };
    row("before it", "22:00-06:00 Europe/Berlin", "2026-01-10T20:59:59Z", "");
    row("at its beginning", "22:00-06:00 Europe/Berlin", "2026-01-10T21:00:00Z", "2026-01-11T05:00:00Z");
    row("after midnight", "22:00-06:00 Europe/Berlin", "2026-01-11T03:00:00Z", "2026-01-11T05:00:00Z");
    row("at its end", "22:00-06:00 Europe/Berlin", "2026-01-11T05:00:00Z", "");
    row("by day", "12:00-13:00 Asia/Shanghai", "2026-06-01T04:30:00Z", "2026-06-01T05:00:00Z");
    row("the night that loses an hour", "22:00-06:00 Europe/Berlin", "2026-03-29T03:00:00Z",
        "2026-03-29T04:00:00Z");
    row("the night that gains an hour", "22:00-06:00 Europe/Berlin", "2026-10-25T04:30:00Z",
        "2026-10-25T05:00:00Z");
    row("a time that the clocks skip", "02:30-05:00 Europe/Berlin", "2026-03-29T02:00:00Z",
        "2026-03-29T03:00:00Z");
}

void TestQuietHours::endOf()
{
    QFETCH(QString, hours);
    QFETCH(QByteArray, now);
    QFETCH(QByteArray, end);
    const auto quiet = parseQuietHours(hours);
    QVERIFY(quiet);
    const auto found = quiet->endOf(us(now.constData()));
    QCOMPARE(found.has_value(), !end.isEmpty());
    if (found)
        QCOMPARE(*found, us(end.constData()));
}

void TestQuietHours::listsTheNextWindows()
{
    const auto quiet = parseQuietHours(QStringLiteral("22:00-06:00 Europe/Berlin"));
    QVERIFY(quiet);
    const auto windows = quiet->next(us("2026-10-24T12:00:00Z"), 2);
    QCOMPARE(windows.size(), 2);
    QCOMPARE(windows.at(0), std::pair(us("2026-10-24T20:00:00Z"), us("2026-10-25T05:00:00Z"))); // 9 hours
    QCOMPARE(windows.at(1), std::pair(us("2026-10-25T21:00:00Z"), us("2026-10-26T05:00:00Z")));
}

void TestQuietHours::refuses_data()
{
    QTest::addColumn<QString>("hours");
    QTest::addColumn<QString>("part");

    QTest::newRow("no zone") << "22:00-06:00"
                             << "isn't a daily time";
    QTest::newRow("no time") << "night Europe/Berlin"
                             << "isn't a daily time";
    QTest::newRow("an hour too late") << "24:00-06:00 Europe/Berlin"
                                      << "isn't a daily time";
    QTest::newRow("no length") << "06:00-06:00 Europe/Berlin"
                               << "isn't a daily time";
    QTest::newRow("a misspelt zone") << "22:00-06:00 Europe/Berlim"
                                     << "Europe/Berlin";
}

void TestQuietHours::refuses()
{
    QFETCH(QString, hours);
    QFETCH(QString, part);
    const auto quiet = parseQuietHours(hours);
    QVERIFY(!quiet);
    QVERIFY2(quiet.error().line().contains(part), qPrintable(quiet.error().line()));
}

LOCKKEEPER_TEST(TestQuietHours)

} // namespace tst_quiet_hours

#include "tst_quiet_hours.moc"
