// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"
#include "tests/support/agent_fixture.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_sentinel.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <thread>

namespace tst_agent_failover {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

/** The agent with Redis that fails over, and with one that sleeps. */
class TestAgentFailover : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:

    /** The primary dies with a lock that its replica hasn't: lost, in a gap, and never released. */
    void whatAFailoverLosesIsCalledLost()
    {
        SentinelTrio trio;
        QVERIFY(trio.start());
        QVERIFY(begin({{"s", trio.url()}}));
        trio.m_one.command({"SET", "lock:kept", "alice"});
        QVERIFY(saw(EventKind::Acquired, "lock:kept"));
        QCOMPARE(trio.m_one.command({"WAIT", "1", "5000"}).integer, 1);
        trio.m_two.pause();
        // The paused replica would still read the data waiting in its socket. This ends its connection, and
        // it can't reconnect.
        trio.m_one.command({"CLIENT", "KILL", "TYPE", "replica"});
        trio.m_one.command({"SET", "lock:gone", "bob"});
        QVERIFY(saw(EventKind::Acquired, "lock:gone"));
        trio.m_one.kill();
        trio.m_two.resume();
        QVERIFY(saw(EventKind::Lost, "lock:gone", 40'000));
        const LockEvent lost = find(EventKind::Lost, "lock:gone");
        QCOMPARE(lost.owner, QByteArray("bob"));
        QCOMPARE(lost.detail.causeText(), QStringLiteral("lost_in_failover"));
        QVERIFY(lost.windowUs > 0);
        QVERIFY(saw(EventKind::GapClosed, {}));
        QCOMPARE(count(EventKind::GapOpened), 1);
        QCOMPARE(count(EventKind::GapClosed), 1);
        QCOMPARE(count(EventKind::Released) + count(EventKind::Expired) + count(EventKind::TakenOver), 0);
        QCOMPARE(count(EventKind::Acquired), 2); // no new acquisition of the lock that is still held
        const auto kept = std::find_if(m_client->table.locks.cbegin(), m_client->table.locks.cend(),
                                       [](const auto &state) { return state.key.name == "lock:kept"; });
        QVERIFY(kept != m_client->table.locks.cend() && kept->isHeld());
    }

    /** The subscription moves with the primary, and only the subscription could report a change in time. */
    void changesArePushedByEachPrimary()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        SentinelTrio trio;
        QVERIFY(trio.start());
        QVERIFY(begin({{"s", trio.url()}}, "push = true\npoll_ms = 60000\nreconcile_ms = 600000\n"));
        const auto mode = [this] { return m_client->sources.value(QStringLiteral("s")).mode; };
        QTRY_COMPARE(mode(), domain::ObservationMode::Push);
        trio.m_one.command({"SET", "lock:before", "alice"});
        QVERIFY(saw(EventKind::Acquired, "lock:before"));
        QCOMPARE(trio.m_one.command({"WAIT", "1", "5000"}).integer, 1);
        QVERIFY(trio.failOver());
        QVERIFY(saw(EventKind::GapClosed, {}, 40'000));
        QTRY_COMPARE(mode(), domain::ObservationMode::Push);
        RedisPlain second(trio.m_two.socketPath()); // a failover ends the others
        QVERIFY(!second.command({"SET", "lock:after", "bob"}).isError());
        QVERIFY(saw(EventKind::Acquired, "lock:after"));
        second.command({"DEL", "lock:before"});
        QVERIFY(saw(EventKind::Released, "lock:before"));
        QCOMPARE(count(EventKind::GapOpened), 1);
        QCOMPARE(count(EventKind::Acquired), 2);
        QCOMPARE(count(EventKind::Lost) + count(EventKind::Expired) + count(EventKind::TakenOver), 0);
        for (const LockEvent &event : std::as_const(m_client->events))
            QVERIFY(!event.detail.missed);
    }

    /** The replica still has the previous holder: there was no hand-over to that holder. */
    void whatAFailoverBringsBackIsNoHandOver()
    {
        SentinelTrio trio;
        QVERIFY(trio.start());
        QVERIFY(begin({{"s", trio.url()}}));
        trio.m_one.command({"SET", "lock:back", "alice"});
        QVERIFY(saw(EventKind::Acquired, "lock:back"));
        QCOMPARE(trio.m_one.command({"WAIT", "1", "5000"}).integer, 1);
        trio.m_two.pause();
        trio.m_one.command({"CLIENT", "KILL", "TYPE", "replica"});
        trio.m_one.command({"SET", "lock:back", "bob"});
        QVERIFY(saw(EventKind::TakenOver, "lock:back"));
        trio.m_one.kill();
        trio.m_two.resume();
        QVERIFY(saw(EventKind::Lost, "lock:back", 40'000));
        const LockEvent lost = find(EventKind::Lost, "lock:back");
        QCOMPARE(lost.owner, QByteArray("bob"));
        QCOMPARE(lost.detail.causeText(), QStringLiteral("lost_in_failover"));
        QTRY_COMPARE(count(EventKind::Acquired), 2);
        const auto back =
            std::find_if(m_client->events.crbegin(), m_client->events.crend(), [](const LockEvent &e) {
                return e.kind == EventKind::Acquired && e.key.name == "lock:back";
            });
        QCOMPARE(back->owner, QByteArray("alice"));
        QVERIFY(back->windowUs > 0);
        QCOMPARE(back->detail.causeText(), QStringLiteral("failover"));
        QVERIFY(back->detail.cameBack);
        QCOMPARE(count(EventKind::TakenOver), 1); // bob's
        QCOMPARE(count(EventKind::Released), 0);
    }

    /** One node of a cluster dies and comes back empty: a gap of its part, and its locks are lost. */
    void aNodeOfAClusterIsAPartialGap()
    {
        RedisCluster cluster;
        QVERIFY(cluster.start());
        QByteArrayList names;
        for (size_t i = 0; i < RedisCluster::kNodes; ++i) {
            names.append(cluster.keyAt(i, "lock:part"));
            cluster.node(i).command({"SET", names.last(), "holder"});
        }
        QVERIFY(begin({{"c", cluster.url()}}));
        for (const QByteArray &name : std::as_const(names))
            QVERIFY(saw(EventKind::Acquired, name));
        cluster.node(2).kill();
        QVERIFY(saw(EventKind::GapOpened, {}));
        const LockEvent gap = m_client->last(EventKind::GapOpened);
        QCOMPARE(gap.detail.partial, true);
        QVERIFY(gap.detail.node.endsWith(QString::number(cluster.node(2).port())));
        QVERIFY(gap.detail.slotRanges.contains(QLatin1Char('-')));
        const auto phaseOf = [this](const QByteArray &name) {
            const auto &locks = m_client->table.locks;
            const auto lock = std::find_if(locks.cbegin(), locks.cend(),
                                           [&](const auto &state) { return state.key.name == name; });
            return lock == locks.cend() ? domain::Phase::Free : lock->phase;
        };
        QTRY_COMPARE(phaseOf(names.at(2)), domain::Phase::Unknown); // it isn't seen, so its state is unknown
        QCOMPARE(phaseOf(names.at(0)), domain::Phase::Held);
        // The agent watches the other nodes meanwhile, and reports nothing about the lost node's locks.
        cluster.node(0).command({"DEL", names.at(0)});
        QVERIFY(saw(EventKind::Released, names.at(0)));
        const auto told = m_client->events.size();
        QVERIFY(!m_client->waitForEvent(
            [&](const LockEvent &e) { return e.key.name == names.at(2) && e.kind != EventKind::Acquired; },
            1'500));
        QCOMPARE(m_client->events.size(), told);
        QCOMPARE(count(EventKind::SourceDown), 0);
        QVERIFY(cluster.node(2).restart());
        QVERIFY(saw(EventKind::Lost, names.at(2), 30'000));
        QCOMPARE(find(EventKind::Lost, names.at(2)).detail.causeText(), QStringLiteral("server_restarted"));
        QTRY_COMPARE_WITH_TIMEOUT(count(EventKind::GapClosed), 1, 15'000);
        QCOMPARE(find(EventKind::GapClosed, {}).detail.node, gap.detail.node);
        QCOMPARE(count(EventKind::GapOpened), 1);
        QCOMPARE(count(EventKind::Released), 1);
        const auto held = std::count_if(m_client->table.locks.cbegin(), m_client->table.locks.cend(),
                                        [](const auto &state) { return state.isHeld(); });
        QCOMPARE(held, 1);
    }

    /** DEBUG SLEEP on one server delays no event of the other. */
    void aSleepingServerDelaysNobodyElse()
    {
        RedisServer asleep;
        RedisServer awake;
        QVERIFY(
            asleep.start(RedisServer::version() < 700
                             ? QStringList()
                             : QStringList{QStringLiteral("--enable-debug-command"), QStringLiteral("yes")}));
        QVERIFY(awake.start());
        QVERIFY(begin({{"asleep", asleep.url()}, {"awake", awake.url()}}));
        RedisPlain sleeper(asleep.socketPath());
        sleeper.append({"DEBUG", "SLEEP", "4"});
        sleeper.append({"PING"});
        std::thread waiting([&sleeper] { sleeper.next(); });
        QElapsedTimer timer;
        timer.start();
        QList<qint64> late;
        for (int i = 0; timer.elapsed() < 3'000; ++i) {
            const QByteArray name = "lock:" + QByteArray::number(i);
            awake.command({"SET", name, "x"});
            QVERIFY(saw(EventKind::Acquired, name));
            late.append(find(EventKind::Acquired, name).windowUs);
        }
        waiting.join();
        QVERIFY(late.size() > 5);
        std::sort(late.begin(), late.end());
        qInfo("while the other slept, %lld locks were seen at most %.0f ms after they were taken",
              qint64(late.size()), double(late.constLast()) / 1e3);
        QVERIFY(late.constLast() < 1'500'000);
    }

private:
    bool begin(const QList<std::pair<const char *, QUrl>> &sources, const QByteArray &how = "poll_ms = 100\n")
    {
        QByteArray text;
        for (const auto &[name, url] : sources)
            text += "[[source]]\nname = \"" + QByteArray(name) + "\"\nurl = \"" +
                    stores::textOf(url).toUtf8() + "\"\n" + how +
                    "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"lock:*\"\n";
        m_agent->configure(text);
        return startWatched();
    }

    bool saw(EventKind kind, const QByteArray &name, int withinMs = 15'000)
    {
        return m_client->saw(kind, name, withinMs);
    }

    LockEvent find(EventKind kind, const QByteArray &name) const
    {
        for (const LockEvent &event : m_client->events) {
            if (event.kind == kind && event.key.name == name)
                return event;
        }
        return {};
    }

    qsizetype count(EventKind kind) const
    {
        return std::count_if(m_client->events.cbegin(), m_client->events.cend(),
                             [kind](const LockEvent &e) { return e.kind == kind; });
    }
};

LOCKKEEPER_TEST(TestAgentFailover)

} // namespace tst_agent_failover

#include "tst_agent_failover.moc"
