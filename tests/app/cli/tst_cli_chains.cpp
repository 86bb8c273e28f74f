// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/chains_text.h"
#include "harness.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QTest>

namespace tst_cli_chains {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** `chains`: the tree for people, the objects for scripts. */
class TestCliChains : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void tree();
    void deadlock();
    void hostileText();
    void narrow();
    void asJson();
    void statuses_data();
    void statuses();
    void chainsOfATime();
};

namespace {

constexpr qint64 kNow = 1'795'212'345'000'000;

domain::Session session(const QByteArray &id)
{
    domain::Session s;
    s.id = id;
    return s;
}

domain::WaitEdge edge(const QByteArray &waiter, const QByteArray &blocker, qint64 waitedUs)
{
    return {waiter,
            blocker,
            {QStringLiteral("orders-db"), "sql.row", "app.jobs/PRIMARY", "17"},
            kNow - waitedUs,
            0};
}

/** 4711 blocks 4712 and 4714; 4713 waits behind 4712. */
domain::WaitGraph queue()
{
    domain::WaitGraph graph;
    graph.source = QStringLiteral("orders-db");
    graph.beganUs = kNow - 900;
    graph.endedUs = kNow;
    graph.evidence = "data_locks";
    graph.sessions = {session("4711"), session("4712"), session("4713"), session("4714")};
    graph.sessions[0].user = "app";
    graph.sessions[0].client = "10.0.0.7:51342";
    graph.sessions[0].program = "billing";
    graph.sessions[0].transactionSinceUs = kNow - 872'000'000;
    graph.sessions[0].idleSinceUs = kNow - 191'000'000;
    graph.sessions[0].statement = "UPDATE jobs SET state = 1";
    graph.sessions[0].rowsChanged = 12;
    graph.edges = {edge("4712", "4711", 30'000'000), edge("4713", "4712", 20'000'000),
                   edge("4714", "4711", 10'000'000)};
    graph.wholeTables = {{"4711", "app.jobs", 1'000'000}};
    return graph;
}

} // namespace

void TestCliChains::tree()
{
    QCOMPARE(
        app::cli::chainsText(queue(), 0),
        QStringLiteral(
            "orders-db: 3 waiting, read 2026-11-20T22:05:45.000 from data_locks\n"
            "4711 app@10.0.0.7:51342 billing  blocks 3, 2 of them directly; 00:01:00 of waiting  transaction "
            "00:14:32  idle 00:03:11  a kill rolls back 12 changed rows\n"
            "   locks the whole table app.jobs (1000000 rows): a statement without a usable index, probably\n"
            "   UPDATE jobs SET state = 1\n"
            "├─ 4712  waits 30.0s for app.jobs/PRIMARY 17  blocks 1, 1 of them directly; 20.0s of waiting\n"
            "│  └─ 4713  waits 20.0s for app.jobs/PRIMARY 17\n"
            "└─ 4714  waits 10.0s for app.jobs/PRIMARY 17\n"));
    domain::WaitGraph idle;
    idle.source = QStringLiteral("orders-db");
    idle.endedUs = kNow;
    idle.evidence = "pg_locks";
    QCOMPARE(app::cli::chainsText(idle, 0),
             QStringLiteral("orders-db: no waiters, read 2026-11-20T22:05:45.000 from pg_locks\n"));
}

void TestCliChains::deadlock()
{
    domain::WaitGraph graph = queue();
    graph.edges.append(edge("4711", "4713", 5'000'000));
    graph.truncated = true;
    const QString text = app::cli::chainsText(graph, 0);
    QCOMPARE(text.count(QStringLiteral("DEADLOCK")), 3);
    QVERIFY2(text.contains(QStringLiteral("\ndeadlock: ")), qPrintable(text));
    QCOMPARE(text.section(QStringLiteral("deadlock: "), 1).count(QChar(u'→')), 3);
    QVERIFY(text.contains(QStringLiteral("not all of it")));
    for (const char *id : {"4711", "4712", "4713", "4714"})
        QVERIFY(text.contains(QLatin1String(id)));
}

void TestCliChains::hostileText()
{
    domain::WaitGraph graph = queue();
    graph.sessions[0].statement = "SELECT '\x1b[31m\r\n' -- \xe2\x80\xae";
    graph.sessions[0].program = "<b>\t</b>";
    const QString text = app::cli::chainsText(graph, 0);
    QVERIFY(!text.contains(QChar(u'\x1b')) && !text.contains(QChar(u'\r')) &&
            !text.contains(QChar(u'\u202e')));
    QCOMPARE(text.count(QLatin1Char('\n')), 7);
}

