// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/filter_counts.h"
#include "tests/app/models/lock_fixture.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QtTest>

namespace tst_locks_proxy {

using namespace lockkeeper;
using namespace lockkeeper::app::models;
using app::replica::Badge;
using tests::heldLock;
using tests::LockFixture;

class TestLocksProxy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sorts_data();
    void sorts();
    void equalRowsDontSwap();
    void orderChangesAtTheTickOnly();
    void goneRowsStayUntilTheTick();
    void frozenKeepsOrderButNotValues();
    void askingTakesEffectWhileFrozen();
    void filtersAndChips_data();
    void filtersAndChips();
    void countsFollowEachChange();
    void timeBringsRowsIntoTheFilter();
    void groups_data();
    void groups();
    void theWorstGroupComesFirst();
    void sortsByLifeAndRelease();
    void countsWhatFiltersShow();
    void collapsedGroupsKeepTheirCounts();
    void changingTheGroupingKeepsSelection();
    void persistentIndexesFollowTheirLock();
    void signalsAreFewForManyChanges();
    void scatteredChangesAreNotOneRange();
    void randomChangesAgreeWithAFreshModel_data();
    void randomChangesAgreeWithAFreshModel();
    void aSourceTurnsOverSeveralTurns();
};

void TestLocksProxy::sorts_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<int>("direction");
    QTest::addColumn<QByteArray>("order");
    const auto row = [](const char *name, int column, Qt::SortOrder direction, const char *order) {
        QTest::newRow(name) << column << int(direction) << QByteArray(order);
    };
    const auto up = Qt::AscendingOrder, down = Qt::DescendingOrder;
    row("default", -1, up, "e c d b f a");
    row("name", NameColumn, up, "a b c d e f");
    row("name down", NameColumn, down, "f e d c b a");
    row("held for", HeldForColumn, up, "a c d e f b");
    row("held for down", HeldForColumn, down, "b c d e f a");
    row("remaining, none last", RemainingColumn, up, "f a b c d e");
    row("remaining down, none last", RemainingColumn, down, "f a b c d e");
    row("longest wait", LongestWaitColumn, up, "d c a b e f");
    row("longest wait down", LongestWaitColumn, down, "c d a b e f");
    row("waiters down", WaitersColumn, down, "c d a b e f");
    row("holder", HolderColumn, up, "f a b c d e");
    row("holder down", HolderColumn, down, "e a b c d f");
    row("state down", StateColumn, down, "a b f c d e");
    row("source: all equal", SourceColumn, down, "a b c d e f");
}

void TestLocksProxy::sorts()
{
    QFETCH(int, column);
    QFETCH(int, direction);
    LockFixture f;
    f.load({"f;ttl;20;w0", "e;stuck;0;w9", "d;wait;5", "c;wait;50", "b;held;900", "a;held;10"});
    f.proxy->sort(column, Qt::SortOrder(direction));
    QTEST(f.order(), "order");
    f.proxy->sort(-1);
    QCOMPARE(f.order(), QByteArray("e c d b f a")); // the third click restores it
}

void TestLocksProxy::equalRowsDontSwap()
{
    LockFixture f;
    QByteArrayList rows;
    for (int i = 0; i < 40; ++i)
        rows.append(QByteArray("k") + QByteArray::number(100 + i) + ";held;60");
    f.load(rows);
    const QByteArray before = f.order();
    QSignalSpy moved(f.proxy.get(), &QAbstractItemModel::layoutChanged);
    for (int i = 39; i >= 0; i -= 3)
        f.set(rows[i] + ";w" + QByteArray::number(i)); // another holder; held just as long
    f.proxy->tick();
    QCOMPARE(f.order(), before);
    QCOMPARE(moved.count(), 0);
}

void TestLocksProxy::orderChangesAtTheTickOnly()
{
    LockFixture f;
    f.load({"a;held;10", "b;held;20"});
    QCOMPARE(f.order(), QByteArray("b a"));
    QSignalSpy values(f.proxy.get(), &QAbstractItemModel::dataChanged);
    f.set("a;wait;5");
    f.set("c;stuck");
    QCOMPARE(f.order(), QByteArray("b a"));
    QCOMPARE(values.count(), 1);
    QCOMPARE(f.proxy->lockAt(1)->badge, Badge::Contended); // the value changes at once
    f.proxy->tick();
    QCOMPARE(f.order(), QByteArray("c a b"));
}

