// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/mariadb_server.h"
#include "tests/support/reaper_race.h"
#include "tests/support/test_program.h"

#include <QLoggingCategory>
#include <QTest>

namespace tst_reaper_race {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Rows that come back to life in the moment of reaping are never touched, on a real server. */
class TestReaperRace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aLivingLockIsNeverTouched();
    void withoutFreshnessTheRaceFindsIt();

private:
    ReaperRaceResult race(const ReaperRacePlan &plan);

    MariaDbServer m_mariadb;
};

void TestReaperRace::initTestCase()
{
    QLoggingCategory::setFilterRules(QStringLiteral("lockkeeper.commands*.info=false"));
    QVERIFY(m_mariadb.start());
    m_mariadb.exec(QStringLiteral("CREATE DATABASE app"));
}

ReaperRaceResult TestReaperRace::race(const ReaperRacePlan &plan)
{
    m_mariadb.exec(
        QStringLiteral("DROP TABLE IF EXISTS race;\n"
                       "CREATE TABLE race (name VARCHAR(64) PRIMARY KEY, holder VARCHAR(64) NOT NULL, "
                       "created_at DATETIME(6) NOT NULL, expires_at DATETIME(6) NOT NULL)"),
        QStringLiteral("app"));
    return runSqlReaperRace(m_mariadb.socketPath(), QStringLiteral("app"), plan);
}

void TestReaperRace::aLivingLockIsNeverTouched()
{
    ReaperRacePlan plan;
    const int wanted = qEnvironmentVariableIntValue("LOCKKEEPER_RACE_ROUNDS");
    plan.rounds = wanted > 0 ? wanted : 1'500;
    const ReaperRaceResult result = race(plan);
    qInfo("%s", qPrintable(raceText(result)));
    QCOMPARE(result.rounds, plan.rounds);
    QCOMPARE(result.clients.wrong, 0);
    QCOMPARE(result.other, 0);
    // It was a race: some locks were released, some were renewed in time, and some only just.
    QVERIFY(result.released > plan.rounds / 4);
    QVERIFY(result.left > plan.rounds / 200);
    QVERIFY(result.clients.renewed > plan.rounds / 50 && result.clients.takenOver > plan.rounds / 50);
    QVERIFY(result.clients.reaped >= result.released);
}

void TestReaperRace::withoutFreshnessTheRaceFindsIt()
{
    ReaperRacePlan plan;
    plan.rounds = 400; // one in a hundred is wrong
    plan.dropFreshness = true;
    qint64 wrong = 0;
    for (int races = 0; races < 10 && wrong == 0; ++races) {
        const ReaperRaceResult result = race(plan);
        qInfo("%s", qPrintable(raceText(result)));
        wrong = result.clients.wrong;
    }
    QVERIFY(wrong > 0);
}

LOCKKEEPER_TEST(TestReaperRace)

} // namespace tst_reaper_race

#include "tst_reaper_race.moc"
