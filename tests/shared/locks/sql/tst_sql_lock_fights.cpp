// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/factory.h"
#include "shared/locks/sql/create_table.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/foreign_client.h"
#include "tests/support/lock_answers.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/postgres_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_lock_fights {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using locks::Attempt;
using locks::AttemptResult;
using locks::LockClient;

/** A foreign client and ours want the same lock, again and again. */
class SqlLockFightsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void excludeEachOther_data();
    void excludeEachOther();

private:
    MariaDbServer m_mariaDb{{QStringLiteral("--default-time-zone=+00:00")}, true};
    PostgresServer m_postgres;
};

void SqlLockFightsTest::initTestCase()
{
    QVERIFY(m_mariaDb.start());
    QVERIFY(m_postgres.start());
    m_mariaDb.exec(QStringLiteral("CREATE DATABASE app"));
}

void SqlLockFightsTest::excludeEachOther_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("language");
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QByteArray>("name"); ///< our name for their lock "fight"
    QTest::addColumn<int>("rounds");
    const QByteArray own("session-locks");
    QTest::newRow("ShedLock JDBC") << QByteArray("shedlock-jdbc") << QByteArray("lock") << QByteArray("java")
                                   << QByteArray("sql.shedlock") << QString() << QByteArray("fight") << 150;
    QTest::newRow("Spring Integration")
        << QByteArray("spring-jdbc") << QByteArray("lock") << QByteArray("java") << QByteArray("sql.insert")
        << QStringLiteral("spring-integration") << QByteArray("9e6417eb-ffec-3f07-9eae-eb2ed0ca654b/DEFAULT")
        << 100;
    QTest::newRow("PyMySQL GET_LOCK")
        << own << QByteArray("get_lock") << QByteArray("python") << QByteArray("sql.advisory") << QString()
        << QByteArray("fight") << 200;
    QTest::newRow("PyMySQL FOR UPDATE") << own << QByteArray("for_update") << QByteArray("python")
                                        << QByteArray("sql.row") << QString() << QByteArray("fight") << 200;
    QTest::newRow("psycopg2 advisory")
        << own << QByteArray("advisory") << QByteArray("python") << QByteArray("sql.advisory") << QString()
        << QByteArray("fight") << 200;
}

void SqlLockFightsTest::excludeEachOther()
{
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, language);
    QFETCH(QByteArray, scheme);
    QFETCH(QString, preset);
    QFETCH(QByteArray, name);
    QFETCH(int, rounds);
    SourceSpec spec;
    spec.name = QStringLiteral("db");
    spec.url = kind == "advisory" ? m_postgres.url() : m_mariaDb.url(QStringLiteral("app"));
    LockSet set;
    set.scheme = scheme;
    set.preset = preset;
    if (scheme != "sql.advisory")
        QVERIFY(locks::sql::createTable(spec, set)); // theirs live in the table that ours makes
    if (scheme == "sql.row") {
        m_mariaDb.exec(QStringLiteral("CREATE OR REPLACE TABLE `lock` (id INT AUTO_INCREMENT PRIMARY KEY, "
                                      "lock_key VARCHAR(64) NOT NULL UNIQUE)"),
                       QStringLiteral("app"));
        m_mariaDb.exec(QStringLiteral("INSERT INTO `lock` (lock_key) VALUES ('fight')"),
                       QStringLiteral("app"));
    }
    ForeignClient foreign;
    foreign.program = program;
    foreign.kind = kind;
    foreign.language = language;
    ForeignProgram theirs(foreign);
    theirs.start({{QStringLiteral("MARIADB_PORT"), QString::number(m_mariaDb.port())},
                  {QStringLiteral("POSTGRES_PORT"), QString::number(m_postgres.port())}});
    if (!theirs.isReady())
        QSKIP(qPrintable(theirs.why));
    const auto ours = *locks::makeLockClient(spec, set, "me");
    const QByteArray take = kind + " acquire fight 60000";
    const QByteArray give = kind + " release";
    const auto ask = [&] { return acquired(*ours, name, 60'000'000); };
    int handOvers = 0;
    int oursFirst = 0;
    for (int round = 0; round < rounds; ++round) {
        // Both ask at once: at most one of them may acquire the lock.
        theirs.tell(take);
        const AttemptResult mine = ask();
        const QByteArray told = theirs.answer();
        // A deadlock of two writes has let one of them pass.
        if (mine.error)
            QVERIFY2(mine.error->code == base::ErrorCode::Busy, qPrintable(mine.error->line()));
        const bool theirTurn = told.startsWith("acquired");
        if (!theirTurn)
            QCOMPARE(told, QByteArray("held"));
        const bool ourTurn = !mine.error && mine.attempt == Attempt::Done;
        QVERIFY2(!(ourTurn && theirTurn), "both have it");
        if (ourTurn) {
            ++oursFirst;
            ++handOvers;
            QCOMPARE(released(*ours, mine.lease).attempt, Attempt::Done);
        }
        if (told == "held") { // it is free now
            QVERIFY(theirs.ask(take).startsWith("acquired"));
            ++handOvers;
        }
        // We get their lock as soon as they release it, and not before.
        QCOMPARE(ask().attempt, Attempt::Held);
        theirs.tell(give);
        AttemptResult next;
        QVERIFY(QTest::qWaitFor([&] { return (next = ask()).attempt == Attempt::Done; }, 20'000));
        QCOMPARE(theirs.answer(), QByteArray("released"));
        ++handOvers;
        if (round % 10 == 0)
            QCOMPARE(theirs.ask(take), QByteArray("held"));
        QCOMPARE(released(*ours, next.lease).attempt, Attempt::Done);
    }
    qInfo("%d hand-overs, ours was the faster one %d times of %d", handOvers, oursFirst, rounds);
    QVERIFY(handOvers > rounds); // on a busy machine theirs is often the faster one
}

LOCKKEEPER_TEST(SqlLockFightsTest)

} // namespace tst_sql_lock_fights

#include "tst_sql_lock_fights.moc"
