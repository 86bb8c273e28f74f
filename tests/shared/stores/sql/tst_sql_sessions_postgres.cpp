// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/kill.h"
#include "tests/shared/stores/sql/session_rig.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QUrlQuery>

namespace tst_sql_sessions_postgres {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;
using domain::ReleaseOff;

namespace {
const QString kLockRow = QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE");
} // namespace

/** Row and advisory locks of real sessions on PostgreSQL. */
class SqlSessionsPostgresTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void namesTheRowByItsKey();
    void rowsWithoutAKeyGoByTheirPlace();
    void aNewVersionIsTheSameRow();
    void edgesAgreeWithTheServer();
    void holderStaysWhenItsWaitersLeave();
    void waitsForATransactionAlone();
    void advisoryLocks();
    void everyTermOfTheGuardCounts();
    void preparedTransaction();
    void missingGrantsAreNamed();

private:
    SourceSpec spec(bool advisory = false) const { return m_rig.spec({QStringLiteral("jobs")}, advisory); }
    void exec(const QString &sql);

    SessionRig m_rig;
};

void SqlSessionsPostgresTest::exec(const QString &sql)
{
    const auto session = m_rig.shell();
    QVERIFY(session->run(sql));
    QVERIFY2(!session->output().contains("ERROR"), session->output().constData());
}

void SqlSessionsPostgresTest::initTestCase()
{
    QVERIFY(m_rig.start(QStringLiteral("postgresql")));
}

void SqlSessionsPostgresTest::init()
{
    exec(QStringLiteral("DROP TABLE IF EXISTS jobs"));
    exec(QStringLiteral("CREATE TABLE jobs (id serial PRIMARY KEY, name text UNIQUE, n int)"));
    exec(QStringLiteral(
        "INSERT INTO jobs (name, n) VALUES ('orders', 1), ('a', 1), ('b', 1), ('c', 1), ('d', 1)"));
}

void SqlSessionsPostgresTest::namesTheRowByItsKey()
{
    const auto holder = m_rig.python();
    const auto first = m_rig.shell();
    const auto second = m_rig.python();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(kLockRow));
    SessionProbe probe(spec());
    QVERIFY2(probe.open(), qPrintable(probe.failures.isEmpty() ? QString() : probe.failures.last().line()));
    QVERIFY(probe.scan().isEmpty());
    QVERIFY2(probe.info.warning.cause.contains(QLatin1String("only while a session waits")),
             qPrintable(probe.info.warning.line()));
    first->send(kLockRow);
    QVERIFY(probe.until("jobs_pkey/1", 1).present);
    second->send(kLockRow);
    const Observation lock = probe.until("jobs_pkey/1", 2);
    QVERIFY(lock.present && lock.session);
    QVERIFY(lock.session->statement.startsWith(kLockRow.toUtf8()));
    QVERIFY(lock.session->idleSinceUs && !lock.session->transaction.isEmpty());
    QCOMPARE(*lock.acquiredUs - lock.acquiredWindowUs, *lock.session->transactionSinceUs);
    QVERIFY2(*lock.waiters.at(0).sinceUs < *lock.waiters.at(1).sinceUs,
             QByteArray::number(*lock.waiters.at(1).sinceUs - *lock.waiters.at(0).sinceUs).constData());
    QCOMPARE(lock.waiters.at(0).windowUs, 0); // the server reports it to the microsecond
    QCOMPARE(probe.graph.edges.size(), 2);
    for (const domain::WaitEdge &edge : probe.graph.edges) {
        QCOMPARE(edge.blocker, lock.session->id);
        QCOMPARE(edge.lock,
                 (domain::LockKey{QStringLiteral("db"), "sql.row", "postgres.jobs/jobs_pkey", "1"}));
    }
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
    QVERIFY(first->finish() && second->finish());
    QVERIFY(probe.untilGone("jobs_pkey/1"));
}

void SqlSessionsPostgresTest::rowsWithoutAKeyGoByTheirPlace()
{
    exec(QStringLiteral("ALTER TABLE jobs DROP CONSTRAINT jobs_pkey"));
    const auto holder = m_rig.python();
    const auto waiter = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("BEGIN")) && holder->run(kLockRow));
    waiter->send(kLockRow);
    SessionProbe bare(spec());
    QVERIFY(bare.open());
    QVERIFY(bare.until("ctid/(0,1)", 1).present);
    QVERIFY(holder->run(QStringLiteral("COMMIT")) && waiter->finish());
    // A key of two columns, and names that have to be quoted.
    exec(QStringLiteral("ALTER TABLE jobs RENAME COLUMN n TO \"N'\\\""));
    exec(QStringLiteral("ALTER TABLE jobs ADD CONSTRAINT \"two 'parts'\" PRIMARY KEY (name, \"N'\\\")"));
    const QString lockRow = QStringLiteral("SELECT 1 FROM jobs WHERE name = 'a' FOR UPDATE");
    QVERIFY(holder->run(QStringLiteral("BEGIN")) && holder->run(lockRow));
    waiter->send(lockRow);
    SessionProbe keyed(spec());
    QVERIFY(keyed.open());
    QVERIFY(keyed.until("two 'parts'/a/1", 1).present);
    QVERIFY(holder->run(QStringLiteral("COMMIT")) && waiter->finish());
}

