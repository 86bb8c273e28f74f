// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Guarded kills against sessions that hold a row lock for a moment, commit, and begin again: how often did
// the kill end another transaction than the one that the guard names? A check followed by a kill can't be
// made atomic; this measures what is left, with the rule that a transaction is at least five seconds old, and
// without it.
#include "shared/stores/sql/sessions/kill.h"
#include "shared/stores/sql/sessions/transaction_events.h"
#include "tests/support/mariadb_server.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QRandomGenerator>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::sql;

namespace {
constexpr char kUsage[] =
    "usage: bench_sql_kill [KILLS [HOLD_MS [mature [SECONDS]]]]\n"
    "Kills sessions of a private MariaDB, each within HOLD_MS of the end of one of its transactions, until\n"
    "KILLS (2000) were killed or SECONDS (60) are over, whichever comes first; add 10 s for the beginning "
    "and\n"
    "the end. Transactions last up to HOLD_MS (2); with \"mature\" 5 s and up to HOLD_MS more, in 128\n"
    "sessions at once: about 25 tries a second.\n";
constexpr int kMatureMs = 5'000;
constexpr int kMatureVictims = 128;

/**
 * The benchmark varies the moment of aiming, so the pause is exact to the microsecond where the machine
 * allows.
 */
void pauseUs(qint64 us)
{
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable nobody;
    nobody.wait_for(lock, std::chrono::microseconds(us), [] { return false; });
}

/** A session that holds its row again and again, and knows in which of its transactions it was ended. */
class Victim
{
public:
    Victim(SourceSpec spec, int row, int holdMs, int leastMs)
        : m_spec(std::move(spec)), m_row(row), m_holdMs(holdMs), m_leastMs(leastMs), m_thread([this] {
              run();
          })
    {
    }
    ~Victim()
    {
        stop();
        m_thread.join();
    }
    Q_DISABLE_COPY_MOVE(Victim)

    /** The thread ends with its transaction. The benchmark stops many before it waits for the first. */
    void stop() { m_stop = true; }

    QByteArray connection() const
    {
        const std::lock_guard lock(m_mutex);
        return m_connection;
    }
    /** Waits for the end of the session `of`; "thread/event/start" of its last transaction, empty: between
     * two. */
    std::optional<QByteArray> endOf(const QByteArray &of) const
    {
        const QDeadlineTimer limit(30'000);
        while (!limit.hasExpired()) {
            {
                const std::lock_guard lock(m_mutex);
                if (m_ended == of)
                    return m_endedIn;
            }
            pauseUs(200);
        }
        return std::nullopt;
    }

private:
    void run()
    {
        while (!m_stop)
            session();
    }

    void session()
    {
        SqlConnection connection;
        if (!connection.open(m_spec))
            return;
        auto id = connection.query(QStringLiteral("SELECT CONNECTION_ID()"));
        if (!id || !id->next())
            return;
        const QByteArray own = id->value(0).toByteArray();
        {
            const std::lock_guard lock(m_mutex);
            m_connection = own;
        }
        QByteArray inside;
        while (!m_stop && hold(connection, own, inside)) {
        }
        const std::lock_guard lock(m_mutex);
        m_connection.clear();
        m_ended = own;
        m_endedIn = inside;
    }

    /** One transaction; false once the session was ended, `inside` being the transaction that it was in. */
    bool hold(SqlConnection &connection, const QByteArray &own, QByteArray &inside)
    {
        inside.clear();
        if (!connection.query(QStringLiteral("START TRANSACTION")))
            return false;
        const auto events = readTransactionEvents(connection, {own});
        if (!events)
            return false; // before its first lock: nothing was lost
        inside = transactionIdentity(own, events->value(own));
        if (!connection.query(QStringLiteral("SELECT n FROM jobs WHERE id = %1 FOR UPDATE").arg(m_row)))
            return false;
        pauseUs(1000 * m_leastMs + QRandomGenerator::global()->bounded(1000 * m_holdMs) + 1);
        if (!connection.query(QStringLiteral("COMMIT")))
            return false;
        inside.clear();
        return true;
    }

    SourceSpec m_spec;
    int m_row;
    int m_holdMs;
    int m_leastMs;
    mutable std::mutex m_mutex;
    QByteArray m_connection;
    QByteArray m_ended;
    QByteArray m_endedIn;
    std::atomic<bool> m_stop = false;
    std::thread m_thread; ///< the last member: it uses the others
};

struct Count
{
    qint64 tried = 0;
    qint64 killed = 0;
    qint64 right = 0;
    qint64 between = 0; ///< the session was ended with no transaction open: nothing was lost
    qint64 wrong = 0;
    qint64 unclear = 0;
};

/** For how long the session's transaction has been open. */
qint64 ageUs(SqlConnection &connection, const QByteArray &session)
{
    auto rows = connection.query(
        QStringLiteral("SELECT e.TIMER_WAIT DIV 1000000 FROM performance_schema.threads t "
                       "JOIN performance_schema.events_transactions_current e ON e.THREAD_ID = t.THREAD_ID "
                       "WHERE e.STATE = 'ACTIVE' AND t.PROCESSLIST_ID = %1")
            .arg(QString::fromLatin1(session)));
    return rows && rows->next() ? rows->value(0).toLongLong() : 0;
}

/** Aims at a transaction that `victim` is in, at a moment when it may be about to end. */
void aim(SqlConnection &connection, const Victim &victim, bool mature, int holdMs, Count &count)
{
    const QByteArray session = victim.connection();
    if (session.isEmpty()) {
        pauseUs(200);
        return;
    }
    const auto events = readTransactionEvents(connection, {session});
    if (!events || !events->contains(session) || events->value(session).event.isEmpty()) {
        pauseUs(200); // between two
        return;
    }
    const QByteArray identity = transactionIdentity(session, events->value(session));
    const qint64 tillMature = mature ? std::max<qint64>(0, 1000 * kMatureMs - ageUs(connection, session)) : 0;
    pauseUs(tillMature + QRandomGenerator::global()->bounded(1000 * holdMs) + 1);
    ++count.tried;
    const KillReply reply = killGuarded(connection, {session, identity, false, {}, {}, !mature});
    if (!reply.killed)
        return;
    ++count.killed;
    const auto end = victim.endOf(session);
    if (!end)
        ++count.unclear;
    else if (end->isEmpty())
        ++count.between;
    else if (*end == identity)
        ++count.right;
    else
        ++count.wrong;
}
} // namespace

namespace {
struct Plan
{
    qint64 kills = 2'000;
    int holdMs = 2;
    bool mature = false;
    int seconds = 60;

