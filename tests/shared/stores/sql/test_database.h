// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/source_spec.h"
#include "shared/stores/sql/connection/dialect.h"
#include "tests/shared/stores/sql/stock_client.h"
#include "tests/support/mariadb_server.h"

#include <map>
#include <memory>

namespace lockkeeper::tests {

/** A database that tests fill by SQL: one class, so that a test runs the same on every dialect. */
class TestDatabase
{
public:
    virtual ~TestDatabase() = default;
    virtual stores::sql::Dialect dialect() const = 0;
    /** An empty database; false with a message on standard error. */
    virtual bool reset() = 0;
    /** Runs one statement on a separate connection, from any thread. */
    virtual QList<Row> exec(const QString &sql) = 0;
    virtual stores::SourceSpec spec() const = 0;

    /**
     * The same with the dialect's words filled in. Identifiers are in backticks.
     * - `{ID}`: a generated primary key. `{LAST_ID}`: the key of the session's last insert.
     * - `{TIME}`: a column type. `{NOW}`: the clock in this type.
     * - `{AGO}`, `{AHEAD}`: an hour before and after. `{SOON}`: a second after.
     * - `{BOOL}`: a column type, with `{TRUE}` and `{FALSE}`.
     * - `{EPOCH}`: the clock in seconds.
     */
    QList<Row> run(const QString &sql) { return exec(translated(sql)); }
    QString translated(QString sql) const;
};

/** Where a stock client connects to the same database; not for SQLite. */
StockAddress stockAddress(const TestDatabase &database);

/** Options that let the store see and break sessions' locks on a MariaDB server. */
QStringList sessionOptions();

/** "mariadb", "mariadb-binlog" (with a binary log), "mariadb-sessions" (with sessionOptions()), "postgresql",
 * "sqlite", or "mysql" (null where LOCKKEEPER_TEST_MYSQL names no server). */
std::unique_ptr<TestDatabase> makeTestDatabase(const QString &kind);

/** The servers of a test's rows, each started when it is first asked for. */
class TestDatabases
{
public:
    /** The database of that kind, emptied, with what `create` makes; null where there is no such server. */
    TestDatabase *fresh(const QString &kind, const QString &create = {});
    /** The database of the current row, by its column "server". */
    TestDatabase *freshOfRow(const QString &create = {});

private:
    std::map<QString, std::unique_ptr<TestDatabase>> m_databases;
};

} // namespace lockkeeper::tests
