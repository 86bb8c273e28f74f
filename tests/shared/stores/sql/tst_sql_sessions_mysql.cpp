// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/session_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_sessions_mysql {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;
using domain::ReleaseOff;

/** Row and advisory locks on a real MySQL: see tst_sql_mysql.cpp for LOCKKEEPER_TEST_MYSQL. */
class SqlSessionsMySqlTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void holdersAloneAreSeen();
    void waitersInOrder();
    void unindexedPredicate();
    void aMillionRowLocksStayOnTheServer();
    void insertOnDuplicateKey();
    void advisoryLocks();
    void preparedXa();
    void missingGrantsAreNamed();

private:
    SourceSpec spec(bool advisory = false) const { return m_rig.spec({QStringLiteral("jobs")}, advisory); }
    void exec(const QString &sql) { m_rig.database().exec(sql); }

    SessionRig m_rig;
};

void SqlSessionsMySqlTest::initTestCase()
{
    if (!m_rig.start(QStringLiteral("mysql")))
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
}

void SqlSessionsMySqlTest::init()
{
    exec(QStringLiteral("DROP TABLE IF EXISTS jobs"));
    exec(QStringLiteral(
        "CREATE TABLE jobs (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(64) UNIQUE, n INT, "
        "update_time DATETIME)"));
    exec(QStringLiteral(
        "INSERT INTO jobs (name, n) VALUES ('orders', 1), ('bill''s', 2), ('mail', 3), ('a', 4), "
        "('b', 5), ('c', 6), ('d', 7)"));
}

void SqlSessionsMySqlTest::holdersAloneAreSeen()
{
    const auto holder = m_rig.python();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'bill''s' FOR UPDATE")));
    SessionProbe probe(spec());
    QVERIFY2(probe.open(), qPrintable(probe.failures.isEmpty() ? QString() : probe.failures.last().line()));
    const auto locks = probe.scan();
    QCOMPARE(locks.keys(), QList<QByteArray>{"name/bill's"});
    const Observation lock = locks.value("name/bill's");
    QVERIFY(lock.session && lock.waiters.isEmpty() && lock.waitersVisible);
    QCOMPARE(lock.session->program, QByteArray("pymysql"));
    QVERIFY(lock.session->client.contains(':'));
    QVERIFY(lock.session->statement.contains("FOR UPDATE"));
    QVERIFY(probe.graph.sessions.isEmpty());
    QCOMPARE(probe.graph.evidence, QByteArray("data_locks"));
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(probe.scan().isEmpty());
}

void SqlSessionsMySqlTest::waitersInOrder()
{
    const auto holder = m_rig.shell();
    const auto first = m_rig.python();
    const auto second = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE id = 1 FOR UPDATE")));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    first->send(QStringLiteral("SELECT n FROM jobs WHERE id = 1 FOR UPDATE"));
    QVERIFY(probe.until("PRIMARY/1", 1).present);
    second->send(QStringLiteral("SELECT n FROM jobs WHERE id = 1 FOR UPDATE"));
    const Observation lock = probe.until("PRIMARY/1", 2);
    QVERIFY(lock.present);
    QVERIFY(*lock.waiters.at(0).sinceUs - lock.waiters.at(0).windowUs <
            *lock.waiters.at(1).sinceUs - lock.waiters.at(1).windowUs);
    const qint64 nowUs = probe.pages.last().endedUs;
    for (const domain::Waiter &waiter : lock.waiters)
        QVERIFY(waiter.windowUs >= 0 && waiter.windowUs <= 1'000'000 && nowUs - *waiter.sinceUs < 20'000'000);
    QCOMPARE(probe.graph.edges.size(), 2);
    for (const domain::WaitEdge &edge : probe.graph.edges)
        QCOMPARE(edge.blocker, lock.session->id);
    QVERIFY(holder->run(QStringLiteral("ROLLBACK")));
    QVERIFY(first->finish() && second->finish());
}

void SqlSessionsMySqlTest::unindexedPredicate()
{
    const auto holder = m_rig.shell();
    const auto waiter = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT id FROM jobs WHERE n = 2 FOR UPDATE")));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QCOMPARE(probe.scan().keys(), QList<QByteArray>{"*/jobs"});
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE id = 3 FOR UPDATE"));
    QVERIFY(probe.until("PRIMARY/3", 1).present);
    QCOMPARE(probe.scan().size(), 2); // the table and the contended row
    QCOMPARE(probe.graph.wholeTables.size(), 1);
    QCOMPARE(probe.graph.wholeTables.first().place, m_rig.place("jobs"));
    QCOMPARE(probe.graph.wholeTables.first().session, probe.graph.edges.first().blocker);
}

void SqlSessionsMySqlTest::aMillionRowLocksStayOnTheServer()
{
    exec(QStringLiteral(
        "INSERT INTO jobs (name, n) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s "
        "WHERE i < 900) SELECT CONCAT('many-', i), i FROM s"));
    const auto holder = m_rig.shell();
    const auto waiter = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT MAX(n) FROM (SELECT n FROM jobs WHERE n > 0 FOR UPDATE) x")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE id = 3 FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QVERIFY(probe.until("PRIMARY/3", 1).present);
    QCOMPARE(probe.scan().size(), 2);
    QVERIFY(probe.graph.wholeTables.value(0).rows > 900);
    QCOMPARE(probe.graph.edges.value(0).blocker, probe.graph.wholeTables.value(0).session);
}

