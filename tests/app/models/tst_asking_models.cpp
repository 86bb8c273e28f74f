// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/audit_model.h"
#include "app/models/history_model.h"
#include "app/models/holds_model.h"
#include "shared/base/text.h"
#include "tests/app/session/replay_agent.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

namespace tst_asking_models {

using namespace lockkeeper;
using namespace lockkeeper::app::models;
using app::filter::parseQuery;
using app::filter::QueryScope;
using app::session::LinkState;
using tests::acquired;
using tests::heldLock;

class TestAskingModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void historyPagesBackwards();
    void historyStaysAModelWhilePaging();
    void historyFilterGoesOnByItself();
    void historyGoesOnThroughEmptySlices();
    void historyStopsWhereItWasCancelled();
    void historyTailsAndCounts();
    void historyThatNobodyLookedAtIsEmpty();
    void historyGoesToATime();
    void historyDropsOldAnswers();
    void historyFailsAndRecovers();
    void auditAddsAndCompletes();
    void auditVerifies_data();
    void auditVerifies();
    void holdsOfTheLatestLockOnly();

private:
    void open(int events);
    protocol::EventPage page(const protocol::HistoryQuery &query) const;
    QByteArray seqs(const HistoryModel &model, int limit = 5) const;

    tests::FakeClock m_clock;
    std::unique_ptr<tests::ReplayAgent> m_agent;
    std::unique_ptr<app::session::AgentGroup> m_session;
    std::unique_ptr<app::replica::Replica> m_replica;
    QList<domain::AuditEntry> m_audit; ///< newest first
    bool m_mute = false;
    quint64 m_slice = 0; ///< numbers of events that a page covers; 0: all
};

void TestAskingModels::init()
{
    m_mute = false;
    m_slice = 0;
    m_audit.clear();
    m_agent = std::make_unique<tests::ReplayAgent>();
    m_agent->answer = [this](const protocol::Message &message) -> std::optional<protocol::Message> {
        if (m_mute)
            return std::nullopt;
        if (const auto *history = std::get_if<protocol::HistoryQuery>(&message))
            return page(*history);
        if (const auto *audit = std::get_if<protocol::AuditQuery>(&message)) {
            protocol::AuditPage answer;
            answer.id = audit->id;
            for (const domain::AuditEntry &entry : std::as_const(m_audit)) {
                if (entry.id < audit->beforeId.value_or(1'000'000) && answer.entries.size() < audit->limit)
                    answer.entries.append(entry);
            }
            answer.more = !answer.entries.isEmpty() && answer.entries.last().id > 1;
            answer.verified = audit->verify && m_audit.size() != 3;
            if (audit->verify && m_audit.size() == 3)
                answer.firstBadId = 2;
            answer.checkedUs = 77;
            return answer;
        }
        if (const auto *holds = std::get_if<protocol::HoldsQuery>(&message)) {
            protocol::Hold hold;
            hold.key = *holds->key;
            hold.fromUs = 5;
            return protocol::HoldPage{holds->id, {hold}, false};
        }
        return std::nullopt;
    };
    m_session = std::make_unique<app::session::AgentGroup>(QStringLiteral("test"));
    m_session->setTiming({2000, 20, 60, 20});
    m_replica = std::make_unique<app::replica::Replica>(m_clock);
    m_replica->follow(m_session.get());
}

void TestAskingModels::cleanup()
{
    m_replica->follow(nullptr);
    m_session.reset();
    m_replica.reset();
    m_agent.reset();
}

/** A journal of `events`, one a second from time 1 s on; every tenth is of the lock "rare". */
void TestAskingModels::open(int events)
{
    for (int i = 1; i <= events; ++i) {
        events::LockEvent event = acquired(heldLock(i % 10 == 0 ? "rare" : "often"), quint64(i));
        event.timeUs = i * 1'000'000ll;
        event.after.reset();
        m_agent->journal.append(event);
        m_agent->table.seq = quint64(i);
    }
    QVERIFY(m_agent->start());
    m_session->open(m_agent->address());
    QTRY_COMPARE(m_session->link(), LinkState::Live);
}

