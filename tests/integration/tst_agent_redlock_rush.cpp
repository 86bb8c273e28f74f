// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/host_list.h"
#include "tests/support/agent_process.h"
#include "tests/support/redlock_nodes.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QBitArray>
#include <QDeadlineTimer>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <thread>

namespace tst_agent_redlock_rush {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::Kind;
using events::LockEvent;

namespace {

constexpr int kNodes = 5;
constexpr int kQuorum = 3;
constexpr int kClients = 4;
constexpr int kHoldsEach = 60;

/** When its holder had a majority of the nodes, by the wall clock. */
struct Hold
{
    QByteArray name;
    QByteArray token;
    qint64 askedUs = 0; ///< for it, …
    qint64 takenUs = 0; ///< … and when it was granted
    qint64 givenUs = 0; ///< when it began to give it back, …
    qint64 goneUs = 0;  ///< … and was done
};

/** A client that takes and gives back locks by Redlock's rules, each for some milliseconds. */
class Rusher
{
public:
    Rusher(RedlockNodes &nodes, int id) : m_random(quint32(id) + 1), m_id(id)
    {
        for (int i = 0; i < nodes.size(); ++i)
            m_nodes.push_back(std::make_unique<RedisPlain>(nodes.at(i).socketPath()));
    }

    QList<Hold> run(const QByteArrayList &names)
    {
        QList<Hold> holds;
        while (holds.size() < kHoldsEach) {
            Hold hold;
            hold.name = names.at(m_random.bounded(int(names.size())));
            hold.token = QByteArray::number(m_id) + '-' + QByteArray::number(++m_tries);
            hold.askedUs = m_clock.wallUs();
            int granted = 0;
            for (const auto &node : m_nodes)
                granted += node->command({"SET", hold.name, hold.token, "NX", "PX", "60000"}).bytes == "OK";
            hold.takenUs = m_clock.wallUs();
            if (granted >= kQuorum)
                rest(500 + m_random.bounded(5'500));
            hold.givenUs = m_clock.wallUs();
            for (const auto &node : m_nodes)
                node->command({"EVAL", kGiveBack, "1", hold.name, hold.token});
            hold.goneUs = m_clock.wallUs();
            if (granted >= kQuorum)
                holds.append(hold);
            else
                rest(m_random.bounded(3'000));
        }
        return holds;
    }

private:
    inline static const QByteArray kGiveBack{"if redis.call('GET', KEYS[1]) == ARGV[1] then "
                                             "return redis.call('DEL', KEYS[1]) end return 0"};

    static void rest(int us)
    {
        const QDeadlineTimer end(std::chrono::microseconds(us), Qt::PreciseTimer);
        while (!end.hasExpired())
            std::this_thread::yield();
    }

    std::vector<std::unique_ptr<RedisPlain>> m_nodes;
    QRandomGenerator m_random;
    base::SystemClock m_clock;
    int m_id;
    int m_tries = 0;
};

/** What the events of one lock say of its holds, which are in the order in which they were taken. */
class Account
{
public:
    Account(const QList<Hold> &holds, const QList<LockEvent> &events) : m_holds(holds), m_seen(holds.size())
    {
        for (const LockEvent &event : events) {
            if (isBegin(event))
                note(event);
        }
        for (const LockEvent &event : events)
            take(event);
        // Of the last ones nobody was seen.
        settle(m_holds.size());
        settle(m_holds.size());
    }

    QByteArrayList faults;
    int seen = 0;
    int untold = 0;

private:
    static bool isBegin(const LockEvent &event)
    {
        return !event.detail.contains(QLatin1String("unseen")) &&
               (event.kind == Kind::Acquired || event.kind == Kind::TakenOver);
    }
    qsizetype indexOf(const LockEvent &event) const
    {
        const auto hold = std::find_if(m_holds.cbegin(), m_holds.cend(),
                                       [&event](const Hold &one) { return one.token == event.owner; });
        return hold == m_holds.cend() ? -1 : hold - m_holds.cbegin();
    }
    void note(const LockEvent &event)
    {
        const qsizetype index = indexOf(event);
        if (index < 0 || m_seen.testBit(index)) {
            faults.append(event.owner + (index < 0 ? " never held it" : " is told twice"));
            return;
        }
        ++seen;
        m_seen.setBit(index);
        const Hold &hold = m_holds.at(index);
        if (event.timeUs < hold.askedUs || event.timeUs - event.windowUs > hold.takenUs)
            faults.append(event.owner + " took it " +
                          QByteArray::number(hold.askedUs - event.timeUs + event.windowUs) + " to " +
                          QByteArray::number(hold.takenUs - event.timeUs + event.windowUs) +
                          " us into a window of " + QByteArray::number(event.windowUs));
    }
    void take(const LockEvent &event)
    {
        const int coalesced = event.detail.value(QLatin1String("coalesced")).toInt();
        if (event.detail.contains(QLatin1String("unseen"))) {
            if (event.detail.value(QLatin1String("may_be")).toString() != QLatin1String("attempts"))
                faults.append(event.key.name + ": a claim without proof");
            if (event.kind == Kind::Acquired)
                m_said += std::max(coalesced, 1); // itself, and what is counted besides
            return;
        }
        m_said += coalesced;
        if (isBegin(event))
            settle(indexOf(event));
    }
    /** What nodes tell late is counted with the event that follows. */
    void settle(qsizetype next)
    {
        int missing = 0;
        for (; m_next < next; ++m_next)
            missing += m_seen.testBit(m_next) ? 0 : 1;
        const int spare = m_said - missing;
        untold += std::max(0, m_owed - std::max(0, spare));
        m_owed = std::max(0, -spare);
        m_said = 0;
    }

    QList<Hold> m_holds;
    QBitArray m_seen;
    qsizetype m_next = 0;
    int m_said = 0; ///< since the last hold that was seen
    int m_owed = 0;
};

} // namespace

/** Clients that take a Redlock from each other within milliseconds: every hold is told, or said to be. */
class TestAgentRedlockRush : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyHoldIsAccountedFor_data()
    {
        QTest::addColumn<int>("names");
        QTest::newRow("one lock") << 1;
        QTest::newRow("three locks") << 3;
        QTest::newRow("twenty locks") << 20;
    }
    void everyHoldIsAccountedFor()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        QFETCH(int, names);
        RedlockNodes nodes;
        QVERIFY(nodes.start(kNodes));
        AgentProcess agent;
        agent.configure("[[source]]\nname = \"jobs\"\nurl = \"" + stores::textOf(nodes.url()).toUtf8() +
                        "\"\npush = true\npoll_ms = 60000\nreconcile_ms = 600000\n  [[source.locks]]\n"
                        "  scheme = \"redis.redlock\"\n  match = \"lock:*\"\n");
        TestClient client;
        QVERIFY(agent.start() && client.open(agent.socket()));
        client.subscribe(0, true);
        QTRY_COMPARE(client.sources.value(QStringLiteral("jobs")).mode, domain::ObservationMode::Push);
        QByteArrayList locks;
        for (int i = 0; i < names; ++i)
            locks.append("lock:" + QByteArray::number(i));

        QList<Hold> holds;
        std::vector<std::thread> threads;
        std::vector<QList<Hold>> taken(kClients);
        for (int i = 0; i < kClients; ++i)
            threads.emplace_back([&, i] { taken[size_t(i)] = Rusher(nodes, i).run(locks); });
        for (std::thread &thread : threads)
            thread.join();
        for (const QList<Hold> &some : taken)
            holds += some;
        // What is told last is behind all of it.
        QVERIFY(nodes.set(RedlockNodes::all(), "lock:last", "last"));
        QVERIFY(client.waitForEvent([](const LockEvent &e) { return e.key.name == "lock:last"; }));
        QTRY_VERIFY(
            std::none_of(client.table.locks.cbegin(), client.table.locks.cend(),
                         [](const auto &state) { return state.isHeld() && state.key.name != "lock:last"; }));
        QCOMPARE(client.faults, QStringList());

        int seen = 0;
        int untold = 0;
        for (const QByteArray &lock : std::as_const(locks)) {
            QList<Hold> own;
            std::copy_if(holds.cbegin(), holds.cend(), std::back_inserter(own),
                         [&lock](const Hold &hold) { return hold.name == lock; });
            std::sort(own.begin(), own.end(),
                      [](const Hold &a, const Hold &b) { return a.takenUs < b.takenUs; });
            QList<LockEvent> events;
            std::copy_if(client.events.cbegin(), client.events.cend(), std::back_inserter(events),
                         [&lock](const LockEvent &event) { return event.key.name == lock; });
            const Account account(own, events);
            QVERIFY2(account.faults.isEmpty(), account.faults.join('\n').constData());
            seen += account.seen;
            untold += account.untold;
        }
        qInfo("%d holds, %d told with their holder, %d neither told nor counted", int(holds.size()), seen,
              untold);
        QCOMPARE(untold, 0);
    }
};

LOCKKEEPER_TEST(TestAgentRedlockRush)

} // namespace tst_agent_redlock_rush

#include "tst_agent_redlock_rush.moc"
