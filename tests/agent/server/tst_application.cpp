// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/agent.h"
#include "agent/application/check.h"
#include "agent/application/data_dir.h"
#include "agent/application/logging.h"
#include "agent/application/samples.h"
#include "agent/journal/query/queries.h"
#include "tests/agent/journal/fault_injection.h"
#include "tests/agent/server/agent_world.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_store.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace tst_application {

using namespace lockkeeper;
using namespace lockkeeper::agent::application;
using namespace lockkeeper::tests;
using stores::SourceSpec;

class TestApplication : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void logLines_data();
    void logLines();
    void whatCanBeReconfigured_data();
    void whatCanBeReconfigured();
    void folderIsHeldByOne();
    void samplesNameEveryFigureOnce();
    void checkTellsEverySource_data();
    void checkTellsEverySource();
    void checkGrantsNothingThatFails();
    void aSourceThatCannotBeReadIsNotWell();
    void reloadTakesTheMetricsPortOnceItIsFree();
    void reloadKeepsTheMetricsWhereTheyCannotBe();
    void reloadTellsWhatWaitsForAStart();
    void reloadKeepsTheListenersWhereOneCannotBe();
    void reloadDuringTheEndIsLeft();
    void standbyAuditsTheDecisionsThatItRefuses();
    void endWaitsForTheAudit_data();
    void endWaitsForTheAudit();
    void endTakesBackTheLookOfWhoDoesNotRead();
    void lifeThatSawNothingEndsInAGap();
    void reloadBeforeTheFirstLookLeavesAGap();
};

void TestApplication::logLines_data()
{
    QTest::addColumn<int>("priority");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("plain") << -1 << QStringLiteral("up") << QByteArray("warning cat up");
    QTest::newRow("journald") << 4 << QStringLiteral("up") << QByteArray("<4>warning cat up");
    QTest::newRow("two lines") << -1 << QStringLiteral("a\nb") << QByteArray("warning cat a\\x0ab");
    QTest::newRow("escape") << -1 << QStringLiteral("\x1b[31m") << QByteArray("warning cat \\x1b[31m");
}

void TestApplication::logLines()
{
    QFETCH(int, priority);
    QFETCH(QString, message);
    QFETCH(QByteArray, line);
    QCOMPARE(logLine(priority, "warning", "cat", message), line);
}

void TestApplication::whatCanBeReconfigured_data()
{
    QTest::addColumn<std::function<void(SourceSpec &)>>("change");
    QTest::addColumn<bool>("can");
    const auto row = [](const char *name, bool can, std::function<void(SourceSpec &)> change) {
        QTest::newRow(name) << std::move(change) << can;
    };
    row("nothing", true, [](SourceSpec &) {});
    row("interval", true, [](SourceSpec &s) { s.pollMs = 9; });
    row("renewals", true, [](SourceSpec &s) { s.journalRenewals = true; });
    row("stuck after", true, [](SourceSpec &s) { s.locks[0].stuckAfterUs = 9; });
    row("no expiry after", true, [](SourceSpec &s) { s.locks[0].noExpiryAfterUs = 9; });
    row("reconcile", true, [](SourceSpec &s) { s.reconcileMs = 9; });
    row("break", false, [](SourceSpec &s) { s.locks[0].breakMode = stores::BreakMode::Never; });
    row("reaper", true, [](SourceSpec &s) { s.locks[0].reaper.mode = stores::ReaperMode::Stuck; });
    row("approval", true, [](SourceSpec &s) { s.locks[0].approval = stores::ApprovalMode::Always; });
    row("waiters", false, [](SourceSpec &s) { s.locks[0].waitersRegistered = true; });
    row("url", false, [](SourceSpec &s) { s.url = QUrl(QStringLiteral("redis://elsewhere")); });
    row("password", false, [](SourceSpec &s) { s.password = "new"; });
    row("match", false, [](SourceSpec &s) { s.locks[0].match = "job:*"; });
    row("a set more", false, [](SourceSpec &s) { s.locks.append(stores::LockSet()); });
    row("no set", false, [](SourceSpec &s) { s.locks.clear(); });
    row("page size", false, [](SourceSpec &s) { s.pageSize = 9; });
    row("time zone", false, [](SourceSpec &s) { s.timeZone = "Asia/Shanghai"; });
}

