// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/host_list.h"
#include "shared/stores/redis/connection/hash_slot.h"
#include "tests/support/agent_fixture.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/test_program.h"

#include <QDeadlineTimer>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <thread>

namespace tst_agent_cluster_slots {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

namespace {

/** When its holder acquired and released a lock, by the wall clock: in [Us, and no later than UntilUs]. */
struct Hold
{
    qint64 takenUs = 0;
    qint64 takenUntilUs = 0;
    qint64 givenUs = 0;
    qint64 givenUntilUs = 0;
};

/** A client of two nodes of a cluster that follows MOVED and ASK from one to the other. */
class Follower
{
public:
    Follower(const RedisServer &one, const RedisServer &other)
        : m_one(one.socketPath()), m_other(other.socketPath())
    {
    }
    bool run(const QList<QByteArray> &command)
    {
        for (int tries = 0; tries < 1'000; ++tries) {
            RedisReply reply = m_node->command(command);
            if (reply.bytes.startsWith("ASK ")) {
                RedisPlain &there = m_node == &m_one ? m_other : m_one;
                there.command({"ASKING"});
                reply = there.command(command);
            }
            if (reply.bytes.startsWith("MOVED "))
                m_node = m_node == &m_one ? &m_other : &m_one;
            if (!reply.isError())
                return reply.bytes == "OK" || reply.integer == 1;
        }
        return false;
    }

private:
    RedisPlain m_one;
    RedisPlain m_other;
    RedisPlain *m_node = &m_one;
};

} // namespace

/** Locks of a Redis Cluster, which pushes, while their slot moves. */
class TestAgentClusterSlots : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        m_cluster = std::make_unique<RedisCluster>();
        QVERIFY(m_cluster->start() && m_cluster->addSpare());
    }

    /**
     * The slot is a separate gap and is polled. The agent reports each change that a poll can see once, as it
     * happened, with its holder and a window that contains its time. It reports nothing about locks that only
     * move along. Then changes are pushed again.
     */
    void changesOnTheWay_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        QTest::newRow("a token") << QByteArray("redis.token");
        QTest::newRow("a Redisson lock") << QByteArray("redis.redisson");
        QTest::newRow("permits of a semaphore") << QByteArray("redis.semaphore");
    }
    void changesOnTheWay()
    {
        QFETCH(QByteArray, scheme);
        const bool permits = scheme == "redis.semaphore";
        const QByteArray at = slotAt(0, "lock:" + scheme.sliced(6) + ":");
        const quint16 slot = stores::redis::hashSlotOf(at);
        RedisServer &from = m_cluster->node(0);
        RedisServer &to = m_cluster->spare();
        for (const char *name : {"stays", "goes", "before"})
            QVERIFY(done(from, false, taken(scheme, at + name, "0123-4567:1")));
        if (permits)
            QVERIFY(done(from, false, taken(scheme, at + "stays", "0123-4567:2")));
        QVERIFY(beginPushed(scheme, permits ? 4 : 3));

        m_cluster->beginMove(slot, from, to);
        const auto comesAndGoes = [&](const QByteArray &name, bool asking) {
            return change(to, asking, taken(scheme, name, "0123-4567:3"), "acquired", name, "0123-4567:3") &&
                   change(to, asking, given(scheme, name, "0123-4567:3"), "released", name, "0123-4567:3");
        };
        QVERIFY(comesAndGoes(at + "new", true));
        QCOMPARE(m_client->count(EventKind::GapOpened), 1);
        const LockEvent &gap =
            *std::find_if(m_client->events.cbegin(), m_client->events.cend(),
                          [](const LockEvent &e) { return e.kind == EventKind::GapOpened; });
        QVERIFY(gap.detail.partial);
        QCOMPARE(gap.detail.slotRanges, QString::number(slot));
        QCOMPARE(gap.detail.causeText(), QStringLiteral("slots_moving"));
        QVERIFY(change(from, false, given(scheme, at + "before", "0123-4567:1"), "released", at + "before",
                       "0123-4567:1"));
        QVERIFY(m_cluster->moveKeys(slot, from, to));
        QVERIFY(comesAndGoes(at + "when it went", true));
        QVERIFY(change(to, true, given(scheme, at + "goes", "0123-4567:1"), "released", at + "goes",
                       "0123-4567:1"));
        if (permits) {
            QVERIFY(change(to, true, given(scheme, at + "stays", "0123-4567:2"), "released", at + "stays",
                           "0123-4567:2"));
            QVERIFY(comesAndGoes(at + "stays", true));
        }
        m_cluster->endMove(slot, to);
        QVERIFY(comesAndGoes(at + "at home", false)); // the agent's map is the old one
        QVERIFY(isAtRest());
        QVERIFY(change(to, false, given(scheme, at + "stays", "0123-4567:1"), "released", at + "stays",
                       "0123-4567:1"));
        QVERIFY(comesAndGoes(at + "then", false)); // no poll is due for a minute
        QVERIFY(readNow());                        // nothing else has changed
        QCOMPARE(told(), m_expected);
        QCOMPARE(m_client->count(EventKind::GapOpened), 1);
    }

    /** A move that no key reveals: the map names another node. */
    void anEmptySlotMoves()
    {
        const QByteArray at = slotAt(1, "lock:empty:");
        const quint16 slot = stores::redis::hashSlotOf(at);
        QVERIFY(beginPushed("redis.token", 0));
        m_cluster->beginMove(slot, m_cluster->node(1), m_cluster->spare());
        m_cluster->endMove(slot, m_cluster->spare());
        QTRY_COMPARE_WITH_TIMEOUT(m_client->count(EventKind::GapOpened), 1, 15'000);
        QVERIFY(isAtRest());
        QVERIFY(change(m_cluster->spare(), false, taken("redis.token", at, "me"), "acquired", at, "me"));
        QVERIFY(m_client->events.constLast().windowUs < 3'000'000);
        QVERIFY(done(m_cluster->spare(), false, given("redis.token", at, "me")));
    }

    /** Slots go there and back while a client acquires and releases locks in them. */
    void locksUnderWay_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        QTest::newRow("tokens") << QByteArray("redis.token");
        QTest::newRow("permits of semaphores") << QByteArray("redis.semaphore");
    }
    void locksUnderWay()
    {
        QFETCH(QByteArray, scheme);
        QByteArrayList names;
        for (int i = 0; i < 4; ++i) {
            const QByteArray at = slotAt(2, "lock:load:" + scheme.sliced(6) + ":");
            names += {at + "a", at + "b", at + "c"};
        }
        QVERIFY(beginPushed(scheme, 0));
        RedisServer *from = &m_cluster->node(2);
        RedisServer *to = &m_cluster->node(1); // the spare would become a replica without its last slot
        std::atomic<bool> stop{false};
        std::atomic<bool> wrong{false};
        QHash<QByteArray, Hold> holds;
        Follower follower(*from, *to);
        std::thread client([&] {
            QHash<QByteArray, QByteArray> held;
            const base::SystemClock clock;
            const auto turn = [&](const QByteArray &name) {
                const bool takes = !held.contains(name);
                if (takes)
                    held.insert(name, "holder-" + QByteArray::number(holds.size()));
                const QByteArray who = takes ? held.value(name) : held.take(name);
                Hold &hold = holds[who];
                (takes ? hold.takenUs : hold.givenUs) = clock.wallUs();
                if (!follower.run(takes ? taken(scheme, name, who) : given(scheme, name, who)))
                    wrong = true;
                (takes ? hold.takenUntilUs : hold.givenUntilUs) = clock.wallUs();
            };
            QRandomGenerator *random = QRandomGenerator::global();
            while (!stop) {
                turn(names.at(random->bounded(names.size())));
                const QDeadlineTimer pause(std::chrono::microseconds(random->bounded(4'000)),
                                           Qt::PreciseTimer);
                while (!pause.hasExpired())
                    std::this_thread::yield();
            }
            for (const QByteArray &name : held.keys())
                turn(name);
        });
        for (int move = 0; move < 40; ++move) {
            const quint16 slot = stores::redis::hashSlotOf(names.at(3 * (move % 4)));
            m_cluster->beginMove(slot, *from, *to);
            const auto seen = m_client->events.size();
            (void)m_client->waitForEvent(
                [&](const LockEvent &) { return m_client->events.size() > seen + 10; }, 100);
            if (!m_cluster->moveKeys(slot, *from, *to))
                wrong = true;
            (void)m_client->waitForEvent(
                [&](const LockEvent &) { return m_client->events.size() > seen + 20; }, 100);
            m_cluster->endMove(slot, *to);
            if (move % 4 == 3)
                std::swap(from, to);
        }
        stop = true;
        client.join();
        QVERIFY(!wrong);
        const auto isFree = [this] {
            return std::none_of(m_client->table.locks.cbegin(), m_client->table.locks.cend(),
                                [](const auto &state) { return state.isHeld(); });
        };
        QTRY_VERIFY(isFree());
        QVERIFY(isAtRest());
        const QStringList faults = faultsIn(holds);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    }

private:
    /** The false claims of the events. Each event's window must contain the time of its change. */
    QStringList faultsIn(const QHash<QByteArray, Hold> &holds) const
    {
        QStringList faults;
        QHash<QByteArray, int> begun;
        QHash<QByteArray, int> ended;
        const auto check = [&](const LockEvent &event, QHash<QByteArray, int> &count, const QByteArray &who,
                               qint64 sinceUs, qint64 untilUs) {
            const bool right = sinceUs > 0 && event.timeUs >= sinceUs &&
                               event.timeUs - event.windowUs <= untilUs && ++count[who] == 1;
            if (!right || event.detail.missed)
                faults.append(QStringLiteral("%1: %2 in %3 to %4, told as %5 to %6")
                                  .arg(QString::fromLatin1(textOf(event)), QString::fromLatin1(who))
                                  .arg(sinceUs)
                                  .arg(untilUs)
                                  .arg(event.timeUs - event.windowUs)
                                  .arg(event.timeUs));
        };
        int unseen = 0;
        for (const LockEvent &event : m_client->events) {
            if (event.isSourceEvent())
                continue;
            const Hold hold = holds.value(event.owner);
            const QByteArray previous =
                event.detail.previous.value_or(std::nullopt).value_or(QString()).toLatin1();
            unseen += event.detail.unseen;
            if (event.detail.unseen)
                continue;
            if (event.kind == EventKind::Acquired || event.kind == EventKind::TakenOver)
                check(event, begun, event.owner, hold.takenUs, hold.takenUntilUs);
            if (event.kind == EventKind::Released)
                check(event, ended, event.owner, hold.givenUs, hold.givenUntilUs);
            else if (event.kind == EventKind::TakenOver)
                check(event, ended, previous, holds.value(previous).givenUs,
                      holds.value(previous).givenUntilUs);
            else if (event.kind != EventKind::Acquired)
                faults.append(QString::fromLatin1(textOf(event)));
        }
        qInfo("%d holds, %d told with their holder, %d events of unseen ones", int(holds.size()),
              int(begun.size()), unseen);
        if (begun.size() != ended.size() || begun.isEmpty() || unseen / 2 > holds.size() - begun.size())
            faults.append(QStringLiteral("%1 holds, %2 begun, %3 ended, %4 unseen")
                              .arg(holds.size())
                              .arg(begun.size())
                              .arg(ended.size())
                              .arg(unseen / 2));
        return faults;
    }

    /** The beginning of names in one slot that hasn't been moved yet. */
    QByteArray slotAt(size_t node, const QByteArray &prefix)
    {
        for (;; ++m_tag) {
            const QByteArray at = prefix + '{' + QByteArray::number(m_tag) + '}';
            if (m_cluster->nodeOf(at) == node) {
                ++m_tag;
                return at;
            }
        }
    }

    static QList<QByteArray> taken(const QByteArray &scheme, const QByteArray &name, const QByteArray &who)
    {
        if (scheme == "redis.token")
            return {"SET", name, who, "PX", "600000"};
        if (scheme == "redis.redisson")
            return {"HSET", name, who, "1"};
        return {"ZADD", name, QByteArray::number(base::SystemClock().wallUs() / 1000), who};
    }
    static QList<QByteArray> given(const QByteArray &scheme, const QByteArray &name, const QByteArray &who)
    {
        if (scheme == "redis.semaphore")
            return {"ZREM", name, who};
        return {"DEL", name};
    }

    static bool done(RedisServer &node, bool asking, const QList<QByteArray> &command)
    {
        if (asking)
            node.command({"ASKING"});
        const RedisReply reply = node.command(command);
        return reply.bytes == "OK" || reply.integer == 1;
    }

    /** Runs the command at a node and waits for its event, whose window must contain its time. */
    bool change(RedisServer &node, bool asking, const QList<QByteArray> &command, const QByteArray &kind,
                const QByteArray &name, const QByteArray &who)
    {
        const qint64 sinceUs = base::SystemClock().wallUs();
        if (!done(node, asking, command))
            return false;
        const qint64 untilUs = base::SystemClock().wallUs();
        m_expected.append(kind + ' ' + name + ' ' + who);
        const auto isIt = [&](const LockEvent &event) {
            return textOf(event) == m_expected.constLast() && event.timeUs >= sinceUs;
        };
        if (!m_client->waitForEvent(isIt))
            return false;
        const LockEvent &event = *std::find_if(m_client->events.crbegin(), m_client->events.crend(), isIt);
        const bool holds = event.timeUs - event.windowUs <= untilUs;
        if (!holds)
            qWarning() << textOf(event) << event.timeUs - sinceUs << event.windowUs << event.detail.toJson();
        return holds;
    }

    static QByteArray textOf(const LockEvent &event)
    {
        QByteArray text =
            events::kindName(event.kind).toByteArray() + ' ' + event.key.name + ' ' + event.owner;
        if (event.detail.missed)
            text += " missed";
        return text;
    }

    QByteArrayList told() const
    {
        QByteArrayList texts;
        for (const LockEvent &event : std::as_const(m_client->events)) {
            if (!event.isSourceEvent())
                texts.append(textOf(event));
        }
        return texts;
    }

    /** No slot moves any more, and a scan has shown all of them. */
    bool isAtRest()
    {
        const auto rests = [this] {
            return m_client->count(EventKind::GapOpened) > 0 &&
                   m_client->count(EventKind::GapOpened) == m_client->count(EventKind::GapClosed);
        };
        return QTest::qWaitFor(rests, 20'000);
    }

    /** Starts an agent to which changes are pushed, and waits until it knows that many locks. */
    bool beginPushed(const QByteArray &scheme, qsizetype held)
    {
        const auto isReady = [this, held] {
            return m_client->count(EventKind::Acquired) == held &&
                   m_client->sources.value(QStringLiteral("c")).mode == domain::ObservationMode::Push;
        };
        if (!begin(scheme) || !QTest::qWaitFor(isReady, 20'000) || !readNow())
            return false;
        m_client->events.clear();
        return true;
    }

    bool begin(const QByteArray &scheme)
    {
        m_expected.clear();
        makeAgent();
        m_agent->configure("[[source]]\nname = \"c\"\nurl = \"" + stores::textOf(m_cluster->url()).toUtf8() +
                           "\"\npush = true\npoll_ms = 50\n[[source.locks]]\nmatch = \"lock:*\"\n" +
                           (scheme == "redis.semaphore"
                                ? QByteArray("preset = \"redis-semaphore\"\nlease = \"600s\"\n")
                                : "scheme = \"" + scheme + "\"\n"));
        return startWatched(true);
    }

    /** A scan of the agent has ended that began after this. */
    bool readNow()
    {
        protocol::ReadNow request;
        request.source = QStringLiteral("c");
        return m_client->ask<protocol::Done>(request).has_value();
    }

    std::unique_ptr<RedisCluster> m_cluster;
    QByteArrayList m_expected;
    int m_tag = 0;
};

LOCKKEEPER_TEST(TestAgentClusterSlots)

} // namespace tst_agent_cluster_slots

#include "tst_agent_cluster_slots.moc"