void TestLocksProxy::goneRowsStayUntilTheTick()
{
    LockFixture f;
    f.load({"a", "b", "c"});
    f.remove("b");
    QCOMPARE(f.order(), QByteArray("a (b) c"));
    QVERIFY(f.proxy->lockAt(1)->gone);
    QCOMPARE(f.model->rowCount(), 3);
    f.proxy->tick();
    QCOMPARE(f.order(), QByteArray("a c"));
    QCOMPARE(f.model->rowCount(), 2);
    f.remove("a");
    f.set("a;held;90"); // back before the tick
    QCOMPARE(f.order(), QByteArray("a c"));
    f.proxy->tick();
    QCOMPARE(f.order(), QByteArray("a c"));
}

void TestLocksProxy::frozenKeepsOrderButNotValues()
{
    LockFixture f;
    f.load({"a", "b", "c"});
    f.proxy->setFrozen(true);
    f.remove("a");
    f.set("c;stuck");
    f.set("d;stuck");
    f.proxy->tick();
    QCOMPARE(f.order(), QByteArray("(a) b c"));
    QCOMPARE(f.proxy->lockAt(2)->badge, Badge::Stuck);
    QCOMPARE(f.proxy->counts()[size_t(Badge::Stuck)], 2);
    f.proxy->setFrozen(false);
    QCOMPARE(f.order(), QByteArray("(a) b c"));
    f.proxy->tick();
    QCOMPARE(f.order(), QByteArray("c d b"));
}

void TestLocksProxy::askingTakesEffectWhileFrozen()
{
    LockFixture f;
    f.load({"a", "b;stuck", "c"});
    f.proxy->setFrozen(true);
    f.proxy->sort(NameColumn, Qt::DescendingOrder);
    QCOMPARE(f.order(), QByteArray("c b a"));
    f.proxy->setQuery(*app::filter::parseQuery(QStringLiteral("name:b,c")));
    QCOMPARE(f.order(), QByteArray("c b"));
    f.proxy->setBadgeShown(Badge::Stuck, false);
    QCOMPARE(f.order(), QByteArray("c"));
}

void TestLocksProxy::filtersAndChips_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QByteArray>("off");
    QTest::addColumn<QByteArray>("on");
    QTest::addColumn<QByteArray>("order");
    QTest::newRow("free is off by default")
        << QString() << QByteArray() << QByteArray() << QByteArray("s c h t");
    QTest::newRow("free on") << QString() << QByteArray() << QByteArray("free") << QByteArray("s c h t f");
    QTest::newRow("held off") << QString() << QByteArray("held") << QByteArray() << QByteArray("s c");
    QTest::newRow("query") << QStringLiteral("-state:stuck") << QByteArray() << QByteArray()
                           << QByteArray("c h t");
    QTest::newRow("query finds only hidden")
        << QStringLiteral("name:f") << QByteArray() << QByteArray() << QByteArray();
    QTest::newRow("no expiry") << QStringLiteral("ttl:none") << QByteArray("stuck") << QByteArray()
                               << QByteArray("c h");
}

void TestLocksProxy::filtersAndChips()
{
    QFETCH(QString, query);
    QFETCH(QByteArray, off);
    QFETCH(QByteArray, on);
    LockFixture f;
    f.load({"h;held;60", "s;stuck", "c;wait;3", "f;free", "t;ttl;20"});
    f.proxy->setQuery(*app::filter::parseQuery(query));
    if (!off.isEmpty())
        f.proxy->setBadgeShown(*app::replica::badgeFromName(off), false);
    if (!on.isEmpty())
        f.proxy->setBadgeShown(*app::replica::badgeFromName(on), true);
    QTEST(f.order(), "order");
    QCOMPARE(f.proxy->shownLocks(), f.proxy->rowCount());
    // The counts include the rows that the chips hide.
    QCOMPARE(f.proxy->counts()[size_t(Badge::Free)],
             query.isEmpty() || query.contains(u'f') || query.startsWith(u'-') ? 1 : 0);
}

