// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/stores/sql/sql_stores.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/lock_answers.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_sessions_client {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using locks::Attempt;
using locks::AttemptResult;
using locks::LockClient;

/** The lock library's row and advisory locks, on every server that has them. */
class SqlSessionsClientTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesRenewsReleases_data();
    void takesRenewsReleases();
};

void SqlSessionsClientTest::takesRenewsReleases_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QByteArray>("name");
    for (const QString &server :
         {QStringLiteral("mariadb"), QStringLiteral("postgresql"), QStringLiteral("mysql")}) {
        const QByteArray tag = server.toLatin1();
        QTest::newRow((tag + " row").constData())
            << server << QByteArray("sql.row") << QByteArray("it's; --");
        QTest::newRow((tag + " advisory").constData())
            << server << QByteArray("sql.advisory") << QByteArray("it's; --");
        QTest::newRow((tag + " number").constData())
            << server << QByteArray("sql.advisory") << QByteArray("-42");
        QTest::newRow((tag + " pair").constData())
            << server << QByteArray("sql.advisory") << QByteArray("7,9");
    }
}

void SqlSessionsClientTest::takesRenewsReleases()
{
    QFETCH(QString, server);
    QFETCH(QByteArray, scheme);
    QFETCH(QByteArray, name);
    const auto database = makeTestDatabase(server);
    if (!database)
        QSKIP("LOCKKEEPER_TEST_MYSQL names no server");
    QVERIFY(database->reset());
    database->run(QStringLiteral("CREATE TABLE jobs (id INT PRIMARY KEY, name VARCHAR(64) NOT NULL UNIQUE)"));
    database->run(QStringLiteral("INSERT INTO jobs VALUES (1, 'it''s; --')"));
    LockSet set;
    set.scheme = scheme;
    set.table.table = QStringLiteral("jobs");
    const auto made = [&] { return locks::sql::makeLockClient(database->spec(), set, "me"); };
    auto mine = made();
    auto other = made();
    QVERIFY(mine && other);
    const auto take = [&](LockClient &client) { return acquired(client, name, 60'000'000); };
    const AttemptResult taken = take(**mine);
    QVERIFY2(!taken.error, qPrintable(taken.error.value_or(base::Error{}).line()));
    QCOMPARE(taken.attempt, Attempt::Done);
    const AttemptResult refused = take(**other);
    QVERIFY2(!refused.error, qPrintable(refused.error.value_or(base::Error{}).line()));
    QCOMPARE(refused.attempt, Attempt::Held);
    QCOMPARE(renewed(**mine, taken.lease, 60'000'000).attempt, Attempt::Done);
    QCOMPARE(released(**other, taken.lease).attempt, Attempt::Lost);
    QCOMPARE(take(**mine).attempt, Attempt::Held); // each lease is separate
    QCOMPARE(released(**mine, taken.lease).attempt, Attempt::Done);
    QCOMPARE(renewed(**mine, taken.lease, 60'000'000).attempt, Attempt::Lost);
    const AttemptResult next = take(**other);
    QCOMPARE(next.attempt, Attempt::Done);
    QVERIFY(next.lease.token != taken.lease.token);
    other->reset(); // ends the connection, and with it the lock
    AttemptResult chosen;
    QVERIFY(waitFor([&] {
        return chosen.attempt == Attempt::Done ||
               (chosen = acquired(**mine, name, 60'000'000, "chosen")).attempt == Attempt::Done;
    }));
    QCOMPARE(chosen.lease.token, QByteArray("chosen"));
    QCOMPARE(released(**mine, chosen.lease).attempt, Attempt::Done);
}

LOCKKEEPER_TEST(SqlSessionsClientTest)

} // namespace tst_sql_sessions_client

#include "tst_sql_sessions_client.moc"
