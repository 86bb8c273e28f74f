// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// 100 sessions that wait for one row of a real MariaDB: what the agent's own work adds to the bare queries of
// a reading, in the same run. The scan of sql.row is timed as a whole; the bare queries are the statements
// that it sends, by the same driver, with every value taken. Goal: at most 5 ms of the agent's own a reading,
// laying out the chains included. usage: bench_waiters [WAITERS]
#include "shared/stores/sql/sessions/session_board.h"
#include "tests/support/mariadb_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QThread>

#include <algorithm>
#include <cstdio>

using namespace lockkeeper;
using namespace lockkeeper::stores;

namespace {
constexpr double kGoalMs = 5;
constexpr int kRounds = 20;

/** Holds or waits for the row, on a separate connection and in a separate thread. */
QThread *session(const tests::MariaDbServer &server, const QString &name, const QString &sql)
{
    QThread *thread = QThread::create([socket = server.socketPath(), name, sql] {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), name);
            database.setUserName(QStringLiteral("root"));
            database.setDatabaseName(QStringLiteral("app"));
            database.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + socket);
            QSqlQuery query(database.open() ? database : QSqlDatabase());
            query.exec(QStringLiteral("BEGIN"));
            query.exec(sql);
        }
        QSqlDatabase::removeDatabase(name);
    });
    thread->start();
    return thread;
}

/** Milliseconds for the statements of one reading, every value taken; negative where one failed. */
double bareReading(sql::SqlConnection &connection, bool instruments)
{
    QStringList statements{
        QStringLiteral("SELECT UNIX_TIMESTAMP(NOW(6))"),
        QStringLiteral("START TRANSACTION WITH CONSISTENT SNAPSHOT"),
        QStringLiteral("SELECT trx_id, trx_mysql_thread_id, trx_started, trx_wait_started, "
                       "trx_rows_locked, trx_requested_lock_id, trx_query FROM "
                       "information_schema.INNODB_TRX"),
        QStringLiteral("SELECT lock_trx_id, lock_id, lock_mode, lock_type, lock_table, "
                       "lock_index, lock_data, lock_page, lock_rec FROM "
                       "information_schema.INNODB_LOCKS"),
        QStringLiteral("COMMIT"),
        QStringLiteral("SELECT UNIX_TIMESTAMP(NOW(6))"),
        QStringLiteral("SELECT ID, USER, HOST, COMMAND, LEFT(INFO, 1025), TIME_MS FROM "
                       "information_schema.PROCESSLIST WHERE ID > 0")};
    if (instruments)
        statements << QStringLiteral(
            "SELECT t.PROCESSLIST_ID, t.THREAD_ID, e.EVENT_ID, e.TIMER_START, e.XA_STATE, e.TIMER_WAIT, "
            "LEFT(s.SQL_TEXT, 1025), s.TIMER_WAIT FROM performance_schema.threads t "
            "LEFT JOIN performance_schema.events_transactions_current e ON e.THREAD_ID = t.THREAD_ID "
            "AND e.STATE = 'ACTIVE' LEFT JOIN performance_schema.events_statements_current s "
            "ON s.THREAD_ID = t.THREAD_ID AND s.NESTING_EVENT_LEVEL = 0 WHERE t.PROCESSLIST_ID > 0");
    QElapsedTimer timer;
    timer.start();
    qint64 sum = 0;
    for (const QString &statement : std::as_const(statements)) {
        auto rows = connection.query(statement);
        if (!rows) {
            std::fprintf(stderr, "%s\n", qPrintable(rows.error().line()));
            return -1;
        }
        for (const int columns = rows->record().count(); rows->next();) {
            for (int i = 0; i < columns; ++i)
                sum += rows->value(i).toByteArray().size();
        }
    }
    return sum > 0 ? double(timer.nsecsElapsed()) / 1e6 : -1;
}

struct Times
{
    double bareMs = 1e9;
    double readMs = 1e9;
    double layoutMs = 1e9;
};

