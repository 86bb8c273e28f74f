// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/mongodb/document_client.h"
#include "tests/support/agent_process.h"
#include "tests/support/mongod_server.h"
#include "tests/support/program.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QTest>

namespace tst_agent_mongodb {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::Kind;
using events::LockEvent;

/** A real agent on a real MongoDB. */
class TestAgentMongodb : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void lifeOfALock_data() { bothWays(); }
    void lifeOfALock();
    void expiredAndPresentStill_data() { bothWays(); }
    void expiredAndPresentStill();
    void brokenFromTheShell_data() { bothWays(); }
    void brokenFromTheShell();
    void aKilledStoreIsAGap_data() { bothWays(); }
    void aKilledStoreIsAGap();
    void aChangeStreamMissesNothing();

private:
    static void bothWays()
    {
        QTest::addColumn<bool>("push");
        QTest::newRow("polled") << false;
        QTest::newRow("followed") << true;
    }
    bool begin(bool push)
    {
        m_agent->configure("[[source]]\nname = \"s\"\nurl = \"" + m_server->url().toEncoded() +
                           "\"\npoll_ms = 50\n" + (push ? "push = true\n" : "") +
                           "  [[source.locks]]\n  scheme = \"mongodb.ttl\"\n"
                           "  table = \"locks\"\n");
        if (!m_agent->start() || !m_client->open(m_agent->socket()))
            return false;
        m_client->subscribe(0, true);
        return saw(Kind::SourceUp);
    }
    bool saw(Kind kind)
    {
        return m_client->waitForEvent([kind](const LockEvent &e) { return e.kind == kind; });
    }
    static domain::LockKey key() { return {QStringLiteral("s"), "mongodb.ttl", "app.locks", "a"}; }
    domain::LockState state() const { return m_client->table.locks.value(key()); }
    Output ctl(const QStringList &arguments) const
    {
        return run("lockkeeperctl",
                   QStringList{QStringLiteral("--agent"), QLatin1String("local:") + m_agent->socket()} +
                       arguments);
    }
    bool take(const QByteArray &who, qint64 agoMs = 0) const;

    std::unique_ptr<MongodServer> m_server;
    std::unique_ptr<DocumentClient> m_application;
    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<TestClient> m_client;
};

/** By the application's clock, as its clients do. */
bool TestAgentMongodb::take(const QByteArray &who, qint64 agoMs) const
{
    const QByteArray ms = QByteArray::number(QDateTime::currentMSecsSinceEpoch() - agoMs);
    const QByteArray date = "{\"$date\": {\"$numberLong\": \"" + ms + "\"}}";
    return m_application->insert("locks", "{\"_id\": \"a\", \"acquirer\": \"" + who + "\", \"acquiredAt\": " +
                                              date + ", \"updatedAt\": " + date + '}');
}

void TestAgentMongodb::initTestCase()
{
    if (!MongodServer::isInstalled())
        QSKIP(MongodServer::absent());
}

void TestAgentMongodb::init()
{
    m_server = std::make_unique<MongodServer>();
    m_agent = std::make_unique<AgentProcess>();
    m_client = std::make_unique<TestClient>();
    // The server's own pace of removing: nobody else removes what has expired within a test.
    QVERIFY(
        m_server->start(true, {QStringLiteral("--setParameter"), QStringLiteral("ttlMonitorEnabled=false")}));
    m_application = std::make_unique<DocumentClient>(m_server->url());
    QVERIFY(m_application->index("locks",
                                 R"({"key": {"updatedAt": 1}, "name": "ttl", "expireAfterSeconds": 120})"));
}

void TestAgentMongodb::cleanup()
{
    if (m_client)
        QCOMPARE(m_client->faults, QStringList());
    m_application.reset();
    m_client.reset();
    m_agent.reset();
    m_server.reset();
}

void TestAgentMongodb::lifeOfALock()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QVERIFY(take("h1"));
    QVERIFY(saw(Kind::Acquired));
    QCOMPARE(m_client->last(Kind::Acquired).owner, "h1");
    QTRY_VERIFY(state().isHeld() && state().expiry == domain::ExpiryKind::At);
    QCOMPARE(state().ttlMs, 120'000);
    QVERIFY(m_application->update("locks", R"({"_id": "a"})", R"({"$currentDate": {"updatedAt": true}})"));
    QTRY_COMPARE(state().renewals, 1U);
    QVERIFY(m_application->remove("locks", R"({"_id": "a"})"));
    QVERIFY(saw(Kind::Released));
    QCOMPARE(m_client->count(Kind::Acquired), 1);
    QCOMPARE(m_client->count(Kind::Expired) + m_client->count(Kind::GapOpened), 0);
}

