// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/factory.h"
#include "shared/locks/lock_manager.h"
#include "shared/locks/sql/create_table.h"
#include "shared/locks/sql/session_worker.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/lock_answers.h"
#include "tests/support/slow_link.h"
#include "tests/support/test_program.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include <optional>

namespace tst_sql_lock_sessions {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using locks::Attempt;
using locks::AttemptResult;
using locks::Lease;
using locks::LockClient;

namespace {
constexpr qint64 kMinuteUs = 60'000'000;

/** A waiter for a lock, and the results that it received. */
struct Waiter
{
    Waiter(LockClient &client, const QByteArray &name, const QByteArray &token)
        : lease{name, token, kMinuteUs, {}, {}}
    {
        client.enqueue(lease, [told = told](const AttemptResult &result) { told->append(result); });
    }

    bool got() const { return !told->isEmpty() && told->first().attempt == Attempt::Done; }

    Lease lease;
    std::shared_ptr<QList<AttemptResult>> told = std::make_shared<QList<AttemptResult>>();
};
} // namespace

/** Locks that belong to sessions, several of them by one client, and the server's queue for them. */
class SqlLockSessionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void severalAtOnce_data() { rows(); }
    void severalAtOnce();
    void waitInTheServersOrder_data() { rows(); }
    void waitInTheServersOrder();
    void leaveTheQueue_data() { rows(); }
    void leaveTheQueue();
    void leaveBeforeTheyStandInIt_data();
    void leaveBeforeTheyStandInIt();
    void leaveBetweenTwoStatements_data();
    void leaveBetweenTwoStatements();
    void leaveWhatComesJustThen();
    void goWithTheirConnection_data() { rows(); }
    void goWithTheirConnection();
    void endsAreToldAtOnce_data() { rows(); }
    void endsAreToldAtOnce();
    void aServerThatBecomesReadOnlyHasLost_data();
    void aServerThatBecomesReadOnlyHasLost();
    void handlesWait_data() { rows(); }
    void handlesWait();
    void skipsWhatIsLocked_data();
    void skipsWhatIsLocked();

private:
    static void rows();
    /** The row's database with the rows "a", "b" and "c"; null: there is no such server. */
    TestDatabase *database();
    std::unique_ptr<LockClient> client();
    /** The number of sessions that wait for a lock, as the server reports it. */
    int waiters();
    /** Ends the session that holds a lock, which must be the newest session. */
    void endHolders();

    TestDatabases m_databases;
    TestDatabase *m_database = nullptr;
    LockSet m_set;
};

void SqlLockSessionsTest::rows()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("scheme");
    for (const char *server : {"mariadb", "mysql", "postgresql"}) {
        for (const char *scheme : {"sql.row", "sql.advisory"})
            QTest::addRow("%s %s", server, scheme) << QString::fromLatin1(server) << QByteArray(scheme);
    }
}

TestDatabase *SqlLockSessionsTest::database()
{
    m_database = m_databases.freshOfRow();
    if (m_database == nullptr)
        return nullptr;
    m_set = {};
    m_set.scheme = *static_cast<QByteArray *>(QTest::qData("scheme", qMetaTypeId<QByteArray>()));
    if (m_set.scheme == "sql.row") {
        if (!locks::sql::createTable(m_database->spec(), m_set))
            return nullptr;
        m_database->run(QStringLiteral("INSERT INTO `lock` VALUES ('a'), ('b'), ('c')"));
    }
    return m_database;
}

std::unique_ptr<LockClient> SqlLockSessionsTest::client()
{
    return *locks::makeLockClient(m_database->spec(), m_set, "me");
}

int SqlLockSessionsTest::waiters()
{
    const bool row = m_set.scheme == "sql.row";
    const QString sql =
        m_database->dialect() == stores::sql::Dialect::PostgreSql
            ? QStringLiteral("SELECT COUNT(DISTINCT pid) FROM pg_locks WHERE NOT granted")
        : row // INNODB_TRX is a cache that frequent queries keep from being refreshed
            ? QStringLiteral("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE COMMAND <> 'Sleep' "
                             "AND INFO LIKE '%FOR UPDATE'")
            : QStringLiteral("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE STATE = 'User lock'");
    return m_database->run(sql).first().first().toInt();
}

