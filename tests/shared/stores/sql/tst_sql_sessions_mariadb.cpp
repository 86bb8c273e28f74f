// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/kill.h"
#include "tests/shared/stores/sql/session_probe.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tst_sql_sessions_mariadb {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;
using domain::ReleaseOff;
using Kind = StockClient::Kind;

namespace {
const QString kApp = QStringLiteral("app");
} // namespace

/** Row and advisory locks of real sessions on MariaDB, with the transaction instrument on. */
class SqlSessionsMariaDbTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void namesHoldersAndWaiters();
    void holderAloneIsUnseen();
    void holderStaysWhenItsWaitersLeave();
    void insertOnDuplicateKey();
    void unindexedPredicate();
    void advisoryLocks();
    void commandsReadAnew();
    void frozenTablesAreSaid();
    void refusesAnotherTransaction();
    void killedAndStillThere();
    void everyTermOfTheGuardCounts();
    void preparedXa();
    void holdersWithoutWaiters();
    void needsTheRightToKill();
    void refusesOnAReplica();
    void ddlDoesNotStopTheView();

private:
    std::unique_ptr<StockClient> client(Kind kind = Kind::MariaDbCli);
    SourceSpec spec(bool advisory = false) const;

    // A separate time zone: InnoDB writes its times in the system's zone.
    MariaDbServer m_server{sessionOptions()};
};

std::unique_ptr<StockClient> SqlSessionsMariaDbTest::client(Kind kind)
{
    StockAddress to;
    to.socket = m_server.socketPath();
    return std::make_unique<StockClient>(kind, to);
}

SourceSpec SqlSessionsMariaDbTest::spec(bool advisory) const
{
    return sessionSpec(m_server.url(kApp), {QStringLiteral("jobs")}, advisory);
}

void SqlSessionsMariaDbTest::initTestCase()
{
    qputenv("TZ", "Asia/Tokyo"); // the server's, not this process's: the stores never look at the local zone
    QVERIFY(m_server.start());
    qunsetenv("TZ");
    m_server.exec(QStringLiteral("CREATE DATABASE app"));
}

void SqlSessionsMariaDbTest::init()
{
    m_server.exec(
        QStringLiteral("SET GLOBAL innodb_status_output_locks = OFF;\n"
                       "DROP TABLE IF EXISTS jobs;\n"
                       "CREATE TABLE jobs (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(64) UNIQUE, "
                       "n INT, update_time DATETIME);\n"
                       "INSERT INTO jobs (name, n) VALUES ('orders', 1), ('bill''s', 2), ('mail', 3)"),
        kApp);
}

void SqlSessionsMariaDbTest::namesHoldersAndWaiters()
{
    const auto holder = client(Kind::PyMySql);
    const auto first = client();
    const auto second = client(Kind::PyMySql);
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'bill''s' FOR UPDATE")));
    first->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'bill''s' FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QCOMPARE(probe.info.places, QList<QByteArray>{"app.jobs/"});
    QVERIFY(probe.until("name/bill's", 1).present);
    second->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'bill''s' FOR UPDATE"));
    const Observation lock = probe.until("name/bill's", 2);
    QVERIFY(lock.present && lock.held && lock.waitersVisible);
    QVERIFY(lock.session);
    QCOMPARE(lock.session->user, QByteArray("root"));
    QCOMPARE(lock.session->program, QByteArray("pymysql"));
    QVERIFY(lock.session->statement.contains("FOR UPDATE"));
    QVERIFY(lock.session->idleSinceUs);
    QCOMPARE(lock.owner, "root@localhost#" + lock.session->id);
    QVERIFY(lock.identity.startsWith(lock.session->id + '/'));
    const qint64 nowUs = probe.pages.last().endedUs;
    QVERIFY(*lock.session->transactionSinceUs <= nowUs &&
            nowUs - *lock.session->transactionSinceUs < 30'000'000);
    // Acquired at some time in the transaction: another may have held it while the first began to wait.
    QVERIFY(*lock.acquiredUs <= nowUs);
    QCOMPARE(*lock.acquiredUs - lock.acquiredWindowUs, *lock.session->transactionSinceUs);
    QVERIFY(*lock.waiters.at(0).sinceUs - lock.waiters.at(0).windowUs <
            *lock.waiters.at(1).sinceUs - lock.waiters.at(1).windowUs);
    for (const domain::Waiter &waiter : lock.waiters)
        QVERIFY(waiter.windowUs >= 0 && waiter.windowUs <= 1'000'000 && nowUs - *waiter.sinceUs < 30'000'000);
    QCOMPARE(probe.graph.evidence, QByteArray("innodb_locks"));
    QCOMPARE(probe.graph.edges.size(), 2);
    for (const domain::WaitEdge &edge : probe.graph.edges) {
        QCOMPARE(edge.blocker, lock.session->id);
        QCOMPARE(edge.lock, (domain::LockKey{QStringLiteral("db"), "sql.row", "app.jobs/name", "bill's"}));
    }
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(first->finish() && second->finish());
    QVERIFY(probe.untilGone("name/bill's"));
    QVERIFY(probe.graph.edges.isEmpty());
}

