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
    /** Runs one statement on a connection of its own, from any thread. */
    virtual QList<Row> exec(const QString &sql) = 0;
    virtual stores::SourceSpec spec() const = 0;

    /**
     * The same with what differs between the dialects filled in: {ID} a generated primary key, {LAST_ID} what
     * the session's last insert got, {TIME} a column type, {BOOL} a column type with {TRUE} and {FALSE},
     * {NOW} the clock as {TIME} takes it, {AGO} an hour before, {AHEAD} an hour after, {SOON} a second after,
     * {EPOCH} the clock in seconds; identifiers in backticks.
     */
    QList<Row> run(const QString &sql) { return exec(translated(sql)); }
    QString translated(QString sql) const;
};

/** Where a stock client connects to the same database; not for SQLite. */
StockAddress stockAddress(const TestDatabase &database);

/** What a MariaDB server needs so that sessions' locks can be seen and broken. */
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
    /** That of the row that runs, by its column "server". */
    TestDatabase *freshOfRow(const QString &create = {});

private:
    std::map<QString, std::unique_ptr<TestDatabase>> m_databases;
};

} // namespace lockkeeper::tests
