// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/records.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "tests/app/session/replay_agent.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QtTest>

namespace tst_replica {

using namespace lockkeeper;
using app::replica::Badge;
using app::replica::PackedLockTable;
using app::replica::Replica;
using app::replica::Selection;
using tests::acquired;
using tests::heldLock;

class TestReplica : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void tableThenEvents();
    void aWholeTableTakesOutWhatItHasnt();
    void aLargeTableComesInParts();
    void anotherAgentLeavesNothing();
    void oneBatchForManyChanges();
    void pauseHoldsBackAndCounts();
    void pauseOverAFreshTable();
    void updatesOfUnknownLocksAreIgnored();
    void unjournalledInsertsAndRemoves();
    void unjournalledWhilePaused();
    void aHoleIsNotApplied();
    void staleAfter_data();
    void staleAfter();
    void offlineMakesAllStale();
    void storeClockFollowsTheSteadyClock();
    void releasingIsTold();
    void followsASession();
    void selectionKeepsKeys();

private:
    domain::SourceState source(qint64 offsetUs = 0, qint64 pollMs = 500) const;
    void load(const QList<domain::LockState> &locks, quint64 seq = 0);

    tests::FakeClock m_clock;
    std::unique_ptr<Replica> m_replica;
};

namespace {

QSet<domain::LockKey> keysOf(const PackedLockTable &locks)
{
    QSet<domain::LockKey> keys;
    for (const app::replica::PackedLock &lock : locks)
        keys.insert(lock.key());
    return keys;
}

} // namespace

void TestReplica::init()
{
    m_clock = tests::FakeClock();
    m_replica = std::make_unique<Replica>(m_clock);
    m_replica->setLive(true, QStringLiteral("dc1"));
}

domain::SourceState TestReplica::source(qint64 offsetUs, qint64 pollMs) const
{
    domain::SourceState state;
    state.name = QStringLiteral("s");
    state.link = domain::Link::Up;
    state.clockOffsetUs = offsetUs;
    state.pollMs = pollMs;
    state.lastSeenUs = m_clock.wallUs() + offsetUs;
    return state;
}

void TestReplica::load(const QList<domain::LockState> &locks, quint64 seq)
{
    m_replica->beginTable();
    m_replica->addPage(locks, {source()});
    m_replica->completeTable(seq);
}

void TestReplica::tableThenEvents()
{
    QSignalSpy reset(m_replica.get(), &Replica::reset);
    QSignalSpy changed(m_replica.get(), &Replica::changed);
    m_replica->beginTable();
    m_replica->addPage({heldLock("a")}, {});
    QVERIFY(m_replica->locks().isEmpty()); // the old table stays until the new table is whole
    m_replica->addPage({heldLock("b")}, {source()});
    m_replica->completeTable(4);
    QCOMPARE(reset.count(), 1);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(keysOf(changed.takeFirst().at(0).value<PackedLockTable>()).size(), 2);
    QCOMPARE(m_replica->locks().size(), 2);
    QCOMPARE(m_replica->sources().size(), 1);
    m_replica->takeEvents(
        {acquired(heldLock("a"), 4), tests::released(heldLock("b"), 5), acquired(heldLock("c"), 6)});
    m_replica->flush();
    QCOMPARE(m_replica->seq(), 6u);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(keysOf(changed.first().at(0).value<PackedLockTable>()),
             QSet<domain::LockKey>{heldLock("c").key});
    QCOMPARE(changed.first().at(1).value<QSet<domain::LockKey>>(), QSet<domain::LockKey>{heldLock("b").key});
    QVERIFY(!m_replica->find(heldLock("b").key));
}

/** After a resume: no event reported that "b" had left. The views keep their rows. */
void TestReplica::aWholeTableTakesOutWhatItHasnt()
{
    load({heldLock("a"), heldLock("b"), heldLock("c")}, 7);
    QSignalSpy reset(m_replica.get(), &Replica::reset);
    QSignalSpy changed(m_replica.get(), &Replica::changed);
    load({heldLock("a"), heldLock("c", "w2"), heldLock("d")}, 7);
    QCOMPARE(reset.count(), 0);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(keysOf(changed.first().at(0).value<PackedLockTable>()),
             (QSet<domain::LockKey>{heldLock("c").key, heldLock("d").key}));
    QCOMPARE(changed.first().at(1).value<QSet<domain::LockKey>>(), QSet<domain::LockKey>{heldLock("b").key});
    QCOMPARE(m_replica->locks().size(), 3);
    load({heldLock("a")}, 9); // events were missed: the tails have to know
    QCOMPARE(reset.count(), 1);
    QCOMPARE(m_replica->locks().size(), 1);
}

