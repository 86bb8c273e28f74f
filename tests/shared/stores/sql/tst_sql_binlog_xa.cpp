// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_binlog_xa {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

/**
 * XA transactions in the binary log, of MariaDB and MySQL: their rows are in it from the PREPARE on, which
 * are invisible before the XA COMMIT.
 */
class SqlBinlogXaTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsFromItsCommit_data() { servers(); }
    void countsFromItsCommit();
    void rollbackLeavesNothing_data() { servers(); }
    void rollbackLeavesNothing();
    void onePhase_data() { servers(); }
    void onePhase();
    void preparedBeforeReadingIsAGap_data() { servers(); }
    void preparedBeforeReadingIsAGap();

private:
    static void servers();
    /** An empty t_lock; null if the row's server isn't available. */
    TestDatabase *database();
    /** One session prepares an insert and ends; the prepared transaction outlives it. */
    void prepare(const QString &xid, const QString &name, bool commits = false);
    void exec(const QString &sql) { m_database->exec(sql); }
    static SourceSpec pushed(const TestDatabase &database);
    /** "+name" or "-name" for each change reported so far. */
    static QByteArray told(const StoreProbe &probe);

    TestDatabases m_databases;
    TestDatabase *m_database = nullptr;
};

void SqlBinlogXaTest::servers()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QString>("session");
    QTest::newRow("mariadb") << QStringLiteral("mariadb-binlog") << QStringLiteral("SELECT 1");
    QTest::newRow("mysql") << QStringLiteral("mysql") << QStringLiteral("SELECT 1");
    QTest::newRow("mysql compressed")
        << QStringLiteral("mysql") << QStringLiteral("SET SESSION binlog_transaction_compression = ON");
}

TestDatabase *SqlBinlogXaTest::database()
{
    m_database = m_databases.freshOfRow(layoutNamed("t-lock").create);
    return m_database;
}

SourceSpec SqlBinlogXaTest::pushed(const TestDatabase &database)
{
    SourceSpec spec = layoutSpec(database, layoutNamed("t-lock"));
    spec.binlog = true;
    return spec;
}

QByteArray SqlBinlogXaTest::told(const StoreProbe &probe)
{
    QByteArrayList names;
    for (const Push &push : std::as_const(probe.pushes)) {
        for (const Change &change : push.changes)
            names.append((change.lock.present ? '+' : '-') + change.lock.name);
    }
    return names.join(' ');
}

void SqlBinlogXaTest::prepare(const QString &xid, const QString &name, bool commits)
{
    QFETCH(QString, session);
    auto client = std::make_unique<StockClient>(StockClient::Kind::MariaDbCli, stockAddress(*m_database));
    for (const QString &sql :
         {session, QStringLiteral("SELECT GET_LOCK('xa-session', 0)"), QStringLiteral("XA START %1").arg(xid),
          QStringLiteral("INSERT INTO t_lock VALUES ('%1')").arg(name), QStringLiteral("XA END %1").arg(xid),
          commits ? QStringLiteral("XA COMMIT %1 ONE PHASE").arg(xid)
                  : QStringLiteral("XA PREPARE %1").arg(xid)})
        QVERIFY2(client->run(sql), client->output().constData());
    QVERIFY2(!client->output().contains("ERROR"), client->output().constData());
    // The transaction belongs to its session until the session has ended, with its named lock.
    client.reset();
    QTRY_COMPARE(m_database->exec(QStringLiteral("SELECT IS_FREE_LOCK('xa-session')")).first().first(),
                 QByteArray("1"));
}

void SqlBinlogXaTest::countsFromItsCommit()
{
    if (!database())
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    StoreProbe probe(pushed(*m_database));
    QVERIFY(probe.open());
    prepare(QStringLiteral("'kept', 'b', 7"), QStringLiteral("kept"));
    exec(QStringLiteral("INSERT INTO t_lock VALUES ('plain')"));
    QTRY_COMPARE(told(probe), QByteArray("+plain")); // what is before it in the log was read
    QVERIFY(!probe.scan().contains("kept"));
    exec(QStringLiteral("XA COMMIT 'kept', 'b', 7"));
    QTRY_COMPARE(told(probe), QByteArray("+plain +kept"));
    QVERIFY(probe.scan().contains("kept"));
    exec(QStringLiteral("DELETE FROM t_lock WHERE lock_key = 'kept'"));
    QTRY_COMPARE(told(probe), QByteArray("+plain +kept -kept"));
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
}

void SqlBinlogXaTest::rollbackLeavesNothing()
{
    if (!database())
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    StoreProbe probe(pushed(*m_database));
    QVERIFY(probe.open());
    prepare(QStringLiteral("'undone'"), QStringLiteral("undone"));
    exec(QStringLiteral("INSERT INTO t_lock VALUES ('between')"));
    exec(QStringLiteral("XA ROLLBACK 'undone'"));
    // The same name again, of another transaction: nothing of the first is left.
    prepare(QStringLiteral("'undone'"), QStringLiteral("second"));
    exec(QStringLiteral("XA COMMIT 'undone'"));
    QTRY_COMPARE(told(probe), QByteArray("+between +second"));
    QCOMPARE(probe.scan().size(), 2);
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
}

void SqlBinlogXaTest::onePhase()
{
    if (!database())
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    StoreProbe probe(pushed(*m_database));
    QVERIFY(probe.open());
    prepare(QStringLiteral("'once'"), QStringLiteral("once"), true);
    exec(QStringLiteral("INSERT INTO t_lock VALUES ('after')"));
    QTRY_COMPARE(told(probe), QByteArray("+once +after"));
    QCOMPARE(probe.scan().size(), 2);
    QVERIFY2(probe.pushStates.size() == 1, qPrintable(probe.pushStates.constLast().why.line()));
}

/** The transaction's rows are in a part of the log that isn't read again. Its changes are unknown, and the
 * store reports that. */
void SqlBinlogXaTest::preparedBeforeReadingIsAGap()
{
    if (!database())
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    QByteArray position;
    {
        StoreProbe probe(pushed(*m_database));
        QVERIFY(probe.open());
        prepare(QStringLiteral("'kept'"), QStringLiteral("kept"));
        prepare(QStringLiteral("'undone'"), QStringLiteral("undone"));
        exec(QStringLiteral("INSERT INTO t_lock VALUES ('plain')"));
        QTRY_COMPARE(told(probe), QByteArray("+plain"));
        position = probe.pushes.constLast().position;
    }
    StoreProbe probe(pushed(*m_database));
    probe.store().resumeAfter(position);
    QVERIFY(probe.open());
    QVERIFY2(!probe.pushStates.constLast().blind, qPrintable(probe.pushStates.constLast().why.line()));
    exec(QStringLiteral("XA ROLLBACK 'undone'"));
    exec(QStringLiteral("INSERT INTO t_lock VALUES ('next')"));
    QTRY_COMPARE(told(probe), QByteArray("+next"));
    QCOMPARE(probe.pushStates.size(), 1); // a rollback changes nothing, whatever was in it
    exec(QStringLiteral("XA COMMIT 'kept'"));
    QTRY_VERIFY(probe.pushStates.constLast().blind);
    QVERIFY(probe.pushStates.constLast().on);
    QVERIFY(probe.pushStates.constLast().why.cause.contains(QLatin1String("prepared before")));
    QVERIFY(probe.scan().contains("kept"));
}

LOCKKEEPER_TEST(SqlBinlogXaTest)

} // namespace tst_sql_binlog_xa

#include "tst_sql_binlog_xa.moc"