void TestLocksProxy::countsFollowEachChange()
{
    LockFixture f;
    f.load({"a", "b", "c;free"});
    f.proxy->setQuery(*app::filter::parseQuery(QStringLiteral("name:a,b,d")));
    QCOMPARE(f.proxy->counts()[size_t(Badge::Held)], 2);
    QCOMPARE(f.proxy->counts()[size_t(Badge::Free)], 0);
    QCOMPARE(f.model->counts()[size_t(Badge::Free)], 1);
    f.set("a;stuck");
    f.remove("b");
    f.set("d;wait;1");
    f.set("x;wait;1");
    QCOMPARE(f.proxy->counts()[size_t(Badge::Held)], 0);
    QCOMPARE(f.proxy->counts()[size_t(Badge::Stuck)], 1);
    QCOMPARE(f.proxy->counts()[size_t(Badge::Contended)], 1);
    f.proxy->tick();
    f.set("b;stuck");
    QCOMPARE(f.proxy->counts()[size_t(Badge::Stuck)], 2);
}

void TestLocksProxy::timeBringsRowsIntoTheFilter()
{
    LockFixture f;
    f.load({"a;held;10", "b;held;100"});
    f.proxy->setQuery(*app::filter::parseQuery(QStringLiteral("held>30s")));
    QCOMPARE(f.order(), QByteArray("b"));
    for (int i = 0; i < 25; ++i) {
        f.clock.advanceUs(1'000'000);
        f.replica.takeStates({}, {f.source(QStringLiteral("s"))});
    }
    f.model->lookAtClock();
    QCOMPARE(f.order(), QByteArray("b"));
    f.proxy->tick();
    QCOMPARE(f.order(), QByteArray("b a"));
}

void TestLocksProxy::groups_data()
{
    QTest::addColumn<int>("grouping");
    QTest::addColumn<QByteArray>("order");
    QTest::newRow("scheme") << int(Grouping::Scheme) << QByteArray("[redis.token 4] job:b job:a job:c x");
    QTest::newRow("holder") << int(Grouping::Holder) << QByteArray("[w1 3] job:b job:a x [w2 1] job:c");
    QTest::newRow("prefix") << int(Grouping::NamePrefix) << QByteArray("[job 3] job:b job:a job:c [ 1] x");
    QTest::newRow("source") << int(Grouping::Source) << QByteArray("[s 4] job:b job:a job:c x");
}

void TestLocksProxy::groups()
{
    QFETCH(int, grouping);
    LockFixture f;
    f.load({"job:a;wait;3;w1", "job:b;stuck;0;w1", "job:c;held;60;w2", "x;held;60;w1"});
    f.proxy->setGrouping(Grouping(grouping));
    QTEST(f.order(), "order");
    QCOMPARE(groupingFromName(groupingName(Grouping(grouping))), std::optional(Grouping(grouping)));
    QVERIFY(f.proxy->groupAt(0));
    QVERIFY(!(f.proxy->flags(f.proxy->index(0, 0)) & Qt::ItemIsSelectable));
    f.set("y;held;60;w3");
    f.remove("job:c");
    f.proxy->tick();
    QCOMPARE(f.proxy->shownLocks(), 4);
    f.proxy->setGrouping(Grouping::None);
    QCOMPARE(f.order(), QByteArray("job:b job:a x y"));
}

void TestLocksProxy::theWorstGroupComesFirst()
{
    LockFixture f;
    f.load({"a:1;held;9", "b:1;held;60", "c:1;wait;3", "d:1;wait;30", "e:1;stuck"});
    f.proxy->setGrouping(Grouping::NamePrefix);
    for (const char *group : {"a", "b", "c", "d", "e"})
        f.proxy->setCollapsed(group, true);
    QCOMPARE(f.order(), QByteArray("[e 1] [d 1] [c 1] [b 1] [a 1]"));
    f.proxy->sort(NameColumn, Qt::AscendingOrder); // sorts groups of equal severity
    QCOMPARE(f.order(), QByteArray("[e 1] [c 1] [d 1] [a 1] [b 1]"));
    f.set("a:1;stuck");
    f.proxy->tick();
    QCOMPARE(f.order(), QByteArray("[a 1] [e 1] [c 1] [d 1] [b 1]"));
}