void TestApplication::whatCanBeReconfigured()
{
    QFETCH(std::function<void(SourceSpec &)>, change);
    QFETCH(bool, can);
    SourceSpec before;
    before.url = QUrl(QStringLiteral("redis://here"));
    before.locks.append(stores::LockSet());
    SourceSpec after = before;
    change(after);
    QCOMPARE(canReconfigure(before, after), can);
}

void TestApplication::folderIsHeldByOne()
{
    const QTemporaryDir parent;
    const QString path = parent.filePath(QStringLiteral("a/b"));
    {
        DataDir first;
        QVERIFY(first.hold(path));
        QCOMPARE(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther),
                 QFile::Permissions());
        DataDir second;
        const auto held = second.hold(path);
        QVERIFY(!held);
        QCOMPARE(held.error().code, base::ErrorCode::Busy);
        QVERIFY(!held.error().remedy.isEmpty());
    }
    DataDir third;
    QVERIFY(third.hold(path));
    DataDir nowhere;
    QVERIFY(!nowhere.hold(QStringLiteral("/proc/nowhere/data")));
}

void TestApplication::samplesNameEveryFigureOnce()
{
    Figures figures;
    for (const char *name : {"one", "two"}) {
        SourceFigures source;
        source.state.name = QString::fromLatin1(name);
        source.state.link = domain::Link::Up;
        source.state.lastSeenWallUs = 1'000'000;
        source.wallUs = 3'500'000;
        source.unreadPushes = 5;
        source.ages = {90'000'000, 1'500'000};
        domain::Counts counts;
        counts.held = 7;
        counts.stuck = 2;
        source.locks.insert("redis.token", counts);
        source.state.findings = {{"save_failed", domain::Severity::Danger, "aof"},
                                 {"save_failed", domain::Severity::Warning, "rdb"}};
        figures.sources.append(source);
    }
    figures.sources.append(SourceFigures());
    figures.sources.last().state.name = QStringLiteral("away");
    figures.sources.last().state.link = domain::Link::Down;
    figures.reloadFailed = true;
    figures.releases.insert(domain::Outcome::HolderChanged, 3);
    const QByteArray text = agent::metrics::toPrometheusText(samplesOf(figures));
    for (const char *line :
         {"lockkeeper_locks{source=\"two\",scheme=\"redis.token\",state=\"stuck\"} 2",
          "lockkeeper_source_up{source=\"one\"} 1", "lockkeeper_source_last_seen_seconds{source=\"one\"} 2.5",
          "lockkeeper_releases_total{outcome=\"holder_changed\"} 3",
          "lockkeeper_releases_total{outcome=\"unknown\"} 0", "lockkeeper_journal_failing 0",
          "lockkeeper_push_unread_total{source=\"two\"} 5", "lockkeeper_source_blind{source=\"two\"} 0",
          "lockkeeper_source_blind{source=\"away\"} 1", "lockkeeper_oldest_hold_seconds{source=\"one\"} 90",
          "lockkeeper_longest_wait_seconds{source=\"one\"} 1.5", "lockkeeper_reload_failed 1",
          "lockkeeper_source_finding{source=\"two\",code=\"save_failed\",severity=\"danger\"} 1",
          "lockkeeper_source_findings{source=\"two\",severity=\"danger\"} 1",
          "lockkeeper_source_findings{source=\"two\",severity=\"notice\"} 0"})
        QVERIFY2(text.contains(line), line);
    // One label set twice is no Prometheus text.
    QCOMPARE(text.count("code=\"save_failed\""), 2);
    for (const char *name : {"lockkeeper_locks", "lockkeeper_source_up", "lockkeeper_events_total"})
        QCOMPARE(text.count("# TYPE " + QByteArray(name) + ' '), 1);
}

void TestApplication::checkTellsEverySource_data()
{
    QTest::addColumn<bool>("reachable");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("words");
    QTest::newRow("all is well") << true << 0
                                 << QStringLiteral("granted  observe;sees     1 locks;every source can");
    QTest::newRow("table missing") << false << 1
                                   << QStringLiteral("f.toml:6: no table;nearest is;not every source");
}

