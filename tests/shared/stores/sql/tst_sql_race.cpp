// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/release_race.h"
#include "tests/shared/stores/sql/store_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_race {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Releases race with clients at full speed; LOCKKEEPER_RACE_ROUNDS sets the number of rounds. */
class SqlRaceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void noWrongRelease_data();
    void noWrongRelease();
    void reusedNames_data();
    void reusedNames();
    void withoutGuardItShows();

private:
    static qint64 rounds()
    {
        return qEnvironmentVariableIsSet("LOCKKEEPER_RACE_ROUNDS")
                   ? qEnvironmentVariableIntValue("LOCKKEEPER_RACE_ROUNDS")
                   : 1'000;
    }

    stores::SourceSpec fresh(int precision);

    MariaDbServer m_server;
};

void SqlRaceTest::initTestCase()
{
    QVERIFY(m_server.start());
}

stores::SourceSpec SqlRaceTest::fresh(int precision)
{
    m_server.exec(QStringLiteral("CREATE OR REPLACE DATABASE app"));
    m_server.exec(shedlockTable(QStringLiteral("shedlock"), precision), QStringLiteral("app"));
    return shedlockSpec(m_server.url(QStringLiteral("app")));
}

void SqlRaceTest::noWrongRelease_data()
{
    QTest::addColumn<int>("precision");
    QTest::newRow("microseconds") << 6;
    QTest::newRow("milliseconds") << 3;
    QTest::newRow("seconds") << 0;
}

void SqlRaceTest::noWrongRelease()
{
    QFETCH(int, precision);
    ReleaseRace race(fresh(precision), 4, quint32(precision) + 1);
    const RaceResult result = race.run(rounds());
    for (const base::Error &error : result.errors)
        qWarning().noquote() << error.line();
    QVERIFY(result.errors.isEmpty());
    QCOMPARE(result.rounds, rounds());
    QCOMPARE(result.wrong, 0);
    QVERIFY2(result.released > rounds() / 100, "the race never released anything");
    QVERIFY(result.renewals > 0);
}

void SqlRaceTest::reusedNames_data()
{
    QTest::addColumn<int>("precision");
    QTest::addColumn<QByteArrayList>("without");
    QTest::newRow("microseconds") << 6 << QByteArrayList();
    QTest::newRow("milliseconds") << 3 << QByteArrayList();
    QTest::newRow("without its times") << 3 << QByteArrayList{"acquired_at", "expires_at"};
}

/** Every acquisition of a client has the same holder. */
void SqlRaceTest::reusedNames()
{
    QFETCH(int, precision);
    QFETCH(QByteArrayList, without);
    RaceWays ways;
    ways.reuses = true;
    ways.seams.withoutTerms = {without.cbegin(), without.cend()};
    // On a busy machine a race may go right by chance, so one race of ten suffices to show the missing terms.
    const int races = without.isEmpty() ? 1 : 10;
    qint64 wrong = 0;
    for (int i = 0; i < races && wrong == 0; ++i) {
        const RaceResult result =
            ReleaseRace(fresh(precision), 4, quint32(precision) + 1 + quint32(i), ways).run(rounds());
        for (const base::Error &error : result.errors)
            qWarning().noquote() << error.line();
        QVERIFY(result.errors.isEmpty());
        QVERIFY(result.released > 0 && result.renewals > 0);
        wrong += result.wrong;
    }
    QCOMPARE(wrong > 0, !without.isEmpty());
}

void SqlRaceTest::withoutGuardItShows()
{
    // The proof that this test sees a wrong release: the writes name neither holder nor times.
    ReleaseRace race(fresh(6), 4, 1, {{{"holder", "acquired_at", "expires_at"}, {}}});
    QVERIFY(race.run(4'000).wrong > 0);
}

LOCKKEEPER_TEST(SqlRaceTest)

} // namespace tst_sql_race

#include "tst_sql_race.moc"
