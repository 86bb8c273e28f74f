// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/past/contention_command.h"
#include "app/records/records.h"
#include "harness.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QTest>

namespace tst_cli_contention {

using namespace lockkeeper;
using namespace lockkeeper::tests;

namespace {

constexpr qint64 kTo = 1'795'212'345'000'000;
constexpr qint64 kFrom = kTo - 3'600'000'000;

domain::Contention waited()
{
    domain::Contention c;
    c.key = {QStringLiteral("orders-db"), "sql.row", "app.jobs/PRIMARY", "17"};
    c.waitersVisible = true;
    c.acquisitions = 60;
    c.takeovers = 2;
    c.expiries = 1;
    c.forced = 3;
    c.waits = {7, 70'000'000, 9'000'000, 21'000'000, 22'000'000};
    c.holds = {59, 0, 80'000, 120'000, 900'000};
    c.handoverLow = {58, 0, 1'000, 2'000, 2'000};
    c.handoverHigh = {58, 0, 1'000, 2'000, 2'000};
    c.heldLowUs = c.heldHighUs = 1'800'000'000;
    c.observedUs = 3'600'000'000;
    return c;
}

domain::Contention blind()
{
    domain::Contention c;
    c.key = {QStringLiteral("orders"), "redis.token", "db0", "lock:\x1b[31ma"};
    c.acquisitions = 2;
    c.holds.maxUs = 5'000'000;
    c.handoverLow = {1, 0, 0, 0, 0};
    c.handoverHigh = {1, 500'000, 500'000, 500'000, 500'000};
    c.heldLowUs = 600'000'000;
    c.heldHighUs = 1'200'000'000;
    c.observedUs = 2'400'000'000;
    return c;
}

} // namespace

/** `contention`: a table for people, an object for scripts. */
class TestCliContention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void table();
    void json();
    void nothingKnownIsNull();
    void asks();
    void statuses_data();
    void statuses();
};

void TestCliContention::table()
{
    const QString text =
        app::cli::contentionTable({1, kFrom, kTo, {waited(), blind()}, false, {}}).render(400, false);
    const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines.at(0).simplified(),
             QStringLiteral(
                 "LOCK PLACE WAITING WAITS WAIT_P50/P95 HOLD_P50/P95 HAND-OVER_P50 HELD CHANGES/MIN FORCED "
                 "SOURCE OBSERVED"));
    QCOMPARE(lines.at(1).simplified(),
             QStringLiteral(
                 "17 app.jobs/PRIMARY 00:01:10 7 9.0s/21.0s 80ms/120ms 1ms 50.0% 1.0 3 orders-db 100.0%"));
    QCOMPARE(lines.at(2).simplified(),
             QStringLiteral("lock:\\x1b[31ma db0 ? ? ? — 0ms–500ms 25.0%–50.0% 0.1 0 orders 66.7%"));
}

void TestCliContention::json()
{
    const QJsonObject o = app::records::contentionObject(waited(), {1, kFrom, kTo, {}, false, {}});
    const QJsonObject expected{{QStringLiteral("source"), QStringLiteral("orders-db")},
                               {QStringLiteral("scheme"), QStringLiteral("sql.row")},
                               {QStringLiteral("place"), QStringLiteral("app.jobs/PRIMARY")},
                               {QStringLiteral("lock"), QStringLiteral("17")},
                               {QStringLiteral("from_us"), kFrom},
                               {QStringLiteral("to_us"), kTo},
                               {QStringLiteral("acquisitions"), 60},
                               {QStringLiteral("waiters_visible"), true},
                               {QStringLiteral("waits"), 7},
                               {QStringLiteral("wait_total_us"), 70'000'000},
                               {QStringLiteral("wait_p50_us"), 9'000'000},
                               {QStringLiteral("wait_p95_us"), 21'000'000},
                               {QStringLiteral("wait_max_us"), 22'000'000},
                               {QStringLiteral("hold_p50_us"), 80'000},
                               {QStringLiteral("hold_p95_us"), 120'000},
                               {QStringLiteral("hold_max_us"), 900'000},
                               {QStringLiteral("takeovers"), 2},
                               {QStringLiteral("expiries"), 1},
                               {QStringLiteral("forced"), 3},
                               {QStringLiteral("observed_share"), 1.0},
                               {QStringLiteral("handovers"), 58},
                               {QStringLiteral("handover_p50_low_us"), 1'000},
                               {QStringLiteral("handover_p50_high_us"), 1'000},
                               {QStringLiteral("handover_p95_low_us"), 2'000},
                               {QStringLiteral("handover_p95_high_us"), 2'000},
                               {QStringLiteral("held_share_low"), 0.5},
                               {QStringLiteral("held_share_high"), 0.5},
                               {QStringLiteral("changes_per_minute"), 1.0}};
    QCOMPARE(o, expected);
}

void TestCliContention::nothingKnownIsNull()
{
    domain::Contention c = blind();
    c.handoverLow = c.handoverHigh = {};
    c.observedUs = 0;
    const QJsonObject o = app::records::contentionObject(c, {1, kFrom, kTo, {}, false, {}});
    for (const char *name : {"waits", "wait_total_us", "wait_p50_us", "wait_p95_us", "wait_max_us",
                             "hold_p50_us", "hold_p95_us", "handover_p50_low_us", "handover_p95_high_us",
                             "held_share_low", "held_share_high", "changes_per_minute"})
        QVERIFY2(o.contains(QLatin1String(name)) && o.value(QLatin1String(name)).isNull(), name);
    QCOMPARE(o.value(QStringLiteral("hold_max_us")).toInteger(), 5'000'000);
    QCOMPARE(o.value(QStringLiteral("observed_share")).toDouble(-1), 0.0);
}

void TestCliContention::asks()
{
    FakeAgent agent;
    Run run(agent.address(),
            {QStringLiteral("contention"), QStringLiteral("--source"), QStringLiteral("orders"),
             QStringLiteral("--lock"), QStringLiteral("lock:*"), QStringLiteral("--from"),
             QStringLiteral("2026-11-20T22:00:00Z"), QStringLiteral("--to"),
             QStringLiteral("2026-11-21T08:00:00Z"), QStringLiteral("--top"), QStringLiteral("7")});
    QTRY_COMPARE(run.status(), 0);
    const auto asked = agent.askedFor<protocol::ContentionQuery>().value(0);
    QCOMPARE(asked.source, QStringLiteral("orders"));
    QCOMPARE(asked.lockGlob, QByteArray("lock:*"));
    QCOMPARE(asked.limit, 7);
    QCOMPARE(*asked.toUs - *asked.fromUs, 10 * 3'600'000'000LL);
    Run usual(agent.address(), {QStringLiteral("contention")});
    QTRY_COMPARE(usual.status(), 0);
    const auto plain = agent.askedFor<protocol::ContentionQuery>().value(1);
    QCOMPARE(plain.limit, 20);
    QVERIFY(plain.fromUs && !plain.toUs);
}

void TestCliContention::statuses_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, const char *arguments, int status, const char *says) {
        QTest::newRow(name) << QString::fromLatin1(arguments) << status << QByteArray(says);
    };
    row("the table", "contention", 0, "doesn't show waiters");
    row("as JSON", "contention --json", 0, "\"wait_total_us\":null");
    row("nonsense", "contention --top 0", 2, "1 to 1000");
    row("backwards", "contention --from -1h --to -2h", 2, "ends before it begins");
}

void TestCliContention::statuses()
{
    QFETCH(QString, arguments);
    QFETCH(int, status);
    QFETCH(QByteArray, says);
    FakeAgent agent;
    agent.contention = {1, kFrom, kTo, {waited(), blind()}, false, {}};
    Run run(agent.address(), arguments.split(QLatin1Char(' ')));
    QTRY_COMPARE(run.status(), status);
    QVERIFY2((run.out() + run.err()).contains(says), (run.out() + run.err()).constData());
}

LOCKKEEPER_TEST(TestCliContention)

} // namespace tst_cli_contention

#include "tst_cli_contention.moc"