void TestApplication::checkTellsEverySource()
{
    QFETCH(bool, reachable);
    QFETCH(int, status);
    QFETCH(QString, words);
    const FakeClock clock;
    agent::config::Config config;
    config.file = QStringLiteral("f.toml");
    SourceSpec spec;
    spec.name = QStringLiteral("jobs");
    spec.url = QUrl(QStringLiteral("redis://127.0.0.1/0"));
    stores::LockSet set;
    set.scheme = "redis.token";
    set.table.table = QStringLiteral("shedlok");
    spec.locks.append(set);
    config.sources.append(spec);
    const QByteArray toml =
        "[agent]\n[[source]]\nname = \"jobs\"\nurl = \"x\"\n\n[[source.locks]]\nscheme = \"y\"\n";
    QString text;
    QTextStream out(&text);
    Check check(
        config, toml,
        [&](const SourceSpec &given) {
            auto store = std::make_unique<FakeStore>(given, clock);
            store->hold("lock:a", "alice");
            QObject::connect(store.get(), &stores::Store::opened, store.get(), [shown = store.get()] {
                for (const char *value : {"allkeys-lru", "allkeys-lfu"})
                    Q_EMIT shown->findingsRead({{"eviction_policy", domain::Severity::Warning, value}});
            });
            if (!reachable)
                store->refuseOpen({base::ErrorCode::SchemaMismatch, QStringLiteral("no table shedlok"),
                                   QStringLiteral("The nearest is shedlock.")});
            return base::Result<std::unique_ptr<stores::Store>>(std::move(store));
        },
        out);
    const QSignalSpy finished(&check, &Check::finished);
    check.start();
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(finished.constFirst().constFirst().toInt(), status);
    for (const QString &word : words.split(QLatin1Char(';')))
        QVERIFY2(text.contains(word), qPrintable(text));
    QCOMPARE(text.count(QLatin1String("eviction_policy")), reachable ? 1 : 0);
}

/** "granted" above "FAILED" would be a contradiction: only a reading proves a right. */
void TestApplication::checkGrantsNothingThatFails()
{
    const FakeClock clock;
    agent::config::Config config;
    SourceSpec spec;
    spec.name = QStringLiteral("jobs");
    spec.url = QUrl(QStringLiteral("redis://127.0.0.1/0"));
    spec.locks.append(stores::LockSet());
    config.sources.append(spec);
    QString text;
    QTextStream out(&text);
    Check check(
        config, {},
        [&](const SourceSpec &given) {
            auto store = std::make_unique<FakeStore>(given, clock);
            store->failScans(true);
            return base::Result<std::unique_ptr<stores::Store>>(std::move(store));
        },
        out);
    const QSignalSpy finished(&check, &Check::finished);
    check.start();
    QTRY_COMPARE(finished.size(), 1);
    QVERIFY2(text.contains(QStringLiteral("FAILED")), qPrintable(text));
    QVERIFY2(!text.contains(QStringLiteral("granted")), qPrintable(text));
}

void TestApplication::aSourceThatCannotBeReadIsNotWell()
{
    using events::EventKind;
    QTcpServer spare;
    QVERIFY(spare.listen(QHostAddress::LocalHost));
    const quint16 port = spare.serverPort();
    spare.close();
    const auto health = [port] {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, port);
        socket.write("GET /healthz HTTP/1.0\r\n\r\n");
        (void)QTest::qWaitFor([&] { return socket.state() == QAbstractSocket::UnconnectedState; }, 20'000);
        return socket.readAll();
    };
    const auto isOf = [](EventKind kind) {
        return [kind](const events::LockEvent &e) { return e.kind == kind; };
    };
    AgentWorld world;
    world.config.metrics = QStringLiteral("127.0.0.1:%1").arg(port);
    QVERIFY(world.start());
    world.store->hold("lock:a", "alice");
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(0);
    QVERIFY(client.waitForEvent(isOf(EventKind::Acquired)));
    world.store->failScans(true);
    QVERIFY(client.waitForEvent(isOf(EventKind::GapOpened)));
    QCOMPARE(client.last(EventKind::GapOpened).detail.causeText(), QStringLiteral("scans_failed"));
    const QByteArray blind = health();
    QVERIFY2(blind.contains(" 503 ") && blind.contains("may not scan"), blind.constData());
    world.store->failScans(false);
    QVERIFY(client.waitForEvent(isOf(EventKind::GapClosed)));
    QVERIFY(health().contains(" 200 "));
    QCOMPARE(client.count(EventKind::Released), 0);
}