void SqlSessionsMariaDbTest::holderAloneIsUnseen()
{
    const auto holder = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QVERIFY(probe.scan().isEmpty());
    QVERIFY2(probe.info.warning.remedy.contains(QLatin1String("SET GLOBAL innodb_status_output_locks = ON;")),
             qPrintable(probe.info.warning.line()));
}

void SqlSessionsMariaDbTest::holderStaysWhenItsWaitersLeave()
{
    const auto holder = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
    auto waiter = client();
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation seen = probe.until("name/orders", 1);
    QVERIFY(seen.present);
    m_server.exec(QStringLiteral("KILL ") + QString::fromLatin1(probe.graph.edges.first().waiter));
    Observation alone;
    QTRY_VERIFY((alone = probe.scan().value("name/orders"), alone.waiters.isEmpty()));
    QVERIFY(alone.present && alone.held);
    QCOMPARE(alone.identity, seen.identity); // the transaction lives, and so does its lock
    QVERIFY(holder->run(QStringLiteral("ROLLBACK")));
    QVERIFY(probe.untilGone("name/orders"));
}

void SqlSessionsMariaDbTest::insertOnDuplicateKey()
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
    QVERIFY(lock.present);
    QVERIFY(lock.session->statement.startsWith("INSERT INTO jobs"));
    QCOMPARE(probe.graph.edges.value(0).blocker, lock.session->id);
}

void SqlSessionsMariaDbTest::unindexedPredicate()
{
    const auto holder = client();
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT id FROM jobs WHERE n = 2 FOR UPDATE")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE id = 3 FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QVERIFY(probe.until("PRIMARY/3", 1).present);
    QCOMPARE(probe.graph.wholeTables.size(), 1);
    QCOMPARE(probe.graph.wholeTables.first().place, QByteArray("app.jobs"));
    QCOMPARE(probe.graph.wholeTables.first().session, probe.graph.edges.first().blocker);
    QVERIFY(probe.graph.wholeTables.first().rows >= 3);
    QVERIFY(probe.scan().contains("*/jobs")); // one lock for them all
}

void SqlSessionsMariaDbTest::advisoryLocks()
{
    const auto holder = client(Kind::PyMySql);
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("SELECT GET_LOCK('nightly', 1)")));
    waiter->send(QStringLiteral("SELECT GET_LOCK('nightly', 60)"));
    SessionProbe probe(spec(true));
    QVERIFY(probe.open());
    const Observation lock = probe.until("nightly", 1);
    QVERIFY(lock.present && lock.session && lock.waitersVisible);
    QCOMPARE(lock.session->program, QByteArray("pymysql"));
    QCOMPARE(probe.graph.edges.value(0).lock,
             (domain::LockKey{QStringLiteral("db"), "sql.advisory", "server", "nightly"}));
    // The same session takes it again: another acquisition, though nothing else differs.
    QVERIFY(holder->run(QStringLiteral("SELECT RELEASE_LOCK('nightly')")));
    QVERIFY(waiter->finish());
    Observation next;
    QTRY_VERIFY((next = probe.scan().value("nightly"), next.session && next.identity != lock.identity));
    QVERIFY(waiter->run(QStringLiteral("SELECT RELEASE_LOCK('nightly')")));
    QVERIFY(waiter->run(QStringLiteral("SELECT GET_LOCK('nightly', 1)")));
    QTRY_VERIFY(probe.scan().value("nightly").identity != next.identity);
    const Observation mature = probe.untilMature("nightly");
    QCOMPARE(mature.off, ReleaseOff::None);
    QCOMPARE(probe.release(probe.inspect("nightly", 1).guard).outcome, Outcome::Refused); // of another set
    ReleaseOrder order;
    order.command = "c";
    order.set = 1;
    order.guard = probe.inspect("nightly", 1).guard;
    QCOMPARE(probe.release(order).outcome, Outcome::Released);
    QVERIFY(probe.untilGone("nightly"));
    QCOMPARE(probe.release(order).outcome, Outcome::AlreadyFree);
}

