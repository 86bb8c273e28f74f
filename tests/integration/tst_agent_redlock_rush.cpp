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
using events::EventKind;
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

/** A client that acquires and releases locks by Redlock's rules, each for some milliseconds. */
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

/**
 * Compares the events of one lock with its true holds: each hold is reported once at most, and no hold is
 * invented.
 */
class Account
{
public:
    Account(const QList<Hold> &holds, const QList<LockEvent> &events) : m_holds(holds), m_seen(holds.size())
    {
        for (const LockEvent &event : events) {
            for (const char *claim : {"unseen", "coalesced", "missed"}) {
                if (event.detail.toJson().contains(QLatin1String(claim)))
                    faults.append(event.key.name + ": " + claim + " without a reading");
            }
            if (event.kind == EventKind::Acquired || event.kind == EventKind::TakenOver)
                note(event);
        }
    }

    QByteArrayList faults;
    int seen = 0;

private:
    void note(const LockEvent &event)
    {
        const auto hold = std::find_if(m_holds.cbegin(), m_holds.cend(),
                                       [&event](const Hold &one) { return one.token == event.owner; });
        const qsizetype index = hold - m_holds.cbegin();
        if (hold == m_holds.cend() || m_seen.testBit(index)) {
            faults.append(event.owner + (hold == m_holds.cend() ? " never held it" : " is told twice"));
            return;
        }
        ++seen;
        m_seen.setBit(index);
        if (event.timeUs < hold->askedUs || event.timeUs - event.windowUs > hold->takenUs)
            faults.append(event.owner + " took it " +
                          QByteArray::number(hold->askedUs - event.timeUs + event.windowUs) + " to " +
                          QByteArray::number(hold->takenUs - event.timeUs + event.windowUs) +
                          " us into a window of " + QByteArray::number(event.windowUs));
    }

    QList<Hold> m_holds;
    QBitArray m_seen;
};

} // namespace

/**
 * Clients that take a Redlock from each other within milliseconds: the agent's events about them are true.
 */
class TestAgentRedlockRush : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatWasReadIsTold_data()
    {
        QTest::addColumn<int>("names");
        QTest::newRow("one lock") << 1;
        QTest::newRow("three locks") << 3;
        QTest::newRow("twenty locks") << 20;
    }
    void onlyWhatWasReadIsTold()
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
        // The last event comes after all the others.
        QVERIFY(nodes.set(RedlockNodes::all(), "lock:last", "last"));
        QVERIFY(client.waitForEvent([](const LockEvent &e) { return e.key.name == "lock:last"; }));
        QTRY_VERIFY(
            std::none_of(client.table.locks.cbegin(), client.table.locks.cend(),
                         [](const auto &state) { return state.isHeld() && state.key.name != "lock:last"; }));
        QCOMPARE(client.faults, QStringList());

        int seen = 0;
        for (const QByteArray &lock : std::as_const(locks)) {
            const auto isOfIt = [&lock](const auto &of) { return of == lock; };
            QList<Hold> own;
            std::ranges::copy_if(holds, std::back_inserter(own), isOfIt, &Hold::name);
            QList<LockEvent> events;
            std::ranges::copy_if(client.events, std::back_inserter(events), isOfIt,
                                 [](const LockEvent &event) { return event.key.name; });
            const Account account(own, events);
            QVERIFY2(account.faults.isEmpty(), account.faults.join('\n').constData());
            seen += account.seen;
        }
        qInfo("%d holds, %d told with their holder", int(holds.size()), seen);
        QVERIFY(seen > 0);
    }
};

LOCKKEEPER_TEST(TestAgentRedlockRush)

} // namespace tst_agent_redlock_rush

#include "tst_agent_redlock_rush.moc"