/** Later events wait for the whole table, so that each lock has either its old or its new state. */
void TestReplica::aLargeTableComesInParts()
{
    load({heldLock("gone"), heldLock("n1", "before")}, 7);
    m_replica->setLive(false, {});
    m_replica->setTurnLocks(3);
    QSignalSpy reset(m_replica.get(), &Replica::reset);
    qsizetype most = 0, batches = 0;
    connect(m_replica.get(), &Replica::changed, this,
            [&](const PackedLockTable &changed, const auto &removed) {
                most = std::max(most, changed.size() + removed.size());
                ++batches;
                QCOMPARE(reset.count(), 0);
                QVERIFY(m_replica->isOffline());
                const auto n1 = m_replica->find(heldLock("n1").key);
                QVERIFY(n1 && (n1->owner == "before" || n1->owner == "w1"));
            });
    QList<domain::LockState> locks;
    for (int i = 0; i < 30; ++i)
        locks.append(heldLock("n" + QByteArray::number(i)));
    load(locks, 20);
    m_replica->setLive(true, QStringLiteral("dc1"));
    m_replica->takeEvents({tests::released(heldLock("n2"), 21)});
    QVERIFY(m_replica->locks().size() < 30);
    QVERIFY(m_replica->isOffline()); // not before the whole table is in
    QVERIFY(!m_replica->isLive(QStringLiteral("s")));
    QTRY_VERIFY(!m_replica->isOffline());
    QVERIFY(m_replica->isLive(QStringLiteral("s")));
    disconnect(m_replica.get(), &Replica::changed, this, nullptr);
    m_replica->flush();
    QCOMPARE(reset.count(), 1);
    QVERIFY2(most <= 6, qPrintable(QString::number(most)));
    QVERIFY(batches >= 10);
    QCOMPARE(m_replica->locks().size(), 29);
    QVERIFY(!m_replica->find(heldLock("gone").key));
    QVERIFY(!m_replica->find(heldLock("n2").key));
    QCOMPARE(m_replica->seq(), 21u);

    load({heldLock("last")}, 30); // incomplete when the user asks another agent
    m_replica->forget();
    QCoreApplication::processEvents();
    QVERIFY(m_replica->locks().isEmpty());
}

void TestReplica::anotherAgentLeavesNothing()
{
    load({heldLock("a")}, 7);
    m_replica->setReleasing(heldLock("a").key, true);
    m_replica->setPaused(true);
    m_replica->takeEvents({acquired(heldLock("b"), 8)});
    QSignalSpy reset(m_replica.get(), &Replica::reset);
    m_replica->forget();
    QCOMPARE(reset.count(), 1);
    QVERIFY(m_replica->locks().isEmpty() && m_replica->sources().isEmpty());
    QVERIFY(!m_replica->isPaused());
    QVERIFY(!m_replica->isReleasing(heldLock("a").key));
    QCOMPARE(m_replica->seq(), 0u);
    QCOMPARE(m_replica->agentOf(QStringLiteral("s")), QString());
}

void TestReplica::oneBatchForManyChanges()
{
    load({});
    m_replica->flush();
    QSignalSpy changed(m_replica.get(), &Replica::changed);
    for (quint64 seq = 1; seq <= 50; ++seq)
        m_replica->takeEvents({acquired(heldLock(QByteArray::number(seq)), seq)});
    QCOMPARE(changed.count(), 0);
    QTRY_COMPARE(changed.count(), 1);
    QCOMPARE(keysOf(changed.first().at(0).value<PackedLockTable>()).size(), 50);
}

void TestReplica::pauseHoldsBackAndCounts()
{
    load({heldLock("a"), heldLock("b")});
    m_replica->setPaused(true);
    QSignalSpy changed(m_replica.get(), &Replica::changed);
    QSignalSpy events(m_replica.get(), &Replica::events);
    m_replica->takeEvents({acquired(heldLock("a", "w2"), 1), tests::released(heldLock("b"), 2),
                           acquired(heldLock("c"), 3), tests::released(heldLock("c"), 4)});
    m_replica->takeStates({heldLock("b", "ghost")}, {}); // gone by now: ignored
    m_replica->flush();
    QCOMPARE(m_replica->pendingChanges(), 4);
    QCOMPARE(m_replica->pausedAtWallUs(), m_clock.wallUs());
    QCOMPARE(m_replica->find(heldLock("a").key)->owner, QByteArray("w1"));
    QCOMPARE(changed.count() + events.count(), 0);
    m_replica->setPaused(false);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(m_replica->find(heldLock("a").key)->owner, QByteArray("w2"));
    QVERIFY(!m_replica->find(heldLock("b").key));
    QVERIFY(!m_replica->find(heldLock("c").key));
    QCOMPARE(m_replica->seq(), 4u);
    QCOMPARE(events.first().first().value<QList<events::LockEvent>>().size(), 4);
    QCOMPARE(m_replica->pendingChanges(), 0);
}

