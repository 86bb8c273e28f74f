// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/session_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_sessions_rights {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;
using domain::ReleaseOff;
using Kind = StockClient::Kind;

/** Reports and refusals on a server without a performance schema, or for an account with few rights. */
class SqlSessionsRightsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void missingGrantsAreNamed();
    void withoutInstrumentsNothingIsKilled();
    void namedAdvisoryLocks();
    void unlistedAdvisoryLocksAreNotSeen();
    void tablesAreChecked_data();
    void tablesAreChecked();

private:
    std::unique_ptr<StockClient> client(Kind kind = Kind::MariaDbCli);

    MariaDbServer m_server; // as Debian starts it: performance_schema is off
};

std::unique_ptr<StockClient> SqlSessionsRightsTest::client(Kind kind)
{
    StockAddress to;
    to.socket = m_server.socketPath();
    return std::make_unique<StockClient>(kind, to);
}

void SqlSessionsRightsTest::initTestCase()
{
    QVERIFY(m_server.start());
    m_server.exec(
        QStringLiteral("CREATE DATABASE app;\n"
                       "CREATE TABLE app.jobs (id INT PRIMARY KEY, name VARCHAR(64) UNIQUE, n INT);\n"
                       "INSERT INTO app.jobs VALUES (1, 'orders', 1);\nCREATE USER few;\n"
                       "GRANT SELECT ON app.jobs TO few"));
}

void SqlSessionsRightsTest::missingGrantsAreNamed()
{
    SessionProbe probe(
        sessionSpec(m_server.url(QStringLiteral("app"), QStringLiteral("few")), {QStringLiteral("jobs")}));
    QVERIFY(!probe.open());
    const base::Error error = probe.failures.last();
    QCOMPARE(error.code, base::ErrorCode::PermissionDenied);
    QVERIFY2(error.remedy.contains(QLatin1String("GRANT PROCESS ON *.* TO 'few'@'%';")),
             qPrintable(error.line()));
    QVERIFY(error.remedy.contains(QLatin1String("GRANT CONNECTION ADMIN ON *.* TO 'few'@'%';")));
    QVERIFY(error.remedy.contains(QLatin1String("performance_schema=ON")));
}

void SqlSessionsRightsTest::withoutInstrumentsNothingIsKilled()
{
    const auto holder = client(Kind::PyMySql);
    const auto waiter = client();
    QVERIFY(holder->run(QStringLiteral("BEGIN")));
    QVERIFY(holder->run(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE")));
    waiter->send(QStringLiteral("SELECT n FROM jobs WHERE name = 'orders' FOR UPDATE"));
    SessionProbe probe(sessionSpec(m_server.url(QStringLiteral("app")), {QStringLiteral("jobs")}));
    QVERIFY2(probe.open(), qPrintable(probe.failures.isEmpty() ? QString() : probe.failures.last().line()));
    QByteArrayList missing;
    for (const domain::Access &access : probe.info.access) {
        if (!access.granted)
            missing.append(access.need);
    }
    QCOMPARE(missing, QByteArrayList{"instrument:sql.row"});
    const Observation lock = probe.until("name/orders", 1);
    QVERIFY(lock.present && lock.session && !lock.identity.isEmpty());
    QCOMPARE(lock.off, ReleaseOff::Instrument);
    for (const bool dryRun : {true, false})
        QCOMPARE(probe.release(probe.inspect("name/orders").guard, false, dryRun).outcome, Outcome::Refused);
    QVERIFY(!holder->isCutOff());
}

void SqlSessionsRightsTest::namedAdvisoryLocks()
{
    const auto holder = client();
    QVERIFY(holder->run(QStringLiteral("SELECT GET_LOCK('nightly', 1)")));
    SessionProbe probe(
        sessionSpec(m_server.url(QStringLiteral("app")), {}, true, {"nightly", "it''s; --", "free"}));
    QVERIFY(probe.open());
    QVERIFY2(probe.info.warning.cause.contains(QLatin1String("\"names\"")),
             qPrintable(probe.info.warning.line()));
    const auto locks = probe.scan();
    QCOMPARE(locks.keys(), QList<QByteArray>{"nightly"});
    QVERIFY(!locks.value("nightly").waitersVisible);
    QVERIFY(!probe.inspect("free").error);
    const auto unasked = probe.inspect("another");
    QVERIFY(unasked.error && unasked.error->line().contains(QLatin1String("\"names\"")));
    QCOMPARE(locks.value("nightly").off, ReleaseOff::Instrument);
    QVERIFY(holder->run(QStringLiteral("SELECT RELEASE_LOCK('nightly')")));
    QVERIFY(probe.untilGone("nightly"));
}

/** Advisory locks would never be shown; the tables beside them are still observed. */
void SqlSessionsRightsTest::unlistedAdvisoryLocksAreNotSeen()
{
    SourceSpec spec = sessionSpec(m_server.url(QStringLiteral("app")), {}, true);
    SessionProbe alone(spec);
    QVERIFY(!alone.open());
    QVERIFY2(alone.failures.last().line().contains(QLatin1String("Add \"names\" to the lock set")),
             qPrintable(alone.failures.last().line()));
    QVERIFY(alone.failures.last().remedy.contains(QLatin1String("performance_schema=ON")));
}

void SqlSessionsRightsTest::tablesAreChecked_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("part");
    QTest::newRow("misspelt") << QStringLiteral("job") << QStringLiteral("Did you mean \"jobs\"?");
    QTest::newRow("another case") << QStringLiteral("JOBS") << QStringLiteral("\"jobs\"");
    QTest::newRow("SQL") << QStringLiteral("lk`; DROP TABLE jobs; -- ") << QString();
    QTest::newRow("none") << QString() << QString();
}

void SqlSessionsRightsTest::tablesAreChecked()
{
    QFETCH(QString, table);
    QFETCH(QString, part);
    SessionProbe probe(sessionSpec(m_server.url(QStringLiteral("app")), {table}));
    QVERIFY(!probe.open());
    QVERIFY2(probe.failures.last().line().contains(part), qPrintable(probe.failures.last().line()));
    QCOMPARE(m_server.exec(QStringLiteral("SELECT COUNT(*) FROM app.jobs")).first().first(), QByteArray("1"));
}

LOCKKEEPER_TEST(SqlSessionsRightsTest)

} // namespace tst_sql_sessions_rights

#include "tst_sql_sessions_rights.moc"
