// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/replica.h"
#include "app/session/source_names.h"
#include "tests/app/session/agents_rig.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QMap>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QtTest>

namespace tst_replica_agents {

using namespace lockkeeper;
using app::replica::PackedLock;
using app::replica::PackedLockTable;
using app::replica::Replica;
using tests::acquired;
using tests::AgentsRig;
using tests::heldLock;
using tests::released;
using tests::ReplayAgent;

/** One replica of several agents. "a" and "b" watch the same store as "s", "c" another one by that name. */
class TestReplicaAgents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aPartHasNoHoles();
    void sourcesOfOneNameStayApart();
    void aLockSeenByTwoStandsOnce();
    void whatOneSawGoStaysGone();
    void itSwitchesWithWhoSeesBest();
    void onlyALostAgentsRowsAreStale();
    void aWholeTableOfOneLeavesTheOthersRows();
    void whatOneMissedIsTold();
    void pauseHoldsBackAll();
    void aRenamedAgentsRowsMove();
    void anotherSetLeavesNothing();
    void aDesksClockMayBeOff_data();
    void aDesksClockMayBeOff();
    void anyChangesEndAsARecountSays_data();
    void anyChangesEndAsARecountSays();

private:
    domain::SourceState source(const QByteArray &run, qint64 pollMs = 500) const;
    void put(ReplayAgent &agent, const QByteArray &name, const QByteArray &owner = "w1");
    void open();
    void tellSource(ReplayAgent &agent, const domain::SourceState &state);
    QString rows() const;

    tests::FakeClock m_clock;
    std::unique_ptr<AgentsRig> m_rig;
    std::unique_ptr<Replica> m_replica;
};