bool measure(const SourceSpec &spec, int waiters, Times &best)
{
    sql::SqlConnection connection;
    if (!connection.open(spec))
        return false;
    const auto facts = sql::readServerFacts(connection);
    auto board = facts ? sql::SessionBoard::open(connection, spec, *facts) : tl::unexpected(facts.error());
    if (!board)
        return false;
    for (int round = 0; round < kRounds; ++round) {
        QThread::msleep(150); // the server's cache is refilled for each reading, as for an agent
        const double bare = bareReading(connection, true);
        QThread::msleep(150);
        QElapsedTimer timer;
        timer.start();
        if (bare < 0 || !(*board)->read())
            return false;
        const double read = double(timer.nsecsElapsed()) / 1e6;
        timer.start();
        const auto locks =
            sql::observationsOf((*board)->picture(), {0, false, "app.jobs/", "*"}, (*board)->memory());
        const domain::WaitGraph graph = sql::graphOf((*board)->picture(), spec.name);
        const domain::Chains chains = domain::chainsOf(graph);
        const double layout = double(timer.nsecsElapsed()) / 1e6;
        if (locks.size() != 1 || locks.first().waiters.size() != waiters || graph.edges.size() != waiters ||
            chains.nodes.first().blocksAll != waiters) {
            std::fprintf(stderr, "%lld locks, %lld edges instead of %d\n", qint64(locks.size()),
                         qint64(graph.edges.size()), waiters);
            return false;
        }
        best = {std::min(best.bareMs, bare), std::min(best.readMs, read), std::min(best.layoutMs, layout)};
    }
    return true;
}
} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const int waiters = argc > 1 ? QByteArray(argv[1]).toInt() : 100;
    tests::MariaDbServer server(
        {QStringLiteral("--performance-schema=ON"),
         QStringLiteral("--performance-schema-instrument=transaction=ON"),
         QStringLiteral("--performance-schema-consumer-events-transactions-current=ON"),
         QStringLiteral("--performance-schema-consumer-events-statements-current=ON"),
         QStringLiteral("--innodb-lock-wait-timeout=600"), QStringLiteral("--max-connections=2000")});
    if (waiters <= 0 || !server.start())
        return 1;
    server.exec(QStringLiteral("CREATE DATABASE app;\nCREATE TABLE app.jobs (id INT PRIMARY KEY, n INT);\n"
                               "INSERT INTO app.jobs VALUES (1, 1);\nUSE app;\nBEGIN;\n"
                               "SELECT n FROM jobs WHERE id = 1 FOR UPDATE"));
    QList<QThread *> threads;
    for (int i = 0; i < waiters; ++i)
        threads.append(session(server, QStringLiteral("waiter %1").arg(i),
                               QStringLiteral("SELECT n FROM jobs WHERE id = 1 FOR UPDATE")));
    const QString count =
        QStringLiteral("SELECT COUNT(*) FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'");
    while (server.exec(count).first().first().toInt() < waiters)
        QThread::msleep(150);
    SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = server.url(QStringLiteral("app"));
    LockSet set;
    set.scheme = "sql.row";
    set.table.table = QStringLiteral("jobs");
    spec.locks = {set};
    Times best;
    const bool done = measure(spec, waiters, best);
    server.exec(QStringLiteral("COMMIT"));
    for (QThread *thread : std::as_const(threads)) {
        thread->wait();
        delete thread;
    }
    if (!done)
        return 1;
    const double own = std::max(best.readMs - best.bareMs, 0.0) + best.layoutMs;
    std::printf("%d waiters: reading %.2f ms, bare queries %.2f ms, locks, graph and chains %.2f ms: "
                "%.2f ms of the agent's own (goal: at most %.0f ms)\n",
                waiters, best.readMs, best.bareMs, best.layoutMs, own, kGoalMs);
    std::printf(
        "{\"bench\":\"sql.waiters\",\"n\":%d,\"value\":%.3f,\"unit\":\"ms\",\"floor\":%.3f,\"goal\":%.1f}\n",
        waiters, own, best.bareMs, kGoalMs);
    return 0;
}
