// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/history_model.h"
#include "app/session/source_names.h"
#include "tests/app/session/agents_rig.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QtTest>

#include <algorithm>

namespace tst_history_agents {

using namespace lockkeeper;
using app::models::HistoryModel;
using tests::acquired;
using tests::AgentsRig;
using tests::heldLock;
using tests::ReplayAgent;

/** The history of two and of three agents as one table. */
class TestHistoryAgents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();
    void anyDepthBothWays_data();
    void anyDepthBothWays();
    void goesToATime();
    void tailsSeveral();
    void oneThatConnectsLaterIsReadAsWell();
    void oneThatWasAwayIsReadAgain();
    void whatOneMissedIsRead();

private:
    void open(int agents, int events);
    void answerHistory(ReplayAgent &fake);
    QString flaw(const HistoryModel &model) const;

    tests::FakeClock m_clock;
    std::unique_ptr<AgentsRig> m_rig;
    std::unique_ptr<app::replica::Replica> m_replica;
};

void TestHistoryAgents::cleanup()
{
    m_replica->follow(nullptr);
    m_rig.reset();
    m_replica.reset();
}

/** Gives each agent a journal of `events` events, whose times alternate with the other agents' times. */
void TestHistoryAgents::open(int agents, int events)
{
    m_rig = std::make_unique<AgentsRig>(
        QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}.first(agents));
    m_replica = std::make_unique<app::replica::Replica>(m_clock);
    m_replica->follow(&m_rig->agents);
    QRandomGenerator random(7);
    for (const auto &fake : m_rig->fakes) {
        qint64 timeUs = 0;
        for (int i = 1; i <= events; ++i) {
            timeUs += random.bounded(1, 2'000'000);
            events::LockEvent event = acquired(heldLock("l"), quint64(i));
            event.timeUs = timeUs;
            event.after.reset();
            fake->journal.append(event);
        }
        fake->table.seq = quint64(events);
        answerHistory(*fake);
    }
    m_rig->open();
    QTRY_COMPARE(m_rig->live(), agents);
}

void TestHistoryAgents::answerHistory(ReplayAgent &fake)
{
    fake.answer = [&fake](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::HistoryQuery>(&message);
        if (!query)
            return std::nullopt;
        protocol::EventPage page;
        page.id = query->id;
        page.firstSeq = 1;
        page.lastSeq = fake.table.seq;
        const qsizetype size = fake.journal.size();
        for (qsizetype i = 0; i < size; ++i) {
            const events::LockEvent &event = fake.journal.at(query->descending ? size - 1 - i : i);
            if (event.seq <= query->afterSeq.value_or(0) ||
                event.seq >= query->beforeSeq.value_or(~quint64(0)) ||
                event.timeUs > query->toUs.value_or(event.timeUs) ||
                event.timeUs < query->fromUs.value_or(event.timeUs))
                continue;
            page.more = page.events.size() == query->limit;
            if (page.more)
                break;
            page.events.append(event);
        }
        return page;
    };
}

/** Returns the first place where an agent's events aren't complete, unique and in order. Empty: no flaw. */
QString TestHistoryAgents::flaw(const HistoryModel &model) const
{
    QHash<QString, quint64> last;
    for (int row = 0; row < model.rowCount(); ++row) {
        const events::LockEvent &event = *model.at(row);
        const QString agent = app::session::splitName(event.key.source).agent;
        if (last.contains(agent) && last[agent] != event.seq + 1)
            return QStringLiteral("%1: %2 after %3 in row %4")
                .arg(agent)
                .arg(event.seq)
                .arg(last[agent])
                .arg(row);
        last[agent] = event.seq;
    }
    return {};
}

void TestHistoryAgents::anyDepthBothWays_data()
{
    QTest::addColumn<int>("agents");
    QTest::addColumn<int>("events");
    QTest::newRow("two") << 2 << 10'600;
    QTest::newRow("three") << 3 << 7'100;
}

