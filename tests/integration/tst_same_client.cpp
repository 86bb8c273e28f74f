// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QTest>

#include <csignal>
#include <functional>

namespace tst_same_client {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;
using domain::ReleaseOff;

namespace {

/** A client that writes the same value into every lock, and its own lock "k". */
struct Client
{
    QByteArray source; ///< its section of the configuration, without the name
    std::function<void()> take;
    std::function<void()> give;
    std::function<bool()> holds;
};

QByteArray sourceOf(const QUrl &url, const QByteArray &lockSet, const QByteArray &more = {})
{
    return "url = \"" + url.toEncoded() + "\"\npoll_ms = 50\n" + more + "  [[source.locks]]\n" + lockSet +
           '\n';
}

QByteArray nowMs()
{
    return QByteArray::number(QDateTime::currentMSecsSinceEpoch());
}

} // namespace

/** A guard read from a client's previous hold doesn't end its next hold, however alike the two are. */
class TestSameClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_redis.start()); }
    void nextHold_data();
    void nextHold();
    void wholeSeconds();
    void withoutDeadline();
    void cleanup();

private:
    bool begin();
    Client redis(const QByteArray &lockSet, const QList<QByteArray> &take, const QByteArray &more = {});
    Client table(const QString &server, const QString &create, const QByteArray &lockSet, const QString &take,
                 const QString &give, const QString &count);
    Client clientNamed(const QByteArray &name);
    domain::LockState state() const
    {
        return m_agentClient->table.locks.size() == 1 ? *m_agentClient->table.locks.cbegin()
                                                      : domain::LockState();
    }
    protocol::Inspected read();
    protocol::ReleaseResult release(const QByteArray &guard, const QByteArray &ticket = {});

    RedisServer m_redis;
    RedlockNodes m_nodes;
    TestDatabases m_databases;
    Client m_client;
    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<TestClient> m_agentClient;
    int m_commands = 0;
};

Client TestSameClient::redis(const QByteArray &lockSet, const QList<QByteArray> &take, const QByteArray &more)
{
    m_redis.command({"FLUSHALL"});
    Client client;
    client.source = sourceOf(m_redis.url(), "  match = \"k\"\n" + lockSet, more);
    client.take = [this, take] {
        QList<QByteArray> command = take;
        if (command.first() == "ZADD")
            command.insert(2, nowMs());
        m_redis.command(command);
        if (command.first() == "HSET")
            m_redis.command({"PEXPIRE", "k", "60000"});
    };
    client.give = [this] { m_redis.command({"DEL", "k"}); };
    client.holds = [this] { return m_redis.command({"EXISTS", "k"}).integer == 1; };
    return client;
}

Client TestSameClient::table(const QString &server, const QString &create, const QByteArray &lockSet,
                             const QString &take, const QString &give, const QString &count)
{
    TestDatabase *database = m_databases.fresh(server, create);
    if (!database)
        return {};
    Client client;
    client.source = sourceOf(database->spec().url, lockSet);
    client.take = [database, take] { database->exec(take); };
    client.give = [database, give] { database->exec(give); };
    client.holds = [database, count] { return database->exec(count).value(0).value(0) == "1"; };
    return client;
}

Client TestSameClient::clientNamed(const QByteArray &name)
{
    const QByteArray token(
        "3b5f0c1e-8d0a-4c7e-9f2b-6a1d5e4c3b2a"); // it looks random, and is the client's own
    if (name == "redis.token")
        return redis("  scheme = \"redis.token\"", {"SET", "k", token, "NX", "PX", "60000"});
    if (name == "redis.token, pushed")
        return redis("  scheme = \"redis.token\"", {"SET", "k", token, "NX", "PX", "60000"}, "push = true\n");
    if (name == "redis.json")
        return redis("  scheme = \"redis.json\"",
                     {"SET", "k", "{\"owner\":\"" + token + "\",\"state\":\"execute\",\"lastSync\":5}", "NX",
                      "PX", "60000"});
    if (name == "redis.redisson")
        return redis("  scheme = \"redis.redisson\"", {"HSET", "k", token + ":1", "1"});
    if (name == "redis.semaphore")
        return redis("  scheme = \"redis.semaphore\"\n  lease = \"60s\"", {"ZADD", "k", token});
    if (name == "spring-integration-7")
        return table(
            QStringLiteral("postgresql"),
            QStringLiteral("CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT "
                           "NULL, CLIENT_ID CHAR(36), CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER "
                           "TIMESTAMP NOT NULL, PRIMARY KEY (LOCK_KEY, REGION))"),
            "  preset = \"spring-integration-7\"",
            QStringLiteral("INSERT INTO INT_LOCK VALUES ('k', 'DEFAULT', '%1', now() AT TIME ZONE 'utc', "
                           "(now() AT TIME ZONE 'utc') + INTERVAL '60 s')")
                .arg(QLatin1String(token)),
            QStringLiteral("DELETE FROM INT_LOCK"), QStringLiteral("SELECT count(*) FROM INT_LOCK"));
    const bool isWhole = name == "shedlock, whole seconds";
    const QString clock = isWhole ? QStringLiteral("UTC_TIMESTAMP()") : QStringLiteral("UTC_TIMESTAMP(3)");
    return table(
        QStringLiteral("mariadb"), shedlockTable(QStringLiteral("shedlock"), isWhole ? 0 : 3),
        "  scheme = \"sql.shedlock\"",
        QStringLiteral("INSERT INTO shedlock VALUES ('k', %1 + INTERVAL 60 SECOND, %1, '%2') ON DUPLICATE "
                       "KEY UPDATE lock_until = %1 + INTERVAL 60 SECOND, locked_at = %1")
            .arg(clock, QLatin1String(token)),
        QStringLiteral("UPDATE shedlock SET lock_until = %1").arg(clock),
        QStringLiteral("SELECT count(*) FROM shedlock WHERE lock_until > %1").arg(clock));
}