    int victims() const { return mature ? kMatureVictims : 4; }
};

std::optional<Plan> planOf(int argc, char **argv)
{
    Plan plan;
    if (argc > 1)
        plan.kills = QByteArray(argv[1]).toLongLong();
    if (argc > 2)
        plan.holdMs = QByteArray(argv[2]).toInt();
    plan.mature = argc > 3 && QByteArray(argv[3]) == "mature";
    if (argc > 4)
        plan.seconds = QByteArray(argv[4]).toInt();
    const bool fits =
        plan.kills > 0 && plan.holdMs > 0 && plan.seconds > 0 && argc <= 5 && plan.mature == (argc > 3);
    return fits ? std::optional(plan) : std::nullopt;
}

/** Each killer has its own share of the sessions, as a mature one is waited for. */
Count measure(const SourceSpec &spec, const Plan &plan)
{
    std::vector<std::unique_ptr<Victim>> sessions;
    for (int i = 0; i < plan.victims(); ++i)
        sessions.push_back(std::make_unique<Victim>(spec, i + 1, plan.holdMs, plan.mature ? kMatureMs : 0));
    const int killers = plan.mature ? plan.victims() : 1;
    const QDeadlineTimer limit(plan.seconds * 1'000);
    Count whole;
    std::atomic<qint64> killed = 0;
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (int k = 0; k < killers; ++k) {
        threads.emplace_back([&, k] {
            SqlConnection connection;
            if (!connection.open(spec))
                return;
            Count count;
            for (int i = k; killed < plan.kills && !limit.hasExpired(); i += killers) {
                const qint64 before = count.killed;
                aim(connection, *sessions.at(size_t(i % plan.victims())), plan.mature, plan.holdMs, count);
                killed += count.killed - before;
            }
            const std::lock_guard lock(mutex);
            whole.tried += count.tried;
            whole.killed += count.killed;
            whole.right += count.right;
            whole.between += count.between;
            whole.wrong += count.wrong;
            whole.unclear += count.unclear;
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    for (const auto &session : sessions)
        session->stop();
    return whole;
}

void report(const Plan &plan, const Count &whole)
{
    std::printf(
        "%lld kills tried at transactions of %s%d ms: %lld sessions ended, %lld in the transaction that was "
        "meant, %lld between two, %lld in another one, %lld unclear; the others were refused\n",
        whole.tried, plan.mature ? "5 s and up to " : "up to ", plan.holdMs, whole.killed, whole.right,
        whole.between, whole.wrong, whole.unclear);
    std::printf("{\"bench\":\"sql.kill\",\"n\":%lld,\"value\":%lld,\"unit\":\"wrong kills\",\"killed\":%lld,"
                "\"between\":%lld,\"hold_ms\":%d,\"mature\":%s}\n",
                whole.tried, whole.wrong, whole.killed, whole.between, plan.holdMs,
                plan.mature ? "true" : "false");
}
} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const std::optional<Plan> plan = planOf(argc, argv);
    if (!plan) {
        std::fputs(kUsage, stderr);
        return 2;
    }
    tests::MariaDbServer server(
        {QStringLiteral("--performance-schema=ON"),
         QStringLiteral("--performance-schema-instrument=transaction=ON"),
         QStringLiteral("--performance-schema-consumer-events-transactions-current=ON"),
         QStringLiteral("--max-connections=400")});
    if (!server.start())
        return 1;
    server.exec(QStringLiteral("CREATE DATABASE app"));
    server.exec(QStringLiteral("CREATE TABLE jobs (id INT PRIMARY KEY, n INT);\n"
                               "INSERT INTO jobs SELECT seq, 0 FROM seq_1_to_%1")
                    .arg(plan->victims()),
                QStringLiteral("app"));
    SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = server.url(QStringLiteral("app"));
    report(*plan, measure(spec, *plan));
    return 0;
}
