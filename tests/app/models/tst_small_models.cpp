// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/commands_model.h"
#include "app/models/events_model.h"
#include "app/models/sources_model.h"
#include "tests/app/models/lock_fixture.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QtTest>

namespace tst_small_models {

using namespace lockkeeper;
using namespace lockkeeper::app::models;
using app::replica::Badge;
using tests::acquired;
using tests::heldLock;
using tests::LockFixture;

class TestSmallModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void columnNamesAreUnique();
    void wordsComeFromTheFormatter();
    void lockValues_data();
    void lockValues();
    void clockMakesHeldExpiring();
    void silentSourceMakesRowsUnknown();
    void rowsAreKnownWithTheirSource();
    void releasingIsABadge();
    void changeIsMarkedForTwoSeconds();
    void reloadKeepsRows();
    void eventsAreBounded();
    void gapsAndSourcesInEvents();
    void sourcesComeAndGo();
    void missingAccessFirst();
    void commandsEnd_data();
    void commandsEnd();
    void oldCommandsAreForgotten();
};

namespace {

class Words : public Formatter
{
public:
    QVariant cell(const QModelIndex &index, int role) const override
    {
        return role == Qt::DisplayRole ? QVariant(QString::number(index.row())) : QVariant();
    }
    QVariant header(int column, int) const override { return column; }
};

} // namespace

void TestSmallModels::columnNamesAreUnique()
{
    LockFixture f;
    SourcesModel sources(f.replica);
    AccessModel access;
    EventsModel events;
    CommandsModel commands;
    const std::initializer_list<RawModel *> all{f.model.get(), f.proxy.get(), &sources,
                                                &access,       &events,       &commands};
    for (const RawModel *model : all) {
        QSet<QByteArray> names;
        for (int column = 0; column < model->columnCount(); ++column) {
            names.insert(model->columnName(column));
            QCOMPARE(model->columnFromName(model->columnName(column)), column);
        }
        QCOMPARE(names.size(), model->columnCount());
        QVERIFY(!names.contains(QByteArray()));
        QCOMPARE(model->columnName(-1), QByteArray());
        QCOMPARE(model->columnFromName("no such column"), -1);
    }
}

void TestSmallModels::wordsComeFromTheFormatter()
{
    LockFixture f;
    f.load({"a", "b"});
    QVERIFY(!f.proxy->index(1, 0).data().isValid());
    QSignalSpy repaint(f.proxy.get(), &QAbstractItemModel::dataChanged);
    const Words words;
    f.proxy->setFormatter(&words);
    QCOMPARE(repaint.count(), 1);
    QCOMPARE(f.proxy->index(1, 0).data().toString(), QStringLiteral("1"));
    QCOMPARE(f.proxy->headerData(3, Qt::Horizontal).toInt(), 3);
    QCOMPARE(f.proxy->columnName(3), QByteArray("held_for"));
    f.proxy->setFormatter(nullptr);
}

void TestSmallModels::lockValues_data()
{
    constexpr qint64 none = -1;
    QTest::addColumn<bool>("held");
    QTest::addColumn<qint64>("heldForUs");
    QTest::addColumn<qint64>("remainingUs");
    QTest::addColumn<qint64>("waiters");
    QTest::addColumn<qint64>("longestWaitUs");
    QTest::newRow("a;held;90;w7") << true << 90'000'000ll << none << 0ll << none;
    QTest::newRow("a;wait;12") << true << 60'000'000ll << none << 1ll << 12'000'000ll;
    QTest::newRow("a;ttl;20") << true << 60'000'000ll << 20'000'000ll << 0ll << none;
    QTest::newRow("a;free") << false << 60'000'000ll << none << 0ll << none;
}

void TestSmallModels::lockValues()
{
    const QByteArray given(QTest::currentDataTag());
    LockFixture f;
    f.load({given});
    const LockRow *row = f.model->find(heldLock("a").key);
    QCOMPARE(f.model->at(0), row);
    QCOMPARE(f.model->rowOf(heldLock("a").key), 0);
    QVERIFY(!f.model->at(1));
    const domain::LockState state = row->lock.state();
    const qint64 nowUs = f.model->context(*row).nowUs;
    QCOMPARE(state, f.lock(given));
    QTEST(state.isHeld(), "held");
    QTEST(nowUs - state.acquiredUs.value_or(0), "heldForUs");
    QTEST(qint64(domain::remainingUs(state, nowUs).value_or(-1)), "remainingUs");
    QTEST(qint64(state.waiterCount().value_or(-1)), "waiters");
    QTEST(qint64(domain::longestWaitUs(state, nowUs).value_or(-1)), "longestWaitUs");
}