void TestReplicaAgents::init()
{
    m_clock = tests::FakeClock();
    m_rig = std::make_unique<AgentsRig>(
        QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    (*m_rig)[0].sources = {source("run1", 100)};
    (*m_rig)[1].sources = {source("run1", 500)};
    (*m_rig)[2].sources = {source("run2")};
    m_replica = std::make_unique<Replica>(m_clock);
    m_replica->follow(&m_rig->agents);
}

void TestReplicaAgents::cleanup()
{
    m_replica->follow(nullptr);
    m_rig.reset();
    m_replica.reset();
}

domain::SourceState TestReplicaAgents::source(const QByteArray &run, qint64 pollMs) const
{
    domain::SourceState state;
    state.name = QStringLiteral("s");
    state.store = "redis";
    state.instance = run;
    state.link = domain::Link::Up;
    state.pollMs = pollMs;
    state.lastSeenUs = m_clock.wallUs();
    return state;
}

void TestReplicaAgents::put(ReplayAgent &agent, const QByteArray &name, const QByteArray &owner)
{
    agent.table.locks.insert(heldLock(name).key, heldLock(name, owner));
}

void TestReplicaAgents::open()
{
    m_rig->open();
    QTRY_COMPARE(m_rig->live(), 3);
}

void TestReplicaAgents::tellSource(ReplayAgent &agent, const domain::SourceState &state)
{
    agent.sources = {state};
    protocol::StateBatch batch;
    batch.sources = {state};
    agent.sendToAll(batch);
}

void TestReplicaAgents::aDesksClockMayBeOff_data()
{
    QTest::addColumn<qint64>("aheadUs");
    QTest::newRow("ten minutes ahead") << 600'000'000ll;
    QTest::newRow("ten minutes behind") << -600'000'000ll;
}

/** The agent's and the store's clocks date the times of a store; this computer's clock plays no part. */
void TestReplicaAgents::aDesksClockMayBeOff()
{
    QFETCH(qint64, aheadUs);
    AgentsRig rig({QStringLiteral("far")});
    const base::SystemClock clock;
    const qint64 agentUs = clock.wallUs() - aheadUs;
    domain::SourceState seen = source("run1");
    seen.lastSeenUs = agentUs - 1'000'000;
    rig[0].sources = {seen};
    rig[0].wallUs = agentUs;
    Replica replica(clock);
    replica.follow(&rig.agents);
    rig.open();
    QTRY_VERIFY(replica.source(QStringLiteral("s")));
    QVERIFY(!replica.isStale(QStringLiteral("s")));
    const qint64 off = replica.storeNowUs(QStringLiteral("s")) - (clock.wallUs() - aheadUs);
    QVERIFY2(std::abs(off) < 900'000, qPrintable(QString::number(off)));
    replica.follow(nullptr);
}

/** "source name=owner", sorted. */
QString TestReplicaAgents::rows() const
{
    QStringList list;
    for (const PackedLock &lock : m_replica->locks()) {
        const domain::LockState state = lock.state();
        list.append(state.key.source + QLatin1Char(' ') + QString::fromUtf8(state.key.name) +
                    QLatin1Char('=') + QString::fromUtf8(state.owner));
    }
    list.sort();
    return list.join(QLatin1String(", "));
}

/** If an agent shows only a part, the missing numbers aren't lost events. From any other agent, they are. */
void TestReplicaAgents::aPartHasNoHoles()
{
    (*m_rig)[0].grants = {{{domain::Role::Viewer, {}, {"x*"}}}};
    open();
    (*m_rig)[0].sendToAll(protocol::EventBatch{{tests::acquired(heldLock("x1", "w"), 5)}, 0, 9});
    (*m_rig)[0].sendToAll(protocol::EventBatch{{}, 9, 20});
    (*m_rig)[0].sendToAll(protocol::EventBatch{{tests::acquired(heldLock("x2", "w"), 21)}, 20, 21});
    QTRY_VERIFY2(rows().contains(QStringLiteral("x2=w")), qPrintable(rows()));
    QVERIFY2(rows().contains(QStringLiteral("x1=w")), qPrintable(rows()));
    const auto subscribed = [this](int agent) {
        return (*m_rig)[size_t(agent)].received<protocol::Subscribe>().size();
    };
    QCOMPARE(subscribed(0), 1);
    (*m_rig)[2].sendToAll(protocol::EventBatch{{tests::acquired(heldLock("x3", "w"), 5)}});
    QTRY_COMPARE(subscribed(2), 2); // asks for the table again
}

void TestReplicaAgents::sourcesOfOneNameStayApart()
{
    put((*m_rig)[0], "x", "wa");
    put((*m_rig)[2], "x", "wc");
    open();
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=wa, c/s x=wc"));
    QCOMPARE(m_replica->sources().size(), 3);
    QCOMPARE(m_replica->agentOf(QStringLiteral("c/s")), QStringLiteral("c"));
    (*m_rig)[2].publish(released(heldLock("x")));
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=wa"));
}

void TestReplicaAgents::aLockSeenByTwoStandsOnce()
{
    put((*m_rig)[0], "x");
    put((*m_rig)[1], "x");
    put((*m_rig)[1], "y"); // "a" doesn't watch it, or hasn't read it yet
    open();
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=w1, b/s y=w1"));
    const auto key = [](const char *agent, const QByteArray &name) {
        return heldLock(name, "w1", QString::fromLatin1(agent) + QStringLiteral("/s")).key;
    };
    QCOMPARE(m_replica->agentsOf(key("a", "x")), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    QCOMPARE(m_replica->agentsOf(key("b", "x")), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    QCOMPARE(m_replica->agentsOf(key("b", "y")), QStringList{QStringLiteral("b")});
    QCOMPARE(m_replica->agentsOf(key("b", "gone")), QStringList{QStringLiteral("b")});
    QCOMPARE(m_replica->shownAs(key("b", "x")), key("a", "x"));
    QCOMPARE(m_replica->shownAs(key("a", "x")), key("a", "x"));
    QCOMPARE(m_replica->shownAs(key("a", "y")), key("b", "y"));
    QCOMPARE(m_replica->shownAs(key("c", "x")), key("c", "x"));
    QCOMPARE(m_replica->context(m_replica->locks().packed(key("a", "x")).state()).agent,
             QStringLiteral("a, b"));
    (*m_rig)[0].publish(acquired(heldLock("y")));
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=w1, a/s y=w1"));
    (*m_rig)[1].publish(released(heldLock("y")));
    (*m_rig)[0].publish(released(heldLock("x")));
    QTRY_COMPARE(rows(), QStringLiteral("a/s y=w1, b/s x=w1")); // "b" sees it still
    QCOMPARE(m_replica->agentsOf(key("a", "y")), QStringList{QStringLiteral("a")});
}

/** A lost agent's last view of a lock doesn't override another agent that saw the lock go. */
void TestReplicaAgents::whatOneSawGoStaysGone()
{
    ReplayAgent &a = (*m_rig)[0], &b = (*m_rig)[1];
    put(a, "x");
    put(b, "x");
    open();
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=w1"));
    a.stop();
    QTRY_COMPARE(rows(), QStringLiteral("b/s x=w1"));
    QCOMPARE(m_replica->agentsOf(heldLock("x", {}, QStringLiteral("b/s")).key),
             QStringList{QStringLiteral("b")});
    b.publish(released(heldLock("x")));
    QTRY_COMPARE(rows(), QString());
    QVERIFY(a.start()); // with "x" still in its table
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=w1"));
}

void TestReplicaAgents::itSwitchesWithWhoSeesBest()
{
    ReplayAgent &a = (*m_rig)[0], &b = (*m_rig)[1];
    put(a, "x", "by a");
    put(b, "x", "by b");
    open();
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=by a"));
    QSignalSpy changed(m_replica.get(), &Replica::changed);
    a.stop();
    QTRY_COMPARE(rows(), QStringLiteral("b/s x=by b"));
    QTRY_COMPARE(changed.count(), 1); // one batch: exactly one row at any time
    QCOMPARE(changed.first().at(0).value<PackedLockTable>().size(), 1);
    QCOMPARE(changed.first().at(1).value<QSet<domain::LockKey>>().size(), 1);
    QVERIFY(a.start());
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=by a"));
    domain::SourceState pushed = source("run1");
    pushed.mode = domain::ObservationMode::Push;
    tellSource(b, pushed);
    QTRY_COMPARE(rows(), QStringLiteral("b/s x=by b"));
    tellSource(b, source("run1"));
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=by a"));
    tellSource(b, source("run9")); // it is another server by now
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=by a, b/s x=by b"));
    tellSource(b, source("run1"));
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=by a"));
}

void TestReplicaAgents::onlyALostAgentsRowsAreStale()
{
    put((*m_rig)[0], "x");
    put((*m_rig)[2], "y");
    open();
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=w1, c/s y=w1")); // a link is live before its table arrives
    QSignalSpy offline(m_replica.get(), &Replica::offlineChanged);
    QVERIFY(!m_replica->isStale(QStringLiteral("c/s")));
    (*m_rig)[2].stop();
    QTRY_VERIFY(m_replica->isStale(QStringLiteral("c/s")));
    QVERIFY(!m_replica->isStale(QStringLiteral("a/s")));
    QVERIFY(!m_replica->isOffline());
    QVERIFY(offline.count() > 0);
    QCOMPARE(rows(), QStringLiteral("a/s x=w1, c/s y=w1")); // known data stays visible
    (*m_rig)[0].stop();
    (*m_rig)[1].stop();
    QTRY_VERIFY(m_replica->isOffline());
    QVERIFY((*m_rig)[2].start());
    QTRY_VERIFY(!m_replica->isStale(QStringLiteral("c/s")));
    QVERIFY(m_replica->isStale(QStringLiteral("a/s")));
}

void TestReplicaAgents::aWholeTableOfOneLeavesTheOthersRows()
{
    ReplayAgent &a = (*m_rig)[0], &c = (*m_rig)[2];
    put(a, "x");
    put(a, "z");
    put((*m_rig)[1], "z");
    put(c, "y");
    open();
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=w1, a/s z=w1, c/s y=w1"));
    QSignalSpy reset(m_replica.get(), &Replica::reset);
    a.stop();
    a.alwaysFresh = true;
    a.table.locks.clear();
    put(a, "new");
    QVERIFY(a.start());
    QTRY_COMPARE(rows(), QStringLiteral("a/s new=w1, b/s z=w1, c/s y=w1"));
    QCOMPARE(reset.count(), 0);
}

/**
 * A new table with another number: no agent reported the events in between, so the tails have to read them.
 */
void TestReplicaAgents::whatOneMissedIsTold()
{
    ReplayAgent &a = (*m_rig)[0];
    open();
    QSignalSpy missed(m_replica.get(), &Replica::missed);
    a.stop();
    QVERIFY(a.start());
    QTRY_COMPARE(m_rig->live(), 3); // resumed: nothing is missing
    QCOMPARE(missed.count(), 0);
    a.stop();
    a.alwaysFresh = true;
    a.table.seq = 70;
    QVERIFY(a.start());
    QTRY_COMPARE(missed.count(), 1);
}

void TestReplicaAgents::pauseHoldsBackAll()
{
    ReplayAgent &a = (*m_rig)[0], &b = (*m_rig)[1], &c = (*m_rig)[2];
    put(a, "x", "by a");
    put(b, "x", "by b");
    put(c, "y");
    open();
    m_replica->setPaused(true);
    c.publish(released(heldLock("y")));
    c.publish(acquired(heldLock("z")));
    b.publish(acquired(heldLock("x", "again by b")));
    a.stop(); // "b" sees it best now
    QTRY_VERIFY(m_replica->isStale(QStringLiteral("a/s")));
    QTRY_VERIFY(m_replica->pendingChanges() >= 4);
    QCOMPARE(rows(), QStringLiteral("a/s x=by a, c/s y=w1"));
    m_replica->setPaused(false);
    QCOMPARE(rows(), QStringLiteral("b/s x=again by b, c/s z=w1"));

    m_replica->setPaused(true);
    a.alwaysFresh = true;
    put(a, "w");
    QVERIFY(a.start());
    QTRY_VERIFY(!m_replica->isStale(QStringLiteral("a/s")));
    QCOMPARE(rows(), QStringLiteral("b/s x=again by b, c/s z=w1"));
    a.publish(released(heldLock("w")));
    b.publish(acquired(heldLock("v")));
    QTRY_VERIFY(m_replica->pendingChanges() >= 5);
    m_replica->setPaused(false);
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=by a, b/s v=w1, c/s z=w1"));
}

void TestReplicaAgents::aRenamedAgentsRowsMove()
{
    ReplayAgent &a = (*m_rig)[0];
    put(a, "x", "by a");
    put(a, "hidden", "by a");
    put((*m_rig)[1], "x", "by b");
    domain::SourceState pushed = source("run1");
    pushed.mode = domain::ObservationMode::Push;
    open();
    tellSource((*m_rig)[1], pushed); // "a"'s copy of x is behind "b"'s
    QTRY_COMPARE(rows(), QStringLiteral("a/s hidden=by a, b/s x=by b"));
    a.stop();
    QTRY_COMPARE(m_rig->live(), 2);
    a.name = QStringLiteral("z");
    QVERIFY(a.start());
    QTRY_COMPARE(m_rig->live(), 3);
    QCOMPARE(rows(), QStringLiteral("b/s x=by b, z/s hidden=by a"));
    QCOMPARE(m_replica->sources().size(), 3);
    QCOMPARE(m_replica->agentOf(QStringLiteral("a/s")), QString());
    QCOMPARE(m_replica->agentOf(QStringLiteral("z/s")), QStringLiteral("z"));
    QCOMPARE(m_replica->agentsOf(heldLock("x", {}, QStringLiteral("b/s")).key),
             (QStringList{QStringLiteral("b"), QStringLiteral("z")}));
    (*m_rig)[1].publish(released(heldLock("x")));
    QTRY_COMPARE(rows(), QStringLiteral("z/s hidden=by a, z/s x=by a"));
}

void TestReplicaAgents::anotherSetLeavesNothing()
{
    put((*m_rig)[0], "x");
    put((*m_rig)[2], "y");
    open();
    m_rig->agents.open((*m_rig)[2].address());
    QTRY_COMPARE(rows(), QStringLiteral("s y=w1"));
    QCOMPARE(m_replica->sources().size(), 1);
    QCOMPARE(m_replica->agentOf(QStringLiteral("s")), QStringLiteral("c"));
    m_rig->agents.open({(*m_rig)[0].address(), (*m_rig)[2].address()});
    QTRY_COMPARE(rows(), QStringLiteral("a/s x=w1, c/s y=w1"));
}

void TestReplicaAgents::anyChangesEndAsARecountSays_data()
{
    QTest::addColumn<quint32>("seed");
    QTest::addColumn<int>("turn");
    for (quint32 seed = 1; seed <= 8; ++seed)
        QTest::addRow("%u", seed) << seed << (seed % 2 ? 1 : 1000);
}

void TestReplicaAgents::anyChangesEndAsARecountSays()
{
    QFETCH(quint32, seed);
    QFETCH(int, turn);
    QRandomGenerator random(seed);
    m_replica->setTurnLocks(turn); // of the event loop
    open();
    // The rows according to the signals: a view that follows the signals must end with the same rows.
    QMap<domain::LockKey, domain::LockState> view;
    const auto copyAll = [&] {
        view.clear();
        for (const PackedLock &lock : m_replica->locks())
            view.insert(lock.key(), lock.state());
    };
    connect(m_replica.get(), &Replica::reset, this, copyAll);
    connect(m_replica.get(), &Replica::changed, this,
            [&](const PackedLockTable &changed, const auto &removed) {
                for (const domain::LockKey &key : removed)
                    view.remove(key);
                for (const PackedLock &lock : changed)
                    view.insert(lock.key(), lock.state());
            });
    const auto expected = [&] {
        QMap<domain::LockKey, domain::LockState> all;
        for (const auto &fake : m_rig->fakes) {
            for (const domain::LockState &lock : std::as_const(fake->table.locks)) {
                domain::LockState told = lock;
                told.key.source = fake->name + QStringLiteral("/s");
                const QStringList same = m_rig->agents.sameStores().of(told.key.source);
                bool better = false;
                for (const QString &other : same.first(same.indexOf(told.key.source))) {
                    const QString agent = app::session::splitName(other).agent;
                    for (const auto &one : m_rig->fakes)
                        better = better || (one->name == agent && one->table.locks.contains(lock.key));
                }
                if (!better)
                    all.insert(told.key, told);
            }
        }
        return all;
    };
    for (int round = 0; round < 25; ++round) {
        for (int i = random.bounded(1, 12); i > 0; --i) {
            ReplayAgent &agent = (*m_rig)[random.bounded(3u)];
            const domain::LockState lock = heldLock("l" + QByteArray::number(random.bounded(6)),
                                                    "w" + QByteArray::number(random.bounded(3)));
            switch (random.bounded(8)) {
            case 0:
                tellSource(agent, source(random.bounded(4) ? "run1" : "run2", 100 * random.bounded(1, 4)));
                break;
            case 1:
            case 2:
                agent.publish(released(lock));
                break;
            case 3:
                m_replica->setPaused(!m_replica->isPaused());
                break;
            case 4:
                agent.stop();
                agent.alwaysFresh = random.bounded(2);
                agent.publish(released(lock)); // while no console is connected
                QVERIFY(agent.start());
                break;
            default:
                agent.publish(acquired(lock));
            }
        }
        m_replica->setPaused(false);
        // The test waits for the last event of each agent.
        for (const auto &fake : m_rig->fakes)
            fake->publish(acquired(heldLock("round", QByteArray::number(round))));
        const auto isThere = [&] {
            return m_rig->live() == 3 &&
                   std::all_of(m_rig->fakes.cbegin(), m_rig->fakes.cend(), [&](const auto &fake) {
                       const domain::LockKey key =
                           heldLock("round", {}, fake->name + QStringLiteral("/s")).key;
                       const auto shown = m_replica->find(m_replica->shownAs(key));
                       return shown && shown->owner == QByteArray::number(round);
                   });
        };
        QTRY_VERIFY(isThere());
        const auto isSame = [&] {
            m_replica->flush();
            return view == expected();
        };
        QTRY_VERIFY2(isSame(), qPrintable(QString::number(round)));
        copyAll();
        QVERIFY(view == expected());
    }
    disconnect(m_replica.get(), nullptr, this, nullptr);
}

LOCKKEEPER_TEST(TestReplicaAgents)

} // namespace tst_replica_agents

#include "tst_replica_agents.moc"