void TestApplication::reloadTakesTheMetricsPortOnceItIsFree()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    const quint16 port = other.serverPort();
    AgentWorld world;
    QVERIFY(world.start());
    world.config.metrics = QStringLiteral("127.0.0.1:%1").arg(port);
    QVERIFY(world.writeConfig());
    world.agent->reload();
    other.close();
    QTcpSocket scraper;
    scraper.connectToHost(QHostAddress::LocalHost, port);
    QVERIFY(!scraper.waitForConnected(5'000));
    world.agent->reload();
    scraper.connectToHost(QHostAddress::LocalHost, port);
    QVERIFY(scraper.waitForConnected(5'000));
}

void TestApplication::reloadKeepsTheMetricsWhereTheyCannotBe()
{
    QTcpServer first;
    QTcpServer other;
    QVERIFY(first.listen(QHostAddress::LocalHost) && other.listen(QHostAddress::LocalHost));
    const quint16 port = first.serverPort();
    first.close();
    AgentWorld world;
    world.config.metrics = QStringLiteral("127.0.0.1:%1").arg(port);
    QVERIFY(world.start());
    world.config.metrics = QStringLiteral("127.0.0.1:%1").arg(other.serverPort());
    QVERIFY(world.writeConfig());
    QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(QStringLiteral("the metrics stay as they were")));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("not applied: metrics")));
    world.agent->reload();
    QTcpSocket scraper;
    scraper.connectToHost(QHostAddress::LocalHost, port);
    QVERIFY(scraper.waitForConnected(5'000));
}

void TestApplication::reloadTellsWhatWaitsForAStart()
{
    AgentWorld world;
    QVERIFY(world.start());
    QVERIFY(world.writeConfig("[journal]\naudit_key = \"elsewhere.key\"\n"));
    QTest::ignoreMessage(QtWarningMsg,
                         QRegularExpression(QStringLiteral("not applied before a restart: .*audit_key")));
    world.agent->reload();
}

void TestApplication::reloadKeepsTheListenersWhereOneCannotBe()
{
    AgentWorld world;
    QVERIFY(world.start());
    const QString other = world.folder.filePath(QStringLiteral("a.sock")); // begun before the next one
    world.config.listen = {QStringLiteral("local:") + other, QStringLiteral("local:") + world.config.file};
    QVERIFY(world.writeConfig()); // a file is in the way
    QTest::ignoreMessage(QtCriticalMsg,
                         QRegularExpression(QStringLiteral("the listeners stay .*isn't a socket")));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("not applied: listen$")));
    world.agent->reload();
    TestClient client;
    QVERIFY(client.open(world.socket()));
    QVERIFY(!QFile::exists(other));
    world.config.listen.removeLast();
    QVERIFY(world.writeConfig());
    world.agent->reload();
    QVERIFY(!QFile::exists(world.socket()));
    TestClient moved;
    QVERIFY(moved.open(other));
    QVERIFY(client.ask<protocol::Status>(protocol::StatusQuery{}));
}

/** It listens no more, and ends once. */
void TestApplication::reloadDuringTheEndIsLeft()
{
    AgentWorld world;
    QVERIFY(world.start());
    QVERIFY(world.writeConfig());
    const QSignalSpy ended(world.agent.get(), &Agent::finished);
    world.agent->shutDown();
    world.agent->reload();
    QVERIFY(!QFile::exists(world.socket()));
    QTRY_COMPARE(ended.size(), 1);
}