void TestLocksProxy::sortsByLifeAndRelease()
{
    LockFixture f;
    const qint64 nowUs = f.clock.wallUs();
    domain::LockState renewed = f.lock("renewed");
    renewed.renewals = 1;
    renewed.renewedUs = nowUs - 4'000'000;
    renewed.release.safety = domain::ReleaseSafety::Unsafe;
    domain::LockState idle = f.lock("idle");
    idle.session = domain::Session{};
    idle.session->idleSinceUs = nowUs - 60'000'000;
    idle.release.why = domain::ReleaseOff::TooYoung;
    domain::LockState busy = f.lock("busy");
    busy.session = domain::Session{};
    busy.release.safety = domain::ReleaseSafety::Guarded;
    domain::LockState quiet = f.lock("quiet");
    quiet.windowUs = 900'000;
    idle.windowUs = 300'000;
    busy.windowUs = 700'000;
    renewed.windowUs = 0;
    f.replica.beginTable();
    f.replica.addPage({f.lock("free;free"), quiet, idle, busy, renewed}, {f.source(QStringLiteral("s"))});
    f.replica.completeTable(f.replica.seq());
    f.proxy->setBadgeShown(Badge::Free, true);
    f.proxy->tick();
    f.proxy->sort(AliveColumn, Qt::AscendingOrder);
    QCOMPARE(f.order(), QByteArray("busy renewed idle free quiet"));
    f.proxy->sort(AliveColumn, Qt::DescendingOrder);
    QCOMPARE(f.order(), QByteArray("idle renewed busy free quiet"));
    f.proxy->sort(ReleaseColumn, Qt::AscendingOrder);
    QCOMPARE(f.order(), QByteArray("busy renewed quiet idle free"));
    f.proxy->sort(SeenColumn, Qt::AscendingOrder); // by the window that the cell shows
    QCOMPARE(f.order(), QByteArray("renewed idle busy quiet free"));
    const LockRow *row = f.model->find(heldLock("renewed").key);
    QCOMPARE(domain::liveness(row->lock.state(), f.model->context(*row).nowUs).verdict,
             domain::Alive::Renewed);
    QVERIFY(!f.model->find(heldLock("free").key)->lock.state().isHeld());
}

void TestLocksProxy::countsWhatFiltersShow()
{
    LockFixture f;
    f.load({"a;wait;9", "b;held;60", "c;held;55", "d;free"});
    FilterCounts counts(*f.model);
    const auto filter = [](const char *text, const QList<Badge> &hidden = {}) {
        return FilterCounts::CountedFilter{*app::filter::parseQuery(QString::fromLatin1(text)), hidden};
    };
    counts.setFilters({filter("waiters>0"), filter("held>1m"), filter("", {Badge::Free})});
    QCOMPARE(counts.counts(), QList<qint64>({1, 0, 3}));
    QSignalSpy changed(&counts, &FilterCounts::changed);
    f.remove("a");
    f.set("e;wait;2");
    f.set("d;held;60");
    QCOMPARE(counts.counts(), QList<qint64>({1, 0, 4}));
    f.proxy->tick(); // "a" leaves for good, and another takes its place
    f.set("g;held;60");
    QCOMPARE(counts.counts(), QList<qint64>({1, 0, 5}));
    for (int second = 0; second < 3; ++second) {
        f.clock.advanceUs(1'000'000);
        f.replica.takeStates({}, {f.source(QStringLiteral("s"))});
    }
    f.model->lookAtClock();
    QCOMPARE(counts.counts(), QList<qint64>({1, 4, 5})); // time alone
    QVERIFY(changed.count() >= 4);
}

