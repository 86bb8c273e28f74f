// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/release_race.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

namespace tst_sql_mysql {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;

/**
 * The same store on a real MySQL. LOCKKEEPER_TEST_MYSQL is its URL, including the password of an account that
 * may create a database. Skipped if it isn't set.
 */
class SqlMysqlTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void observesAndReleases_data();
    void observesAndReleases();
    void clientsRaceTheReleaser();

private:
    void exec(const QString &sql);
    void fresh(const QString &type, int precision);

    SourceSpec m_spec;
    bool m_connected = false;
};

void SqlMysqlTest::initTestCase()
{
    const QUrl url(qEnvironmentVariable("LOCKKEEPER_TEST_MYSQL"));
    if (url.isEmpty())
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    QUrl plain = url;
    plain.setPassword(QString());
    plain.setPath(QStringLiteral("/lockkeeper_test"));
    m_spec = shedlockSpec(plain);
    m_spec.password = url.password(QUrl::FullyDecoded).toUtf8();
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), QStringLiteral("mysql"));
    database.setHostName(url.host());
    database.setPort(url.port(3306));
    database.setUserName(url.userName());
    database.setPassword(url.password(QUrl::FullyDecoded));
    m_connected = database.open();
    QVERIFY2(m_connected, qPrintable(database.lastError().text()));
    exec(QStringLiteral("CREATE DATABASE IF NOT EXISTS lockkeeper_test"));
    exec(QStringLiteral("USE lockkeeper_test"));
    exec(QStringLiteral("SET time_zone = '+00:00'"));
}

void SqlMysqlTest::cleanupTestCase()
{
    if (m_connected)
        exec(QStringLiteral("DROP DATABASE lockkeeper_test"));
    QSqlDatabase::removeDatabase(QStringLiteral("mysql"));
}

void SqlMysqlTest::exec(const QString &sql)
{
    QSqlQuery query(QSqlDatabase::database(QStringLiteral("mysql")));
    QVERIFY2(query.exec(sql), qPrintable(query.lastError().text()));
}

void SqlMysqlTest::fresh(const QString &type, int precision)
{
    exec(QStringLiteral("DROP TABLE IF EXISTS shedlock"));
    exec(shedlockTable(QStringLiteral("shedlock"), precision, type));
}

void SqlMysqlTest::observesAndReleases_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("precision");
    for (const char *type : {"TIMESTAMP", "DATETIME"}) {
        for (const int precision : {0, 3, 6})
            QTest::addRow("%s(%d)", type, precision) << QString::fromLatin1(type) << precision;
    }
}

void SqlMysqlTest::observesAndReleases()
{
    QFETCH(QString, type);
    QFETCH(int, precision);
    fresh(type, precision);
    exec(QStringLiteral(
        "INSERT INTO shedlock VALUES ('a', '2036-02-29 23:59:59.123456', UTC_TIMESTAMP(6), 'one'), "
        "('b', UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, UTC_TIMESTAMP(6), 'two')"));
    StoreProbe probe(m_spec);
    QVERIFY2(probe.open(), probe.failures.isEmpty() ? "" : qPrintable(probe.failures.last().line()));
    QVERIFY(probe.info.server.startsWith(QLatin1String("MySQL ")));
    QVERIFY(probe.info.access.value(1).granted);
    const auto rows = probe.scan();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows.value("a").expiresUs / 1'000'000, 2087942399);
    for (const QByteArray name : {"a", "b"}) {
        const Inspection seen = probe.inspect(name);
        QVERIFY(seen.lock.held);
        QCOMPARE(probe.release(seen.guard, true, true).outcome, Outcome::Released);
        QVERIFY(probe.readPoints(name).held);
        QCOMPARE(probe.release(seen.guard, true).outcome, Outcome::Released);
        QVERIFY(!probe.readPoints(name).held);
        QCOMPARE(probe.release(seen.guard).outcome, Outcome::AlreadyFree);
    }
}

void SqlMysqlTest::clientsRaceTheReleaser()
{
    fresh(QStringLiteral("TIMESTAMP"), 6);
    ReleaseRace race(m_spec, 4, 1);
    const RaceResult result = race.run(1'000);
    for (const base::Error &error : result.errors)
        qWarning().noquote() << error.line();
    QVERIFY(result.errors.isEmpty());
    QCOMPARE(result.wrong, 0);
    QVERIFY(result.released > 0);
}

LOCKKEEPER_TEST(SqlMysqlTest)

} // namespace tst_sql_mysql

#include "tst_sql_mysql.moc"
