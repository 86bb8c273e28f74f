// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/holder_model.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace tst_holder_model {

using namespace lockkeeper;
using namespace lockkeeper::app;
using models::HolderModel;

class HolderModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsHoldsAndWaits();
    void reachesTheHost();
    void followsTheReplica();
    void filters();
    void sorts_data();
    void sorts();

private:
    struct Rig
    {
        tests::FakeClock clock;
        replica::Replica replica{clock};
        HolderModel model{replica};
        QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
    };

    static domain::LockState lock(const char *source, const char *name, const char *owner,
                                  QList<QByteArray> waiters = {})
    {
        domain::LockState state;
        state.key = {QString::fromLatin1(source), "redis.token", "p", name};
        state.phase = domain::Phase::Held;
        state.owner = owner;
        state.acquiredUs = 1'000;
        state.waitersVisible = true;
        for (const QByteArray &waiter : waiters)
            state.waiters.append({waiter, 2'000 + state.waiters.size(), {}, 0});
        state.release.safety = domain::ReleaseSafety::Guarded;
        state.guard = "g";
        return state;
    }
    static void load(Rig &rig, const QList<domain::LockState> &locks)
    {
        rig.replica.beginTable();
        rig.replica.addPage(locks, {});
        rig.replica.completeTable(1);
        rig.replica.flush();
    }
    static QList<domain::LockState> table()
    {
        domain::LockState off = lock("two", "d", "w@h");
        off.release.safety = domain::ReleaseSafety::Off;
        return {lock("one", "a", "w@h", {"v@h", "x"}), lock("two", "b", "v@h", {"w@h"}),
                lock("two", "c", "x", {"w@h", "w@h2"}), off};
    }
    /** "a holds, b waits". */
    static QString textOf(const HolderModel &model)
    {
        QStringList lines;
        for (int row = 0; row < model.rowCount(); ++row)
            lines += QString::fromUtf8(model.at(row)->state.key.name) +
                     (model.at(row)->waits() ? QStringLiteral(" waits") : QStringLiteral(" holds"));
        return lines.join(QLatin1String(", "));
    }
};

void HolderModelTest::findsHoldsAndWaits()
{
    Rig rig;
    load(rig, table());
    QCOMPARE(rig.model.rowCount(), 0);
    rig.model.setHolder({"w@h", {}, "h"});
    QCOMPARE(textOf(rig.model), QStringLiteral("a holds, d holds, b waits, c waits"));
    QCOMPARE(rig.model.breakable(), (QList<domain::LockKey>{table().at(0).key}));
    QCOMPARE(rig.model.rowOfLock(table().at(2).key), 3);
    QCOMPARE(rig.model.rowOfLock(lock("one", "b", "").key), -1);
    rig.model.setHolder({});
    QCOMPARE(rig.model.rowCount(), 0);
}

void HolderModelTest::reachesTheHost()
{
    Rig rig;
    load(rig, table());
    rig.model.setHolder({"w@h", {}, "h"});
    rig.model.setReach(replica::HolderReach::Host);
    QCOMPARE(textOf(rig.model), QStringLiteral("a holds, b holds, d holds, a waits, b waits, c waits"));
    rig.model.setReach(replica::HolderReach::Exact);
    QCOMPARE(rig.model.rowCount(), 4);
}

/** New values keep the rows' places; a row that comes or goes doesn't. */
void HolderModelTest::followsTheReplica()
{
    Rig rig;
    load(rig, table());
    rig.model.setHolder({"w@h", {}, "h"});
    QSignalSpy resets(&rig.model, &QAbstractItemModel::modelReset);
    domain::LockState renewed = table().at(0);
    renewed.renewals = 7;
    rig.replica.takeStates({renewed, lock("one", "z", "other")}, {});
    rig.replica.flush();
    QCOMPARE(resets.size(), 0);
    QCOMPARE(rig.model.at(0)->state.renewals, 7u);
    rig.replica.takeStates({lock("one", "a", "other")}, {});
    rig.replica.flush();
    QCOMPARE(textOf(rig.model), QStringLiteral("d holds, b waits, c waits"));
    rig.replica.takeUnjournalled({lock("one", "e", "w@h")}, {table().at(2).key});
    rig.replica.flush();
    QCOMPARE(textOf(rig.model), QStringLiteral("d holds, e holds, b waits"));
}

void HolderModelTest::filters()
{
    Rig rig;
    load(rig, table());
    rig.model.setHolder({"w@h", {}, "h"});
    rig.model.setQuery(*filter::parseQuery(QStringLiteral("source:two -name:d")));
    QCOMPARE(textOf(rig.model), QStringLiteral("b waits, c waits"));
    QCOMPARE(rig.model.hiddenRows(), 2);
    QVERIFY(rig.model.breakable().isEmpty()); // no release aims at a hidden row
    rig.replica.takeUnjournalled({lock("two", "f", "w@h")}, {});
    rig.replica.flush();
    QCOMPARE(textOf(rig.model), QStringLiteral("f holds, b waits, c waits"));
    QCOMPARE(rig.model.hiddenRows(), 2);
}

void HolderModelTest::sorts_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("isDescending");
    QTest::addColumn<QString>("rows");
    QTest::newRow("by itself") << -1 << false << "a holds, d holds, b waits, c waits";
    QTest::newRow("lock") << int(models::HolderLockColumn) << true << "d holds, c waits, b waits, a holds";
    QTest::newRow("waiters") << int(models::HolderWaitersColumn) << true
                             << "a holds, d holds, b waits, c waits";
    QTest::newRow("unknown last") << int(models::HolderWaitersColumn) << false
                                  << "d holds, a holds, b waits, c waits";
    QTest::newRow("source") << int(models::HolderSourceColumn) << true
                            << "d holds, b waits, c waits, a holds";
}

void HolderModelTest::sorts()
{
    QFETCH(int, column);
    QFETCH(bool, isDescending);
    Rig rig;
    load(rig, table());
    rig.model.setHolder({"w@h", {}, "h"});
    const QPersistentModelIndex kept(rig.model.index(0, 0));
    rig.model.sort(column, isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
    QTEST(textOf(rig.model), "rows");
    QCOMPARE(rig.model.at(kept.row())->state.key.name, QByteArray("a"));
    rig.model.sort(-1);
    QCOMPARE(textOf(rig.model), QStringLiteral("a holds, d holds, b waits, c waits"));
}

LOCKKEEPER_TEST(HolderModelTest)

} // namespace tst_holder_model

#include "tst_holder_model.moc"