void TestHistoryAgents::anyDepthBothWays()
{
    QFETCH(int, agents);
    QFETCH(int, events);
    open(agents, events);
    HistoryModel model(m_rig->agents, *m_replica);
    model.reload();
    QTRY_VERIFY(model.rowCount() > 0);
    QCOMPARE(model.estimatedTotal(), agents * events);
    const auto isIdle = [&] { return model.phase() == HistoryModel::LoadPhase::Idle; };
    for (int turn = 0; turn < 2; ++turn) {
        while (model.hasOlder()) {
            const auto *last = model.at(model.rowCount() - 1);
            const events::LockEvent before = *last;
            model.fetchMore({});
            const auto hasGoneOn = [&] {
                return !(*model.at(model.rowCount() - 1) == before) || !model.hasOlder();
            };
            QTRY_VERIFY(hasGoneOn()); // the last page may bring no row
            QTRY_VERIFY(isIdle());
        }
        QCOMPARE(flaw(model), QString());
        QCOMPARE(model.rowCount(), 20'000);
        QVERIFY(model.hasNewer()); // the newest were dropped
        QHash<QString, quint64> oldest;
        for (int row = 0; row < model.rowCount(); ++row)
            oldest[model.at(row)->key.source] = model.at(row)->seq;
        QCOMPARE(oldest.values(), QList<quint64>(agents, 1));
        while (model.hasNewer()) {
            const events::LockEvent before = *model.at(0);
            model.prefetch(0, 20);
            const auto hasGoneOn = [&] { return !(*model.at(0) == before) || !model.hasNewer(); };
            QTRY_VERIFY(hasGoneOn());
        }
        QCOMPARE(flaw(model), QString());
        QVERIFY(model.hasOlder()); // the oldest were dropped
        QHash<QString, quint64> newest;
        for (int row = model.rowCount() - 1; row >= 0; --row)
            newest[model.at(row)->key.source] = model.at(row)->seq;
        QCOMPARE(newest.values(), QList<quint64>(agents, quint64(events)));
    }
}

void TestHistoryAgents::goesToATime()
{
    open(3, 700);
    HistoryModel model(m_rig->agents, *m_replica);
    const qint64 timeUs = 300'000'000;
    model.goTo(timeUs);
    QTRY_COMPARE(model.rowCount(), 200);
    QVERIFY(model.at(0)->timeUs <= timeUs);
    model.prefetch(0, 20);
    QTRY_COMPARE(model.rowCount(), 400);
    QVERIFY(model.at(199)->timeUs > timeUs && model.at(200)->timeUs <= timeUs);
    while (model.hasNewer() || model.hasOlder()) {
        const int rows = model.rowCount();
        model.prefetch(0, rows);
        const auto hasGoneOn = [&] {
            return model.rowCount() != rows || (!model.hasNewer() && !model.hasOlder());
        };
        QTRY_VERIFY(hasGoneOn());
    }
    QTRY_COMPARE(model.rowCount(), 2100);
    QCOMPARE(flaw(model), QString());
    for (int row = 1; row < model.rowCount(); ++row)
        QVERIFY(model.at(row - 1)->timeUs >= model.at(row)->timeUs);
}

void TestHistoryAgents::tailsSeveral()
{
    open(3, 3);
    HistoryModel model(m_rig->agents, *m_replica);
    model.reload();
    QTRY_COMPARE(model.rowCount(), 9);
    for (int i = 0; i < 20; ++i)
        (*m_rig)[std::size_t(i) % 3].publish(acquired(heldLock("x")));
    QTRY_COMPARE(model.rowCount(), 29);
    QCOMPARE(flaw(model), QString());
    model.setTailing(false);
    (*m_rig)[1].publish(acquired(heldLock("x")));
    (*m_rig)[2].publish(acquired(heldLock("x")));
    QTRY_COMPARE(model.newCount(), 2);
    QCOMPARE(model.rowCount(), 29);
    model.setTailing(true);
    QCOMPARE(model.rowCount(), 31);
    QCOMPARE(flaw(model), QString());
}

void TestHistoryAgents::oneThatConnectsLaterIsReadAsWell()
{
    open(2, 50);
    ReplayAgent &late = m_rig->add(QStringLiteral("c"));
    late.journal = (*m_rig)[0].journal;
    late.table.seq = 50;
    answerHistory(late);
    late.stop();
    m_rig->open();
    QTRY_COMPARE(m_rig->live(), 2);
    HistoryModel model(m_rig->agents, *m_replica);
    model.reload();
    QTRY_COMPARE(model.rowCount(), 100);
    QVERIFY(late.start());
    QTRY_COMPARE(model.rowCount(), 150);
    QCOMPARE(flaw(model), QString());
}

/** The agent was asked before it went away, but not when the others were asked again. */
void TestHistoryAgents::oneThatWasAwayIsReadAgain()
{
    open(2, 50);
    HistoryModel model(m_rig->agents, *m_replica);
    model.reload();
    QTRY_COMPARE(model.rowCount(), 100);
    (*m_rig)[1].stop();
    QTRY_COMPARE(m_rig->live(), 1);
    model.reload();
    QTRY_COMPARE(model.rowCount(), 50);
    QVERIFY((*m_rig)[1].start());
    QTRY_COMPARE(model.rowCount(), 100);
    QCOMPARE(flaw(model), QString());
}

/**
 * The agent's stream restarted: only its journal has the events in between, and that may be a new journal.
 */
void TestHistoryAgents::whatOneMissedIsRead()
{
    open(2, 50);
    ReplayAgent &b = (*m_rig)[1];
    HistoryModel model(m_rig->agents, *m_replica);
    model.reload();
    QTRY_COMPARE(model.rowCount(), 100);
    b.stop();
    QTRY_COMPARE(m_rig->live(), 1);
    for (int i = 0; i < 10; ++i)
        b.publish(acquired(heldLock("x")));
    b.alwaysFresh = true;
    QVERIFY(b.start());
    QTRY_COMPARE(model.rowCount(), 110);
    b.publish(acquired(heldLock("x")));
    QTRY_COMPARE(model.rowCount(), 111);
    QCOMPARE(flaw(model), QString());
}

LOCKKEEPER_TEST(TestHistoryAgents)

} // namespace tst_history_agents

#include "tst_history_agents.moc"
