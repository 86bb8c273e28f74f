// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/journal/raw_sqlite.h"

#include <QByteArray>
#include <QList>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <sqlite3.h>
#include <vector>

namespace lockkeeper::bench {

namespace {

struct Closer
{
    void operator()(sqlite3 *db) const { sqlite3_close(db); }
    void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Closer>;
using Prepared = std::unique_ptr<sqlite3_stmt, Closer>;

struct Cell
{
    int type = SQLITE_NULL;
    sqlite3_int64 number = 0;
    QByteArray bytes;
};
using Row = std::vector<Cell>;

bool run(sqlite3 *db, const char *sql)
{
    char *message = nullptr;
    if (sqlite3_exec(db, sql, nullptr, nullptr, &message) == SQLITE_OK)
        return true;
    std::fprintf(stderr, "%s: %s\n", sql, message);
    sqlite3_free(message);
    return false;
}

Database open(const QString &path)
{
    sqlite3 *db = nullptr;
    sqlite3_open(path.toUtf8().constData(), &db);
    return Database(db);
}

Prepared prepare(sqlite3 *db, const QByteArray &sql)
{
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v2(db, sql.constData(), -1, &statement, nullptr) != SQLITE_OK)
        std::fprintf(stderr, "%s: %s\n", sql.constData(), sqlite3_errmsg(db));
    return Prepared(statement);
}

std::vector<Row> readAll(sqlite3 *db, const QByteArray &sql)
{
    std::vector<Row> rows;
    const Prepared statement = prepare(db, sql);
    while (statement && sqlite3_step(statement.get()) == SQLITE_ROW) {
        Row row(size_t(sqlite3_column_count(statement.get())));
        for (int i = 0; i < int(row.size()); ++i) {
            Cell &cell = row[size_t(i)];
            cell.type = sqlite3_column_type(statement.get(), i);
            if (cell.type == SQLITE_INTEGER)
                cell.number = sqlite3_column_int64(statement.get(), i);
            else if (cell.type == SQLITE_BLOB)
                cell.bytes = QByteArray(static_cast<const char *>(sqlite3_column_blob(statement.get(), i)),
                                        sqlite3_column_bytes(statement.get(), i));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

bool write(sqlite3_stmt *statement, const Row &row)
{
    for (int i = 0; i < int(row.size()); ++i) {
        const Cell &cell = row[size_t(i)];
        if (cell.type == SQLITE_INTEGER)
            sqlite3_bind_int64(statement, i + 1, cell.number);
        else if (cell.type == SQLITE_BLOB)
            sqlite3_bind_blob(statement, i + 1, cell.bytes.constData(), int(cell.bytes.size()),
                              SQLITE_STATIC);
        else
            sqlite3_bind_null(statement, i + 1);
    }
    const bool done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    return done;
}

Prepared inserter(sqlite3 *db, const QByteArray &table, const std::vector<Row> &rows)
{
    QByteArray marks("?");
    for (size_t i = 1; !rows.empty() && i < rows.front().size(); ++i)
        marks += ",?";
    return prepare(db, "INSERT INTO " + table + " VALUES(" + marks + ")");
}

bool makeLike(sqlite3 *source, sqlite3 *target)
{
    for (const char *pragma :
         {"PRAGMA auto_vacuum=INCREMENTAL", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL",
          "PRAGMA cache_size=-32768", "PRAGMA wal_autocheckpoint=4000"}) {
        if (!run(target, pragma))
            return false;
    }
    const Prepared schema =
        prepare(source, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'");
    while (schema && sqlite3_step(schema.get()) == SQLITE_ROW) {
        if (!run(target, reinterpret_cast<const char *>(sqlite3_column_text(schema.get(), 0))))
            return false;
    }
    return true;
}

} // namespace

Took writeRaw(const QString &source, const QString &target, int batch)
{
    const Database from = open(source);
    const Database to = open(target);
    if (!makeLike(from.get(), to.get()))
        return {};
    const std::vector<Row> events = readAll(from.get(), "SELECT * FROM events ORDER BY seq");
    const std::vector<Row> holds = readAll(from.get(), "SELECT * FROM holds ORDER BY hold_id");
    const std::vector<Row> locks = readAll(from.get(), "SELECT * FROM locks ORDER BY lock_id");
    const Prepared eventInsert = inserter(to.get(), "events", events);
    const Prepared holdInsert = inserter(to.get(), "holds", holds);
    const Prepared lockInsert = inserter(to.get(), "locks", locks);
    const Prepared close = prepare(
        to.get(), "UPDATE holds SET to_us=?,to_window_us=0,end=1,close_check=?,state=NULL WHERE hold_id=?");
    const std::clock_t cpu = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    bool well = run(to.get(), "BEGIN");
    for (const Row &row : locks)
        well = well && write(lockInsert.get(), row);
    well = well && run(to.get(), "COMMIT");
    size_t hold = 0;
    for (size_t i = 0; well && i < events.size(); ++i) {
        if (i % size_t(batch) == 0)
            well = run(to.get(), "BEGIN");
        well = well && write(eventInsert.get(), events[i]);
        // Column 3 is the kind: 0 acquired opens a hold, 2 released closes it, as in the journal.
        if (events[i][3].number == 0 && hold < holds.size()) {
            Row open = holds[hold];
            open[12] = {};
            open[15] = {};
            open[16] = events[i][13];
            well = well && write(holdInsert.get(), open);
        } else if (events[i][3].number == 2 && hold < holds.size()) {
            well = well && write(close.get(), {events[i][5], holds[hold][15], holds[hold][0]});
            ++hold;
        }
        if (i % size_t(batch) == size_t(batch) - 1 || i + 1 == events.size())
            well = well && run(to.get(), "COMMIT");
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (!well)
        std::fprintf(stderr, "raw: %s\n", sqlite3_errmsg(to.get()));
    return {well ? took.count() : -1, double(std::clock() - cpu) / CLOCKS_PER_SEC};
}

} // namespace lockkeeper::bench
