// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/release_race.h"

#include <QTest>

#include <map>

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

/** Releases that race with clients of mapped tables; LOCKKEEPER_RACE_ROUNDS sets how often. */
class SqlTableRacesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noWrongRelease_data() { takeable({"mariadb", "mysql", "postgresql", "sqlite"}); }
    void noWrongRelease();
    void withoutGuardItShows_data() { takeable({"mariadb"}); } // the rest is proven term by term elsewhere
    void withoutGuardItShows();

private:
    static void takeable(std::initializer_list<const char *> servers);
    TestDatabase *fresh(const QString &create);

    std::map<QString, std::unique_ptr<TestDatabase>> m_databases;
};

void SqlTableRacesTest::takeable(std::initializer_list<const char *> servers)
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<QByteArray>("preset");
    for (const char *server : servers) {
        for (const char *preset :
             {"lock-holder", "lock-timeout", "laravel", "lock-lease", "distribute-lock-lease", "t-tag-lock"})
            QTest::addRow("%s %s", server, preset) << QString::fromLatin1(server) << QByteArray(preset);
    }
}

TestDatabase *SqlTableRacesTest::fresh(const QString &create)
{
    const QString server = *static_cast<QString *>(QTest::qData("server", qMetaTypeId<QString>()));
    auto &database = m_databases[server];
    if (!database)
        database = makeTestDatabase(server);
    if (!database || !database->reset())
        return nullptr;
    database->run(create);
    return database.get();
}

void SqlTableRacesTest::noWrongRelease()
{
    QFETCH(QString, server);
    QFETCH(QByteArray, preset);
    TestDatabase *database = fresh(layoutNamed(preset).create);
    if (!database)
        QSKIP("no such server here");
    const bool file = server == QLatin1String("sqlite");
    const qint64 rounds = qEnvironmentVariableIsSet("LOCKKEEPER_RACE_ROUNDS")
                              ? qEnvironmentVariableIntValue("LOCKKEEPER_RACE_ROUNDS")
                              : (file ? 20 : 200);
    ReleaseRace race(layoutSpec(*database, layoutNamed(preset)), file ? 1 : 4, 1);
    const RaceResult result = race.run(rounds);
    int errors = 0;
    for (const base::Error &error : result.errors) {
        errors +=
            error.code != base::ErrorCode::Busy; // readers of a file wait for its writers, up to a limit
        if (error.code != base::ErrorCode::Busy)
            qWarning().noquote() << error.line();
    }
    QCOMPARE(errors, 0);
    QCOMPARE(result.wrong, 0);
    // Where a renewal moves the very time that the guard names, a hit is luck.
    const bool moving = layoutNamed(preset).scheme == "sql.lease";
    QVERIFY2(result.released > 0 || file || moving, "the race never released anything");
}

void SqlTableRacesTest::withoutGuardItShows()
{
    QFETCH(QByteArray, preset);
    TestDatabase *database = fresh(layoutNamed(preset).create);
    const QSet<QByteArray> all{"id",         "holder",     "request", "acquired_at",
                               "renewed_at", "expires_at", "timeout", "count"};
    qint64 wrong = 0;
    for (int tries = 0; wrong == 0 && tries < 10; ++tries)
        wrong =
            ReleaseRace(layoutSpec(*database, layoutNamed(preset)), 4, 1 + tries, {all, {}}).run(100).wrong;
    QVERIFY(wrong > 0);
}

QTEST_GUILESS_MAIN(SqlTableRacesTest)
#include "tst_sql_table_races.moc"
