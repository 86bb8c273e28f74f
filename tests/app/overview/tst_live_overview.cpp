// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/overview/attention_model.h"
#include "app/overview/live_overview.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QtTest>

namespace tst_live_overview {

using namespace lockkeeper;
using namespace lockkeeper::app::overview;
using app::replica::Badge;

namespace {

domain::LockState lock(const QByteArray &name, bool stuck, int waiting = 0)
{
    domain::LockState state;
    state.key = {QStringLiteral("orders"), "redis.token", "db0", name};
    state.phase = domain::Phase::Held;
    state.acquiredUs = 1'000'000;
    state.stuck = stuck ? domain::StuckReason::NoExpiry : domain::StuckReason::None;
    if (waiting > 0)
        state.waiting = waiting;
    return state;
}

QList<Attention> attention(const QByteArrayList &names)
{
    QList<Attention> all;
    for (const QByteArray &name : names)
        all.append({lock(name, true), Badge::Stuck, Why::NoExpiry, 1'000'000, 5'000'000, {}});
    return all;
}

QByteArray namesOf(const AttentionModel &model)
{
    QByteArrayList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names.append(model.at(row)->lock.key.name);
    return names.join(' ');
}

} // namespace

/** The overview of a replica as it changes, and the rows that follow it calmly. */
class TestLiveOverview : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void equalsACountOfAll();
    void silentSourceIsNamed();
    void rowsFollowTheirLock();
    void valuesFollowAtOnce();

private:
    domain::SourceState source() const
    {
        domain::SourceState state;
        state.name = QStringLiteral("orders");
        state.link = domain::Link::Up;
        state.lastSeenUs = m_clock.wallUs();
        state.lastSeenWallUs = m_clock.wallUs();
        state.pollMs = 500;
        return state;
    }
    void load(const QList<domain::LockState> &locks)
    {
        m_replica->setLive(true, QStringLiteral("dc1"));
        m_replica->beginTable();
        m_replica->addPage(locks, {source()});
        m_replica->completeTable(1);
        m_replica->flush();
    }

    tests::FakeClock m_clock;
    std::unique_ptr<app::replica::Replica> m_replica;
};

void TestLiveOverview::init()
{
    m_replica = std::make_unique<app::replica::Replica>(m_clock);
}

/** An overview that follows the batches equals a count over all locks. */
void TestLiveOverview::equalsACountOfAll()
{
    load({});
    LiveOverview live(*m_replica);
    QRandomGenerator random(7);
    for (int round = 0; round < 60; ++round) {
        QList<domain::LockState> changed;
        QList<domain::LockKey> removed;
        for (int i = 0; i < 6; ++i) {
            domain::LockState one =
                lock(QByteArray::number(random.bounded(25)), random.bounded(3) == 0, random.bounded(3));
            if (random.bounded(4) == 0)
                one.phase = domain::Phase::Expired;
            if (random.bounded(4) == 0)
                one.phase = domain::Phase::Optimistic;
            if (random.bounded(6) == 0)
                removed.append(one.key);
            else
                changed.append(one);
        }
        m_replica->takeUnjournalled(changed, removed);
        m_replica->flush();
        OverviewBuilder all([this](const QString &) { return m_replica->context(lock("any", false)); });
        for (const app::replica::PackedLock &one : m_replica->locks())
            all.add(one.state());
        const Overview expected = all.take();
        const Overview told = live.now();
        QCOMPARE(told.held, expected.held);
        QCOMPARE(told.stuck, expected.stuck);
        QCOMPARE(told.expired, expected.expired);
        QCOMPARE(told.contended, expected.contended);
        QCOMPARE(told.waiting, expected.waiting);
        QCOMPARE(told.moreAttention, expected.moreAttention);
        QCOMPARE(told.attention.size(), expected.attention.size());
        for (qsizetype i = 0; i < told.attention.size(); ++i)
            QCOMPARE(told.attention.at(i).lock, expected.attention.at(i).lock);
    }
}

void TestLiveOverview::silentSourceIsNamed()
{
    load({lock("a", true)});
    const LiveOverview live(*m_replica);
    QCOMPARE(live.now().stuck, 1);
    QVERIFY(live.find(lock("a", true).key));
    m_clock.advanceUs(60'000'000);
    QCOMPARE(live.now().stuck, 0);
    QCOMPARE(live.now().unseen.size(), 1);
    QVERIFY(!live.find(lock("a", true).key)); // its state is unknown now
    QVERIFY(!live.find(lock("gone", true).key));
}

void TestLiveOverview::rowsFollowTheirLock()
{
    AttentionModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.arrange(attention({"a", "b", "c", "d"}));
    const QPersistentModelIndex c = model.index(2, 0);
    const QPersistentModelIndex a = model.index(0, 0);
    model.arrange(attention({"d", "x", "c", "b"}));
    QCOMPARE(namesOf(model), QByteArray("d x c b"));
    QCOMPARE(c.row(), 2);
    QVERIFY(!a.isValid());
    QRandomGenerator random(3);
    QByteArrayList names{"a", "b", "c", "d", "e", "f", "g"};
    for (int round = 0; round < 50; ++round) {
        std::shuffle(names.begin(), names.end(), random);
        model.arrange(attention(names.first(random.bounded(8))));
    }
    model.arrange({});
    QCOMPARE(model.rowCount(), 0);
}

/** A row that no longer needs attention stays in place, marked as settled, until rows may move. */
void TestLiveOverview::valuesFollowAtOnce()
{
    AttentionModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.arrange(attention({"a", "b"}));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.revalue([](const domain::LockKey &key) -> std::optional<Attention> {
        if (key.name == "a")
            return std::nullopt;
        Attention one = attention({key.name}).first();
        one.nowUs = 9'000'000;
        return one;
    });
    QCOMPARE(changed.count(), 1);
    QCOMPARE(namesOf(model), QByteArray("a b"));
    QVERIFY(model.isSettled(0));
    QVERIFY(!model.isSettled(1));
    QCOMPARE(model.at(1)->nowUs - *model.at(1)->sinceUs, 8'000'000);
}

LOCKKEEPER_TEST(TestLiveOverview)

} // namespace tst_live_overview

#include "tst_live_overview.moc"
