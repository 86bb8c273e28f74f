// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Usage: bench_journal_timeline [EVENTS [JOURNAL [QUESTION]]]. A month of EVENTS events (the goals assume
// 10,000,000), made by the journal's own store in large transactions, or taken from a file that an earlier
// run has kept. It measures queries on this journal, each against a bare walk over the same rows by the plain
// SQLite library.
#include "agent/journal/query/queries.h"
#include "agent/journal/storage/snapshot_builder.h"
#include "agent/journal/write/opening.h"
#include "tests/benchmarks/journal/taken_lock.h"

#include <QCoreApplication>
#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>

#include <chrono>
#include <cstdio>
#include <functional>
#include <sqlite3.h>

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;

namespace {

constexpr qint64 kMonthUs = 30 * kDayUs;
constexpr qint64 kStartUs = 20'000 * kDayUs;
constexpr int kLocks = 5000;
constexpr int kATransaction = 50'000;
constexpr int kRounds = 5;

struct Took
{
    double wall = -1; ///< ms; negative: it failed
    double cpu = -1;
};

/** The best of some rounds: other work on the machine only slows. */
Took msOf(const std::function<bool()> &work)
{
    Took best;
    for (int round = 0; round < kRounds; ++round) {
        const double cpu = bench::cpuMs();
        const auto begin = std::chrono::steady_clock::now();
        if (!work())
            return {};
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        const double used = bench::cpuMs() - cpu;
        best.wall = round == 0 ? took.count() : std::min(best.wall, took.count());
        best.cpu = round == 0 ? used : std::min(best.cpu, used);
    }
    return best;
}

/** Of this process, KiB. */
qint64 residentKib()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith("VmRSS:"))
            return line.simplified().split(' ').at(1).toLongLong();
    }
    return 0;
}

/** Some locks have many waiters, some hardly any. */
class Workload
{
public:
    explicit Workload(qint64 events) : m_stepUs(kMonthUs / events) {}