void TestLocksProxy::collapsedGroupsKeepTheirCounts()
{
    LockFixture f;
    f.load({"a;held;60;w1", "b;held;60;w1", "c;held;60;w2"});
    f.proxy->setGrouping(Grouping::Holder);
    f.proxy->setCollapsed("w1", true);
    QCOMPARE(f.order(), QByteArray("[w1 2] [w2 1] c"));
    f.set("a;stuck;0;w1");
    f.remove("b");
    f.proxy->tick();
    QCOMPARE(f.order(), QByteArray("[w1 1] [w2 1] c"));
    QCOMPARE(f.proxy->groupAt(0)->worst, Badge::Stuck);
    QVERIFY(f.proxy->groupAt(0)->collapsed);
    QCOMPARE(f.proxy->rowOf(heldLock("a").key), -1);
    f.proxy->setCollapsed("w1", false);
    QCOMPARE(f.order(), QByteArray("[w1 1] a [w2 1] c"));
}

void TestLocksProxy::changingTheGroupingKeepsSelection()
{
    LockFixture f;
    f.load({"a;held;60;w1", "b;held;60;w2", "c;held;60;w2"});
    const QPersistentModelIndex kept = f.proxy->index(f.proxy->rowOf(heldLock("b").key), 0);
    for (const Grouping grouping : {Grouping::Holder, Grouping::Source, Grouping::None}) {
        f.proxy->setGrouping(grouping);
        QVERIFY(kept.isValid());
        QCOMPARE(kept.row(), f.proxy->rowOf(heldLock("b").key));
    }
}

void TestLocksProxy::persistentIndexesFollowTheirLock()
{
    LockFixture f;
    f.load({"a", "b", "c", "d"});
    QHash<QByteArray, QPersistentModelIndex> indexes;
    for (const char *name : {"a", "b", "c", "d"})
        indexes.insert(name, f.proxy->index(f.proxy->rowOf(heldLock(name).key), 3));
    f.remove("b");
    f.set("d;stuck");
    f.set("e;wait;9");
    f.proxy->tick();
    QCOMPARE(f.order(), QByteArray("d e a c"));
    for (const char *name : {"a", "c", "d"}) {
        QCOMPARE(indexes[name].row(), f.proxy->rowOf(heldLock(name).key));
        QCOMPARE(indexes[name].column(), 3);
    }
    QVERIFY(!indexes["b"].isValid());
}

