// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_fixture.h"
#include "tests/support/etcd_server.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/postgres_server.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>

namespace tst_agent_standing {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

/** A real agent on replicas that lag, and on stores that fail over or come back from a backup. */
class TestAgentStanding : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void aReplicaThatStandsStillProvesNoExpiry();
    void aFailoverLosesRows();
    void aRestoredClusterIsReadAnew_data();
    void aRestoredClusterIsReadAnew();
    void lostWhileTheAgentWasDown_data();
    void lostWhileTheAgentWasDown();

private:
    bool losePostgreSql();
    bool loseMariaDb();
    bool loseEtcd(bool push);
    bool loseRedis();
    /** Runs `lose` while the agent is down. */
    bool meanwhile(const std::function<bool()> &lose)
    {
        if (!saw(EventKind::Acquired, "a") || m_agent->terminate() != 0)
            return false;
        m_client = std::make_unique<TestClient>();
        if (!lose() || !m_agent->start() || !m_client->open(m_agent->socket()))
            return false;
        m_client->subscribe(0, true);
        return m_client->waitForEvent([](const LockEvent &e) {
            return e.kind == EventKind::Lost || e.kind == EventKind::Released || e.kind == EventKind::Expired;
        }); // the server ends with its caller
    }

    bool begin(const QByteArray &source)
    {
        m_agent->configure(source);
        return startWatched();
    }
    bool saw(EventKind kind, const QByteArray &name) { return m_client->saw(kind, name); }
    std::optional<domain::LockState> state(const QByteArray &name) const
    {
        const auto found = std::find_if(m_client->table.locks.cbegin(), m_client->table.locks.cend(),
                                        [&name](const auto &lock) { return lock.key.name == name; });
        return found == m_client->table.locks.cend() ? std::nullopt : std::optional(*found);
    }
    QString said(const QStringList &arguments) const
    {
        const Output out = ctl(arguments);
        return QString::fromUtf8(out.out + out.err);
    }
    static QByteArray sourceOf(const QString &folder, int port)
    {
        return "[[source]]\nname = \"db\"\nurl = \"postgresql:///postgres?host=" + folder.toUtf8() +
               "&port=" + QByteArray::number(port) + "&user=root\"\npoll_ms = 100\n";
    }
};

namespace {
const QString kShedlock =
    QStringLiteral("CREATE TABLE shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL, "
                   "locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)");
constexpr char kJobLockSet[] =
    "  [[source.locks]]\n  scheme = \"sql.insert\"\n  table = \"job_lock\"\n  name = \"name\"\n"
    "  holder = \"owner\"\n  acquired_at = \"acquired_at\"\n";
constexpr char kShedlockSet[] = "  [[source.locks]]\n  preset = \"shedlock\"\n  table = \"shedlock\"\n";
const QString kNow = QStringLiteral("(now() AT TIME ZONE 'utc')");
} // namespace

