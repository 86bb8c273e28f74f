// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/release_race.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_table_races {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

/** Releases that race with clients of mapped tables; LOCKKEEPER_RACE_ROUNDS sets the number of rounds. */
class SqlTableRacesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noWrongRelease_data() { addTakeableLayouts({"mariadb", "mysql", "postgresql", "sqlite"}); }
    void noWrongRelease();
    void withoutGuardItShows_data()
    {
        addTakeableLayouts({"mariadb"});
    } // the rest is proven term by term elsewhere
    void withoutGuardItShows();

private:
    TestDatabases m_databases;
};

void SqlTableRacesTest::noWrongRelease()
{
    QFETCH(QString, server);
    QFETCH(QByteArray, preset);
    TestDatabase *database = m_databases.freshOfRow(layoutNamed(preset).create);
    if (!database)
        QSKIP("no such server here");
    const bool file = server == QLatin1String("sqlite");
    const qint64 rounds = qEnvironmentVariableIsSet("LOCKKEEPER_RACE_ROUNDS")
                              ? qEnvironmentVariableIntValue("LOCKKEEPER_RACE_ROUNDS")
                              : (file ? 20 : 200);
    // A hit is luck if a renewal moves the very time that the guard names: a race may have no hit.
    const bool lucky = file || layoutNamed(preset).scheme == "sql.lease";
    qint64 released = 0;
    for (quint32 seed = 1; seed <= 5 && (seed == 1 || (released == 0 && !lucky)); ++seed) {
        const RaceResult result =
            ReleaseRace(layoutSpec(*database, layoutNamed(preset)), file ? 1 : 4, seed).run(rounds);
        int errors = 0;
        for (const base::Error &error : result.errors) {
            // Readers of a file wait for its writers, up to a limit.
            if (error.code == base::ErrorCode::Busy)
                continue;
            ++errors;
            qWarning().noquote() << error.line();
        }
        QCOMPARE(errors, 0);
        QCOMPARE(result.wrong, 0);
        released += result.released;
    }
    if (!lucky)
        QVERIFY2(released > 0, "the races never released anything");
}

void SqlTableRacesTest::withoutGuardItShows()
{
    QFETCH(QByteArray, preset);
    TestDatabase *database = m_databases.freshOfRow(layoutNamed(preset).create);
    const QSet<QByteArray> all{"id",         "holder",     "request", "acquired_at",
                               "renewed_at", "expires_at", "timeout", "count"};
    qint64 wrong = 0;
    for (int tries = 0; wrong == 0 && tries < 10; ++tries)
        wrong =
            ReleaseRace(layoutSpec(*database, layoutNamed(preset)), 4, 1 + tries, {{all, {}}}).run(100).wrong;
    QVERIFY(wrong > 0);
}

LOCKKEEPER_TEST(SqlTableRacesTest)

} // namespace tst_sql_table_races

#include "tst_sql_table_races.moc"