protocol::EventPage TestAskingModels::page(const protocol::HistoryQuery &query) const
{
    protocol::EventPage answer;
    answer.id = query.id;
    answer.firstSeq = 1;
    answer.lastSeq = m_agent->table.seq;
    quint64 looked = 0;
    QList<events::LockEvent> all = m_agent->journal;
    if (query.descending)
        std::reverse(all.begin(), all.end());
    for (const events::LockEvent &event : std::as_const(all)) {
        const bool fits = event.seq > query.afterSeq.value_or(0) &&
                          event.seq < query.beforeSeq.value_or(~quint64(0)) &&
                          event.timeUs <= query.toUs.value_or(event.timeUs);
        if (!fits)
            continue;
        if (m_slice > 0 && query.inSlices) {
            answer.more = ++looked > m_slice;
            if (answer.more)
                break;
            answer.reachedSeq = event.seq;
            answer.reachedUs = event.timeUs;
            if (!base::globMatches(query.holderGlob, event.owner))
                continue;
        }
        if (answer.events.size() == query.limit) {
            answer.more = true;
            break;
        }
        answer.events.append(event);
    }
    return answer;
}

QByteArray TestAskingModels::seqs(const HistoryModel &model, int limit) const
{
    QByteArrayList list;
    for (int row = 0; row < std::min(limit, model.rowCount()); ++row)
        list.append(QByteArray::number(model.at(row)->seq));
    return list.join(' ');
}

void TestAskingModels::historyPagesBackwards()
{
    open(450);
    HistoryModel model(*m_session, *m_replica);
    model.reload();
    QCOMPARE(model.phase(), HistoryModel::LoadPhase::Loading);
    QTRY_COMPARE(model.rowCount(), 200);
    QCOMPARE(seqs(model), QByteArray("450 449 448 447 446"));
    QCOMPARE(model.estimatedTotal(), 450);
    QVERIFY(model.canFetchMore({}));
    model.prefetch(0, 50);
    QVERIFY(model.canFetchMore({})); // far from the end: nothing asked
    model.prefetch(80, 120);
    QTRY_COMPARE(model.rowCount(), 400);
    model.fetchMore({});
    QTRY_COMPARE(model.rowCount(), 450);
    QVERIFY(!model.canFetchMore({}));
    QCOMPARE(model.at(449)->seq, 1u);
}

/** The model tester itself fetches all rows, page by page. */
void TestAskingModels::historyStaysAModelWhilePaging()
{
    open(450);
    HistoryModel model(*m_session, *m_replica);
    QAbstractItemModelTester tester(&model);
    model.reload();
    QTRY_COMPARE(model.rowCount(), 450);
    for (int row = 0; row < model.rowCount(); ++row)
        QCOMPARE(model.at(row)->seq, quint64(450 - row));
    model.goTo(300'500'000);
    QTRY_COMPARE(model.rowCount(), 300);
    model.prefetch(0, 20);
    QTRY_COMPARE(model.rowCount(), 450);
}

void TestAskingModels::historyFilterGoesOnByItself()
{
    open(900);
    HistoryModel model(*m_session, *m_replica);
    model.setQuery(*parseQuery(QStringLiteral("rare"), QueryScope::History));
    // A page holds 20 matching events: the model asks for three pages to have enough.
    QTRY_COMPARE(model.rowCount(), 60);
    QTRY_COMPARE(model.phase(), HistoryModel::LoadPhase::Idle);
    QCOMPARE(seqs(model, 3), QByteArray("900 890 880"));
}