/** A reading from a moment ago is good enough for looks, as the server's own cache is that old. A command
 * needs a new reading. */
void SqlSessionsMariaDbTest::commandsReadAnew()
{
    const auto holder = client(Kind::PyMySql);
    SessionProbe probe(spec(true));
    QVERIFY(probe.open());
    QVERIFY(probe.scan().isEmpty());
    for (int i = 0; i < 3; ++i) {
        QVERIFY(holder->run(QStringLiteral("SELECT GET_LOCK('nightly', 1)")));
        QVERIFY(probe.inspect("nightly", 1).lock.present);
        QVERIFY(holder->run(QStringLiteral("SELECT RELEASE_LOCK('nightly')")));
        QVERIFY(!probe.inspect("nightly", 1).lock.present);
    }
}

void SqlSessionsMariaDbTest::frozenTablesAreSaid()
{
    const auto holder = client();
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'mail' FOR UPDATE")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'mail' FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QVERIFY(probe.until("name/mail", 1).present);
    // Another client reads the tables all the time, and the holder releases the lock.
    QProcess reader;
    reader.start(
        QStringLiteral("/usr/bin/python3"),
        {QStringLiteral("-c"),
         QStringLiteral("import pymysql\nc = pymysql.connect(unix_socket='%1', user='root').cursor()\n"
                        "while True: c.execute('SELECT COUNT(*) FROM information_schema.INNODB_TRX')")
             .arg(m_server.socketPath())});
    QVERIFY(reader.waitForStarted());
    QTRY_VERIFY((probe.scan(), probe.graph.evidence == "innodb_locks_frozen"));
    const qint64 newUs = probe.pages.last().beganUs; // the last that was new
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(waiter->finish());
    // The view is older than the release; the page's time range leaves room for that.
    QTRY_VERIFY_WITH_TIMEOUT(
        (probe.scan(), probe.pages.last().endedUs - probe.pages.last().beganUs > 500'000), 5'000);
    QCOMPARE(probe.graph.evidence, QByteArray("innodb_locks_frozen"));
    QVERIFY(probe.pages.last().beganUs <= newUs);
    reader.kill();
    reader.waitForFinished();
    QVERIFY(probe.untilGone("name/mail"));
    QCOMPARE(probe.graph.evidence, QByteArray("innodb_locks"));
}

void SqlSessionsMariaDbTest::refusesAnotherTransaction()
{
    const auto holder = client();
    const QString lockRow = QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE");
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(lockRow));
    const auto waiter = client();
    waiter->send(lockRow);
    SessionProbe probe(spec(), {{"mature"}, {}});
    QVERIFY(probe.open());
    QVERIFY(probe.until("name/orders", 1).present);
    const domain::Guard guard = probe.inspect("name/orders").guard;
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(waiter->finish());
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(lockRow));
    waiter->send(lockRow);
    QVERIFY(probe.until("name/orders", 1).present);
    QCOMPARE(probe.release(guard).outcome, Outcome::HolderChanged);
    QVERIFY(!holder->isCutOff());
}

