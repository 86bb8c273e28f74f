// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/row_rules.h"
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTest>

namespace tst_sql_table_faults {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::ExpiryKind;
using domain::Outcome;

namespace {
/** Acquires one row like an application, with Debian's client library; argv: URL parts and the statement. */
const char *kApplication = R"(
import sys
kind, place, port, sql = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4]
if kind == 'mariadb':
    import pymysql
    db = pymysql.connect(unix_socket=place, user='root', database='app', autocommit=True)
elif kind == 'postgresql':
    import psycopg2
    db = psycopg2.connect(host=place, port=port, user='root', dbname='postgres')
    db.autocommit = True
else:
    import sqlite3
    db = sqlite3.connect(place, isolation_level=None)
cursor = db.cursor()
cursor.execute(sql)
print(cursor.rowcount)
)";
} // namespace

/** Mapped tables under applications of other makers, clients' clocks, DDL and read-only servers. */
class SqlTableFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stockClients_data();
    void stockClients();
    void clientClocks_data();
    void clientClocks();
    void droppedWhileWatched();
    void readOnlyServer();
};

void SqlTableFaultsTest::stockClients_data()
{
    QTest::addColumn<QString>("server");
    for (const char *server : {"mariadb", "postgresql", "sqlite"})
        QTest::newRow(server) << QString::fromLatin1(server);
}

void SqlTableFaultsTest::stockClients()
{
    QFETCH(QString, server);
    const auto database = makeTestDatabase(server);
    QVERIFY(database->reset());
    const Layout &layout = layoutNamed("lock-timeout");
    database->run(layout.create);
    const QUrl url = database->spec().url;
    const QString place = server == QLatin1String("postgresql")
                              ? url.query().section(QLatin1String("host="), 1).section(QLatin1Char('&'), 0, 0)
                              : url.path();
    const auto application = [&](const QString &sql) {
        QProcess python;
        python.start(QStringLiteral("/usr/bin/python3"),
                     {QStringLiteral("-c"), QString::fromLatin1(kApplication), server, place,
                      url.query().section(QLatin1String("port="), 1), database->translated(sql)});
        python.waitForFinished(20'000);
        if (python.exitCode() != 0)
            qWarning().noquote() << python.readAllStandardError();
        return python.readAllStandardOutput().trimmed();
    };
    const QString take =
        QStringLiteral("INSERT INTO `lock` (name, created_at, timeout) VALUES ('job', {EPOCH}, 60)");
    QCOMPARE(application(take), QByteArray("1"));
    StoreProbe probe(layoutSpec(*database, layout));
    QVERIFY(probe.open());
    const domain::Guard guard = probe.inspect("job").guard;
    QVERIFY(!guard.identity.isEmpty());
    // It gives the lock back and takes it again: the same name, another acquisition.
    QCOMPARE(application(QStringLiteral("DELETE FROM `lock` WHERE name = 'job'")), QByteArray("1"));
    QCOMPARE(application(take), QByteArray("1"));
    QCOMPARE(probe.release(guard).outcome, Outcome::HolderChanged);
    QVERIFY(probe.readPoints("job").held);
    QCOMPARE(probe.release(probe.inspect("job").guard).outcome, Outcome::Released);
    QCOMPARE(application(take), QByteArray("1")); // free for the application at once
}

void SqlTableFaultsTest::clientClocks_data()
{
    QTest::addColumn<int>("skew"); ///< seconds: the application's clock less the store's
    QTest::newRow("5 minutes behind") << -300;
    QTest::newRow("right") << 0;
    QTest::newRow("5 minutes ahead") << 300;
}

void SqlTableFaultsTest::clientClocks()
{
    QFETCH(int, skew);
    const auto database = makeTestDatabase(QStringLiteral("sqlite"));
    QVERIFY(database->reset());
    const Layout &layout = layoutNamed("lock-timeout");
    database->run(layout.create);
    database->run(
        QStringLiteral("INSERT INTO `lock` (name, created_at, timeout) VALUES ('a', {EPOCH} + %1, 30)")
            .arg(skew));
    SourceSpec spec = layoutSpec(*database, layout);
    spec.clientClock = true;
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY(probe.info.warning.cause.contains(QLatin1String("clock")));
    const Inspection seen = probe.inspect("a");
    QVERIFY(seen.lock.held && seen.lock.expiry == ExpiryKind::At);
    QVERIFY(!seen.lock.acquiredUs);
    // While the clocks differ by less than five minutes, the lock isn't reported or broken as expired.
    QVERIFY(seen.lock.expiresUs + seen.lock.expirySlackUs > seen.storeUs);
    ReleaseOrder order;
    order.guard = seen.guard;
    order.mustBeExpired = order.checkFreshness = true;
    QCOMPARE(probe.release(order).outcome, Outcome::Refused);
}

void SqlTableFaultsTest::droppedWhileWatched()
{
    const auto database = makeTestDatabase(QStringLiteral("postgresql"));
    QVERIFY(database->reset());
    const Layout &layout = layoutNamed("lock-holder");
    for (const char *change : {"DROP TABLE `lock`", "ALTER TABLE `lock` RENAME TO other",
                               "ALTER TABLE `lock` DROP COLUMN holder"}) {
        QVERIFY(database->reset());
        database->run(layout.create);
        database->run(layout.hold);
        StoreProbe probe(layoutSpec(*database, layout));
        QVERIFY(probe.open());
        QCOMPARE(probe.scan().size(), 1);
        const domain::Guard guard = probe.inspect("a").guard;
        database->run(QString::fromLatin1(change));
        QVERIFY(probe.scan().isEmpty());
        // An error, never "everything was released".
        QVERIFY2(!probe.ends.last().complete, change);
        QCOMPARE(probe.ends.last().error.code, base::ErrorCode::SchemaMismatch);
        QVERIFY(waitFor([&] { return !probe.failures.isEmpty(); }));
        QVERIFY(probe.release(guard).outcome != Outcome::Released);
        QVERIFY(!probe.open());
    }
}

void SqlTableFaultsTest::readOnlyServer()
{
    const auto database = makeTestDatabase(QStringLiteral("postgresql"));
    QVERIFY(database->reset());
    const Layout &layout = layoutNamed("lock-holder");
    database->run(layout.create);
    database->run(layout.hold);
    database->exec(QStringLiteral("ALTER DATABASE postgres SET default_transaction_read_only = on"));
    StoreProbe probe(layoutSpec(*database, layout));
    QVERIFY(probe.open());
    QVERIFY(probe.info.readOnly);
    const domain::Guard guard = probe.inspect("a").guard;
    for (const bool dry : {true, false}) {
        const ReleaseReport report = probe.release(guard, false, dry);
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(report.error.code, base::ErrorCode::ReadOnly);
    }
    QVERIFY(probe.readPoints("a").held);
}

LOCKKEEPER_TEST(SqlTableFaultsTest)

} // namespace tst_sql_table_faults

#include "tst_sql_table_faults.moc"