void TestLocksProxy::signalsAreFewForManyChanges()
{
    LockFixture f;
    QByteArrayList rows;
    for (int i = 0; i < 300; ++i)
        rows.append("k" + QByteArray::number(1000 + i) + ";held;" + QByteArray::number(i + 1));
    f.load(rows);
    QSignalSpy inserted(f.proxy.get(), &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(f.proxy.get(), &QAbstractItemModel::rowsRemoved);
    QSignalSpy moved(f.proxy.get(), &QAbstractItemModel::layoutChanged);
    QSignalSpy reset(f.proxy.get(), &QAbstractItemModel::modelReset);
    for (int i = 0; i < 300; i += 3) {
        f.remove("k" + QByteArray::number(1000 + i));
        f.set("k" + QByteArray::number(1001 + i) + ";stuck");
        f.set("n" + QByteArray::number(1000 + i) + ";wait;" + QByteArray::number(i + 1));
    }
    f.proxy->tick();
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(removed.count(), 1);
    QCOMPARE(moved.count(), 1);
    QCOMPARE(reset.count(), 0);
    QCOMPARE(f.proxy->rowCount(), 300);
}

void TestLocksProxy::scatteredChangesAreNotOneRange()
{
    LockFixture f;
    f.load({"a", "b", "c", "d", "e", "f"});
    QSignalSpy values(f.proxy.get(), &QAbstractItemModel::dataChanged);
    QList<events::LockEvent> events;
    for (const char *name : {"f;held;60;w2", "b;held;60;w2", "a;held;60;w2"})
        events.append(tests::acquired(f.lock(name), f.replica.seq() + 1 + quint64(events.size())));
    f.replica.takeEvents(events);
    f.replica.flush();
    QCOMPARE(values.count(), 2); // a–b, and f
    QCOMPARE(values.at(0).at(0).toModelIndex().row(), 0);
    QCOMPARE(values.at(0).at(1).toModelIndex().row(), 1);
    QCOMPARE(values.at(1).at(0).toModelIndex().row(), 5);
}

/** However the rows got there, they are the same as if they had been loaded at once. */
void TestLocksProxy::randomChangesAgreeWithAFreshModel_data()
{
    QTest::addColumn<int>("turn");
    QTest::newRow("at once") << 1000;
    QTest::newRow("three rows a turn") << 3;
}

void TestLocksProxy::randomChangesAgreeWithAFreshModel()
{
    QFETCH(int, turn);
    QRandomGenerator random(20261121);
    LockFixture f;
    f.proxy->setTurnRows(turn);
    f.load({});
    const QByteArrayList kinds{"held", "wait", "ttl", "stuck", "free"};
    const auto change = [&] {
        const QByteArray name = "k" + QByteArray::number(random.bounded(50));
        if (random.bounded(4) == 0)
            f.remove(name);
        else
            f.set(name + ';' + kinds[random.bounded(5)] + ';' + QByteArray::number(random.bounded(1, 29)) +
                  ";a holder of some length, w" + QByteArray::number(random.bounded(4)));
    };
    for (int round = 0; round < 60; ++round) {
        for (int i = 0; i < 20; ++i)
            change();
        if (round % 7 == 0)
            f.proxy->setGrouping(Grouping(random.bounded(5)));
        if (round % 5 == 0)
            f.proxy->sort(random.bounded(-1, int(LockColumnCount)), Qt::SortOrder(random.bounded(2)));
        f.proxy->setFrozen(random.bounded(3) == 0);
        f.proxy->tick();
        if (f.proxy->isFrozen())
            continue;
        for (int i = 0; turn < 1000 && i < 60; ++i) {
            if (i < 8)
                change(); // changes of waiting rows and of sorted rows
            f.proxy->tick();
        }
        LocksProxy fresh(*f.model);
        fresh.setTickMs(0);
        fresh.setGrouping(f.proxy->grouping());
        fresh.sort(f.proxy->sorting().column, f.proxy->sorting().order);
        QCOMPARE(fresh.rowCount(), f.proxy->rowCount());
        for (int row = 0; row < fresh.rowCount(); ++row)
            QCOMPARE(fresh.lockAt(row), f.proxy->lockAt(row));
        QCOMPARE(fresh.counts(), f.proxy->counts());
        QCOMPARE(f.model->rowCount(), int(f.replica.locks().size()));
    }
}

/** With changes in between, each row ends in the state that a fresh look would give. */
void TestLocksProxy::aSourceTurnsOverSeveralTurns()
{
    QRandomGenerator random(16);
    LockFixture f;
    f.model->setTurnRows(2);
    QByteArrayList rows;
    for (int i = 0; i < 30; ++i)
        rows.append("k" + QByteArray::number(i));
    f.load(rows);
    qsizetype most = 0;
    connect(f.model.get(), &LockModel::rowsTouched, this,
            [&most](const auto &touched) { most = std::max(most, touched.size()); });
    bool live = true;
    for (int round = 0; round < 40; ++round) {
        if (random.bounded(3) == 0)
            f.replica.setLive(live = !live, QStringLiteral("dc1"));
        const QByteArray name = "k" + QByteArray::number(random.bounded(40));
        if (random.bounded(3) == 0)
            f.remove(name);
        else
            f.set(name);
        if (random.bounded(3) == 0)
            f.proxy->tick(); // removed rows leave, and others take their places
        QCoreApplication::processEvents();
    }
    QVERIFY2(most <= 2, qPrintable(QString::number(most)));
    const auto isJudged = [&] {
        app::replica::BadgeCounts counts{};
        for (int row = 0; row < f.model->rowCount(); ++row) {
            const LockRow &one = *f.model->at(row);
            if (one.stale == live || (one.badge == Badge::Unknown) == live)
                return false;
            counts[size_t(one.badge)] += one.gone ? 0 : 1;
        }
        return counts == f.model->counts();
    };
    QTRY_VERIFY(isJudged());
    QCoreApplication::processEvents(); // the next turn has its full budget
    f.replica.setLive(!live, {});
    QVERIFY(!isJudged());
    live = !live;
    QVERIFY(!isJudged()); // not all at once
    QTRY_VERIFY(isJudged());
}

LOCKKEEPER_TEST(TestLocksProxy)

} // namespace tst_locks_proxy

#include "tst_locks_proxy.moc"
