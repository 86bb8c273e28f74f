// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/zookeeper/queue_client.h"
#include "tests/support/agent_fixture.h"
#include "tests/support/foreign_client.h"
#include "tests/support/program.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <csignal>

namespace tst_agent_zookeeper {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

/** A real agent on a real ZooKeeper whose locks kazoo takes. */
class TestAgentZookeeper : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void lifeOfAQueue_data();
    void lifeOfAQueue();
    void brokenFromTheShell();
    void aKilledStoreIsAGap();
    void aDeadHolderAndAFrozenStore();
    void theAgentsSessionEnds();
    void aRestoredServerHasLost_data();
    void aRestoredServerHasLost();

private:
    bool begin(bool push)
    {
        m_agent->configure(
            "[[source]]\nname = \"s\"\nurl = \"" + m_server->url().toEncoded() +
            "\"\npoll_ms = 50\nstatement_timeout_ms = 1000\npush = " + (push ? "true" : "false") +
            "\n  [[source.locks]]\n  scheme = \"zookeeper.sequence\"\n  match = \"/lk/*\"\n");
        return startWatched();
    }
    bool saw(EventKind kind) { return m_client->saw(kind); }
    static domain::LockKey key() { return {QStringLiteral("s"), "zookeeper.sequence", "znodes", "/lk/a"}; }
    domain::LockState state() const { return m_client->table.locks.value(key()); }
    /** The session that took it. */
    QByteArray take(const char *who) const
    {
        return m_kazoo->ask(QByteArray(who) + " acquire /lk/a 2000").split(' ').value(1);
    }

    std::unique_ptr<ZookeeperServer> m_server;
    std::unique_ptr<ForeignProgram> m_kazoo;
};

void TestAgentZookeeper::initTestCase()
{
    if (!ZookeeperServer::isInstalled())
        QSKIP(ZookeeperServer::absent());
}

void TestAgentZookeeper::init()
{
    m_server = std::make_unique<ZookeeperServer>();
    makeAgent();
    QVERIFY(m_server->start());
    m_kazoo = std::make_unique<ForeignProgram>("kazoo", "python");
    // A session that a test ends has a short time-out; other sessions survive the delays of a busy machine.
    const bool ends = QByteArrayView(QTest::currentTestFunction()) == "aDeadHolderAndAFrozenStore";
    m_kazoo->start({{QStringLiteral("ZOOKEEPER"), m_server->address()},
                    {QStringLiteral("SESSION"), ends ? QStringLiteral("2") : QStringLiteral("10")}});
    if (!m_kazoo->isReady())
        QSKIP(qPrintable(m_kazoo->why));
}

void TestAgentZookeeper::cleanup()
{
    m_kazoo.reset();
    endAgent();
    m_server.reset();
}

void TestAgentZookeeper::lifeOfAQueue_data()
{
    QTest::addColumn<bool>("push");
    QTest::newRow("polled") << false;
    QTest::newRow("pushed") << true;
}

void TestAgentZookeeper::lifeOfAQueue()
{
    QFETCH(bool, push);
    QVERIFY(begin(push));
    const QByteArray first = take("lock");
    QVERIFY(saw(EventKind::Acquired));
    QCOMPARE(m_client->last(EventKind::Acquired).owner, "kazoo (" + first + ')');
    QCOMPARE(m_kazoo->ask("lock#2 take /lk/a"), QByteArray("waiting"));
    QVERIFY(saw(EventKind::WaitStart));
    const QByteArray waiter = m_client->last(EventKind::WaitStart).waiter.value_or(QByteArray());
    QTRY_COMPARE(state().waiters.size(), 1);
    Output chains;
    const auto isDated = [&] { // only the holder waits for nothing
        chains = ctl({QStringLiteral("--json"), QStringLiteral("chains")});
        return chains.out.contains(first) && chains.out.count("\"waiting_since_us\":null") == 1;
    };
    QTRY_VERIFY2(isDated(), chains.out.constData());
    QCOMPARE(m_kazoo->ask("lock release"), QByteArray("released"));
    QCOMPARE(waiter, "kazoo (" + m_kazoo->waited().split(' ').value(1) + ')');
    QVERIFY(saw(EventKind::WaitEnd));
    QTRY_COMPARE(state().owner, waiter);
    QCOMPARE(m_kazoo->ask("lock#2 release"), QByteArray("released"));
    QTRY_VERIFY(!state().isHeld());
    QCOMPARE(m_client->count(EventKind::Expired), 0);
    QCOMPARE(m_client->count(EventKind::GapOpened), 0);
}

