// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QScopeGuard>
#include <QTest>

namespace tst_sql_binlog_layouts {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

/** Every table layout from the binary log, on MariaDB and on MySQL: each change gives what a scan then reads.
 */
namespace {

/** An empty t_lock, watched by the binary log. */
SourceSpec pushedTable(TestDatabase &database)
{
    const Layout &layout = layoutNamed("t-lock");
    database.run(layout.create);
    SourceSpec spec = layoutSpec(database, layout);
    spec.binlog = true;
    return spec;
}

} // namespace

class SqlBinlogLayoutsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void changesAreWhatAScanReads_data();
    void changesAreWhatAScanReads();
    void goesOnWhereItEnded_data();
    void goesOnWhereItEnded();
    void othersTables_data() { goesOnWhereItEnded_data(); }
    void othersTables();
    void mysqlsOwnSettings_data();
    void mysqlsOwnSettings();
    void zerosInFront_data() { goesOnWhereItEnded_data(); }
    void zerosInFront();
    void partsOfJson_data();
    void partsOfJson();

private:
    TestDatabases m_databases;
};

void SqlBinlogLayoutsTest::changesAreWhatAScanReads_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    for (const char *server : {"mariadb-binlog", "mysql"}) {
        for (const Layout &layout : breakableLayouts())
            QTest::addRow("%s %s", layout.preset.constData(), server)
                << QString::fromLatin1(server) << layout.preset;
    }
}

