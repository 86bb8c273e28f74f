// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

namespace tst_sql_replicas {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

/** The replication standing that real servers report. */
class TestSqlReplicas : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void postgresql();
    void mariaDb();

private:
    /** Scans until the server's standing matches. */
    static bool becomes(StoreProbe &probe, const std::function<bool(const Standing &)> &fits)
    {
        Standing last;
        const auto told = QObject::connect(&probe.store(), &Store::standingRead, &probe,
                                           [&last](const Standing &standing) { last = standing; });
        const bool fit = QTest::qWaitFor(
            [&] {
                probe.scan();
                return fits(last);
            },
            30'000);
        QObject::disconnect(told);
        return fit;
    }
};

void TestSqlReplicas::postgresql()
{
    PostgresServer primary;
    PostgresServer replica;
    QVERIFY(primary.start());
    primary.exec(shedlockTable(QStringLiteral("shedlock")));
    QVERIFY(replica.startCopyOf(primary, true));
    StoreProbe first(shedlockSpec(primary.url()));
    StoreProbe second(shedlockSpec(replica.url()));
    QVERIFY(first.open() && second.open());
    QVERIFY(!first.info.standing.replica && !first.info.standing.asOfUs);
    QVERIFY(!first.info.standing.branch.isEmpty());
    QVERIFY(second.info.standing.replica && second.info.readOnly);
    QCOMPARE(second.info.standing.line, first.info.standing.line);
    // A replica may lag behind.
    if (second.info.standing.reached.value("wal") >= first.info.standing.reached.value("wal"))
        QVERIFY(!first.info.standing.mayHaveLost(second.info.standing));
    const qint64 beforeUs = base::SystemClock().wallUs();
    primary.exec(QStringLiteral("INSERT INTO shedlock VALUES ('a', now(), now(), 'x')"));
    QVERIFY(becomes(second, [&](const Standing &now) {
        return now.replica && !now.stalled && now.asOfUs.value_or(0) > beforeUs;
    }));
    replica.exec(QStringLiteral("SELECT pg_wal_replay_pause()"));
    QVERIFY(becomes(second, [](const Standing &now) { return now.stalled; }));
    replica.exec(QStringLiteral("SELECT pg_wal_replay_resume()"));
    QVERIFY(becomes(second, [](const Standing &now) { return !now.stalled && now.replica; }));
    const int failures = int(second.failures.size());
    replica.exec(QStringLiteral("SELECT pg_promote()"));
    QTRY_VERIFY((second.scan(), second.failures.size() > failures));
    QVERIFY(second.open());
    QVERIFY(!second.info.standing.replica && !second.info.readOnly);
    QVERIFY(first.info.standing.mayHaveLost(second.info.standing)); // another timeline
}

void TestSqlReplicas::mariaDb()
{
    MariaDbServer primary({QStringLiteral("--server-id=1"), QStringLiteral("--log-bin")}, true);
    MariaDbServer replica({QStringLiteral("--server-id=2"), QStringLiteral("--read-only")}, true);
    QVERIFY(primary.start() && replica.start());
    primary.exec(QStringLiteral(
        "CREATE USER repl@'%' IDENTIFIED BY 'pw';\nGRANT REPLICATION SLAVE ON *.* TO repl@'%'"));
    replica.exec(
        QStringLiteral("CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=%1, MASTER_USER='repl', "
                       "MASTER_PASSWORD='pw', MASTER_USE_GTID=slave_pos;\nSTART SLAVE")
            .arg(primary.port()));
    primary.exec(QStringLiteral("CREATE DATABASE app"));
    primary.exec(shedlockTable(QStringLiteral("shedlock")), QStringLiteral("app"));
    QTRY_VERIFY(
        !replica.exec(QStringLiteral("SHOW TABLES FROM mysql LIKE 'user'")).isEmpty() &&
        !replica.exec(QStringLiteral("SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'app'"))
             .isEmpty());
    StoreProbe first(shedlockSpec(primary.url(QStringLiteral("app"))));
    StoreProbe second(shedlockSpec(replica.url(QStringLiteral("app"))));
    QVERIFY(first.open() && second.open());
    QVERIFY(!first.info.standing.replica);
    QVERIFY(second.info.standing.replica && second.info.readOnly);
    QVERIFY(first.info.standing.mayHaveLost(second.info.standing)); // another server
    QVERIFY(first.info.standing.reached.value("lsn") > 0);
    const qint64 beforeUs = base::SystemClock().wallUs();
    int writes = 0;
    QVERIFY(becomes(second, [&](const Standing &now) {
        primary.exec(
            QStringLiteral("INSERT INTO app.shedlock VALUES ('%1', NOW(), NOW(), 'x')").arg(++writes));
        return now.replica && !now.stalled && now.asOfUs.value_or(0) > beforeUs;
    }));
    replica.exec(QStringLiteral("STOP SLAVE SQL_THREAD"));
    QVERIFY(becomes(second, [](const Standing &now) { return now.stalled; }));
    replica.exec(QStringLiteral("START SLAVE SQL_THREAD"));
    QVERIFY(becomes(second, [](const Standing &now) { return now.replica && !now.stalled; }));
    // A user without the right to see the replication knows only that the server takes no writes.
    replica.exec(QStringLiteral("SET GLOBAL read_only = 0;\nCREATE USER lk@localhost;\n"
                                "GRANT SELECT ON app.* TO lk@localhost;\nSET GLOBAL read_only = 1"));
    StoreProbe blind(shedlockSpec(replica.url(QStringLiteral("app"), QStringLiteral("lk"))));
    QVERIFY(blind.open());
    QVERIFY(blind.info.standing.replica && !blind.info.standing.asOfUs);
}

LOCKKEEPER_TEST(TestSqlReplicas)

} // namespace tst_sql_replicas

#include "tst_sql_replicas.moc"
