// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/session_probe.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;
using domain::ReleaseOff;
using Kind = StockClient::Kind;

/** Row and advisory locks on a real MySQL: see tst_sql_mysql.cpp for LOCKKEEPER_TEST_MYSQL. */
class SqlSessionsMySqlTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanupTestCase();
    void holdersAloneAreSeen();
    void waitersInOrder();
    void fiveSessionsInAChain();
    void unindexedPredicate();
    void aMillionRowLocksStayOnTheServer();
    void insertOnDuplicateKey();
    void advisoryLocks();
    void killsTheHolder();
    void preparedXa();
    void missingGrantsAreNamed();

private:
    std::unique_ptr<StockClient> client(Kind kind = Kind::MariaDbCli);
    SourceSpec spec(bool advisory = false) const;
    void exec(const QString &sql);

    QUrl m_url;
    QByteArray m_password;
    StockAddress m_to;
    bool m_connected = false;
};

void SqlSessionsMySqlTest::initTestCase()
{
    const QUrl url(qEnvironmentVariable("LOCKKEEPER_TEST_MYSQL"));
    if (url.isEmpty())
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    m_password = url.password(QUrl::FullyDecoded).toUtf8();
    m_url = url;
    m_url.setPassword(QString());
    m_url.setPath(QStringLiteral("/lockkeeper_sessions"));
    m_to = {QString(), url.port(3306), url.userName(), QString::fromUtf8(m_password),
            QStringLiteral("lockkeeper_sessions")};
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), QStringLiteral("sessions"));
    database.setHostName(url.host());
    database.setPort(url.port(3306));
    database.setUserName(url.userName());
    database.setPassword(QString::fromUtf8(m_password));
    m_connected = database.open();
    QVERIFY2(m_connected, qPrintable(database.lastError().text()));
    exec(QStringLiteral("CREATE DATABASE IF NOT EXISTS lockkeeper_sessions"));
    exec(QStringLiteral("USE lockkeeper_sessions"));
}

void SqlSessionsMySqlTest::cleanupTestCase()
{
    if (m_connected)
        exec(QStringLiteral("DROP DATABASE lockkeeper_sessions"));
    QSqlDatabase::removeDatabase(QStringLiteral("sessions"));
}

void SqlSessionsMySqlTest::init()
{
    exec(QStringLiteral("SET lock_wait_timeout = 5"));
    exec(QStringLiteral("DROP TABLE IF EXISTS jobs"));
    exec(QStringLiteral(
        "CREATE TABLE jobs (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(64) UNIQUE, n INT, "
        "update_time DATETIME)"));
    exec(QStringLiteral(
        "INSERT INTO jobs (name, n) VALUES ('orders', 1), ('bill''s', 2), ('mail', 3), ('a', 4), "
        "('b', 5), ('c', 6), ('d', 7)"));
}

void SqlSessionsMySqlTest::exec(const QString &sql)
{
    QSqlQuery query(QSqlDatabase::database(QStringLiteral("sessions")));
    QVERIFY2(query.exec(sql), qPrintable(query.lastError().text()));
}

std::unique_ptr<StockClient> SqlSessionsMySqlTest::client(Kind kind)
{
    return std::make_unique<StockClient>(kind, m_to);
}

SourceSpec SqlSessionsMySqlTest::spec(bool advisory) const
{
    SourceSpec spec = sessionSpec(m_url, {QStringLiteral("jobs")}, advisory);
    spec.password = m_password;
    return spec;
}

void SqlSessionsMySqlTest::holdersAloneAreSeen()
{
    const auto holder = client(Kind::PyMySql);
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'bill''s' FOR UPDATE")));
    SessionProbe probe(spec());
    QVERIFY2(probe.open(), qPrintable(probe.failures.isEmpty() ? QString() : probe.failures.last().line()));
    const auto locks = probe.pass();
    QCOMPARE(locks.keys(), QList<QByteArray>{"name/bill's"});
    const Observation lock = locks.value("name/bill's");
    QVERIFY(lock.session && lock.waiters.isEmpty() && lock.waitersVisible);
    QCOMPARE(lock.session->program, QByteArray("pymysql"));
    QVERIFY(lock.session->client.contains(':'));
    QVERIFY(lock.session->statement.contains("FOR UPDATE"));
    QVERIFY(probe.graph.sessions.isEmpty());
    QCOMPARE(probe.graph.evidence, QByteArray("data_locks"));
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(probe.pass().isEmpty());
}