void TestAgentZookeeper::brokenFromTheShell()
{
    QVERIFY(begin(true));
    const QByteArray first = take("lock");
    QCOMPARE(m_kazoo->ask("lock#2 take /lk/a"), QByteArray("waiting"));
    QTRY_COMPARE(state().waiters.size(), 1);
    const Output locks = ctl({QStringLiteral("--json"), QStringLiteral("locks")});
    const QJsonObject lock = QJsonDocument::fromJson(locks.out.trimmed()).object();
    QCOMPARE(lock.value(QLatin1String("state")).toString(), QStringLiteral("contended"));
    QCOMPARE(lock.value(QLatin1String("store")).toString(), QStringLiteral("zookeeper"));
    QVERIFY(lock.value(QLatin1String("fencing")).toString().toLongLong() > 0);
    const auto told = [this](const QByteArray &line) { return m_agent->httpGet("/metrics").contains(line); };
    for (const char *line :
         {"lockkeeper_locks{source=\"s\",scheme=\"zookeeper.sequence\",state=\"contended\"} 1",
          "lockkeeper_source_up{source=\"s\"} 1", "lockkeeper_source_pushing{source=\"s\"} 1",
          "lockkeeper_source_finding{source=\"s\",code=\"single_member\",severity=\"notice\"} 1"})
        QTRY_VERIFY2(told(line), line);
    const QStringList release{QStringLiteral("release"), QStringLiteral("s"),
                              QStringLiteral("/lk/a"),   QStringLiteral("--reason"),
                              QStringLiteral("test"),    QStringLiteral("--yes"),
                              QStringLiteral("--guard"), lock.value(QLatin1String("guard")).toString()};
    const Output done = ctl(release);
    QVERIFY2(done.status == 0, (done.out + done.err).constData());
    const QByteArray next = m_kazoo->waited().split(' ').value(1);
    QVERIFY(saw(EventKind::ForceReleased));
    QCOMPARE(m_client->last(EventKind::ForceReleased).owner, "kazoo (" + first + ')');
    QTRY_COMPARE(state().token, next);
    const Output again = ctl(release);
    QVERIFY2(again.status == 5, (again.out + again.err).constData());
    QTRY_COMPARE(state().token, next);
}

