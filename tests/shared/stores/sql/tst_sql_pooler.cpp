// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/sql_connection.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/pg_bouncer.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QUrlQuery>

namespace tst_sql_pooler {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;

/** Behind a pooler, all clients share the sessions: nothing stays in a session, and each use may get another
 * session. */
class SqlPoolerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void isTold();
    void leavesNothingBehind();
    void everySessionWillDo();
    void aServerIsNoPooler();

private:
    /** The answer of psql, through the pooler. */
    QByteArray ask(const QString &sql) const;
    SourceSpec spec() const { return shedlockSpec(m_pooler.url(), QStringLiteral("shedlock")); }

    PostgresServer m_server;
    PgBouncer m_pooler;
};

void SqlPoolerTest::initTestCase()
{
    if (!PgBouncer::isThere())
        QSKIP("pgbouncer isn't installed");
    QVERIFY(m_server.start());
    QVERIFY(m_pooler.start(m_server));
    ask(QStringLiteral(
        "CREATE TABLE shedlock (name text PRIMARY KEY, lock_until timestamp NOT NULL, locked_at "
        "timestamp NOT NULL, locked_by text NOT NULL)"));
    ask(QStringLiteral(
        "INSERT INTO shedlock SELECT i, now() AT TIME ZONE 'utc' + interval '1h', now() AT TIME "
        "ZONE 'utc', 'h' FROM generate_series(1, 9) i"));
}

QByteArray SqlPoolerTest::ask(const QString &sql) const
{
    const QUrlQuery query(m_pooler.url());
    QProcess psql;
    psql.start(QStringLiteral("psql"),
               {QStringLiteral("-h"), query.queryItemValue(QStringLiteral("host")), QStringLiteral("-p"),
                query.queryItemValue(QStringLiteral("port")), QStringLiteral("-U"), QStringLiteral("root"),
                QStringLiteral("-qAtX"), QStringLiteral("-c"), sql, QStringLiteral("postgres")});
    psql.waitForFinished();
    const QByteArray errors = psql.readAllStandardError();
    return psql.exitStatus() == QProcess::NormalExit && psql.exitCode() == 0
               ? psql.readAllStandardOutput().trimmed()
               : "failed: " + errors;
}

void SqlPoolerTest::isTold()
{
    StoreProbe probe(spec());
    QVERIFY2(probe.open(), qPrintable(probe.failures.isEmpty() ? QString() : probe.failures.last().line()));
    QVERIFY2(probe.info.warning.cause.contains(QLatin1String("pooler")),
             qPrintable(probe.info.warning.line()));
    QVERIFY(probe.info.warning.cause.contains(QLatin1String("own address")));
    for (const domain::Access &access : std::as_const(probe.info.access))
        QVERIFY2(access.granted, access.need.constData());
}

void SqlPoolerTest::leavesNothingBehind()
{
    const QString own = QStringLiteral(
        "SELECT string_agg(name || ' = ' || setting, ', ') FROM pg_settings WHERE name IN "
        "('statement_timeout', "
        "'lock_timeout', 'row_security', 'bytea_output', 'default_transaction_isolation', 'search_path', "
        "'standard_conforming_strings', 'idle_session_timeout') AND source NOT IN ('default', "
        "'configuration file')");
    QCOMPARE(ask(own), QByteArray());
    SourceSpec there = spec();
    QUrlQuery query(there.url);
    query.addQueryItem(QStringLiteral("schema"), QStringLiteral("public"));
    there.url.setQuery(query);
    StoreProbe probe(there);
    QVERIFY(probe.open());
    QCOMPARE(probe.scan().size(), 9);
    QCOMPARE(probe.release(probe.inspect("1").guard, true).outcome, Outcome::Released);
    QVERIFY(!probe.readPoints("1").held);
    for (int i = 0; i < 4; ++i)
        QCOMPARE(ask(own), QByteArray());
    QCOMPARE(ask(QStringLiteral("SELECT count(*) FROM pg_prepared_statements")), "0");
}

/** A transaction of another program holds the session that the agent had. */
void SqlPoolerTest::everySessionWillDo()
{
    StoreProbe probe(spec());
    QVERIFY(probe.open());
    QVERIFY(probe.scan().contains("2"));
    sql::SqlConnection other;
    QVERIFY(other.open(spec()));
    QVERIFY(other.query(QStringLiteral("BEGIN")));
    QVERIFY(other.query(QStringLiteral("SELECT pg_backend_pid()")));
    QVERIFY(probe.scan().contains("2"));
    QVERIFY(probe.inspect("2").lock.held);
    QCOMPARE(probe.release(probe.inspect("2").guard, true).outcome, Outcome::Released);
    QVERIFY(other.query(QStringLiteral("ROLLBACK")));
    QVERIFY(other.query(QStringLiteral("BEGIN")));
    QVERIFY(!other.query(QStringLiteral("SELECT 1 / 0")));
    QVERIFY(other.query(QStringLiteral("ROLLBACK"))); // nothing goes before that in a failed transaction
    QVERIFY(other.query(QStringLiteral("SELECT 1")));
    QVERIFY(probe.failures.isEmpty());
}

void SqlPoolerTest::aServerIsNoPooler()
{
    for (const QUrl &url : {m_server.url(), m_server.tcpUrl()}) {
        StoreProbe probe(shedlockSpec(url, QStringLiteral("shedlock")));
        QVERIFY(probe.open());
        QVERIFY2(probe.info.warning.cause.isEmpty(), qPrintable(probe.info.warning.line()));
    }
}

LOCKKEEPER_TEST(SqlPoolerTest)

} // namespace tst_sql_pooler

#include "tst_sql_pooler.moc"