/** The model finds a matching event however far back it lies, and reports its progress meanwhile. */
void TestAskingModels::historyGoesOnThroughEmptySlices()
{
    open(900);
    m_agent->journal[29].owner = "the one";
    m_slice = 100;
    HistoryModel model(*m_session, *m_replica);
    QAbstractItemModelTester tester(&model);
    QSet<qint64> searched;
    QSignalSpy phases(&model, &HistoryModel::phaseChanged);
    connect(&model, &HistoryModel::searchedOn, this, [&] {
        QCOMPARE(model.phase(), HistoryModel::LoadPhase::Loading);
        if (const auto backTo = model.searchedBackTo())
            searched.insert(*backTo / 1'000'000);
    });
    model.setQuery(*parseQuery(QStringLiteral("holder:\"the one\""), QueryScope::History));
    QTRY_COMPARE(model.rowCount(), 1);
    QTRY_COMPARE(model.phase(), HistoryModel::LoadPhase::Idle);
    QCOMPARE(model.at(0)->seq, 30u);
    QCOMPARE(searched, (QSet<qint64>{801, 701, 601, 501, 401, 301, 201, 101}));
    QCOMPARE(phases.count(), 2); // no flicker in between
    QVERIFY(!model.hasOlder() && !model.searchedBackTo());
    model.goTo(500'500'000);
    QTRY_COMPARE(model.rowCount(), 1);
    QTRY_VERIFY(!model.hasOlder());
    model.prefetch(0, 0);
    QTRY_VERIFY(!model.hasNewer());
    QCOMPARE(seqs(model), QByteArray("30"));
}

void TestAskingModels::historyStopsWhereItWasCancelled()
{
    open(900);
    m_slice = 100;
    HistoryModel model(*m_session, *m_replica);
    connect(&model, &HistoryModel::searchedOn, this, [&] {
        m_mute = model.searchedBackTo() == 401'000'000;
        if (m_mute)
            model.cancel();
    });
    model.setQuery(*parseQuery(QStringLiteral("holder:nobody"), QueryScope::History));
    QTRY_VERIFY(model.isHalted());
    QCOMPARE(model.phase(), HistoryModel::LoadPhase::Idle);
    QCOMPARE(model.searchedBackTo(), std::optional<qint64>(401'000'000));
    QVERIFY(model.hasOlder());
    m_mute = false;
    model.fetchMore({});
    QTRY_VERIFY(!model.hasOlder());
    QVERIFY(!model.isHalted());
    QCOMPARE(m_agent->received<protocol::HistoryQuery>().last().beforeSeq, std::optional<quint64>(101));
}

void TestAskingModels::historyTailsAndCounts()
{
    open(5);
    HistoryModel model(*m_session, *m_replica);
    QAbstractItemModelTester tester(&model);
    model.reload();
    QTRY_COMPARE(model.rowCount(), 5);
    m_agent->publish(acquired(heldLock("x")));
    QTRY_COMPARE(seqs(model, 3), QByteArray("6 5 4"));
    model.setTailing(false);
    QSignalSpy news(&model, &HistoryModel::newCountChanged);
    m_agent->publish(acquired(heldLock("x")));
    m_agent->publish(acquired(heldLock("y")));
    QTRY_COMPARE(model.newCount(), 2);
    QCOMPARE(seqs(model, 1), QByteArray("6"));
    model.setTailing(true);
    QCOMPARE(seqs(model, 4), QByteArray("8 7 6 5"));
    QCOMPARE(model.newCount(), 0);
    QVERIFY(news.count() >= 2);
}

void TestAskingModels::historyThatNobodyLookedAtIsEmpty()
{
    open(5);
    HistoryModel model(*m_session, *m_replica);
    QSignalSpy came(m_replica.get(), &app::replica::Replica::events);
    m_agent->publish(acquired(heldLock("x")));
    QTRY_COMPARE(came.count(), 1);
    QCOMPARE(model.rowCount(), 0);
    model.reload();
    QTRY_COMPARE(seqs(model, 3), QByteArray("6 5 4"));
}

void TestAskingModels::historyGoesToATime()
{
    open(600);
    HistoryModel model(*m_session, *m_replica);
    model.goTo(300'500'000);
    QTRY_COMPARE(model.rowCount(), 200);
    QCOMPARE(seqs(model, 2), QByteArray("300 299"));
    QVERIFY(model.hasNewer());
    QVERIFY(!model.isTailing());
    model.prefetch(0, 20);
    QTRY_COMPARE(model.rowCount(), 400);
    QCOMPARE(seqs(model, 2), QByteArray("500 499"));
    model.prefetch(0, 20);
    QTRY_VERIFY(!model.hasNewer());
    QCOMPARE(model.at(0)->seq, 600u);
    QCOMPARE(model.rowCount(), 500);
}