void TestAgentZookeeper::aKilledStoreIsAGap()
{
    QVERIFY(begin(true));
    QVERIFY(!take("lock").isEmpty());
    QTRY_VERIFY(state().isHeld());
    const QByteArray guard = state().guard;
    m_server->kill();
    QVERIFY(saw(EventKind::SourceDown));
    QVERIFY(m_server->restart()); // sessions live on over it
    QVERIFY(saw(EventKind::GapClosed));
    QTRY_VERIFY_WITH_TIMEOUT(state().isHeld() && state().release.possible(), 20'000);
    QCOMPARE(state().guard, guard);
    QCOMPARE(m_client->count(EventKind::Acquired), 1);
    QCOMPARE(m_client->count(EventKind::Released) + m_client->count(EventKind::Expired), 0);
}

/** A session that ends frees its locks; a server that stands still frees none. */
void TestAgentZookeeper::aDeadHolderAndAFrozenStore()
{
    QVERIFY(begin(true));
    QVERIFY(!take("lock").isEmpty());
    QTRY_VERIFY(state().isHeld());
    m_kazoo->kill();
    QTRY_VERIFY_WITH_TIMEOUT(!state().isHeld(), 20'000);
    QCOMPARE(m_client->count(EventKind::Released) + m_client->count(EventKind::Expired), 1);
    QueueClient client(m_server->url());
    QVERIFY(client.make("/lk/a/x-0000000009"));
    QTRY_VERIFY(state().isHeld());
    m_server->pause();
    const bool noticed = saw(EventKind::SourceDown);
    m_server->resume();
    QVERIFY(noticed && saw(EventKind::GapClosed));
    QTRY_VERIFY(state().isHeld() && state().release.possible());
    QCOMPARE(m_client->count(EventKind::Released) + m_client->count(EventKind::Expired), 1);
}

/** While it stood still, ZooKeeper has ended its session, and its watches with that. */
void TestAgentZookeeper::theAgentsSessionEnds()
{
    m_kazoo.reset();
    m_server = std::make_unique<ZookeeperServer>();
    QVERIFY(m_server->start("maxSessionTimeout=3000\n"));
    QueueClient client(m_server->url());
    QVERIFY(client.make("/lk") && client.make("/lk/a") && client.make("/lk/a/x-0000000000"));
    QVERIFY(client.make("/lk/b") && client.make("/lk/b/x-0000000000"));
    QVERIFY(begin(true));
    QTRY_COMPARE(m_client->count(EventKind::Acquired), 2);
    const auto sessions = [this] { return m_server->word("cons").count("sid="); };
    const auto before = sessions();
    m_agent->signal(SIGSTOP);
    QTRY_VERIFY_WITH_TIMEOUT(sessions() < before, 30'000);
    QVERIFY(client.remove("/lk/b/x-0000000000"));
    m_agent->signal(SIGCONT);
    QVERIFY(saw(EventKind::GapClosed));
    QTRY_COMPARE(m_client->count(EventKind::Released), 1); // the missing lock, some time within the gap
    QCOMPARE(m_client->last(EventKind::Released).key.name, QByteArray("/lk/b"));
    QVERIFY(m_client->last(EventKind::Released).windowUs > 1'000'000);
    QVERIFY(state().isHeld());
}

void TestAgentZookeeper::aRestoredServerHasLost_data()
{
    QTest::addColumn<bool>("push");
    QTest::addColumn<bool>("agentStops");
    QTest::newRow("polled") << false << false;
    QTest::newRow("pushed") << true << false;
    QTest::newRow("polled, while the agent was down") << false << true;
    QTest::newRow("pushed, while the agent was down") << true << true;
}

void TestAgentZookeeper::aRestoredServerHasLost()
{
    QFETCH(bool, push);
    QFETCH(bool, agentStops);
    {
        QueueClient client(m_server->url());
        QVERIFY(client.make("/lk") && client.make("/lk/a") && client.make("/lk/b") &&
                client.make("/lk/b/x-0000000000"));
        QVERIFY(m_server->keep());
        QVERIFY(client.make("/lk/a/x-0000000000") && client.make("/lk/c") && client.make("/other"));
    }
    QVERIFY(begin(push));
    QTRY_COMPARE(m_client->count(EventKind::Acquired), 2);
    if (agentStops) {
        QCOMPARE(m_agent->terminate(), 0);
        m_client = std::make_unique<TestClient>();
    }
    QVERIFY(m_server->restore());
    if (agentStops) {
        QVERIFY(m_agent->start() && m_client->open(m_agent->socket()));
        m_client->subscribe(0, true);
    }
    QVERIFY(saw(EventKind::GapClosed));
    QTRY_COMPARE(m_client->count(EventKind::Lost, "/lk/a") + m_client->count(EventKind::Released), 1);
    QCOMPARE(m_client->count(EventKind::Released), 0);
    QCOMPARE(m_client->last(EventKind::Lost).detail.causeText(), QStringLiteral("went_back"));
    QCOMPARE(m_client->count(EventKind::Acquired), 2);
}

LOCKKEEPER_TEST(TestAgentZookeeper)

} // namespace tst_agent_zookeeper

#include "tst_agent_zookeeper.moc"