void SqlLockSessionsTest::endHolders()
{
    if (m_database->dialect() == stores::sql::Dialect::PostgreSql) {
        m_database->run(QStringLiteral("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid IN "
                                       "(SELECT pid FROM pg_locks WHERE granted) AND pid <> pg_backend_pid() "
                                       "AND backend_type = 'client backend'"));
        return;
    }
    const QList<Row> holders = m_database->run(
        m_set.scheme == "sql.row" // INNODB_TRX shows the previous holder for a while
            ? QStringLiteral("SELECT MAX(ID) FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND "
                             "ID <> CONNECTION_ID()")
            : QStringLiteral("SELECT IS_USED_LOCK('a')"));
    for (const Row &holder : holders)
        m_database->run(QStringLiteral("KILL ") + QString::fromLatin1(holder.first()));
}

void SqlLockSessionsTest::severalAtOnce()
{
    if (!database())
        QSKIP("no such server here");
    const auto mine = client();
    const auto other = client();
    QHash<QByteArray, Lease> leases;
    for (const char *name : {"a", "b", "c"}) {
        const AttemptResult taken = acquired(*mine, name, kMinuteUs);
        QCOMPARE(taken.attempt, Attempt::Done);
        leases.insert(name, taken.lease);
    }
    QCOMPARE(acquired(*mine, "a", kMinuteUs, leases.value("a").token).attempt, Attempt::Held);
    for (const char *name : {"a", "b", "c"})
        QCOMPARE(acquired(*other, name, kMinuteUs).attempt, Attempt::Held);
    QCOMPARE(released(*mine, leases.value("b")).attempt, Attempt::Done);
    QCOMPARE(released(*mine, leases.value("b")).attempt, Attempt::Lost);
    QCOMPARE(acquired(*other, "b", kMinuteUs).attempt, Attempt::Done);
    for (const char *name : {"a", "c"}) {
        QCOMPARE(acquired(*other, name, kMinuteUs).attempt, Attempt::Held);
        QCOMPARE(renewed(*mine, leases.value(name), kMinuteUs).attempt, Attempt::Done);
        QCOMPARE(released(*mine, leases.value(name)).attempt, Attempt::Done);
    }
}