void TestAskingModels::historyDropsOldAnswers()
{
    open(300);
    HistoryModel model(*m_session, *m_replica);
    QAbstractItemModelTester tester(&model);
    model.reload();
    model.setQuery(*parseQuery(QStringLiteral("rare"), QueryScope::History));
    QTRY_COMPARE(model.phase(), HistoryModel::LoadPhase::Idle);
    QTRY_COMPARE(model.rowCount(), 30);
    for (int row = 0; row < model.rowCount(); ++row)
        QCOMPARE(model.at(row)->key.name, QByteArray("rare"));
}

void TestAskingModels::historyFailsAndRecovers()
{
    open(10);
    HistoryModel model(*m_session, *m_replica);
    m_mute = true;
    model.reload();
    model.cancel();
    QTRY_COMPARE(model.phase(), HistoryModel::LoadPhase::Idle);
    model.reload();
    m_agent->stop();
    QTRY_COMPARE(model.phase(), HistoryModel::LoadPhase::Failed);
    QCOMPARE(model.error().code, base::ErrorCode::ConnectionLost);
    m_mute = false;
    QVERIFY(m_agent->start());
    QTRY_COMPARE(model.rowCount(), 10);
    QCOMPARE(model.phase(), HistoryModel::LoadPhase::Idle);
}

void TestAskingModels::auditAddsAndCompletes()
{
    open(1);
    for (qint64 id = 250; id >= 1; --id) {
        domain::AuditEntry entry;
        entry.id = id;
        m_audit.append(entry);
    }
    AuditModel model(*m_session);
    QAbstractItemModelTester tester(&model);
    model.refresh();
    QTRY_VERIFY(model.rowCount() >= 200); // the tester may have fetched more by itself
    model.fetchMore({});
    QTRY_COMPARE(model.rowCount(), 250);
    QVERIFY(!model.canFetchMore({}));
    domain::AuditEntry fresh;
    fresh.id = 251;
    m_audit.prepend(fresh);
    m_audit[1].outcome = domain::Outcome::Released;
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.refresh();
    model.refresh(); // during the first reading: queued for afterwards
    QTRY_COMPARE(model.rowCount(), 251);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(reset.count(), 0);
    QCOMPARE(model.at(1)->outcome, domain::Outcome::Released);
    QCOMPARE(model.at(0)->id, 251);
    QTRY_VERIFY(!model.isLoading());
}

void TestAskingModels::auditVerifies_data()
{
    QTest::addColumn<int>("entries");
    QTest::addColumn<int>("chain");
    QTest::newRow("holds") << 2 << int(AuditModel::Chain::Holds);
    QTest::newRow("broken") << 3 << int(AuditModel::Chain::Broken);
}

void TestAskingModels::auditVerifies()
{
    QFETCH(int, entries);
    open(1);
    m_audit.resize(entries);
    AuditModel model(*m_session);
    QCOMPARE(model.chain(), AuditModel::Chain::NotChecked);
    model.verify();
    QCOMPARE(model.chain(), AuditModel::Chain::Checking);
    QTRY_VERIFY(model.chain() != AuditModel::Chain::Checking);
    QTEST(int(model.chain()), "chain");
    QCOMPARE(model.firstBadId().has_value(), entries == 3);
    QCOMPARE(model.checkedUs(), 77);
}

void TestAskingModels::holdsOfTheLatestLockOnly()
{
    open(1);
    HoldsModel model(*m_session);
    QAbstractItemModelTester tester(&model);
    model.setLock(heldLock("a").key);
    model.setLock(heldLock("b").key);
    QTRY_COMPARE(model.rowCount(), 1);
    QCOMPARE(model.at(0)->key.name, QByteArray("b"));
    QVERIFY(!model.at(0)->toUs);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.refresh();
    QTRY_VERIFY(!model.isLoading());
    QCOMPARE(reset.count(), 0); // the same again
    model.setLock(std::nullopt);
    QCOMPARE(model.rowCount(), 0);
}

LOCKKEEPER_TEST(TestAskingModels)

} // namespace tst_asking_models

#include "tst_asking_models.moc"