/** A session that reads a pipe notices no kill until the pipe ends, like a session with a long rollback. */
void SqlSessionsMariaDbTest::killedAndStillThere()
{
    QTemporaryDir folder;
    const QByteArray pipe = folder.filePath(QStringLiteral("pipe")).toLocal8Bit();
    QVERIFY(::chmod(folder.path().toLocal8Bit().constData(), 0755) == 0);
    QVERIFY(::mkfifo(pipe.constData(), 0666) == 0 && ::chmod(pipe.constData(), 0666) == 0);
    const auto holder = client();
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
    holder->send(
        QStringLiteral("LOAD DATA INFILE '%1' INTO TABLE jobs (name)").arg(QString::fromLocal8Bit(pipe)));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    int writer = -1;
    const auto opened = [&] {
        if (writer < 0)
            writer = ::open(pipe.constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        return writer >= 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(opened(), 30'000);
    const auto unread = [writer] {
        int bytes = 0;
        return ::ioctl(writer, FIONREAD, &bytes) == 0 ? bytes : -1;
    };
    QCOMPARE(::write(writer, "x", 1), 1);
    QTRY_COMPARE_WITH_TIMEOUT(unread(), 0, 30'000); // it is within the row's first field
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QCOMPARE(probe.untilMature("name/orders").off, ReleaseOff::None);
    const ReleaseReport report = probe.release(probe.inspect("name/orders").guard);
    const bool there = probe.scan().contains("name/orders");
    ::close(writer);
    QCOMPARE(report.outcome, Outcome::Unknown);
    QVERIFY(report.underWay);
    QVERIFY(there);
    QVERIFY(probe.untilGone("name/orders"));
    QVERIFY(holder->isCutOff());
}

/** The kill's own comparison, apart from the read before it. */
void SqlSessionsMariaDbTest::everyTermOfTheGuardCounts()
{
    const auto holder = client();
    const auto waiter = client();
    sql::SqlConnection connection;
    QVERIFY(connection.open(spec()));
    QElapsedTimer age;
    age.start();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation lock = probe.until("name/orders", 1);
    const QList<QByteArray> parts = lock.identity.split('/');
    QCOMPARE(parts.size(), 4);
    // On a machine that is too busy it isn't young any more.
    const sql::KillTarget young{parts.first(), lock.identity, false, {}, {}, false};
    if (!age.hasExpired(3'000))
        QVERIFY(!sql::killGuarded(connection, young).killed);
    for (int i = 0; i < 4; ++i) {
        QList<QByteArray> other = parts;
        other[i] = QByteArray::number(parts.at(i).toULongLong() + 1);
        const sql::KillTarget target{other.first(), other.join('/'), false, {}, {}, true};
        const sql::KillReply reply = sql::killGuarded(connection, target);
        QVERIFY2(!reply.killed && !reply.failure, QByteArray::number(i).constData());
    }
    QVERIFY(!holder->isCutOff());
    const sql::KillTarget target{parts.first(), lock.identity, false, {}, {}, true};
    QVERIFY(sql::killGuarded(connection, target).killed);
    QVERIFY(holder->isCutOff());
    QTRY_VERIFY(!sql::killGuarded(connection, target).killed); // once the server has rolled it back
}

void SqlSessionsMariaDbTest::preparedXa()
{
    {
        const auto holder = client();
        QVERIFY(holder->run(QStringLiteral("XA START 'x1'")));
        QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
        QVERIFY(holder->run(QStringLiteral("UPDATE jobs SET n = 5 WHERE name = 'orders'")));
        QVERIFY(holder->run(QStringLiteral("XA END 'x1'")));
        QVERIFY(holder->run(QStringLiteral("XA PREPARE 'x1'")));
    } // removed, while its locks stay
    const auto waiter = client();
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation lock = probe.until("name/orders", 1);
    QVERIFY(lock.present && lock.session);
    QCOMPARE(lock.off, ReleaseOff::PreparedXa);
    QVERIFY2(lock.owner.startsWith("trx:"), lock.owner.constData());
    QCOMPARE(probe.release(probe.inspect("name/orders").guard).outcome, Outcome::Refused);
    m_server.exec(QStringLiteral("XA ROLLBACK 'x1'"));
    QVERIFY(waiter->finish());
}

void SqlSessionsMariaDbTest::holdersWithoutWaiters()
{
    m_server.exec(QStringLiteral("SET GLOBAL innodb_status_output_locks = ON"));
    const auto holder = client();
    const auto scanner = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'bill''s' FOR UPDATE")));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QVERIFY2(!probe.info.warning.cause.contains(QLatin1String("this server shows row locks only while")),
             "it shows them");
    const auto locks = probe.scan();
    QCOMPARE(locks.keys(), QList<QByteArray>{"name/bill's"}); // and not its row in PRIMARY as well
    QVERIFY(locks.value("name/bill's").session);
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(probe.untilGone("name/bill's"));
    QVERIFY(scanner->run(QStringLiteral("BEGIN")));
    QVERIFY(scanner->run(QStringLiteral("SELECT id FROM jobs WHERE n = 2 FOR UPDATE")));
    QVERIFY(probe.until("*/jobs").present);
    QCOMPARE(probe.graph.wholeTables.value(0).rows, 3);
    QCOMPARE(probe.scan().size(), 1);
}

void SqlSessionsMariaDbTest::needsTheRightToKill()
{
    m_server.exec(
        QStringLiteral("CREATE USER watcher;\nGRANT PROCESS ON *.* TO watcher;\n"
                       "GRANT SELECT ON app.* TO watcher;\nGRANT SELECT ON performance_schema.* TO watcher"));
    const auto holder = client();
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    SourceSpec own = spec();
    own.url = m_server.url(kApp, QStringLiteral("watcher"));
    SessionProbe probe(own);
    QVERIFY2(probe.open(), qPrintable(probe.failures.isEmpty() ? QString() : probe.failures.last().line()));
    const QString grant = QStringLiteral("GRANT CONNECTION ADMIN ON *.* TO 'watcher'@'%';");
    QStringList missing;
    for (const domain::Access &access : probe.info.access) {
        if (!access.granted)
            missing.append(QString::fromLatin1(access.need) + QLatin1Char(' ') + access.remedy);
    }
    QCOMPARE(missing, QStringList{QStringLiteral("break:sql.row ") + grant});
    QVERIFY(probe.until("name/orders", 1).present);
    QCOMPARE(probe.untilMature("name/orders").off, ReleaseOff::None);
    const domain::Guard guard = probe.inspect("name/orders").guard;
    for (const bool dryRun : {true, false}) {
        const ReleaseReport report = probe.release(guard, false, dryRun);
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(report.error.code, base::ErrorCode::PermissionDenied);
        QVERIFY2(report.error.remedy.contains(grant), qPrintable(report.error.line()));
    }
    QVERIFY(!holder->isCutOff());
    m_server.exec(QStringLiteral("DROP USER watcher"));
}

void SqlSessionsMariaDbTest::refusesOnAReplica()
{
    m_server.exec(QStringLiteral("SET GLOBAL read_only = ON"));
    const auto holder = client();
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    SessionProbe probe(spec(), {{"mature"}, {}});
    const bool opened = probe.open();
    const Observation lock = probe.until("name/orders", 1);
    const ReleaseReport report = probe.release(probe.inspect("name/orders").guard);
    m_server.exec(QStringLiteral("SET GLOBAL read_only = OFF"));
    QVERIFY(opened && probe.info.readOnly && lock.present);
    QCOMPARE(report.outcome, Outcome::Refused);
    QCOMPARE(report.error.code, base::ErrorCode::ReadOnly);
    QVERIFY(!holder->isCutOff());
}

void SqlSessionsMariaDbTest::ddlDoesNotStopTheView()
{
    const auto holder = client();
    const auto altering = client();
    const auto waiter = client(Kind::PyMySql);
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QVERIFY(probe.until("name/orders", 1).present);
    altering->send(QStringLiteral("ALTER TABLE jobs ADD COLUMN more INT"));
    QVERIFY(!altering->finish(300)); // waits for the transaction
    QVERIFY(probe.until("name/orders", 1).present);
    QVERIFY(probe.ends.last().complete);
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(waiter->finish() && altering->finish());
    QVERIFY(probe.untilGone("name/orders"));
}

LOCKKEEPER_TEST(SqlSessionsMariaDbTest)

} // namespace tst_sql_sessions_mariadb

#include "tst_sql_sessions_mariadb.moc"
