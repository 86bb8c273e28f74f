// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A whole pass over a table of ShedLock rows against a bare QMYSQL prepared select of the same columns as
// integers and bytes, three times each in turn; the best of each counts. usage: bench_sql_pass [ROWS]
#include "shared/stores/sql/sql_stores.h"
#include "tests/support/mariadb_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>

#include <algorithm>
#include <cstdio>

using namespace lockkeeper;
using namespace lockkeeper::stores;

namespace {
constexpr double kGoal = 1.4;

bool fillTable(tests::MariaDbServer &server, qint64 rows)
{
    server.exec(QStringLiteral("CREATE DATABASE app"));
    server.exec(
        QStringLiteral(
            "CREATE TABLE shedlock (name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL, "
            "locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL)"),
        QStringLiteral("app"));
    server.exec(
        QStringLiteral("INSERT INTO shedlock SELECT CONCAT('job-', LPAD(seq, 8, '0')), "
                       "UTC_TIMESTAMP(3) + INTERVAL seq SECOND, UTC_TIMESTAMP(3) - INTERVAL seq MICROSECOND, "
                       "CONCAT('billing-', seq % 100, ':', MD5(seq)) FROM seq_1_to_%1")
            .arg(rows));
    return server.exec(QStringLiteral("SELECT COUNT(*) FROM shedlock")).first().first().toLongLong() == rows;
}

/** Seconds for the bare select, or a negative number. */
double bareSelect(const tests::MariaDbServer &server, qint64 rows)
{
    QElapsedTimer timer;
    qint64 read = 0;
    qint64 sum = 0;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), QStringLiteral("bare"));
        database.setUserName(QStringLiteral("root"));
        database.setDatabaseName(QStringLiteral("app"));
        database.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + server.socketPath());
        if (!database.open())
            return -1;
        timer.start();
        QSqlQuery query(database);
        query.setForwardOnly(true);
        query.prepare(QStringLiteral(
            "SELECT CAST(name AS BINARY), CAST(UNIX_TIMESTAMP(lock_until) * 1000000 AS SIGNED), "
            "CAST(UNIX_TIMESTAMP(locked_at) * 1000000 AS SIGNED), CAST(locked_by AS BINARY) "
            "FROM shedlock"));
        if (!query.exec())
            return -1;
        for (; query.next(); ++read)
            sum += query.value(0).toByteArray().size() + query.value(1).toLongLong() +
                   query.value(2).toLongLong() + query.value(3).toByteArray().size();
    }
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    QSqlDatabase::removeDatabase(QStringLiteral("bare"));
    return read == rows && sum != 0 ? seconds : -1;
}

/** Seconds for a whole pass of the store, or a negative number. */
double storePass(const SourceSpec &spec, qint64 rows)
{
    auto made = sql::makeStore(spec);
    if (!made)
        return -1;
    Store &store = **made;
    QEventLoop loop;
    QElapsedTimer timer;
    double seconds = -1;
    qint64 seen = 0;
    QObject::connect(&store, &Store::opened, &loop, [&] {
        timer.start();
        store.pass(1);
    });
    QObject::connect(&store, &Store::failed, &loop, &QEventLoop::quit);
    QObject::connect(&store, &Store::pageRead, &loop, [&](const Page &page) { seen += page.locks.size(); });
    QObject::connect(&store, &Store::passEnded, &loop, [&](const PassEnd &end) {
        if (end.complete && seen == rows)
            seconds = double(timer.nsecsElapsed()) / 1e9;
        loop.quit();
    });
    store.open();
    loop.exec();
    return seconds;
}
} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const qint64 rows = argc > 1 ? QByteArray(argv[1]).toLongLong() : 1'000'000;
    tests::MariaDbServer server(
        {QStringLiteral("--innodb-buffer-pool-size=512M"), QStringLiteral("--innodb-log-file-size=256M")});
    if (rows <= 0 || !server.start() || !fillTable(server, rows))
        return 1;
    SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = server.url(QStringLiteral("app"));
    spec.statementTimeoutMs = 60'000;
    LockSet set;
    set.scheme = "sql.shedlock";
    spec.locks = {set};
    double floor = 1e9;
    double pass = 1e9;
    for (int i = 0; i < 3; ++i) {
        const double bare = bareSelect(server, rows);
        const double mine = storePass(spec, rows);
        if (bare < 0 || mine < 0)
            return 1;
        std::printf("round %d: bare select %.3f s, pass %.3f s\n", i + 1, bare, mine);
        floor = std::min(floor, bare);
        pass = std::min(pass, mine);
    }
    std::printf("%lld rows: pass %.3f s, bare select %.3f s, ratio %.2f (goal: at most %.1f)\n", rows, pass,
                floor, pass / floor, kGoal);
    std::printf(
        "{\"bench\":\"sql.pass\",\"n\":%lld,\"value\":%.0f,\"unit\":\"rows/s\",\"floor\":%.0f,\"ratio\":%.3f,"
        "\"goal\":%.1f}\n",
        rows, double(rows) / pass, double(rows) / floor, pass / floor, kGoal);
    return 0;
}
