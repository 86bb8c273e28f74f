// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A whole scan over a table of locks against a bare QMYSQL prepared select of the same columns as integers
// and bytes, in the order in which the rows lie, some rounds of each in turn; the best of each counts, by the
// clock and by the processor time of both this process and the server, which other work on the machine
// changes less. usage: bench_sql_pass [ROWS [LAYOUT [ROUNDS]]], LAYOUT being "shedlock" or one of the presets
// that kTables has. "shedlock" ends with a scan over what is held, by an index on the deadlines, of which all
// but a thousand are past.
#include "shared/stores/sql/catalogue/preset.h"
#include "shared/stores/sql/sql_stores.h"
#include "tests/support/mariadb_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSqlDatabase>
#include <QSqlField>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QVariant>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace lockkeeper;
using namespace lockkeeper::stores;

namespace {
constexpr double kGoal = 1.4;

struct BenchTable
{
    const char *layout;
    const char *table;
    const char *columns;
    const char *row; ///< of `seq`
    const char *bare;
};

constexpr std::array<BenchTable, 7> kTables{{
    {"shedlock", "shedlock",
     "name VARCHAR(64) NOT NULL PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL, "
     "locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL",
     "CONCAT('job-', LPAD(seq, 8, '0')), UTC_TIMESTAMP(3) + INTERVAL seq SECOND, "
     "UTC_TIMESTAMP(3) - INTERVAL seq MICROSECOND, CONCAT('billing-', seq % 100, ':', MD5(seq))",
     "CAST(name AS BINARY), TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', lock_until), "
     "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', locked_at), CAST(locked_by AS BINARY)"},
    {"lock-holder", "lock",
     "id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, lock_key VARCHAR(64) NOT NULL UNIQUE, "
     "holder VARCHAR(64), creation_time TIMESTAMP(3) NOT NULL",
     "seq, CONCAT('job-', LPAD(seq, 8, '0')), CONCAT('billing-', seq % 100, ':', MD5(seq)), "
     "UTC_TIMESTAMP(3) - INTERVAL seq SECOND",
     "CAST(lock_key AS BINARY), id, CAST(holder AS BINARY), "
     "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', creation_time)"},
    {"distribute-lock", "distribute_lock",
     "id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, resource_id VARCHAR(64) NOT NULL UNIQUE, "
     "create_time DATETIME(3) NOT NULL",
     "seq, CONCAT('job-', LPAD(seq, 8, '0')), UTC_TIMESTAMP(3) - INTERVAL seq SECOND",
     "CAST(resource_id AS BINARY), id, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', "
     "create_time)"},
    {"lock-lease", "lock",
     "id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, lock_key VARCHAR(64) NOT NULL UNIQUE, "
     "holder VARCHAR(64) NOT NULL DEFAULT '', creation_time TIMESTAMP(3) NOT NULL, "
     "last_lock_time TIMESTAMP(3) NOT NULL",
     "seq, CONCAT('job-', LPAD(seq, 8, '0')), CONCAT('billing-', seq % 100, ':', MD5(seq)), "
     "UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) - INTERVAL seq SECOND",
     "CAST(lock_key AS BINARY), id, CAST(holder AS BINARY), "
     "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', last_lock_time)"},
    {"t-tag-lock", "t_tag_lock",
     "Findex BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, Flock_name VARCHAR(128) NOT NULL UNIQUE, "
     "Fcount INT NOT NULL, Fdeadline DATETIME NOT NULL, Fdesc VARCHAR(255) NOT NULL DEFAULT '', "
     "Fcreate_time DATETIME NOT NULL DEFAULT NOW(), Fmodify_time DATETIME NOT NULL DEFAULT NOW(), "
     "Fstatus INT NOT NULL, Frequest_id VARCHAR(128) NOT NULL",
     "seq, CONCAT('job-', LPAD(seq, 8, '0')), 1, UTC_TIMESTAMP() + INTERVAL seq SECOND, '', UTC_TIMESTAMP(), "
     "UTC_TIMESTAMP(), 1, MD5(seq)",
     "CAST(Flock_name AS BINARY), Findex, CAST(Frequest_id AS BINARY), TIMESTAMPDIFF(MICROSECOND, "
     "TIMESTAMP'1970-01-01 00:00:00', Fdeadline), CAST(Fcount AS BINARY), CAST(Fstatus AS BINARY)"},
    {"laravel", "cache_locks",
     "`key` VARCHAR(255) NOT NULL PRIMARY KEY, owner VARCHAR(255) NOT NULL, expiration INT NOT NULL",
     "CONCAT('job-', LPAD(seq, 8, '0')), CONCAT('billing-', seq % 100, ':', MD5(seq)), 1800000000 + seq",
     "CAST(`key` AS BINARY), CAST(owner AS BINARY), expiration"},
    {"spring-integration", "INT_LOCK",
     "LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36), "
     "CREATED_DATE DATETIME(6) NOT NULL, PRIMARY KEY (LOCK_KEY, REGION)",
     "CONCAT('job-', LPAD(seq DIV 4, 8, '0')), CONCAT('region-', seq % 4), LEFT(MD5(seq), 30), "
     "UTC_TIMESTAMP(6) - INTERVAL seq SECOND",
     "CAST(LOCK_KEY AS BINARY), CAST(REGION AS BINARY), CAST(CLIENT_ID AS BINARY), "
     "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', CREATED_DATE)"},
}};

/** The cost of one measured pass. */
struct Cost
{
    double seconds = 1e9;
    double processor = 1e9; ///< seconds of this process and the server together
    double own = 1e9;       ///< seconds of this process
    bool isValid() const { return seconds > 0; }
    void keepBest(const Cost &other)
    {
        seconds = std::min(seconds, other.seconds);
        processor = std::min(processor, other.processor);
        own = std::min(own, other.own);
    }
};

double ownSeconds()
{
    timespec own{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    return double(own.tv_sec) + double(own.tv_nsec) / 1e9;
}

bool fillTable(tests::MariaDbServer &server, const BenchTable &table, qint64 rows)
{
    const auto text = [](const char *latin1) { return QString::fromLatin1(latin1); };
    server.exec(QStringLiteral("CREATE DATABASE app"));
    server.exec(QStringLiteral("CREATE TABLE `%1` (%2)").arg(text(table.table), text(table.columns)),
                QStringLiteral("app"));
    server.exec(QStringLiteral("INSERT INTO `%1` SELECT %2 FROM seq_1_to_%3")
                    .arg(text(table.table), text(table.row), QString::number(rows)),
                QStringLiteral("app"));
    const auto count = server.exec(QStringLiteral("SELECT COUNT(*) FROM `%1`").arg(text(table.table)),
                                   QStringLiteral("app"));
    return count.first().first().toLongLong() == rows;
}

/** Seconds for the bare select, or a negative number. */
double bareSelect(const tests::MariaDbServer &server, const BenchTable &table, qint64 rows)
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
        QSqlQuery query(database);
        if (!query.exec(QStringLiteral("SET time_zone = '+00:00'"))) // a TIMESTAMP costs least in it
            return -1;
        timer.start();
        query.setForwardOnly(true);
        query.prepare(QStringLiteral("SELECT %1 FROM `%2`")
                          .arg(QString::fromLatin1(table.bare), QString::fromLatin1(table.table)));
        if (!query.exec())
            return -1;
        const int columns = query.record().count();
        QList<bool> isNumber;
        for (int i = 0; i < columns; ++i)
            isNumber.append(query.record().field(i).metaType().id() != QMetaType::QByteArray);
        for (; query.next(); ++read) {
            for (int i = 0; i < columns; ++i)
                sum += isNumber.at(i) ? query.value(i).toLongLong() : query.value(i).toByteArray().size();
        }
    }
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    QSqlDatabase::removeDatabase(QStringLiteral("bare"));
    return read == rows && sum != 0 ? seconds : -1;
}