/** As the releases. */
void TestApplication::standbyAuditsTheDecisionsThatItRefuses()
{
    AgentWorld world;
    agent::config::ElectionSettings election; // no agent has won: its store is unreachable
    election.store = world.config.sources.constFirst();
    election.lock = "lockkeeper:agent";
    world.config.election = election;
    TestClient client;
    QVERIFY(world.startWith(client));
    protocol::Decision decision;
    decision.request = 7;
    decision.approve = true;
    const auto refused = client.ask<protocol::ReleaseResult>(decision);
    QVERIFY(refused);
    QCOMPARE(refused->outcome, domain::Outcome::Refused);
    QVERIFY2(refused->error.cause.contains(QLatin1String("standby")), qPrintable(refused->error.cause));
    const auto audit = client.ask<protocol::AuditPage>(protocol::AuditQuery{});
    QVERIFY(audit && audit->entries.size() == 1);
    QCOMPARE(audit->entries.constFirst().id, refused->auditId);
    QCOMPARE(audit->entries.constFirst().outcome, domain::Outcome::Refused);
    QCOMPARE(audit->entries.constFirst().reason, QStringLiteral("approve request 7"));
}

void TestApplication::endWaitsForTheAudit_data()
{
    QTest::addColumn<bool>("isLook");
    QTest::newRow("a look") << true;
    QTest::newRow("a refused probe") << false;
}