void TestCliChains::narrow()
{
    const QStringList lines = app::cli::chainsText(queue(), 40).split(QLatin1Char('\n'));
    for (const QString &line : lines)
        QVERIFY2(line.size() <= 40, qPrintable(line));
}

void TestCliChains::asJson()
{
    FakeAgent agent;
    agent.graphs = {queue()};
    Run run(agent.address(), {QStringLiteral("chains"), QStringLiteral("--json"), QStringLiteral("--source"),
                              QStringLiteral("orders-db")});
    QTRY_COMPARE(run.status(), 0);
    QCOMPARE(agent.askedFor<protocol::ChainsQuery>().constFirst().source, QStringLiteral("orders-db"));
    const auto objects = run.objects();
    QCOMPARE(objects.size(), 4);
    const QJsonObject root = objects.at(0);
    QCOMPARE(root.value(QStringLiteral("agent")).toString(), QStringLiteral("dc1"));
    QCOMPARE(root.value(QStringLiteral("session")).toString(), QStringLiteral("4711"));
    QCOMPARE(root.value(QStringLiteral("blocks_all")).toInt(), 3);
    QCOMPARE(root.value(QStringLiteral("waiting_caused_us")).toInteger(), 60'000'000);
    QVERIFY(root.value(QStringLiteral("blocked_by")).isNull());
    QVERIFY(root.value(QStringLiteral("waits_for")).isNull());
    QCOMPARE(root.value(QStringLiteral("whole_tables")).toArray().size(), 1);
    const QJsonObject last = objects.at(2);
    QCOMPARE(last.value(QStringLiteral("session")).toString(), QStringLiteral("4713"));
    QCOMPARE(last.value(QStringLiteral("blocked_by")).toString(), QStringLiteral("4712"));
    QCOMPARE(last.value(QStringLiteral("depth")).toInt(), 2);
    QCOMPARE(last.value(QStringLiteral("waits_for")).toObject().value(QStringLiteral("lock")).toString(),
             QStringLiteral("17"));
    QCOMPARE(root.keys(), last.keys());
}

void TestCliChains::statuses_data()
{
    QTest::addColumn<bool>("shown");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("chains") << true << 0 << QByteArray("3 waiting");
    QTest::newRow("no source shows them") << false << 0 << QByteArray("no source");
}

void TestCliChains::statuses()
{
    QFETCH(bool, shown);
    QFETCH(int, status);
    QFETCH(QByteArray, says);
    FakeAgent agent;
    if (shown)
        agent.graphs = {queue()};
    Run run(agent.address(), {QStringLiteral("chains")});
    QTRY_COMPARE(run.status(), status);
    QVERIFY2((run.out() + run.err()).contains(says), (run.out() + run.err()).constData());
    QCOMPARE(agent.askedFor<protocol::ChainsQuery>().size(), 1);
}

void TestCliChains::chainsOfATime()
{
    FakeAgent agent;
    const qint64 atUs = 1'704'067'200'000'000;
    domain::LockState row = shownLock("5", "app 17");
    row.key.scheme = "sql.row";
    row.session = domain::Session();
    row.session->id = "17";
    row.session->user = "app";
    row.waiters = {{"app 18", atUs - 30'000'000, {}}};
    domain::LockState next = shownLock("6", "app 18");
    next.key.scheme = "sql.row";
    next.session = domain::Session();
    next.session->id = "18";
    next.waiters = {{"app 20", std::nullopt, {}}};
    agent.locks = {row, next, shownLock("token", "w1")};
    const QStringList at{QStringLiteral("--at"), QStringLiteral("2024-01-01T00:00:00Z")};
    Run people(agent.address(), QStringList{QStringLiteral("chains")} + at);
    Run json(agent.address(), QStringList{QStringLiteral("chains"), QStringLiteral("--json")} + at);
    QTRY_COMPARE(people.status(), 0);
    QTRY_COMPARE(json.status(), 0);
    QVERIFY2(people.out().startsWith("As of 20"), people.out().constData());
    QVERIFY2(people.out().contains("from journal") && people.out().contains("waits 30.0s"),
             people.out().constData());
    const auto objects = json.objects();
    QCOMPARE(objects.size(), 3);
    QCOMPARE(objects.at(0).value(QStringLiteral("session")).toString(), QStringLiteral("17"));
    QCOMPARE(objects.at(1).value(QStringLiteral("blocked_by")).toString(), QStringLiteral("17"));
    QCOMPARE(objects.at(2).value(QStringLiteral("session")).toString(), QStringLiteral("app 20"));
    QCOMPARE(objects.at(2).value(QStringLiteral("as_of_us")).toInteger(), atUs);
}

LOCKKEEPER_TEST(TestCliChains)

} // namespace tst_cli_chains

#include "tst_cli_chains.moc"