    events::LockEvent next()
    {
        const qint64 turn = m_made++;
        const qint64 phase = turn % 4;
        if (phase == 0) {
            const double skew = m_random.generateDouble();
            m_lock = int(skew * skew * skew * kLocks);
            m_holder = turn;
        }
        // Taken, waited for by another one, given up, released.
        const events::EventKind kinds[] = {
            events::EventKind::Acquired, events::EventKind::WaitStart, events::EventKind::WaitEnd,
            turn % 40'000 == 3 ? events::EventKind::ForceReleased : events::EventKind::Released};
        events::LockEvent event = bench::eventOf(kinds[phase], m_lock, m_holder, kStartUs + turn * m_stepUs);
        event.seq = quint64(turn) + 1;
        if (phase == 1 || phase == 2)
            event.waiter = "worker-" + QByteArray::number(m_holder % 100);
        return event;
    }

private:
    QRandomGenerator m_random{3};
    qint64 m_stepUs;
    qint64 m_made = 0;
    qint64 m_holder = 0;
    int m_lock = 0;
};

bool makeJournal(const QString &path, qint64 events)
{
    SqliteConnection connection;
    QString setAside;
    if (!openDatabase(connection, path, kStartUs, &setAside))
        return false;
    EventStore store(connection);
    RenewalNotes notes;
    Workload workload(events);
    if (!store.reload())
        return false;
    const auto begin = std::chrono::steady_clock::now();
    for (qint64 made = 0; made < events;) {
        QList<events::LockEvent> batch;
        for (int i = 0; i < kATransaction && made < events; ++i, ++made)
            batch.append(workload.next());
        const Progress progress{QStringLiteral("orders"), "redis", batch.last().timeUs, std::nullopt};
        if (!connection.begin() || !store.write(batch, notes) || !store.writeProgress({progress}) ||
            !connection.commit())
            return false;
        connection.checkpoint();
    }
    const auto written = std::chrono::steady_clock::now();
    RollupStore &rollups = store.rollups();
    double longestMs = 0;
    qint64 steps = 0;
    for (rollups.start(kStartUs + kMonthUs); !rollups.isDone(); ++steps) {
        const auto began = std::chrono::steady_clock::now();
        if (!rollups.step())
            return false;
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
        longestMs = std::max(longestMs, took.count());
        if (steps % 100 == 0)
            connection.checkpoint();
    }
    const std::chrono::duration<double> filing = written - begin;
    const std::chrono::duration<double> rolling = std::chrono::steady_clock::now() - written;
    connection.checkpoint();
    std::printf(
        "%lld events made in %.0f s, rolled up in %.1f s (%lld steps, the longest %.0f ms); %.2f GB\n",
        static_cast<long long>(events), filing.count(), rolling.count(), static_cast<long long>(steps),
        longestMs, double(QFile(path).size()) / 1e9);
    const double bytes = double(QFile(path).size()) / double(events);
    std::printf("%.0f bytes an event (goal 150), with its share of holds, waits and sums\n", bytes);
    std::printf(
        "{\"bench\":\"journal.bytes_an_event\",\"n\":%lld,\"value\":%.1f,\"unit\":\"bytes\",\"goal\":150}\n",
        static_cast<long long>(events), bytes);
    return true;
}

/** Brings a file of an older version up to date, and makes the snapshots that an agent makes each minute. */
bool complete(const QString &path)
{
    SqliteConnection connection;
    QString setAside;
    if (!openDatabase(connection, path, kStartUs, &setAside))
        return false;
    SnapshotBuilder builder(connection);
    for (bool done = false; !done;) {
        if (!connection.begin() || !builder.step(&done) || !connection.commit())
            return false;
    }
    connection.checkpoint();
    return true;
}

/** A statement by the plain library, every column of every row taken. */
Took bareMs(const QString &path, const QByteArray &sql)
{
    sqlite3 *db = nullptr;
    if (sqlite3_open(path.toUtf8().constData(), &db) != SQLITE_OK)
        return {};
    sqlite3_stmt *rows = nullptr;
    const bool well = sqlite3_prepare_v2(db, sql.constData(), -1, &rows, nullptr) == SQLITE_OK;
    const Took ms = well ? msOf([rows] {
        qint64 taken = 0;
        while (sqlite3_step(rows) == SQLITE_ROW) {
            for (int i = 0; i < sqlite3_column_count(rows); ++i)
                taken += sqlite3_column_type(rows, i) == SQLITE_INTEGER ? sqlite3_column_int64(rows, i) & 1
                                                                        : sqlite3_column_bytes(rows, i);
        }
        return sqlite3_reset(rows) == SQLITE_OK && taken >= 0;
    })
                         : Took{};
    if (!well)
        std::fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    sqlite3_finalize(rows);
    sqlite3_close(db);
    return ms;
}

void print(const char *what, qint64 events, const Took &took, const Took &floor, double goalMs)
{
    std::printf("%-28s %10.1f %10.1f %12.1f %12.1f %8.2f %8s\n", what, took.wall, took.cpu, floor.wall,
                floor.cpu, took.cpu / floor.cpu, qPrintable(QStringLiteral("<= %1").arg(goalMs)));
    std::printf("{\"bench\":\"journal.%s\",\"n\":%lld,\"value\":%.2f,\"unit\":\"ms\",\"cpu_ms\":%.2f,"
                "\"floor\":%.2f,\"ratio\":%.3f,\"goal\":%.0f}\n",
                what, static_cast<long long>(events), took.wall, took.cpu, floor.cpu, took.cpu / floor.cpu,
                goalMs);
}

QByteArray number(qint64 value)
{
    return QByteArray::number(value);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const qint64 events = argc > 1 ? app.arguments().at(1).toLongLong() : 1'000'000;
    const QTemporaryDir folder;
    const QString path = argc > 2 ? app.arguments().at(2) : folder.filePath(QStringLiteral("journal.db"));
    if ((!QFile::exists(path) && !makeJournal(path, events)) || !complete(path))
        return 1;
    const QByteArray only = app.arguments().value(3).toUtf8();
    SqliteConnection connection;
    Queries queries(connection, agent::journal::AuditFiles(), [] { return true; });
    if (!connection.open(path, SqliteConnection::Mode::Read))
        return 1;
    const qint64 endUs = kStartUs + kMonthUs;
    const auto ask = [&](const char *what, const std::function<bool()> &work, const QByteArray &sql,
                         double goalMs) {
        if (only.isEmpty() || QByteArray(what).contains(only))
            print(what, events, msOf(work), bareMs(path, sql), goalMs);
    };
    std::printf("%-28s %10s %10s %12s %12s %8s %8s\n", "of a month", "ms", "cpu ms", "bare walk ms",
                "bare cpu ms", "ratio", "goal");

    protocol::TimelineQuery month;
    month.fromUs = kStartUs + 12'345;
    month.toUs = endUs - 54'321;
    month.sliceUs = kMonthUs / 1000;
    month.stripFromUs = month.fromUs;
    month.stripToUs = month.toUs;
    month.stripSlices = 1000;
    const qint64 before = residentKib();
    protocol::TimelinePage page;
    const auto timeline = [&](const protocol::TimelineQuery &query) {
        auto answer =
            queries.context.begin({}, endUs).and_then([&] { return queries.timeline.timeline(query); });
        if (answer)
            page = std::move(*answer);
        else
            std::fprintf(stderr, "%s\n", qPrintable(answer.error().line()));
        return bool(answer) && !page.lanes.isEmpty();
    };
    const QByteArray rows = "SELECT lock_id, from_us, to_us FROM holds WHERE to_us >= %1 UNION ALL "
                            "SELECT lock_id, from_us, to_us FROM waits WHERE to_us >= %1";
    ask(
        "timeline_month", [&] { return timeline(month); },
        QByteArray(rows).replace("%1", number(month.fromUs)), 500);
    protocol::TimelineQuery day = month;
    day.fromUs = day.stripFromUs = endUs - kDayUs - 12'345;
    day.sliceUs = kDayUs / 1000;
    ask(
        "timeline_day", [&] { return timeline(day); }, QByteArray(rows).replace("%1", number(day.fromUs)),
        500);
    protocol::TimelineQuery lock = month;
    lock.keys = {{QStringLiteral("orders"), "redis.token", "db0", "lock:order-0"}};
    ask(
        "timeline_month_of_a_lock", [&] { return timeline(lock); },
        "SELECT * FROM holds WHERE lock_id = (SELECT lock_id FROM locks WHERE name = x'" +
            QByteArray("lock:order-0").toHex() + "')",
        500);

    protocol::HistoryQuery last;
    last.lockGlob = "lock:order-1";
    last.descending = true;
    last.limit = 1000;
    const auto history = [&](const protocol::HistoryQuery &query, qsizetype least) {
        const auto answer =
            queries.context.begin({}, endUs).and_then([&] { return queries.events.history(query); });
        if (!answer)
            std::fprintf(stderr, "%s\n", qPrintable(answer.error().line()));
        return answer && answer->events.size() >= least;
    };
    ask(
        "lock_last_1000", [&] { return history(last, 100); },
        "SELECT * FROM events INDEXED BY events_by_lock WHERE lock_id = (SELECT lock_id FROM locks "
        "WHERE name = x'" +
            QByteArray("lock:order-1").toHex() + "') ORDER BY seq DESC LIMIT 1000",
        5);
    protocol::HistoryQuery deep;
    deep.kinds = {events::EventKind::Released};
    deep.descending = true;
    deep.limit = 200;
    deep.beforeSeq = quint64(events / 3);
    ask(
        "filtered_page_deep", [&] { return history(deep, 200); },
        "SELECT * FROM events WHERE seq < " + number(events / 3) +
            " AND kind = 2 ORDER BY seq DESC LIMIT 200",
        20);
    protocol::HistoryQuery rare = deep;
    rare.kinds = {events::EventKind::ForceReleased};
    rare.limit = 20;
    ask(
        "filtered_page_rare", [&] { return history(rare, 5); },
        "SELECT * FROM events WHERE seq < " + number(events / 3) + " AND kind = 9 ORDER BY seq DESC LIMIT 20",
        20);

    protocol::HistoryQuery glob = deep;
    glob.kinds.clear();
    glob.lockGlob = "lock:order-49?";
    ask(
        "filtered_page_glob", [&] { return history(glob, 200); },
        "SELECT * FROM events WHERE seq < " + number(events / 3) +
            " AND lock_id IN (SELECT lock_id FROM locks WHERE name GLOB 'lock:order-49?') "
            "ORDER BY seq DESC LIMIT 200",
        20);
    protocol::HistoryQuery hour = deep;
    hour.beforeSeq.reset();
    hour.kinds = {events::EventKind::WaitStart};
    hour.fromUs = kStartUs + kMonthUs / 3;
    hour.toUs = *hour.fromUs + kHourUs;
    ask(
        "filtered_page_time", [&] { return history(hour, 100); },
        "SELECT * FROM events WHERE t_us >= " + number(*hour.fromUs) + " AND t_us < " + number(*hour.toUs) +
            " AND kind = 5 ORDER BY seq DESC LIMIT 200",
        20);
    protocol::HistoryQuery holder = deep;
    holder.kinds.clear();
    holder.beforeSeq.reset();
    holder.holderGlob = bench::holderName(events / 4 * 2);
    ask(
        "filtered_by_a_rare_holder", [&] { return history(holder, 0); },
        "SELECT seq FROM events NOT INDEXED WHERE owner = x'" + holder.holderGlob.toHex() + "'", 5000);
    holder.inSlices = holder.descending = true; // and the console waits until it knows how far this got
    ask(
        "slice_of_such_a_search", [&] { return history(holder, 0); },
        "SELECT seq FROM events NOT INDEXED WHERE seq > " + number(events - events / 16) +
            " AND owner = x'00'",
        150);

    const auto ranking = [&](qint64 lengthUs, bool sums = false) {
        protocol::ContentionQuery top;
        top.sums = sums;
        top.fromUs = endUs - lengthUs - 777;
        top.toUs = endUs - 777;
        const auto answer = queries.context.begin({}, endUs).and_then([&] {
            return queries.contention.contention(top, {{QStringLiteral("orders"), endUs}});
        });
        if (!answer)
            std::fprintf(stderr, "%s\n", qPrintable(answer.error().line()));
        return answer && answer->locks.size() == 20;
    };
    const auto waits = [](qint64 fromUs) {
        return "SELECT lock_id, from_us, to_us FROM waits WHERE to_us >= " + number(fromUs);
    };
    ask(
        "top_20_of_an_hour", [&] { return ranking(kHourUs); }, waits(endUs - kHourUs), 50);
    ask(
        "top_20_of_an_hour_and_sums", [&] { return ranking(kHourUs, true); }, waits(endUs - kHourUs), 50);
    ask(
        "top_20_of_a_day", [&] { return ranking(kDayUs); }, waits(endUs - kDayUs), 50);
    ask(
        "top_20_of_a_month", [&] { return ranking(kMonthUs - kDayUs); }, waits(kStartUs + kDayUs), 5000);
    std::printf("%-36s %10lld KiB\n", "memory that the questions took",
                static_cast<long long>(residentKib() - before));
    return 0;
}