void SqlBinlogLayoutsTest::changesAreWhatAScanReads()
{
    QFETCH(QString, server);
    QFETCH(QByteArray, preset);
    TestDatabase *database = m_databases.fresh(server);
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    const Layout &layout = layoutNamed(preset);
    database->run(layout.create);
    SourceSpec spec = layoutSpec(*database, layout);
    spec.binlog = true;
    StoreProbe probe(spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    QVERIFY2(probe.pushStates.constLast().on, qPrintable(probe.pushStates.constLast().why.line()));

    const auto told = [&probe] {
        qsizetype count = 0;
        for (const Push &push : std::as_const(probe.pushes))
            count += push.changes.size();
        return count;
    };
    QStringList statements{layout.hold};
    for (const QString &set : layout.changes)
        statements.append(QStringLiteral("UPDATE `%1` SET %2").arg(layout.table, set));
    for (const QString &statement : std::as_const(statements)) {
        const qsizetype before = told();
        database->run(statement);
        const QHash<QByteArray, Observation> read = probe.scan();
        QVERIFY(!read.isEmpty());
        (void)waitFor([&] { return told() > before; }, 3'000); // an update that changes nothing isn't logged
        QHash<QByteArray, Observation> pushed;
        for (const Push &push : std::as_const(probe.pushes)) {
            for (const Change &change : push.changes)
                pushed.insert(change.lock.name, change.lock);
        }
        for (auto it = read.cbegin(); it != read.cend(); ++it) {
            QVERIFY2(pushed.contains(it.key()), it.key().constData());
            QCOMPARE(pushed.value(it.key()).identity, it->identity);
            QCOMPARE(pushed.value(it.key()).freshness, it->freshness);
            QVERIFY2(pushed.value(it.key()) == *it, qPrintable(statement));
        }
    }
    const qsizetype before = told();
    database->run(QStringLiteral("DELETE FROM `%1`").arg(layout.table));
    QVERIFY(waitFor([&] { return told() > before; }));
    QVERIFY(!probe.pushes.constLast().changes.constLast().lock.present);
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
}

void SqlBinlogLayoutsTest::goesOnWhereItEnded_data()
{
    QTest::addColumn<QString>("server");
    QTest::newRow("mariadb") << QStringLiteral("mariadb-binlog");
    QTest::newRow("mysql") << QStringLiteral("mysql");
}

void SqlBinlogLayoutsTest::goesOnWhereItEnded()
{
    QFETCH(QString, server);
    TestDatabase *database = m_databases.fresh(server);
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    const SourceSpec spec = pushedTable(*database);
    QByteArray position;
    const auto insert = [&](const char *name) {
        database->run(QStringLiteral("INSERT INTO t_lock VALUES ('%1')").arg(QLatin1String(name)));
    };
    const auto told = [](const StoreProbe &probe) {
        QList<Change> changes;
        for (const Push &push : std::as_const(probe.pushes))
            changes += push.changes;
        return changes;
    };
    {
        StoreProbe probe(spec);
        QVERIFY(probe.open());
        insert("one");
        QVERIFY(waitFor([&] { return told(probe).size() == 1; }));
        position = probe.pushes.constLast().position;
    }
    insert("two");
    database->run(QStringLiteral("FLUSH BINARY LOGS"));
    database->run(QStringLiteral("DELETE FROM t_lock WHERE lock_key = 'one'"));
    StoreProbe probe(spec);
    probe.store().resumeAfter(position);
    QVERIFY(probe.open());
    QVERIFY2(probe.pushStates.constLast().on && !probe.pushStates.constLast().blind,
             qPrintable(probe.pushStates.constLast().why.line()));
    QVERIFY(waitFor([&] { return told(probe).size() >= 2; }));
    insert("three");
    QVERIFY(waitFor([&] { return told(probe).size() >= 3; }));
    const QList<Change> changes = told(probe);
    QCOMPARE(changes.size(), 3);
    QCOMPARE(changes.at(0).lock.name, QByteArray("two"));
    QVERIFY(!changes.at(1).lock.present && changes.at(1).lock.name == "one");
    QCOMPARE(changes.at(2).lock.name, QByteArray("three"));
    const bool exact = server == QLatin1String("mysql");
    for (const Change &change : changes) {
        QCOMPARE(change.windowUs == 0, exact);
        QVERIFY(change.windowUs < 60'000'000);
    }
}

/** The store ignores changes to tables of the same name in other databases. */
void SqlBinlogLayoutsTest::othersTables()
{
    QFETCH(QString, server);
    TestDatabase *database = m_databases.fresh(server);
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    const SourceSpec spec = pushedTable(*database);
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY(probe.pushStates.constLast().on);
    StockAddress elsewhere = stockAddress(*database);
    const QString mine = elsewhere.database;
    const QString other = QStringLiteral("other_%1").arg(QCoreApplication::applicationPid());
    database->exec(QStringLiteral("CREATE DATABASE ") + other);
    const auto undo = qScopeGuard([&] { database->exec(QStringLiteral("DROP DATABASE ") + other); });
    elsewhere.database = other;
    StockClient client(StockClient::Kind::MariaDbCli, elsewhere);
    for (const char *theirs :
         {"CREATE TABLE t_lock (lock_key VARCHAR(64) PRIMARY KEY)", "ALTER TABLE t_lock ADD COLUMN more INT",
          "TRUNCATE TABLE t_lock", "DROP TABLE t_lock"})
        QVERIFY2(client.run(QString::fromLatin1(theirs)), client.output().constData());
    database->run(QStringLiteral("INSERT INTO t_lock VALUES ('mine')"));
    QVERIFY(waitFor([&] { return !probe.pushes.isEmpty() && !probe.pushes.constLast().changes.isEmpty(); }));
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
    // From the other database, the full name still addresses our table.
    QVERIFY(client.run(QStringLiteral("TRUNCATE TABLE `%1`.t_lock").arg(mine)));
    QVERIFY(!client.output().contains("ERROR"));
    QVERIFY(waitFor([&] { return probe.pushStates.size() > 1; }));
}

void SqlBinlogLayoutsTest::mysqlsOwnSettings_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("back");
    QTest::addColumn<QString>("session");
    const auto row = [](const char *name, const char *server, const char *back, const char *session) {
        QTest::newRow(name) << QString::fromLatin1(server) << QString::fromLatin1(back)
                            << QString::fromLatin1(session);
    };
    row("columns' names in the log", "SET GLOBAL binlog_row_metadata = FULL",
        "SET GLOBAL binlog_row_metadata = MINIMAL", "SELECT 1");
    row("no checksums", "SET GLOBAL binlog_checksum = NONE", "SET GLOBAL binlog_checksum = CRC32",
        "SELECT 1");
    row("a transaction's number", "SELECT 1", "SELECT 1", "SET SESSION gtid_next = 'AUTOMATIC'");
    row("its number has a tag", "SELECT 1", "SELECT 1", "SET SESSION gtid_next = 'AUTOMATIC:lockkeeper'");
    row("statements in the log too", "SELECT 1", "SELECT 1", "SET SESSION binlog_rows_query_log_events = ON");
}

void SqlBinlogLayoutsTest::mysqlsOwnSettings()
{
    QFETCH(QString, server);
    QFETCH(QString, back);
    QFETCH(QString, session);
    TestDatabase *database = m_databases.fresh(QStringLiteral("mysql"));
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    const auto undo = qScopeGuard([&] { database->exec(back); });
    database->exec(server);
    const Layout &layout = layoutNamed("lock-holder");
    database->run(layout.create);
    SourceSpec spec = layoutSpec(*database, layout);
    spec.binlog = true;
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY2(probe.pushStates.constLast().on, qPrintable(probe.pushStates.constLast().why.line()));
    StockClient client(StockClient::Kind::MariaDbCli, stockAddress(*database));
    QVERIFY2(client.run(session), client.output().constData());
    QVERIFY2(client.run(database->translated(layout.hold)), client.output().constData());
    QVERIFY(!client.output().contains("ERROR"));
    QVERIFY(waitFor([&] { return !probe.pushes.isEmpty() && !probe.pushes.constLast().changes.isEmpty(); }));
    QCOMPARE(probe.pushes.constLast().changes.constLast().lock.name, layout.name);
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
}

/** A scan reads such a number as the server formats it; the log only contains its value. */
void SqlBinlogLayoutsTest::zerosInFront()
{
    QFETCH(QString, server);
    TestDatabase *database = m_databases.fresh(server);
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    database->run(QStringLiteral("CREATE TABLE `lock` (id INT(10) ZEROFILL PRIMARY KEY AUTO_INCREMENT, "
                                 "lock_key VARCHAR(64) NOT NULL UNIQUE, holder VARCHAR(64), "
                                 "creation_time {TIME})"));
    SourceSpec spec = layoutSpec(*database, layoutNamed("lock-holder"));
    spec.binlog = true;
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY(!probe.pushStates.constLast().on);
    QVERIFY2(probe.pushStates.constLast().why.cause.contains(QStringLiteral("zerofill")),
             qPrintable(probe.pushStates.constLast().why.line()));
}

void SqlBinlogLayoutsTest::partsOfJson_data()
{
    QTest::addColumn<QString>("columns");
    QTest::newRow("a table without JSON") << QString();
    QTest::newRow("beside the lock's columns") << QStringLiteral("a JSON, note JSON, z JSON");
}

/** Updates have other events then, which contain only the changed parts of JSON. */
void SqlBinlogLayoutsTest::partsOfJson()
{
    QFETCH(QString, columns);
    TestDatabase *database = m_databases.fresh(QStringLiteral("mysql"));
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    const Layout &layout = layoutNamed("lock-holder");
    database->run(layout.create);
    if (!columns.isEmpty())
        database->exec(QStringLiteral("ALTER TABLE `lock` ADD (%1)").arg(columns));
    SourceSpec spec = layoutSpec(*database, layout);
    spec.binlog = true;
    StoreProbe probe(spec);
    QVERIFY(probe.open());
    QVERIFY2(probe.pushStates.constLast().on, qPrintable(probe.pushStates.constLast().why.line()));
    QStringList statements{QStringLiteral("SET SESSION binlog_row_value_options = PARTIAL_JSON"),
                           database->translated(layout.hold),
                           QStringLiteral("UPDATE `lock` SET holder = 'two'")};
    if (!columns.isEmpty())
        statements +=
            {QStringLiteral(
                 "UPDATE `lock` SET note = JSON_OBJECT('n', 1, 'text', REPEAT('x', 2000)), a = '[]'"),
             QStringLiteral("UPDATE `lock` SET note = JSON_SET(note, '$.n', 2), holder = 'three'"),
             QStringLiteral("UPDATE `lock` SET note = JSON_REMOVE(note, '$.n'), z = '1'")};
    statements.append(QStringLiteral("DELETE FROM `lock`"));
    StockClient client(StockClient::Kind::MariaDbCli, stockAddress(*database));
    for (const QString &statement : std::as_const(statements)) {
        QVERIFY2(client.run(statement), client.output().constData());
        QVERIFY2(!client.output().contains("ERROR"), client.output().constData());
    }
    const auto told = [&probe] {
        QByteArrayList holders;
        for (const Push &push : std::as_const(probe.pushes)) {
            for (const Change &change : push.changes)
                holders.append(change.lock.present ? change.lock.owner : QByteArray("-"));
        }
        return holders.join(' ');
    };
    QTRY_COMPARE(told(), columns.isEmpty() ? "one two -" : "one two two three three -");
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
}

LOCKKEEPER_TEST(SqlBinlogLayoutsTest)

} // namespace tst_sql_binlog_layouts

#include "tst_sql_binlog_layouts.moc"