/** At the next start, an action without a written outcome would look like the trace of a crash. */
void TestApplication::endWaitsForTheAudit()
{
    QFETCH(bool, isLook);
    const FakeClock patient; // its end waits 2 s of this clock
    AgentWorld world;
    world.agent = std::make_unique<Agent>(world.config, patient, [&patient](const SourceSpec &spec) {
        return base::Result<std::unique_ptr<stores::Store>>(std::make_unique<FakeStore>(spec, patient));
    });
    QVERIFY(world.agent->start());
    TestClient client;
    QVERIFY(client.open(world.socket()));
    HeldWrites held("-wal"); // an agent that doesn't wait hangs at its journal's end
    protocol::DiscoverRequest look;
    protocol::ProbeRequest probe;
    look.command = probe.command = QByteArray(32, 'a');
    look.url = QStringLiteral("redis://127.0.0.1:1/0");
    probe.source = QStringLiteral("memory");
    if (isLook)
        client.post(look);
    else
        client.post(probe);
    QVERIFY(client.ask<protocol::Status>(protocol::StatusQuery{})); // it has come
    const QSignalSpy ended(world.agent.get(), &Agent::finished);
    world.agent->shutDown();
    QTRY_VERIFY_WITH_TIMEOUT(client.end, 60'000);
    QVERIFY(AgentWorld::letTurnsPass());
    QCOMPARE(ended.size(), 0);
    held.letGo();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 60'000);
    world.agent.reset();
    agent::journal::Journal journal(patient);
    const auto opened = journal.open({world.config.journalPath});
    QVERIFY(opened);
    QCOMPARE(opened->interruptedReleases, 0);
    base::Result<protocol::AuditPage> page;
    journal.ask([](agent::journal::Queries &queries) { return queries.audit.audit({}); },
                [&page](const auto &answer) { page = answer; });
    QTRY_COMPARE_WITH_TIMEOUT(page->entries.size(), 1, 60'000);
    QVERIFY(page->entries.constFirst().outcome != domain::Outcome::Pending);
}

/** Its session stays until it has read, and longer than the end waits. */
void TestApplication::endTakesBackTheLookOfWhoDoesNotRead()
{
    FakeClock patient;
    AgentWorld world;
    world.agent = std::make_unique<Agent>(world.config, patient, [&patient](const SourceSpec &spec) {
        return base::Result<std::unique_ptr<stores::Store>>(std::make_unique<FakeStore>(spec, patient));
    });
    QVERIFY(world.agent->start());
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    RawClient raw;
    QVERIFY(raw.open(world.socket()));
    raw.send(protocol::Hello{});
    QList<protocol::Message> got;
    QVERIFY(QTest::qWaitFor([&] { return raw.read(got) && !got.isEmpty(); }, 60'000));
    raw.socket.setReadBufferSize(4'096); // takes nothing more
    const protocol::Subscribe again{5, std::nullopt, {}, false, false};
    raw.socket.write(protocol::frame(protocol::encode(again)).repeated(60'000));
    QTRY_VERIFY_WITH_TIMEOUT(world.agent->waitingBytes() > 128 * 1024, 60'000);
    protocol::DiscoverRequest look;
    look.id = 6;
    look.command = QByteArray(32, 'a');
    look.url = QStringLiteral("redis://127.0.0.1:%1/0").arg(silent.serverPort());
    raw.send(look);
    QTRY_VERIFY_WITH_TIMEOUT(silent.hasPendingConnections(), 60'000);
    const QSignalSpy ended(world.agent.get(), &Agent::finished);
    world.agent->shutDown();
    patient.advanceUs(3'000'000);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 60'000);
    world.agent.reset();
    agent::journal::Journal journal(patient);
    const auto opened = journal.open({world.config.journalPath});
    QVERIFY(opened);
    QCOMPARE(opened->interruptedReleases, 0);
}

/** The agent has reported that the source is up, and ended before its first read returned. */
void TestApplication::lifeThatSawNothingEndsInAGap()
{
    using events::EventKind;
    AgentWorld world;
    const auto begin = [&world](bool sees) {
        world.agent.reset();
        world.agent =
            std::make_unique<Agent>(world.config, world.clock, [&world, sees](const SourceSpec &spec) {
                auto store = std::make_unique<FakeStore>(spec, world.clock);
                if (!sees)
                    connect(store.get(), &stores::Store::opened, store.get(), &FakeStore::holdBack);
                return base::Result<std::unique_ptr<stores::Store>>(std::move(store));
            });
        return world.agent->start().has_value();
    };
    const auto isOf = [](EventKind kind) {
        return [kind](const events::LockEvent &e) { return e.kind == kind; };
    };
    QVERIFY(begin(false));
    TestClient first;
    QVERIFY(first.open(world.socket()));
    first.subscribe(0);
    QVERIFY(first.waitForEvent(isOf(EventKind::SourceUp)));
    const qint64 upUs = first.last(EventKind::SourceUp).timeUs;
    QVERIFY(begin(false)); // this agent hasn't seen anything either
    TestClient again;
    QVERIFY(again.open(world.socket()));
    again.subscribe(first.last(EventKind::SourceUp).seq);
    QVERIFY(again.waitForEvent(isOf(EventKind::SourceUp)));
    QVERIFY(begin(true));
    TestClient second;
    QVERIFY(second.open(world.socket()));
    second.subscribe(0);
    QVERIFY(second.waitForEvent(isOf(EventKind::GapClosed)));
    QCOMPARE(second.count(EventKind::GapOpened), 1);
    QCOMPARE(second.last(EventKind::GapOpened).timeUs, upUs);
    QCOMPARE(second.last(EventKind::GapOpened).detail.causeText(), QStringLiteral("agent_restarted"));
    QCOMPARE(second.last(EventKind::GapClosed).detail.sinceUs.value_or(0), upUs);
}

/** The reload reads new settings and reconnects the source. */
void TestApplication::reloadBeforeTheFirstLookLeavesAGap()
{
    using events::EventKind;
    const auto isOf = [](EventKind kind) {
        return [kind](const events::LockEvent &e) { return e.kind == kind; };
    };
    AgentWorld world;
    bool sees = false;
    world.agent = std::make_unique<Agent>(world.config, world.clock, [&world, &sees](const SourceSpec &spec) {
        auto store = std::make_unique<FakeStore>(spec, world.clock);
        if (!sees)
            connect(store.get(), &stores::Store::opened, store.get(), &FakeStore::holdBack);
        return base::Result<std::unique_ptr<stores::Store>>(std::move(store));
    });
    QVERIFY(world.agent->start());
    TestClient client;
    QVERIFY(client.open(world.socket()));
    client.subscribe(0);
    QVERIFY(client.waitForEvent(isOf(EventKind::SourceUp)));
    const qint64 upUs = client.last(EventKind::SourceUp).timeUs;
    sees = true;
    QVERIFY(world.writeConfig("match = \"lock:*\"\n"));
    world.agent->reload();
    TestClient again; // the other's stream started over
    QVERIFY(again.open(world.socket()));
    again.subscribe(0);
    QVERIFY(again.waitForEvent(isOf(EventKind::GapClosed)));
    QCOMPARE(again.count(EventKind::SourceUp), 2);
    QCOMPARE(again.count(EventKind::GapOpened), 1);
    QCOMPARE(again.last(EventKind::GapOpened).timeUs, upUs);
}

LOCKKEEPER_TEST(TestApplication)

} // namespace tst_application

#include "tst_application.moc"