void SqlSessionsMySqlTest::insertOnDuplicateKey()
{
    const QString sql = QStringLiteral("INSERT INTO jobs (name, n) VALUES ('fresh', 1) "
                                       "ON DUPLICATE KEY UPDATE update_time = NOW()");
    const auto holder = m_rig.python();
    const auto waiter = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(sql));
    waiter->send(sql);
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation lock = probe.until("name/fresh", 1);
    QVERIFY(lock.present && lock.session);
    QVERIFY(lock.session->statement.startsWith("INSERT INTO jobs"));
}

void SqlSessionsMySqlTest::advisoryLocks()
{
    const auto holder = m_rig.python();
    const auto waiter = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("SELECT GET_LOCK('nightly', 1)")));
    waiter->send(QStringLiteral("SELECT GET_LOCK('nightly', 60)"));
    SessionProbe probe(spec(true));
    QVERIFY(probe.open());
    const Observation lock = probe.until("nightly", 1);
    QVERIFY(lock.present && lock.session && lock.waitersVisible);
    QCOMPARE(probe.graph.edges.value(0).lock,
             (domain::LockKey{QStringLiteral("db"), "sql.advisory", "server", "nightly"}));
    QCOMPARE(probe.untilMature("nightly").off, ReleaseOff::None);
    ReleaseOrder order;
    order.set = 1;
    order.guard = probe.inspect("nightly", 1).guard;
    QCOMPARE(probe.release(order).outcome, Outcome::Released);
    QVERIFY(waiter->finish());
    QVERIFY(holder->isCutOff());
    QCOMPARE(probe.release(order).outcome, Outcome::HolderChanged);
}

void SqlSessionsMySqlTest::preparedXa()
{
    {
        const auto holder = m_rig.shell();
        QVERIFY(holder->run(QStringLiteral("XA START 'lk1'")));
        QVERIFY(holder->run(QStringLiteral("UPDATE jobs SET n = 5 WHERE name = 'orders'")));
        QVERIFY(holder->run(QStringLiteral("XA END 'lk1'")));
        QVERIFY(holder->run(QStringLiteral("XA PREPARE 'lk1'")));
    } // removed, while its locks stay
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation lock = probe.until("name/orders");
    QVERIFY(lock.present && lock.session);
    (void)QTest::qWaitFor([&] { return probe.scan().value("name/orders").off == ReleaseOff::PreparedXa; });
    const Observation orphan = probe.scan().value("name/orders");
    const Outcome outcome = probe.release(probe.inspect("name/orders").guard).outcome;
    exec(QStringLiteral("XA ROLLBACK 'lk1'")); // before anything can fail: it would block the next test
    QCOMPARE(orphan.off, ReleaseOff::PreparedXa);
    QVERIFY2(orphan.owner.startsWith("trx:"), orphan.owner.constData());
    QCOMPARE(outcome, Outcome::Refused);
}

void SqlSessionsMySqlTest::missingGrantsAreNamed()
{
    if (!m_rig.database().exec(QStringLiteral("SHOW GRANTS")).value(0).value(0).contains("WITH GRANT OPTION"))
        QSKIP("the account of LOCKKEEPER_TEST_MYSQL may not grant");
    exec(QStringLiteral("DROP USER IF EXISTS lk_few"));
    exec(QStringLiteral("CREATE USER lk_few IDENTIFIED BY 'few'"));
    exec(QStringLiteral("GRANT SELECT ON jobs TO lk_few"));
    SourceSpec few = spec(true);
    few.url.setUserName(QStringLiteral("lk_few"));
    few.password = "few";
    SessionProbe blind(few);
    QVERIFY(!blind.open());
    const base::Error error = blind.failures.last();
    QCOMPARE(error.code, base::ErrorCode::PermissionDenied);
    QVERIFY2(error.remedy.contains(QLatin1String("GRANT PROCESS ON *.* TO 'lk_few'@'%';")),
             qPrintable(error.line()));
    QVERIFY(error.remedy.contains(QLatin1String("GRANT SELECT ON performance_schema.* TO 'lk_few'@'%';")));
    QVERIFY(error.remedy.contains(QLatin1String("GRANT CONNECTION_ADMIN ON *.* TO 'lk_few'@'%';")));
    exec(QStringLiteral("GRANT PROCESS ON *.* TO lk_few"));
    exec(QStringLiteral("GRANT SELECT ON performance_schema.* TO lk_few"));
    SessionProbe seeing(few);
    QVERIFY2(seeing.open(),
             qPrintable(seeing.failures.isEmpty() ? QString() : seeing.failures.last().line()));
    for (const domain::Access &access : seeing.info.access)
        QCOMPARE(access.granted, !access.need.startsWith("break:"));
    exec(QStringLiteral("DROP USER lk_few"));
}

LOCKKEEPER_TEST(SqlSessionsMySqlTest)

} // namespace tst_sql_sessions_mysql

#include "tst_sql_sessions_mysql.moc"