/** Seconds for the last of some scans of the store, the first being whole, or a negative number. */
double storeScan(const SourceSpec &spec, qint64 rows, int scans = 1)
{
    auto made = sql::makeStore(spec);
    if (!made)
        return -1;
    Store &store = **made;
    QEventLoop loop;
    QElapsedTimer timer;
    double seconds = -1;
    qint64 seen = 0;
    const std::function<void()> scan = [&] {
        seen = 0;
        timer.start();
        store.scan([&](const Page &page) { seen += page.locks.size(); },
                   [&](const ScanEnd &end) {
                       if (end.complete && --scans > 0) {
                           scan();
                           return;
                       }
                       if (end.complete && seen == rows)
                           seconds = double(timer.nsecsElapsed()) / 1e9;
                       loop.quit();
                   });
    };
    QObject::connect(&store, &Store::opened, &loop, scan);
    QObject::connect(&store, &Store::failed, &loop, &QEventLoop::quit);
    store.open();
    loop.exec();
    return seconds;
}
void heldScan(tests::MariaDbServer &server, const SourceSpec &spec, qint64 rows, double wholeSeconds)
{
    constexpr qint64 kHeld = 1'000;
    server.exec(QStringLiteral("CREATE INDEX by_deadline ON shedlock (lock_until)"), QStringLiteral("app"));
    server.exec(QStringLiteral("UPDATE shedlock SET lock_until = IF(name <= 'job-00001000', "
                               "UTC_TIMESTAMP(3) + INTERVAL 1 DAY, UTC_TIMESTAMP(3) - INTERVAL 1 DAY)"),
                QStringLiteral("app"));
    double best = 1e9;
    for (int i = 0; i < 3; ++i)
        best = std::min(best, storeScan(spec, kHeld, 2));
    std::printf("of %lld rows %lld are held: a pass over them %.2f ms, over the whole %.0f ms\n", rows, kHeld,
                best * 1e3, wholeSeconds * 1e3);
    std::printf("{\"bench\":\"sql.pass.held\",\"n\":%lld,\"value\":%.3f,\"unit\":\"ms\",\"floor\":%.1f}\n",
                rows, best * 1e3, wholeSeconds * 1e3);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const qint64 rows = argc > 1 ? QByteArray(argv[1]).toLongLong() : 1'000'000;
    const QString layout = argc > 2 ? QString::fromLatin1(argv[2]) : QStringLiteral("shedlock");
    const int rounds = argc > 3 ? QByteArray(argv[3]).toInt() : 3;
    const bool isShedlock = layout == QLatin1String("shedlock");
    const auto table = std::find_if(kTables.begin(), kTables.end(), [&](const BenchTable &known) {
        return layout == QLatin1String(known.layout);
    });
    tests::MariaDbServer server(
        {QStringLiteral("--innodb-buffer-pool-size=512M"), QStringLiteral("--innodb-log-file-size=256M")});
    if (rows <= 0 || rounds <= 0 || table == kTables.end() || !server.start() ||
        !fillTable(server, *table, rows))
        return 1;
    SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = server.url(QStringLiteral("app"));
    spec.statementTimeoutMs = 60'000;
    LockSet set;
    const auto preset = stores::sql::presetNamed(layout);
    if (!preset)
        return 1;
    set.preset = layout;
    set.scheme = preset->scheme;
    spec.locks = {set};
    Cost floor;
    Cost scan;
    const auto cost = [&server](const auto &run) {
        const double ownBefore = ownSeconds();
        const double serverBefore = double(server.processorUs()) / 1e6;
        const double seconds = run();
        const double own = ownSeconds() - ownBefore;
        return Cost{seconds, own + double(server.processorUs()) / 1e6 - serverBefore, own};
    };
    for (int i = 0; i < rounds; ++i) {
        const Cost bare = cost([&] { return bareSelect(server, *table, rows); });
        const Cost mine = cost([&] { return storeScan(spec, rows); });
        if (!bare.isValid() || !mine.isValid())
            return 1;
        std::printf("round %d: bare select %.3f s (%.2f s of processors, %.2f s here), pass %.3f s (%.2f s, "
                    "%.2f s here)\n",
                    i + 1, bare.seconds, bare.processor, bare.own, mine.seconds, mine.processor, mine.own);
        floor.keepBest(bare);
        scan.keepBest(mine);
    }
    const double ratio = scan.seconds / floor.seconds;
    std::printf(
        "%lld rows of %s: pass %.3f s, bare select %.3f s, ratio %.2f (goal: at most %.1f), of processor "
        "time %.2f\n",
        rows, table->layout, scan.seconds, floor.seconds, ratio, kGoal, scan.processor / floor.processor);
    std::printf("{\"bench\":\"sql.pass%s%s\",\"n\":%lld,\"value\":%.0f,\"unit\":\"rows/"
                "s\",\"floor\":%.0f,\"ratio\":%.3f,"
                "\"processor_ratio\":%.3f,\"goal\":%.1f}\n",
                isShedlock ? "" : ".", isShedlock ? "" : table->layout, rows, double(rows) / scan.seconds,
                double(rows) / floor.seconds, ratio, scan.processor / floor.processor, kGoal);
    if (isShedlock && rows >= 10'000)
        heldScan(server, spec, rows, scan.seconds);
    return 0;
}