/** The TTL monitor comes about once a minute: until then the document is there, and its lock has expired. */
void TestAgentMongodb::expiredAndPresentStill()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QVERIFY(take("h1", 119'000));
    QVERIFY(saw(Kind::Expired));
    QTRY_COMPARE(state().phase, domain::Phase::Expired);
    QCOMPARE(state().owner, "h1");
    QCOMPARE(m_application->count("locks"), 1);
    QVERIFY(m_application->remove("locks", R"({"_id": "a"})"));
    QTRY_VERIFY(!m_client->table.locks.contains(key()) || state().phase == domain::Phase::Free);
    QCOMPARE(m_client->count(Kind::Expired), 1);
    QCOMPARE(m_client->count(Kind::Released), 0);
}

void TestAgentMongodb::brokenFromTheShell()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QVERIFY(take("h1"));
    QTRY_VERIFY(state().isHeld());
    const Output locks = ctl({QStringLiteral("--json"), QStringLiteral("locks")});
    const QJsonObject lock = QJsonDocument::fromJson(locks.out.trimmed()).object();
    QCOMPARE(lock.value(QLatin1String("store")).toString(), QStringLiteral("mongodb"));
    QCOMPARE(lock.value(QLatin1String("owner")).toString(), QStringLiteral("h1"));
    const QStringList release{QStringLiteral("release"), QStringLiteral("s"),
                              QStringLiteral("a"),       QStringLiteral("--reason"),
                              QStringLiteral("test"),    QStringLiteral("--yes"),
                              QStringLiteral("--guard"), lock.value(QLatin1String("guard")).toString()};
    const Output done = ctl(release);
    QVERIFY2(done.status == 0, (done.out + done.err).constData());
    QVERIFY(saw(Kind::ForceReleased));
    QCOMPARE(m_application->count("locks"), 0);
    QVERIFY(take("h2"));
    QTRY_COMPARE(state().owner, "h2");
    const Output again = ctl(release);
    QVERIFY2(again.status == 5, (again.out + again.err).constData());
    QCOMPARE(m_application->count("locks"), 1);
}

void TestAgentMongodb::aKilledStoreIsAGap()
{
    QFETCH(const bool, push);
    QVERIFY(begin(push));
    QVERIFY(take("h1"));
    QTRY_VERIFY(state().isHeld());
    const QByteArray guard = state().guard;
    m_server->kill();
    QVERIFY(saw(Kind::SourceDown));
    QVERIFY(m_server->restart());
    QVERIFY(saw(Kind::GapClosed));
    QTRY_VERIFY(state().isHeld() && state().release.possible());
    QCOMPARE(state().guard, guard);
    QCOMPARE(m_client->count(Kind::Acquired), 1);
    QCOMPARE(m_client->count(Kind::Released) + m_client->count(Kind::Expired), 0);
}

/** Holds that come and go between two readings, also while the agent is away. */
void TestAgentMongodb::aChangeStreamMissesNothing()
{
    constexpr int kHolds = 20;
    QVERIFY(begin(true));
    QTRY_COMPARE(m_client->sources.value(QStringLiteral("s")).mode, domain::ObservationMode::Push);
    const auto hold = [&] {
        for (int i = 0; i < kHolds; ++i) {
            if (!take("h" + QByteArray::number(i)) || !m_application->remove("locks", R"({"_id": "a"})"))
                return false;
        }
        return true;
    };
    QVERIFY(hold());
    QTRY_COMPARE(m_client->count(Kind::Released), kHolds);
    QCOMPARE(m_client->count(Kind::Acquired), kHolds);
    m_agent->kill();
    QVERIFY(hold());
    QVERIFY(m_agent->start());
    const auto released = [this] {
        const Output history =
            ctl({QStringLiteral("--json"), QStringLiteral("history"), QStringLiteral("--event"),
                 QStringLiteral("released"), QStringLiteral("--from"), QStringLiteral("-1h")});
        return history.out.count("\"h19\"");
    };
    QTRY_COMPARE_WITH_TIMEOUT(released(), 2, 20'000);
    const Output gaps = ctl({QStringLiteral("--json"), QStringLiteral("history"), QStringLiteral("--event"),
                             QStringLiteral("gap_opened"), QStringLiteral("--from"), QStringLiteral("-1h")});
    QVERIFY2(!gaps.out.contains("agent_restarted"), gaps.out.constData());
    const Output sources = ctl({QStringLiteral("--json"), QStringLiteral("sources")});
    const QJsonObject source = QJsonDocument::fromJson(sources.out.trimmed()).object();
    QVERIFY2(qAbs(source.value(QLatin1String("clock_offset_us")).toInt(INT_MAX)) < 50'000, // one machine
             sources.out.constData());
}

LOCKKEEPER_TEST(TestAgentMongodb)

} // namespace tst_agent_mongodb

#include "tst_agent_mongodb.moc"
