// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/factory.h"
#include "shared/locks/sql/create_table.h"
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/lock_answers.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_sql_create_table {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using locks::Attempt;
using locks::AttemptResult;

/** The tables that the lock library creates where they are missing. */
class SqlCreateTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void createsWhatItsClientsTake_data();
    void createsWhatItsClientsTake();
    void leavesTheOthers();

private:
    TestDatabases m_databases;
};

void SqlCreateTableTest::createsWhatItsClientsTake_data()
{
    QTest::addColumn<QString>("server");
    QTest::addColumn<LockSet>("set");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<Attempt>("first");
    LockSet own;
    own.scheme = "sql.lease";
    own.table.table = QStringLiteral("my locks");
    own.table.name = {QStringLiteral("group"), QStringLiteral("key")};
    own.table.holder = QStringLiteral("who");
    own.table.expiresAt = QStringLiteral("until");
    own.table.units = {{QStringLiteral("expires_at"), QStringLiteral("epoch_ms")}};
    LockSet counting = own; // without a row for each slot: its names have two parts
    counting.scheme = "sql.reentrant";
    counting.table.holder.clear();
    counting.table.request = QStringLiteral("who");
    counting.table.count = QStringLiteral("depth");
    for (const char *server : {"mariadb", "mysql", "postgresql", "sqlite"}) {
        const auto add = [&](const char *tag, const LockSet &set, const char *name,
                             Attempt first = Attempt::Done) {
            QTest::addRow("%s %s", server, tag)
                << QString::fromLatin1(server) << set << QByteArray(name) << first;
        };
        for (const char *scheme : {"sql.shedlock", "sql.insert", "sql.lease", "sql.reentrant"}) {
            LockSet set;
            set.scheme = scheme;
            add(scheme, set, "a");
        }
        for (const char *preset : {"lock-holder", "distribute-lock", "laravel", "symfony"}) {
            LockSet set;
            set.scheme = "sql.insert";
            set.preset = QString::fromLatin1(preset);
            add(preset, set, "a");
        }
        for (const char *preset : {"spring-integration", "spring-integration-7", "lock-version-row"}) {
            LockSet set;
            set.scheme = "sql.insert";
            set.preset = QString::fromLatin1(preset);
            add(preset, set, "a/b");
        }
        LockSet set;
        set.scheme = "sql.lease";
        set.preset = QStringLiteral("distribute-lock-lease");
        add("distribute-lock-lease", set, "a");
        add("of the configuration", own, "a/b");
        add("of the configuration, counting", counting, "a/b");
        LockSet rows;
        for (const char *scheme : {"sql.row", "sql.version"}) {
            rows.scheme = scheme; // the row of a lock is its application's
            if (*server != 's' || rows.scheme == "sql.version")
                add(scheme, rows, "a", Attempt::Held);
        }
    }
}

void SqlCreateTableTest::createsWhatItsClientsTake()
{
    QFETCH(LockSet, set);
    QFETCH(QByteArray, name);
    QFETCH(Attempt, first);
    TestDatabase *database = m_databases.freshOfRow();
    if (!database)
        QSKIP("no such server here");
    SourceSpec spec = database->spec();
    const auto client = locks::makeLockClient(spec, set, "0b1c");
    QVERIFY2(client, qPrintable(client ? QString() : client.error().line()));
    const auto statement = locks::sql::createTableStatement(set, database->dialect());
    QVERIFY2(statement, qPrintable(statement ? QString() : statement.error().line()));

    const AttemptResult missing = acquired(**client, name, 60'000'000);
    QVERIFY(missing.error);
    QVERIFY2(missing.error->remedy.contains(*statement), qPrintable(missing.error->line()));

    for (int i = 0; i < 2; ++i) { // an existing table stays
        const auto made = locks::sql::createTable(spec, set);
        QVERIFY2(made, qPrintable(made ? QString() : made.error().line()));
    }
    const AttemptResult taken = acquired(**client, name, 60'000'000);
    if (first != Attempt::Done) {
        QCOMPARE(taken.error->code, ErrorCode::NotFound);
        return;
    }
    QVERIFY2(!taken.error, qPrintable(taken.error.value_or(base::Error{}).line()));
    QCOMPARE(taken.attempt, Attempt::Done);
    QCOMPARE(acquired(**client, name, 60'000'000).attempt, Attempt::Held);
    QCOMPARE(acquired(**client, name.toUpper(), 60'000'000).attempt, Attempt::Done); // another lock
    QVERIFY(locks::sql::createTable(spec, set));
    const AttemptResult longer = renewed(**client, taken.lease, 60'000'000);
    QCOMPARE(longer.attempt, Attempt::Done);
    QCOMPARE(released(**client, longer.lease).attempt, Attempt::Done);
}

void SqlCreateTableTest::leavesTheOthers()
{
    LockSet set;
    set.scheme = "sql.advisory";
    QCOMPARE(locks::sql::createTableStatement(set, stores::sql::Dialect::MySql).error().code,
             ErrorCode::Usage);
    set.scheme = "sql.insert";
    set.preset = QStringLiteral("pg-boss");
    QCOMPARE(locks::sql::createTableStatement(set, stores::sql::Dialect::PostgreSql).error().code,
             ErrorCode::Unsupported);
    SourceSpec redis;
    redis.url = QUrl(QStringLiteral("redis://localhost"));
    QVERIFY(!locks::sql::createTable(redis, set));
}

LOCKKEEPER_TEST(SqlCreateTableTest)

} // namespace tst_sql_create_table

#include "tst_sql_create_table.moc"