void SqlLockSessionsTest::waitInTheServersOrder()
{
    if (!database())
        QSKIP("no such server here");
    const auto mine = client();
    const auto other = client();
    const Lease held = acquired(*mine, "a", kMinuteUs).lease;
    QList<Waiter> queue;
    for (int i = 0; i < 4; ++i) { // of two programs in turn
        queue.append(Waiter(i % 2 == 0 ? *mine : *other, "a", "waiter" + QByteArray::number(i)));
        QTRY_COMPARE_WITH_TIMEOUT(waiters(), i + 1, 20'000);
    }
    QCOMPARE(released(*mine, held).attempt, Attempt::Done);
    for (int i = 0; i < 4; ++i) {
        QTRY_VERIFY_WITH_TIMEOUT(queue.at(i).got(), 20'000);
        QCOMPARE(queue.at(i).told->first().lease.token, "waiter" + QByteArray::number(i));
        for (int later = i + 1; later < 4; ++later)
            QVERIFY(queue.at(later).told->isEmpty());
        QCOMPARE(released(i % 2 == 0 ? *mine : *other, queue.at(i).lease).attempt, Attempt::Done);
    }
    QCOMPARE(acquired(*other, "a", kMinuteUs).attempt, Attempt::Done);
}

void SqlLockSessionsTest::leaveTheQueue()
{
    if (!database())
        QSKIP("no such server here");
    const auto mine = client();
    auto other = client();
    const Lease held = acquired(*mine, "a", kMinuteUs).lease;
    for (int round = 0; round < 2; ++round) { // the connection serves again
        const Waiter first(*other, "a", "first");
        const Waiter second(*other, "a", "second");
        QTRY_COMPARE_WITH_TIMEOUT(waiters(), 2, 20'000);
        other->leave(first.lease);
        QTRY_COMPARE_WITH_TIMEOUT(first.told->size(), 1, 20'000);
        QVERIFY(!first.told->first().error);
        QCOMPARE(first.told->first().attempt, Attempt::Held);
        QTRY_COMPARE_WITH_TIMEOUT(waiters(), 1, 20'000);
        QVERIFY(second.told->isEmpty());
        other->leave(second.lease);
        QTRY_COMPARE_WITH_TIMEOUT(second.told->size(), 1, 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(waiters(), 0, 20'000); // the server shows it a moment later
    }
    // A waiter that has its result isn't disturbed. A waiter that ends with its client leaves nothing.
    const Waiter last(*other, "a", "last");
    QTRY_COMPARE_WITH_TIMEOUT(waiters(), 1, 20'000);
    other.reset();
    QTRY_COMPARE_WITH_TIMEOUT(waiters(), 0, 20'000);
    QVERIFY(last.told->isEmpty());
    QCOMPARE(renewed(*mine, held, kMinuteUs).attempt, Attempt::Done);
    QCOMPARE(released(*mine, held).attempt, Attempt::Done);
}

void SqlLockSessionsTest::leaveBeforeTheyStandInIt_data()
{
    QTest::addColumn<QString>("server"); // all are alike, and this one can be reached through a link
    QTest::addColumn<QByteArray>("scheme");
    QTest::newRow("row") << QStringLiteral("postgresql") << QByteArray("sql.row");
    QTest::newRow("advisory") << QStringLiteral("postgresql") << QByteArray("sql.advisory");
}

/** No statement exists yet that could be ended. */
void SqlLockSessionsTest::leaveBeforeTheyStandInIt()
{
    if (!database())
        QSKIP("no such server here");
    const auto mine = client();
    const Lease held = acquired(*mine, "a", kMinuteUs).lease;
    SlowLink link(quint16(stockAddress(*m_database).port));
    link.setDelayMs(1'000);
    SourceSpec far = m_database->spec();
    far.url = QUrl(QStringLiteral("postgresql://root@127.0.0.1:%1/postgres").arg(link.port()));
    far.connectTimeoutMs = far.statementTimeoutMs = 20'000;
    auto other = *locks::makeLockClient(far, m_set, "me");
    const Waiter early(*other, "a", "early");
    QTRY_COMPARE_WITH_TIMEOUT(link.connections(), 1, 20'000);
    other.reset();
    link.setDelayMs(0);
    QTRY_COMPARE_WITH_TIMEOUT(link.connections(), 0, 60'000); // long before a wait would end by itself
    QCOMPARE(released(*mine, held).attempt, Attempt::Done);
}

void SqlLockSessionsTest::leaveBetweenTwoStatements_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("scheme");
    QTest::newRow("row") << QStringLiteral("postgresql") << QByteArray("sql.row");
}

/** No such statement exists either while the client hasn't heard yet that its transaction has begun. */
void SqlLockSessionsTest::leaveBetweenTwoStatements()
{
    if (!database())
        QSKIP("no such server here");
    const auto mine = client();
    const Lease held = acquired(*mine, "a", kMinuteUs).lease;
    SlowLink link(quint16(stockAddress(*m_database).port));
    SourceSpec far = m_database->spec();
    far.url = QUrl(QStringLiteral("postgresql://root@127.0.0.1:%1/postgres").arg(link.port()));
    far.connectTimeoutMs = far.statementTimeoutMs = 20'000;
    auto other = *locks::makeLockClient(far, m_set, "me");
    const Waiter first(*other, "a", "first");
    QTRY_COMPARE_WITH_TIMEOUT(waiters(), 1, 20'000);
    other->leave(first.lease); // the connections are open then
    QTRY_COMPARE_WITH_TIMEOUT(first.told->size(), 1, 20'000);
    link.setDelayMs(3'000);
    const Waiter early(*other, "a", "early");
    QTRY_COMPARE_WITH_TIMEOUT(
        m_database
            ->run(QStringLiteral("SELECT COUNT(*) FROM pg_stat_activity WHERE query = 'BEGIN' AND state = "
                                 "'idle in transaction'"))
            .first()
            .first()
            .toInt(),
        1, 20'000);
    other.reset();
    QTRY_COMPARE_WITH_TIMEOUT(link.connections(), 0, 60'000);
    QCOMPARE(released(*mine, held).attempt, Attempt::Done);
}

/** PostgreSQL keeps an advisory lock that it grants at the moment in which its wait is cancelled. */
void SqlLockSessionsTest::leaveWhatComesJustThen()
{
    m_database = m_databases.fresh(QStringLiteral("postgresql"));
    if (!m_database)
        QSKIP("no such server here");
    m_set = {};
    m_set.scheme = "sql.advisory";
    const auto mine = client();
    // Makes that moment longer.
    m_database->run(
        QStringLiteral("CREATE FUNCTION pg_advisory_lock(key bigint) RETURNS void LANGUAGE plpgsql AS $$ "
                       "BEGIN PERFORM pg_catalog.pg_advisory_lock(key); PERFORM pg_sleep(60); END $$"));
    m_database->run(QStringLiteral("ALTER DATABASE postgres SET search_path = public, pg_catalog"));
    const auto restored =
        qScopeGuard([this] { m_database->run(QStringLiteral("ALTER DATABASE postgres RESET search_path")); });
    const auto held = [this] {
        const QString granted =
            QStringLiteral("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND granted");
        return m_database->run(granted).first().first().toInt();
    };
    const Waiter left(*mine, "a", "left");
    QTRY_COMPARE_WITH_TIMEOUT(held(), 1, 20'000);
    QVERIFY(left.told->isEmpty());
    mine->leave(left.lease);
    QTRY_COMPARE_WITH_TIMEOUT(left.told->size(), 1, 20'000);
    QCOMPARE(left.told->first().attempt, Attempt::Held);
    QCOMPARE(held(), 0);
}

void SqlLockSessionsTest::goWithTheirConnection()
{
    if (!database())
        QSKIP("no such server here");
    const auto mine = client();
    const Lease held = acquired(*mine, "a", kMinuteUs).lease;
    endHolders();
    const AttemptResult lost = renewed(*mine, held, kMinuteUs);
    QVERIFY(!lost.error);
    QCOMPARE(lost.attempt, Attempt::Lost);
    QCOMPARE(released(*mine, held).attempt, Attempt::Lost);
    AttemptResult again;
    QVERIFY(QTest::qWaitFor(
        [&] { return (again = acquired(*mine, "a", kMinuteUs)).attempt == Attempt::Done; }, 20'000));
    QCOMPARE(released(*mine, again.lease).attempt, Attempt::Done);
}

void SqlLockSessionsTest::aServerThatBecomesReadOnlyHasLost_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("scheme");
    QTest::newRow("mariadb") << QStringLiteral("mariadb") << QByteArray("sql.advisory");
}

/** Like a former primary that keeps its links. A server that was read-only before isn't a former primary. */
void SqlLockSessionsTest::aServerThatBecomesReadOnlyHasLost()
{
    QVERIFY(database());
    const auto mine = client();
    const AttemptResult before = acquired(*mine, "a", kMinuteUs);
    const bool kept = renewed(*mine, before.lease, kMinuteUs).attempt == Attempt::Done;
    m_database->exec(QStringLiteral("SET GLOBAL read_only = 1"));
    const AttemptResult lost = renewed(*mine, before.lease, kMinuteUs);
    const AttemptResult there = acquired(*mine, "a", kMinuteUs);
    const AttemptResult goesOn = renewed(*mine, there.lease, kMinuteUs);
    m_database->exec(QStringLiteral("SET GLOBAL read_only = 0"));
    QCOMPARE(before.attempt, Attempt::Done);
    QVERIFY(kept);
    QVERIFY(!lost.error);
    QCOMPARE(lost.attempt, Attempt::Lost);
    QCOMPARE(there.attempt, Attempt::Done);
    QCOMPARE(goesOn.attempt, Attempt::Done);
}

void SqlLockSessionsTest::handlesWait()
{
    if (!database())
        QSKIP("no such server here");
    locks::LockManager manager(client(), nullptr);
    const auto first = *manager.lock("a");
    const auto second = *manager.lock("a");
    QList<bool> told;
    const auto note = [&told](const base::Result<bool> &result) { told.append(result.value_or(false)); };
    first->tryAcquire(note);
    QTRY_COMPARE_WITH_TIMEOUT(told, QList<bool>{true}, 20'000);
    second->acquire(std::chrono::milliseconds(300), note);
    QTRY_COMPARE_WITH_TIMEOUT(told, (QList<bool>{true, false}), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(waiters(), 0, 20'000);
    second->acquire({}, note);
    QTRY_COMPARE_WITH_TIMEOUT(waiters(), 1, 20'000);
    first->release();
    QTRY_COMPARE_WITH_TIMEOUT(told, (QList<bool>{true, false, true}), 20'000);
    QVERIFY(second->isHeld() && !first->isHeld());
}

/** Long before a renewal would have found out. */
void SqlLockSessionsTest::endsAreToldAtOnce()
{
    if (!database())
        QSKIP("no such server here");
    std::optional<bool> told;
    locks::LockManager manager(client(), nullptr);
    const auto lock = *manager.lock("a", {.ttl = std::chrono::hours(1)});
    QSignalSpy lost(lock.get(), &locks::Lock::lost);
    // The server may close a session's connection before it frees what that session held.
    const auto isAcquired = [&] {
        told.reset();
        lock->tryAcquire([&told](const base::Result<bool> &result) { told = result.value_or(false); });
        return QTest::qWaitFor([&told] { return told.has_value(); }, 20'000) && *told;
    };
    for (int round = 1; round <= 2; ++round) {
        QVERIFY(QTest::qWaitFor(isAcquired, 40'000));
        const std::stop_token end = lock->lostToken();
        QVERIFY(lock->isHeld() && !end.stop_requested());
        endHolders();
        QTRY_COMPARE_WITH_TIMEOUT(lost.size(), round, 20'000);
        QVERIFY(end.stop_requested() && !lock->isHeld());
        QCOMPARE(lost.last().first().value<base::Error>().code, base::ErrorCode::ConnectionLost);
    }
}

void SqlLockSessionsTest::skipsWhatIsLocked_data()
{
    QTest::addColumn<stores::sql::Dialect>("dialect");
    QTest::addColumn<QString>("version");
    QTest::addColumn<QByteArray>("clause");
    const auto row = [](stores::sql::Dialect dialect, const char *version, const char *clause) {
        QTest::newRow(version) << dialect << QString::fromLatin1(version) << QByteArray(clause);
    };
    row(stores::sql::Dialect::MySql, "9.1.0", " SKIP LOCKED");
    row(stores::sql::Dialect::MySql, "8.0.36-0ubuntu0.22.04.1", " SKIP LOCKED");
    row(stores::sql::Dialect::MySql, "5.7.44-log", "");
    row(stores::sql::Dialect::MySql, "10.11.6-MariaDB-0+deb12u1", " SKIP LOCKED");
    row(stores::sql::Dialect::MySql, "10.5.23-MariaDB", " NOWAIT");
    row(stores::sql::Dialect::MySql, "10.2.44-MariaDB", "");
    row(stores::sql::Dialect::PostgreSql, "PostgreSQL 15.14 (Debian 15.14-0+deb12u1)", " SKIP LOCKED");
    row(stores::sql::Dialect::PostgreSql, "PostgreSQL 9.4.26", " NOWAIT");
}

void SqlLockSessionsTest::skipsWhatIsLocked()
{
    QFETCH(stores::sql::Dialect, dialect);
    QFETCH(QString, version);
    QTEST(locks::sql::noWaitClause(dialect, version), "clause");
}

LOCKKEEPER_TEST(SqlLockSessionsTest)

} // namespace tst_sql_lock_sessions

#include "tst_sql_lock_sessions.moc"