/** An UPDATE rewrites the row at another place; waiters for the old place move on to it. */
void SqlSessionsPostgresTest::aNewVersionIsTheSameRow()
{
    const auto holder = m_rig.python();
    const auto first = m_rig.shell();
    const auto second = m_rig.python();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("UPDATE jobs SET n = n + 1 WHERE name = 'orders'")));
    QVERIFY(first->run(QStringLiteral("BEGIN")));
    first->send(kLockRow);
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const QByteArray before = probe.until("jobs_pkey/1", 1).session->id;
    second->send(kLockRow);
    QVERIFY(probe.until("jobs_pkey/1", 2).present);
    QVERIFY(holder->run(QStringLiteral("COMMIT")) && first->finish());
    QTRY_VERIFY(probe.until("jobs_pkey/1", 1).session->id != before);
    QCOMPARE(probe.scan().keys(), QList<QByteArray>{"jobs_pkey/1"});
    QVERIFY(first->run(QStringLiteral("COMMIT")) && second->finish());
    QVERIFY(probe.untilGone("jobs_pkey/1"));
}

/** pg_blocking_pids() also names sessions that are only ahead in a row's queue. */
void SqlSessionsPostgresTest::edgesAgreeWithTheServer()
{
    const auto holder = m_rig.python();
    QVERIFY(holder->run(QStringLiteral("BEGIN")) && holder->run(kLockRow));
    std::vector<std::unique_ptr<StockClient>> waiters;
    for (int i = 0; i < 3; ++i) {
        waiters.push_back(m_rig.either(i % 2 != 0));
        waiters.back()->send(kLockRow);
    }
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation lock = probe.until("jobs_pkey/1", 3);
    QVERIFY(lock.present);
    const auto asker = m_rig.shell();
    QVERIFY(asker->run(QStringLiteral("SELECT pid || ' ' || array_to_string(pg_blocking_pids(pid), ' ') FROM "
                                      "pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0")));
    QHash<QByteArray, QByteArrayList> blockers;
    for (const QByteArray &line : asker->output().split('\n')) {
        const QByteArrayList pids = line.trimmed().split(' ');
        if (pids.size() > 1)
            blockers.insert(pids.first(), pids.mid(1));
    }
    QCOMPARE(blockers.size(), 3);
    QCOMPARE(probe.graph.edges.size(), 3);
    for (const domain::WaitEdge &edge : probe.graph.edges) {
        QCOMPARE(edge.blocker, lock.session->id);
        QByteArray at = edge.waiter; // each way through the server's answer ends at the same blocker
        for (int step = 0; step < 4 && blockers.contains(at); ++step)
            at = blockers.value(at).last();
        QCOMPARE(at, edge.blocker);
    }
    QVERIFY(holder->run(QStringLiteral("COMMIT")));
}

void SqlSessionsPostgresTest::holderStaysWhenItsWaitersLeave()
{
    const auto holder = m_rig.shell();
    auto waiter = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(kLockRow));
    waiter->send(kLockRow);
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation seen = probe.until("jobs_pkey/1", 1);
    QVERIFY(seen.present);
    exec(QStringLiteral("SELECT pg_terminate_backend(%1)")
             .arg(QString::fromLatin1(probe.graph.edges.first().waiter)));
    Observation alone;
    QTRY_VERIFY((alone = probe.scan().value("jobs_pkey/1"), alone.waiters.isEmpty()));
    QVERIFY(alone.held);
    QCOMPARE(alone.identity, seen.identity);
    QVERIFY(holder->run(QStringLiteral("ROLLBACK")));
    QVERIFY(probe.untilGone("jobs_pkey/1"));
}

/** An insert waits for another's uncommitted key: there is no row to name yet. */
void SqlSessionsPostgresTest::waitsForATransactionAlone()
{
    const auto holder = m_rig.python();
    const auto waiter = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("INSERT INTO jobs (name, n) VALUES ('fresh', 1)")));
    waiter->send(QStringLiteral(
        "INSERT INTO jobs (name, n) VALUES ('fresh', 2) ON CONFLICT (name) DO UPDATE SET n = 2"));
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    QTRY_COMPARE((probe.scan(), probe.graph.edges.size()), 1);
    const domain::LockKey lock = probe.graph.edges.first().lock;
    QCOMPARE(lock.place, QByteArray("postgres.jobs/xid"));
    const auto locks = probe.scan();
    QCOMPARE(locks.keys(), QList<QByteArray>{"xid/" + lock.name});
    QCOMPARE(locks.value("xid/" + lock.name).session->transaction, lock.name);
}