void SqlSessionsMySqlTest::waitersInOrder()
{
    const auto holder = client();
    const auto first = client(Kind::PyMySql);
    const auto second = client();
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

void SqlSessionsMySqlTest::fiveSessionsInAChain()
{
    const QString lockRow = QStringLiteral("SELECT n FROM jobs WHERE name = '%1' FOR UPDATE");
    const QStringList rows{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"),
                           QStringLiteral("d")};
    std::vector<std::unique_ptr<StockClient>> sessions;
    for (int i = 0; i < 5; ++i) {
        sessions.push_back(client(i % 2 == 0 ? Kind::MariaDbCli : Kind::PyMySql));
        QVERIFY(sessions.back()->run(QStringLiteral("BEGIN")));
        if (i < 4)
            QVERIFY(sessions.back()->run(lockRow.arg(rows.at(i))));
    }
    for (int i = 1; i < 5; ++i)
        sessions.at(size_t(i))->send(lockRow.arg(rows.at(i - 1)));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QTRY_COMPARE((probe.pass(), probe.graph.edges.size()), 4);
    const domain::Chains chains = domain::chainsOf(probe.graph);
    QCOMPARE(chains.nodes.size(), 5);
    QCOMPARE(chains.nodes.first().blocksAll, 4);
    QCOMPARE(chains.nodes.last().depth, 4);
    QCOMPARE(chains.nodes.last().waitsFor->name, QByteArray("d"));
}

void SqlSessionsMySqlTest::unindexedPredicate()
{
    const auto holder = client();
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT id FROM jobs WHERE n = 2 FOR UPDATE")));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QCOMPARE(probe.pass().keys(), QList<QByteArray>{"*/jobs"});
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE id = 3 FOR UPDATE"));
    QVERIFY(probe.until("PRIMARY/3", 1).present);
    QCOMPARE(probe.pass().size(), 2); // the table and the contended row
    QCOMPARE(probe.graph.wholeTables.size(), 1);
    QCOMPARE(probe.graph.wholeTables.first().place, QByteArray("lockkeeper_sessions.jobs"));
    QCOMPARE(probe.graph.wholeTables.first().session, probe.graph.edges.first().blocker);
}

void SqlSessionsMySqlTest::aMillionRowLocksStayOnTheServer()
{
    exec(QStringLiteral(
        "INSERT INTO jobs (name, n) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s "
        "WHERE i < 900) SELECT CONCAT('many-', i), i FROM s"));
    const auto holder = client();
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT MAX(n) FROM (SELECT n FROM jobs WHERE n > 0 FOR UPDATE) x")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE id = 3 FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QVERIFY(probe.until("PRIMARY/3", 1).present);
    QCOMPARE(probe.pass().size(), 2);
    QVERIFY(probe.graph.wholeTables.value(0).rows > 900);
    QCOMPARE(probe.graph.edges.value(0).blocker, probe.graph.wholeTables.value(0).session);
}

void SqlSessionsMySqlTest::insertOnDuplicateKey()
{
    const QString sql = QStringLiteral("INSERT INTO jobs (name, n) VALUES ('fresh', 1) "
                                       "ON DUPLICATE KEY UPDATE update_time = NOW()");
    const auto holder = client(Kind::PyMySql);
    const auto waiter = client();
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
    const auto holder = client(Kind::PyMySql);
    const auto waiter = client();
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

void SqlSessionsMySqlTest::killsTheHolder()
{
    const auto holder = client();
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("UPDATE jobs SET n = 77 WHERE name = 'orders'")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QCOMPARE(probe.until("name/orders", 1).off, ReleaseOff::TooYoung);
    QCOMPARE(probe.release(probe.inspect("name/orders").guard).outcome, Outcome::Refused);
    QCOMPARE(probe.untilMature("name/orders").off, ReleaseOff::None);
    const domain::Guard guard = probe.inspect("name/orders").guard;
    QCOMPARE(probe.release(guard, false, true).outcome, Outcome::Released); // a dry run
    QVERIFY(!waiter->finish(200));
    QCOMPARE(probe.release(guard).outcome, Outcome::Released);
    QVERIFY(waiter->finish());
    QVERIFY(waiter->output().contains("1\n") && !waiter->output().contains("77"));
    QVERIFY(holder->isCutOff());
    QCOMPARE(probe.release(guard).outcome, Outcome::AlreadyFree);
}

void SqlSessionsMySqlTest::preparedXa()
{
    {
        const auto holder = client();
        QVERIFY(holder->run(QStringLiteral("XA START 'lk1'")));
        QVERIFY(holder->run(QStringLiteral("UPDATE jobs SET n = 5 WHERE name = 'orders'")));
        QVERIFY(holder->run(QStringLiteral("XA END 'lk1'")));
        QVERIFY(holder->run(QStringLiteral("XA PREPARE 'lk1'")));
    } // gone, and its locks stay
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation lock = probe.until("name/orders");
    QVERIFY(lock.present && lock.session);
    (void)QTest::qWaitFor([&] { return probe.pass().value("name/orders").off == ReleaseOff::PreparedXa; });
    const Observation orphan = probe.pass().value("name/orders");
    const Outcome outcome = probe.release(probe.inspect("name/orders").guard).outcome;
    exec(QStringLiteral("XA ROLLBACK 'lk1'")); // before anything can fail: it would block the next test
    QCOMPARE(orphan.off, ReleaseOff::PreparedXa);
    QVERIFY2(orphan.owner.startsWith("trx:"), orphan.owner.constData());
    QCOMPARE(outcome, Outcome::Refused);
}

void SqlSessionsMySqlTest::missingGrantsAreNamed()
{
    QSqlQuery own(QSqlDatabase::database(QStringLiteral("sessions")));
    QVERIFY(own.exec(QStringLiteral("SHOW GRANTS")) && own.next());
    if (!own.value(0).toString().contains(QLatin1String("WITH GRANT OPTION")))
        QSKIP("the account of LOCKKEEPER_TEST_MYSQL may not grant");
    exec(QStringLiteral("DROP USER IF EXISTS lk_few"));
    exec(QStringLiteral("CREATE USER lk_few IDENTIFIED BY 'few'"));
    exec(QStringLiteral("GRANT SELECT ON lockkeeper_sessions.* TO lk_few"));
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

QTEST_GUILESS_MAIN(SqlSessionsMySqlTest)
#include "tst_sql_sessions_mysql.moc"