void TestAgentStanding::aReplicaThatStandsStillProvesNoExpiry()
{
    PostgresServer primary;
    PostgresServer replica;
    QVERIFY(primary.start());
    primary.exec(kShedlock);
    QVERIFY(replica.startCopyOf(primary, true));
    primary.exec(
        QStringLiteral("INSERT INTO shedlock VALUES ('job', %1 + interval '3s', %1, 'host-a')").arg(kNow));
    QVERIFY(begin(sourceOf(replica.socketFolder(), replica.port()) + kShedlockSet));
    QVERIFY(saw(EventKind::Acquired, "job"));
    QVERIFY2(said({QStringLiteral("status")}).contains(QLatin1String("is a replica")),
             qPrintable(said({QStringLiteral("status")})));
    replica.exec(QStringLiteral("SELECT pg_wal_replay_pause()"));
    primary.exec(QStringLiteral("UPDATE shedlock SET lock_until = %1 + interval '1h'").arg(kNow));
    QTRY_COMPARE_WITH_TIMEOUT(state("job")->phase, domain::Phase::Unknown, 15'000);
    const auto isStalled = [this] {
        const auto found = m_client->sources.value(QStringLiteral("db")).findings;
        return std::any_of(found.cbegin(), found.cend(),
                           [](const auto &any) { return any.code == "replica_stalled"; });
    };
    QTRY_VERIFY(isStalled());
    const QString released =
        said({QStringLiteral("release"), QStringLiteral("db"), QStringLiteral("job"),
              QStringLiteral("--holder"), QStringLiteral("host-a"), QStringLiteral("--reason"),
              QStringLiteral("test"), QStringLiteral("--yes")});
    QVERIFY2(released.contains(QLatin1String("replica")), qPrintable(released));
    QVERIFY2(!released.contains(QLatin1String("already free")), qPrintable(released));
    QVERIFY(!said({QStringLiteral("overview")}).contains(QLatin1String("othing wrong")));
    replica.exec(QStringLiteral("SELECT pg_wal_replay_resume()"));
    QTRY_COMPARE_WITH_TIMEOUT(state("job")->phase, domain::Phase::Held, 15'000);
    QCOMPARE(m_client->count(EventKind::Expired) + m_client->count(EventKind::Released), 0);
    QCOMPARE(m_client->count(EventKind::Lost), 0);
}

void TestAgentStanding::aFailoverLosesRows()
{
    PostgresServer first;
    PostgresServer second;
    QVERIFY(first.start());
    first.exec(kShedlock);
    first.exec(
        QStringLiteral("CREATE TABLE job_lock (name text PRIMARY KEY, owner text, acquired_at timestamptz)"));
    first.exec(
        QStringLiteral("INSERT INTO shedlock VALUES ('report', %1 - interval '1h', %1 - interval '2h', "
                       "'long-ago')")
            .arg(kNow));
    first.exec(QStringLiteral("INSERT INTO job_lock VALUES ('back', 'host-c', now() - interval '1m')"));
    QVERIFY(second.startCopyOf(first, false));
    first.exec(QStringLiteral("INSERT INTO job_lock VALUES ('import', 'host-a', now())"));
    first.exec(QStringLiteral("DELETE FROM job_lock WHERE name = 'back'"));
    first.exec(QStringLiteral("UPDATE shedlock SET lock_until = %1 + interval '1h', locked_at = %1, "
                              "locked_by = 'host-b'")
                   .arg(kNow));
    QTemporaryDir folder;
    const QString current = folder.filePath(QStringLiteral("current"));
    QVERIFY(QFile::link(first.socketFolder(), current));
    QVERIFY(begin(sourceOf(current, first.port()) + kShedlockSet + kJobLockSet));
    QVERIFY(saw(EventKind::Acquired, "import"));
    QVERIFY(saw(EventKind::Acquired, "report"));
    second.exec(QStringLiteral("SELECT pg_promote()"));
    QVERIFY(QFile::remove(current) && QFile::link(second.socketFolder(), current));
    first.stop();
    for (const char *lock : {"import", "report"}) {
        const QByteArray name(lock);
        QVERIFY(saw(EventKind::Lost, name));
        const LockEvent lost =
            *std::find_if(m_client->events.cbegin(), m_client->events.cend(), [&name](const LockEvent &e) {
                return e.kind == EventKind::Lost && e.key.name == name;
            });
        QCOMPARE(lost.owner, QByteArray(name == "import" ? "host-a" : "host-b"));
        QCOMPARE(lost.detail.causeText(), QStringLiteral("lost_in_failover"));
    }
    QVERIFY(saw(EventKind::Acquired, "back"));
    const LockEvent back = m_client->last(EventKind::Acquired);
    QVERIFY(back.detail.cameBack);
    QCOMPARE(m_client->count(EventKind::Released) + m_client->count(EventKind::TakenOver) +
                 m_client->count(EventKind::Expired),
             0);
    QCOMPARE(m_client->count(EventKind::Acquired, "report"), 1);
}

void TestAgentStanding::aRestoredClusterIsReadAnew_data()
{
    QTest::addColumn<bool>("push");
    QTest::newRow("polled") << false;
    QTest::newRow("watched") << true;
}

void TestAgentStanding::aRestoredClusterIsReadAnew()
{
    QFETCH(bool, push);
    if (!EtcdServer::isInstalled())
        QSKIP(EtcdServer::absent());
    EtcdServer etcd;
    QVERIFY(etcd.start());
    const QByteArray lease = etcd.grant(3000);
    const auto put = [&etcd](const QByteArray &key, const QByteArray &by) {
        etcd.ctl({QStringLiteral("put"), QLatin1String("--lease=") + QString::fromLatin1(by),
                  QString::fromLatin1(key + '/' + by), QString()});
    };
    put("lk/before", lease);
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("snapshot"));
    QVERIFY(etcd.save(file));
    for (int i = 0; i < 20; ++i)
        etcd.ctl({QStringLiteral("put"), QStringLiteral("other"), QString::number(i)});
    put("lk/after", lease);
    QVERIFY(begin("[[source]]\nname = \"s\"\nurl = \"" + etcd.url().toEncoded() + "\"\npoll_ms = 100\n" +
                  (push ? "push = true\n" : "") +
                  "  [[source.locks]]\n  scheme = \"etcd.lease\"\n  match = \"lk/*\"\n"));
    QVERIFY(saw(EventKind::Acquired, "lk/after"));
    QVERIFY(etcd.restore(file));
    // A busy machine takes its time to restore a cluster and to start it.
    QTRY_VERIFY_WITH_TIMEOUT(m_client->count(EventKind::Lost, "lk/after") > 0, 60'000);
    QCOMPARE(m_client->last(EventKind::Lost).detail.causeText(), QStringLiteral("went_back"));
    put("lk/new", etcd.grant(3000));
    QVERIFY(saw(EventKind::Acquired, "lk/new"));
    QVERIFY(saw(EventKind::GapClosed, {}));
    QCOMPARE(m_client->count(EventKind::Released) + m_client->count(EventKind::Expired), 0);
    QCOMPARE(state("lk/before")->phase, domain::Phase::Held);
}

bool TestAgentStanding::losePostgreSql()
{
    PostgresServer first;
    PostgresServer second;
    if (!first.start())
        return false;
    first.exec(
        QStringLiteral("CREATE TABLE job_lock (name text PRIMARY KEY, owner text, acquired_at timestamptz)"));
    if (!second.startCopyOf(first, false))
        return false;
    first.exec(QStringLiteral("INSERT INTO job_lock VALUES ('a', 'host-a', now())"));
    const QTemporaryDir folder;
    const QString current = folder.filePath(QStringLiteral("current"));
    return QFile::link(first.socketFolder(), current) &&
           begin(sourceOf(current, first.port()) + kJobLockSet) && meanwhile([&] {
               first.stop();
               second.exec(QStringLiteral("SELECT pg_promote()"));
               return QFile::remove(current) && QFile::link(second.socketFolder(), current);
           });
}

bool TestAgentStanding::loseMariaDb()
{
    MariaDbServer server;
    if (!server.start())
        return false;
    server.exec(QStringLiteral("CREATE DATABASE app"));
    server.exec(QStringLiteral("CREATE TABLE job_lock (name varchar(64) PRIMARY KEY, owner text, "
                               "acquired_at timestamp(6) NULL)"),
                QStringLiteral("app"));
    if (!server.keep() || !server.start())
        return false;
    server.exec(QStringLiteral("INSERT INTO job_lock VALUES ('a', 'host-a', now(6))"), QStringLiteral("app"));
    return begin("[[source]]\nname = \"db\"\nurl = \"" + server.url(QStringLiteral("app")).toEncoded() +
                 "\"\npoll_ms = 100\n" + kJobLockSet) &&
           meanwhile([&server] { return server.restore(); });
}

bool TestAgentStanding::loseEtcd(bool push)
{
    EtcdServer etcd;
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("snapshot"));
    if (!etcd.start())
        return false;
    const QByteArray lease = etcd.grant(3000);
    if (!etcd.save(file))
        return false;
    etcd.ctl({QStringLiteral("put"), QLatin1String("--lease=") + QString::fromLatin1(lease),
              QStringLiteral("a/") + QString::fromLatin1(lease), QString()});
    return begin("[[source]]\nname = \"db\"\nurl = \"" + etcd.url().toEncoded() + "\"\npoll_ms = 100\n" +
                 (push ? "push = true\n" : "") + "  [[source.locks]]\n  scheme = \"etcd.lease\"\n") &&
           meanwhile([&] { return etcd.restore(file); });
}

bool TestAgentStanding::loseRedis()
{
    RedisServer server;
    if (!server.start())
        return false;
    RedisPlain(server.socketPath()).command({"SET", "a", "token", "EX", "3000"});
    return begin("[[source]]\nname = \"db\"\nurl = \"" + server.url().toEncoded() +
                 "\"\npoll_ms = 100\n  [[source.locks]]\n  scheme = \"redis.token\"\n") &&
           meanwhile([&server] {
               server.kill();
               return server.start();
           });
}

void TestAgentStanding::lostWhileTheAgentWasDown_data()
{
    QTest::addColumn<std::function<bool()>>("lose");
    QTest::addColumn<QString>("cause");
    const auto row = [](const char *name, std::function<bool()> lose, const char *cause) {
        QTest::newRow(name) << std::move(lose) << QString::fromLatin1(cause);
    };
    row(
        "PostgreSQL", [this] { return losePostgreSql(); }, "lost_in_failover");
    row(
        "MariaDB", [this] { return loseMariaDb(); }, "went_back");
    if (EtcdServer::isInstalled()) {
        row(
            "etcd", [this] { return loseEtcd(false); }, "went_back");
        row(
            "etcd, watched", [this] { return loseEtcd(true); }, "went_back");
    }
    row(
        "Redis", [this] { return loseRedis(); }, "server_restarted");
}

void TestAgentStanding::lostWhileTheAgentWasDown()
{
    QFETCH(std::function<bool()>, lose);
    QVERIFY(lose());
    const auto ends = [this] {
        return m_client->count(EventKind::Lost) + m_client->count(EventKind::Released) +
               m_client->count(EventKind::Expired);
    };
    QCOMPARE(ends(), 1);
    QCOMPARE(m_client->count(EventKind::Lost, "a"), 1);
    QTEST(m_client->last(EventKind::Lost).detail.causeText(), "cause");
    QCOMPARE(m_client->last(EventKind::Lost).owner, m_client->last(EventKind::Acquired).owner);
}

LOCKKEEPER_TEST(TestAgentStanding)

} // namespace tst_agent_standing

#include "tst_agent_standing.moc"