bool TestSameClient::begin()
{
    m_agent = std::make_unique<AgentProcess>();
    m_agent->configure("[[source]]\nname = \"s\"\n" + m_client.source);
    m_agentClient = std::make_unique<TestClient>();
    return m_agent->start() && m_agentClient->watch(m_agent->socket());
}

void TestSameClient::cleanup()
{
    if (QTest::currentTestFailed() && m_agent)
        qInfo().noquote() << m_agent->log();
    m_agentClient.reset();
    m_agent.reset();
}

protocol::Inspected TestSameClient::read()
{
    protocol::Inspect inspect;
    inspect.key = state().key;
    return m_agentClient->ask<protocol::Inspected>(inspect).value_or(protocol::Inspected());
}

protocol::ReleaseResult TestSameClient::release(const QByteArray &guard, const QByteArray &ticket)
{
    protocol::ForceRelease order;
    order.command = QByteArray::number(++m_commands).rightJustified(32, 'c');
    order.key = state().key;
    order.guard = guard;
    order.ticket = ticket;
    order.reason = QStringLiteral("test");
    return m_agentClient->ask<protocol::ReleaseResult>(order).value_or(protocol::ReleaseResult());
}

void TestSameClient::nextHold_data()
{
    QTest::addColumn<bool>("seen");
    for (const char *name :
         {"redis.token", "redis.token, pushed", "redis.json", "redis.redisson", "redis.semaphore",
          "redis.redlock", "spring-integration-7", "shedlock, milliseconds", "shedlock, whole seconds"}) {
        QTest::addRow("%s", name) << true;
        QTest::addRow("%s; nobody saw the end", name) << false;
    }
}

void TestSameClient::nextHold()
{
    QFETCH(bool, seen);
    const QByteArray name = QByteArray(QTest::currentDataTag()).split(';').first();
    if (name == "redis.redlock") {
        if (m_nodes.size() == 0)
            QVERIFY(m_nodes.start(3));
        m_nodes.clear();
        m_client.source = sourceOf(m_nodes.url(), "  scheme = \"redis.redlock\"\n  match = \"k\"");
        m_client.take = [this] { m_nodes.set({0, 1, 2}, "k", "mine"); };
        m_client.give = [this] { m_nodes.remove({0, 1, 2}, "k"); };
        m_client.holds = [this] { return m_nodes.values("k") == "mine mine mine"; };
    } else {
        m_client = clientNamed(name);
    }
    if (m_client.source.isEmpty())
        QSKIP("no such server here");
    QVERIFY(begin());
    m_client.take();
    QTRY_VERIFY(!state().guard.isEmpty());
    const QByteArray guard = state().guard;
    const QByteArray ticket = read().ticket;
    m_client.give();
    if (seen)
        QTRY_VERIFY(!state().isHeld());
    m_client.take();
    QTRY_VERIFY(state().isHeld());
    for (const protocol::ReleaseResult &result : {release({}, ticket), release(guard)}) {
        // A row that is too young is refused before anything is compared.
        if (name != "shedlock, whole seconds" || result.outcome != Outcome::Refused)
            QCOMPARE(result.outcome, Outcome::HolderChanged);
        QVERIFY(m_client.holds());
    }
    QTRY_VERIFY(!state().guard.isEmpty() && state().guard != guard);
    QCOMPARE(release(state().guard).outcome, Outcome::Released);
    QVERIFY(!m_client.holds());
}

/**
 * The agent doesn't offer to break a row that its client's next hold could repeat. A guard read then fits
 * nothing.
 */
void TestSameClient::wholeSeconds()
{
    m_client = clientNamed("shedlock, whole seconds");
    QVERIFY(begin());
    m_client.take();
    QTRY_VERIFY(state().isHeld());
    const protocol::Inspected young = read();
    QCOMPARE(young.state.release.why, ReleaseOff::TooYoung);
    QVERIFY(young.state.guard.isEmpty());
    m_client.give();
    m_client.take();
    QTRY_VERIFY(!state().guard.isEmpty());
    QCOMPARE(release({}, young.ticket).outcome, Outcome::Refused);
    QVERIFY(m_client.holds());
}

void TestSameClient::withoutDeadline()
{
    m_client = redis("  scheme = \"redis.token\"", {"SET", "k", "3b5f0c1e-8d0a-4c7e-9f2b-6a1d5e4c3b2a"});
    QVERIFY(begin());
    m_client.take();
    QTRY_VERIFY(state().isHeld());
    QCOMPARE(state().release.why, ReleaseOff::NoIdentity);
    const protocol::ReleaseResult result = release({}, read().ticket);
    QCOMPARE(result.outcome, Outcome::Refused);
    QVERIFY2(result.error.remedy.contains(QLatin1String("unsafe")), qPrintable(result.error.line()));
    QVERIFY(m_client.holds());
    m_agent->configure("[[source]]\nname = \"s\"\n" + m_client.source + "  break = \"unsafe\"\n");
    m_agent->signal(SIGHUP);
    QTRY_COMPARE(state().release.safety, domain::ReleaseSafety::Unsafe);
    QCOMPARE(release({}, read().ticket).outcome, Outcome::Released);
    QVERIFY(!m_client.holds());
}

LOCKKEEPER_TEST(TestSameClient)

} // namespace tst_same_client

#include "tst_same_client.moc"