void TestSmallModels::clockMakesHeldExpiring()
{
    LockFixture f;
    f.load({"a;ttl;8"});
    QCOMPARE(f.model->at(0)->badge, Badge::Held);
    QSignalSpy changed(f.model.get(), &QAbstractItemModel::dataChanged);
    f.clock.advanceUs(1'900'000);
    f.model->lookAtClock();
    QCOMPARE(changed.count(), 0);
    f.clock.advanceUs(200'000);
    f.model->lookAtClock();
    QCOMPARE(changed.count(), 1);
    QCOMPARE(f.model->at(0)->badge, Badge::Expiring);
    QCOMPARE(f.model->counts()[size_t(Badge::Expiring)], 1);
    f.clock.advanceUs(2'800'000); // still observed; the deadline passes without an observation
    f.model->lookAtClock();
    QCOMPARE(f.model->at(0)->badge, Badge::Expiring);
}

void TestSmallModels::silentSourceMakesRowsUnknown()
{
    LockFixture f;
    f.load({"a", "b;stuck"});
    f.clock.advanceUs(5'100'000);
    f.model->lookAtClock();
    QCOMPARE(f.model->counts()[size_t(Badge::Unknown)], 2);
    QVERIFY(f.model->at(0)->stale);
    const qint64 nowUs = f.model->context(*f.model->at(0)).nowUs;
    f.clock.advanceUs(5'000'000);
    QCOMPARE(f.model->context(*f.model->at(0)).nowUs, nowUs); // the durations stop
    f.replica.takeStates({}, {f.source(QStringLiteral("s"))});
    f.model->lookAtClock();
    QCOMPARE(f.model->counts()[size_t(Badge::Unknown)], 0);
    QCOMPARE(f.model->counts()[size_t(Badge::Stuck)], 1);
    f.replica.setLive(false, QString());
    QCOMPARE(f.model->counts()[size_t(Badge::Unknown)], 2);
}

/** The rows become known with the source's report, not only at the next look at the clock. */
void TestSmallModels::rowsAreKnownWithTheirSource()
{
    LockFixture f;
    f.load({"a", "b;stuck"});
    f.clock.advanceUs(5'100'000);
    f.model->lookAtClock();
    QCOMPARE(f.model->counts()[size_t(Badge::Unknown)], 2);
    f.replica.takeStates({}, {f.source(QStringLiteral("s"))});
    f.replica.flush();
    QCOMPARE(f.model->counts()[size_t(Badge::Unknown)], 0);
    QCOMPARE(f.model->counts()[size_t(Badge::Stuck)], 1);
}

void TestSmallModels::releasingIsABadge()
{
    LockFixture f;
    f.load({"a"});
    f.replica.setReleasing(heldLock("a").key, true);
    QCOMPARE(f.model->at(0)->badge, Badge::Releasing);
    f.replica.setReleasing(heldLock("a").key, false);
    QCOMPARE(f.model->at(0)->badge, Badge::Held);
}

void TestSmallModels::changeIsMarkedForTwoSeconds()
{
    LockFixture f;
    f.load({"a", "b"});
    QVERIFY(!f.model->changedRecently(*f.model->find(heldLock("a").key)));
    f.set("a;stuck");
    QVERIFY(f.model->changedRecently(*f.model->find(heldLock("a").key)));
    QVERIFY(!f.model->changedRecently(*f.model->find(heldLock("b").key)));
    f.clock.advanceUs(2'100'000);
    QVERIFY(!f.model->changedRecently(*f.model->find(heldLock("a").key)));
}

void TestSmallModels::reloadKeepsRows()
{
    LockFixture f;
    f.load({"a", "b", "c"});
    const LockRow *kept = f.model->find(heldLock("b").key);
    QSignalSpy reset(f.model.get(), &QAbstractItemModel::modelReset);
    f.load({"b;stuck", "d"});
    QCOMPARE(reset.count(), 0);
    QCOMPARE(f.model->find(heldLock("b").key), kept);
    QCOMPARE(kept->badge, Badge::Stuck);
    QCOMPARE(f.order(), QByteArray("b d"));
}

void TestSmallModels::eventsAreBounded()
{
    EventsModel model;
    QAbstractItemModelTester tester(&model);
    QList<events::LockEvent> batch;
    for (quint64 seq = 1; seq <= 1500; ++seq)
        batch.append(acquired(heldLock("a"), seq));
    model.add(batch.first(3));
    QCOMPARE(model.at(0)->seq, 3u);
    QCOMPARE(model.at(2)->seq, 1u);
    model.add(batch.mid(3, 900));
    model.add(batch.mid(903));
    QCOMPARE(model.rowCount(), EventsModel::kLimit);
    QCOMPARE(model.at(0)->seq, 1500u);
    QCOMPARE(model.at(999)->seq, 501u);
    model.add(batch);
    QCOMPARE(model.rowCount(), EventsModel::kLimit);
    QCOMPARE(model.at(0)->seq, 1500u);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestSmallModels::gapsAndSourcesInEvents()
{
    EventsModel model;
    events::LockEvent gap;
    gap.key.source = QStringLiteral("s");
    gap.kind = events::EventKind::GapOpened;
    gap.seq = 9;
    model.add({gap, acquired(heldLock("a"), 10)});
    QVERIFY(isGap(*model.at(1)));
    QVERIFY(model.at(1)->isSourceEvent());
    QVERIFY(!isGap(*model.at(0)));
    QCOMPARE(model.at(0)->owner, QByteArray("w1"));
    QVERIFY(!model.at(0)->ttlMs);
    QCOMPARE(model.at(0)->seq, 10u);
}

void TestSmallModels::sourcesComeAndGo()
{
    LockFixture f;
    SourcesModel model(f.replica);
    QAbstractItemModelTester tester(&model);
    f.load({}, {QStringLiteral("b"), QStringLiteral("d")});
    QCOMPARE(model.rowCount(), 2);
    f.load({}, {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.at(2)->name, QStringLiteral("c"));
    QCOMPARE(model.rowOf(QStringLiteral("d")), -1);
    QVERIFY(!model.isStale(1));
    domain::SourceState off = f.source(QStringLiteral("b"));
    off.clockOffsetUs = -2'000'001;
    off.link = domain::Link::Down;
    off.access = {{"scan", false, false, {}}, {"get", true, false, {}}};
    f.replica.takeStates({}, {off});
    f.replica.flush();
    QCOMPARE(model.at(1)->clockOffsetUs, -2'000'001);
    QCOMPARE(model.at(1)->access, off.access);
    f.clock.advanceUs(6'000'000);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.refresh();
    QVERIFY(model.isStale(0) && model.isStale(1) && model.isStale(2));
    QCOMPARE(changed.count(), 1);
}

void TestSmallModels::missingAccessFirst()
{
    AccessModel model;
    QAbstractItemModelTester tester(&model);
    model.setAccess({{"scan", true, false, {}},
                     {"break", false, true, QStringLiteral("GRANT")},
                     {"get", true, false, {}}});
    QCOMPARE(model.at(0)->need, QByteArray("break"));
    QCOMPARE(model.at(1)->need, QByteArray("scan"));
    QCOMPARE(model.at(0)->remedy, QStringLiteral("GRANT"));
}

void TestSmallModels::commandsEnd_data()
{
    QTest::addColumn<int>("error");
    QTest::addColumn<int>("answered");
    QTest::addColumn<int>("outcome");
    using O = domain::Outcome;
    QTest::newRow("released") << -1 << int(O::Released) << int(O::Released);
    QTest::newRow("holder changed") << -1 << int(O::HolderChanged) << int(O::HolderChanged);
    QTest::newRow("pending isn't an end") << -1 << int(O::Pending) << int(O::Unknown);
    QTest::newRow("lost") << int(base::ErrorCode::ConnectionLost) << 0 << int(O::Unknown);
    QTest::newRow("late") << int(base::ErrorCode::Timeout) << 0 << int(O::Unknown);
    QTest::newRow("never sent") << int(base::ErrorCode::Unreachable) << 0 << int(O::Unreachable);
    QTest::newRow("not allowed") << int(base::ErrorCode::PermissionDenied) << 0 << int(O::Refused);
    QTest::newRow("no such source") << int(base::ErrorCode::NotFound) << 0 << int(O::Refused);
}

void TestSmallModels::commandsEnd()
{
    QFETCH(int, error);
    QFETCH(int, answered);
    CommandsModel model;
    QAbstractItemModelTester tester(&model);
    QSignalSpy pending(&model, &CommandsModel::pendingCountChanged);
    ConsoleRelease command;
    command.id = "c1";
    model.add(command);
    QCOMPARE(model.pendingCount(), 1);
    base::Result<protocol::ReleaseResult> result;
    if (error >= 0)
        result = base::failure(base::ErrorCode(error), QStringLiteral("x"));
    else
        result->outcome = domain::Outcome(answered);
    const protocol::ReleaseResult told = CommandsModel::told(result);
    model.finish("other", told, 7);
    QCOMPARE(model.pendingCount(), 1);
    model.finish("c1", told, 7);
    QTEST(int(model.at(0)->outcome), "outcome");
    QCOMPARE(model.at(0)->finishedWallUs, 7);
    model.finish("c1", protocol::ReleaseResult{}, 8); // ends once
    QCOMPARE(model.at(0)->finishedWallUs, 7);
    QCOMPARE(model.pendingCount(), 0);
    QCOMPARE(pending.count(), 2);
}

void TestSmallModels::oldCommandsAreForgotten()
{
    CommandsModel model;
    QAbstractItemModelTester tester(&model);
    ConsoleRelease first;
    first.id = "pending";
    model.add(first);
    for (int i = 0; i < CommandsModel::kLimit + 10; ++i) {
        ConsoleRelease command;
        command.id = QByteArray::number(i);
        command.outcome = domain::Outcome::Released;
        model.add(command);
    }
    QCOMPARE(model.rowCount(), CommandsModel::kLimit);
    QCOMPARE(model.at(model.rowCount() - 1)->id, QByteArray("pending"));
}

LOCKKEEPER_TEST(TestSmallModels)

} // namespace tst_small_models

#include "tst_small_models.moc"