void TestReplica::pauseOverAFreshTable()
{
    load({heldLock("a")});
    m_replica->setPaused(true);
    QSignalSpy reset(m_replica.get(), &Replica::reset);
    load({heldLock("b")}, 10);
    m_replica->takeEvents({acquired(heldLock("c"), 11)});
    QVERIFY(m_replica->find(heldLock("a").key));
    QCOMPARE(reset.count(), 0);
    m_replica->setPaused(false);
    QCOMPARE(reset.count(), 1);
    QVERIFY(!m_replica->find(heldLock("a").key));
    QVERIFY(m_replica->find(heldLock("c").key));
    QCOMPARE(m_replica->seq(), 11u);
}

void TestReplica::updatesOfUnknownLocksAreIgnored()
{
    load({heldLock("a")});
    domain::LockState renewed = heldLock("a");
    renewed.renewals = 3;
    m_replica->takeStates({renewed, heldLock("stranger")}, {});
    QCOMPARE(m_replica->find(renewed.key)->renewals, 3u);
    QVERIFY(!m_replica->find(heldLock("stranger").key));

    domain::LockState row = heldLock("row"); // a row without a holder: it comes and goes without events
    row.phase = domain::Phase::Free;
    row.seenUs = 1;
    m_replica->takeStates({row}, {});
    QVERIFY(m_replica->find(row.key));
    row.seenUs.reset();
    m_replica->takeStates({row}, {});
    QVERIFY(!m_replica->find(row.key));
}

void TestReplica::unjournalledInsertsAndRemoves()
{
    load({heldLock("a")}, 3);
    m_replica->takeUnjournalled({heldLock("b")}, {heldLock("a").key, heldLock("nobody").key});
    QVERIFY(m_replica->find(heldLock("b").key));
    QVERIFY(!m_replica->find(heldLock("a").key));
    QCOMPARE(m_replica->seq(), 3u);
}

void TestReplica::unjournalledWhilePaused()
{
    load({heldLock("a")}, 3);
    m_replica->setPaused(true);
    m_replica->takeUnjournalled({heldLock("b")}, {heldLock("a").key});
    QVERIFY(m_replica->find(heldLock("a").key));
    m_replica->setPaused(false);
    QVERIFY(m_replica->find(heldLock("b").key));
    QVERIFY(!m_replica->find(heldLock("a").key));
}

void TestReplica::aHoleIsNotApplied()
{
    load({});
    QTest::ignoreMessage(QtWarningMsg, "dropped events after a hole before 2");
    m_replica->takeEvents({acquired(heldLock("a"), 2)});
    QVERIFY(m_replica->locks().isEmpty());
    QCOMPARE(m_replica->seq(), 0u);
}