void SqlSessionsPostgresTest::advisoryLocks()
{
    const auto holder = m_rig.python();
    const auto waiter = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("SELECT pg_advisory_lock(-42)")));
    QVERIFY(holder->run(QStringLiteral("SELECT pg_advisory_lock(7, 9)")));
    waiter->send(QStringLiteral("SELECT pg_advisory_lock(-42)"));
    SessionProbe probe(spec(true));
    QVERIFY(probe.open());
    const Observation lock = probe.until("-42", 1);
    QVERIFY(lock.present && lock.session && lock.waitersVisible);
    QVERIFY(probe.scan().contains("7,9"));
    QCOMPARE(probe.graph.edges.value(0).lock,
             (domain::LockKey{QStringLiteral("db"), "sql.advisory", "postgres", "-42"}));
    QCOMPARE(probe.untilMature("-42").off, ReleaseOff::None);
    ReleaseOrder order;
    order.set = 1;
    order.guard = probe.inspect("-42", 1).guard;
    // The holder has run a statement since: it may have released and acquired the lock again.
    QVERIFY(holder->run(QStringLiteral("SELECT pg_advisory_unlock(7, 9)")));
    QCOMPARE(probe.release(order).outcome, Outcome::HolderChanged);
    QVERIFY(!holder->isCutOff());
    order.guard = probe.inspect("-42", 1).guard;
    QCOMPARE(probe.release(order).outcome, Outcome::Released);
    QVERIFY(waiter->finish());
    QVERIFY(holder->isCutOff());
    QCOMPARE(probe.release(order).outcome, Outcome::HolderChanged);
}

void SqlSessionsPostgresTest::everyTermOfTheGuardCounts()
{
    const auto holder = m_rig.shell();
    const auto waiter = m_rig.shell();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(kLockRow));
    waiter->send(kLockRow);
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation lock = probe.until("jobs_pkey/1", 1);
    sql::SqlConnection connection;
    QVERIFY(connection.open(spec()));
    const QList<QByteArray> parts = lock.identity.split('/');
    QCOMPARE(parts.size(), 4);
    for (int i = 0; i < 4; ++i) {
        QList<QByteArray> other = parts;
        other[i] = QByteArray::number(parts.at(i).toULongLong() + 1);
        const sql::KillReply reply =
            sql::killGuarded(connection, {other.first(), other.join('/'), false, {}, {}, true});
        QVERIFY2(!reply.killed && !reply.failure, QByteArray::number(i).constData());
    }
    QVERIFY(
        !sql::killGuarded(connection, {parts.first(), lock.identity, false, {}, {}, false}).killed); // young
    QVERIFY(!holder->isCutOff());
    QVERIFY(sql::killGuarded(connection, {parts.first(), lock.identity, false, {}, {}, true}).killed);
    QVERIFY(holder->isCutOff());
}

void SqlSessionsPostgresTest::preparedTransaction()
{
    {
        const auto holder = m_rig.shell();
        QVERIFY(holder->run(QStringLiteral("BEGIN")));
        QVERIFY(holder->run(QStringLiteral("UPDATE jobs SET n = 5 WHERE name = 'orders'")));
        QVERIFY(holder->run(QStringLiteral("PREPARE TRANSACTION 'x1'")));
    }
    const auto waiter = m_rig.shell();
    waiter->send(kLockRow);
    SessionProbe probe(spec());
    QVERIFY(probe.open());
    const Observation lock = probe.until("jobs_pkey/1", 1);
    const Outcome outcome = probe.release(probe.inspect("jobs_pkey/1").guard).outcome;
    exec(QStringLiteral("ROLLBACK PREPARED 'x1'"));
    QVERIFY(lock.present);
    QCOMPARE(lock.off, ReleaseOff::PreparedXa);
    QVERIFY2(lock.owner.startsWith("xa:"), lock.owner.constData());
    QCOMPARE(outcome, Outcome::Refused);
    QVERIFY(waiter->finish());
}

void SqlSessionsPostgresTest::missingGrantsAreNamed()
{
    exec(QStringLiteral("CREATE ROLE few LOGIN"));
    exec(QStringLiteral("GRANT USAGE ON SCHEMA public TO few")); // as it is in a new database
    SourceSpec few = spec();
    QUrlQuery query(few.url);
    query.removeQueryItem(QStringLiteral("user"));
    query.addQueryItem(QStringLiteral("user"), QStringLiteral("few"));
    few.url.setQuery(query);
    SessionProbe blind(few);
    QVERIFY(!blind.open());
    const base::Error error = blind.failures.last();
    QCOMPARE(error.code, base::ErrorCode::PermissionDenied);
    QVERIFY2(error.remedy.contains(QLatin1String("GRANT pg_read_all_stats TO few;")),
             qPrintable(error.line()));
    QVERIFY(error.remedy.contains(QLatin1String("GRANT pg_signal_backend TO few;")));
    exec(QStringLiteral("GRANT pg_read_all_stats TO few"));
    SessionProbe seeing(few);
    QVERIFY2(seeing.open(),
             qPrintable(seeing.failures.isEmpty() ? QString() : seeing.failures.last().line()));
    for (const domain::Access &access : seeing.info.access)
        QCOMPARE(access.granted, !access.need.startsWith("break:"));
}

LOCKKEEPER_TEST(SqlSessionsPostgresTest)

} // namespace tst_sql_sessions_postgres

#include "tst_sql_sessions_postgres.moc"