void TestReplica::staleAfter_data()
{
    QTest::addColumn<qint64>("pollMs");
    QTest::addColumn<qint64>("passMs");
    QTest::addColumn<qint64>("silentMs");
    QTest::addColumn<bool>("stale");
    const auto row = [](const char *name, qint64 pollMs, qint64 passMs, qint64 silentMs, bool stale) {
        QTest::newRow(name) << pollMs << passMs << silentMs << stale;
    };
    row("4.9 s", 500, 0, 4'900, false);
    row("5.1 s", 500, 0, 5'100, true);
    row("slow poll, 19 s", 10'000, 0, 19'000, false);
    row("slow poll, 21 s", 10'000, 0, 21'000, true);
    row("slow scan, 8.9 s", 1'000, 7'000, 8'900, false);
    row("slow scan, 9.1 s", 1'000, 7'000, 9'100, true);
}

void TestReplica::staleAfter()
{
    QFETCH(qint64, pollMs);
    QFETCH(qint64, passMs);
    QFETCH(qint64, silentMs);
    QFETCH(bool, stale);
    load({heldLock("a")});
    domain::SourceState slow = source(7'000'000, pollMs);
    slow.passUs = passMs * 1000;
    slow.lastSeenWallUs = m_clock.wallUs();
    m_replica->takeStates({}, {slow});
    const qint64 seen = m_clock.wallUs() + 7'000'000;
    QVERIFY(!m_replica->isStale(QStringLiteral("s")));
    m_clock.advanceUs(silentMs * 1000);
    QCOMPARE(m_replica->isStale(QStringLiteral("s")), stale);
    const auto context = m_replica->context(heldLock("a"));
    QCOMPARE(badgeOf(heldLock("a"), context), stale ? Badge::Unknown : Badge::Held);
    QCOMPARE(context.nowUs, stale ? seen : seen + silentMs * 1000); // durations stop
    const app::records::SourceView shell = app::records::viewOf(slow, m_clock.wallUs());
    QCOMPARE(shell.stale, stale);
    QCOMPARE(shell.nowUs, context.nowUs);
    domain::LockState look = heldLock("a");
    look.seenUs = seen + silentMs * 1000;
    m_replica->takeStates({look}, {});
    QVERIFY(!m_replica->isStale(QStringLiteral("s")));
}

void TestReplica::offlineMakesAllStale()
{
    load({heldLock("a")});
    QSignalSpy offline(m_replica.get(), &Replica::offlineChanged);
    m_replica->setLive(false, QString());
    QCOMPARE(offline.count(), 1);
    QVERIFY(m_replica->isOffline());
    QVERIFY(m_replica->isStale(QStringLiteral("s")));
    QCOMPARE(m_replica->agentOf(QStringLiteral("s")), QStringLiteral("dc1"));
    QCOMPARE(m_replica->locks().size(), 1); // known data stays visible
    QVERIFY(m_replica->isStale(QStringLiteral("no such source")));
}

void TestReplica::storeClockFollowsTheSteadyClock()
{
    load({});
    m_replica->takeStates({}, {source(-3'000'000)});
    const qint64 then = m_clock.wallUs() - 3'000'000;
    QCOMPARE(m_replica->storeNowUs(QStringLiteral("s")), then);
    m_clock.setWallUs(m_clock.wallUs() + 3600'000'000ll); // a change of this machine's clock
    QCOMPARE(m_replica->storeNowUs(QStringLiteral("s")), then);
    m_clock.advanceUs(1'000'000);
    QCOMPARE(m_replica->storeNowUs(QStringLiteral("s")), then + 1'000'000);
    m_replica->setPaused(true);
    m_clock.advanceUs(1'000'000);
    QCOMPARE(m_replica->storeNowUs(QStringLiteral("s")), then + 1'000'000); // time stops in a paused table
}

void TestReplica::releasingIsTold()
{
    load({heldLock("a")});
    QSignalSpy told(m_replica.get(), &Replica::releasingChanged);
    m_replica->setReleasing(heldLock("a").key, true);
    m_replica->setReleasing(heldLock("a").key, true);
    QCOMPARE(told.count(), 1);
    QCOMPARE(badgeOf(heldLock("a"), m_replica->context(heldLock("a"))), Badge::Releasing);
    m_replica->setReleasing(heldLock("a").key, false);
    QCOMPARE(told.count(), 2);
}

void TestReplica::followsASession()
{
    tests::ReplayAgent agent;
    agent.table.locks.insert(heldLock("a").key, heldLock("a"));
    QVERIFY(agent.start());
    app::session::AgentGroup session(QStringLiteral("test"));
    Replica replica(m_clock);
    QVERIFY(replica.isOffline());
    replica.follow(&session);
    session.open(agent.address());
    QTRY_VERIFY(!replica.isOffline());
    QCOMPARE(replica.agentOf(QStringLiteral("s")), QStringLiteral("fake"));
    agent.publish(acquired(heldLock("b")));
    QTRY_VERIFY(replica.find(heldLock("b").key));
    QCOMPARE(replica.locks().size(), agent.table.locks.size());
    for (const domain::LockState &lock : std::as_const(agent.table.locks))
        QCOMPARE(replica.find(lock.key), std::optional(lock));
    session.close();
    QVERIFY(replica.isOffline());
}

void TestReplica::selectionKeepsKeys()
{
    Selection selection;
    QSignalSpy changed(&selection, &Selection::changed);
    QSignalSpy current(&selection, &Selection::currentChanged);
    const auto a = heldLock("a").key, b = heldLock("b").key, c = heldLock("c").key;
    selection.select({a, b, a}, b);
    QCOMPARE(selection.keys(), (QList<domain::LockKey>{a, b}));
    QCOMPARE(selection.current(), std::optional(b));
    selection.select({a, b}, b);
    QCOMPARE(changed.count(), 1);
    selection.select({b}, c);
    QCOMPARE(changed.count(), 2);
    QCOMPARE(current.count(), 1);
    selection.clear();
    QVERIFY(!selection.current());
    QCOMPARE(current.count(), 2);
}

LOCKKEEPER_TEST(TestReplica)

} // namespace tst_replica

#include "tst_replica.moc"
