// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/lease_chart.h"
#include "app/views/detail/lock_advice.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/detail/recent_holds.h"
#include "app/views/locks/filter_bar.h"
#include "app/views/locks/locks_view.h"
#include "app/views/widgets/badge.h"
#include "app/views/widgets/fact_grid.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/window/main_window.h"
#include "shared/base/clock.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/shared/protocol/perturbed.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

namespace tst_lock_detail {

using namespace lockkeeper;
using namespace lockkeeper::app;

class LockDetailTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_rig.reset(); }
    void saysWhyItIsStuck();
    void listsWaitersInOrder();
    void longWordsAreShortened_data();
    void longWordsAreShortened();
    void longerFactsGetALine();
    void saysThatWaitersAreNotVisible();
    void nameIsPlain();
    void releaseIsOffWithItsReason();
    void saysThatTheFilterHidesIt();
    void chartStaysSmall();
    void holdsAreReadAgainWhenTheLockGoes();
    void narrowHoldsSayHowTheyEnded();
    void copiesAllThatIsShown();
    void goneLocksSayHowAndStandStill();
    void unwatchedLocksAreNotGone();
    void seenRunsOnInAnOutage();
    void neverObservedHasNoTime();
    void goneBeforeItWasChosenClaimsNothing();
    void everyFieldIsShown();
    void showsTheHoldersConnection();
    void otherSessionsRunNoStatements();
    void saysWhenTheOrderIsUnknown();
    void optimisticLocksHaveNothingToBreak();
    void showsTheAlertsOfTheLock();
    void showsTheProbeOfItsHolder();
    void advisesOnTheLock();
    void adviceFollowsTheLock();
    void showsTheDepth();
    void showsTheNodes();
    void saysWhatNodesLeaveOpen();
    void anUnreadableRowHasOneVerdict();
    void lastHourOpensTheTimeline();
    void lastHourThatWasntReadSaysSo();
    void lastHourMovesOnWithoutTheAgent();

private:
    domain::LockState rowLock() const;
    domain::LockState redlock() const;
    void show(const domain::LockState &state);
    void select(const QString &source, const QByteArray &name);
    QString text() const { return m_rig->console->window()->detail()->text(); }

    tests::FakeClock m_clock;
    std::unique_ptr<tests::ConsoleRig> m_rig;
};

void LockDetailTest::init()
{
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    m_rig->console->window()->resize(1280, 800);
    m_rig->console->window()->show();
    m_rig->feed.load(*m_rig->console->replica(), m_rig->feed.locks(12));
    m_rig->console->locks()->proxy()->tick();
}

void LockDetailTest::select(const QString &source, const QByteArray &name)
{
    const bool redis = source == QLatin1String("orders-redis");
    m_rig->console->selection()->selectOne(
        {source, redis ? "redis.token" : "sql.shedlock", redis ? "db0" : "app.shedlock", name});
    m_rig->console->window()->showDetail();
}

void LockDetailTest::saysWhyItIsStuck()
{
    select(QStringLiteral("orders-redis"), "lock:orders:checkout:2025-1");
    QVERIFY2(text().contains(QStringLiteral("Stuck: it has no expiry")), qPrintable(text()));
    QVERIFY(text().contains(QStringLiteral("Held for\t≥ 02:41:07")));
    QVERIFY(text().contains(QStringLiteral("Release\tguarded: token and expiry")));
    QVERIFY(text().contains(QStringLiteral("Token\t3b5f9c1e77aa4c1f9a102bb1f0c7d2e1")));
    QVERIFY(m_rig->console->window()->detail()->releaseButton()->isEnabled());
}

void LockDetailTest::goneLocksSayHowAndStandStill()
{
    select(QStringLiteral("orders-redis"), "lock:orders:checkout:2025-1");
    app::replica::Replica *replica = m_rig->console->replica();
    events::LockEvent end =
        tests::released(*replica->find(*m_rig->console->selection()->current()), replica->seq() + 1);
    end.timeUs = end.observedUs = replica->storeNowUs(end.key.source);
    replica->takeEvents({end});
    replica->flush();
    const QString told = text();
    QVERIFY2(told.contains(QStringLiteral("Gone: Released at ")), qPrintable(told));
    QVERIFY(told.contains(QStringLiteral("Held for\t≥ 02:41:07")));
    QVERIFY(told.contains(QStringLiteral("Seen\tuntil ")));
    QVERIFY(!told.contains(QStringLiteral("Alive\t")));
    QVERIFY(!told.contains(QStringLiteral("Remaining\t")));
    const auto *badge = m_rig->console->window()->detail()->findChild<app::views::BadgeWidget *>();
    QCOMPARE(badge->badge(), app::replica::Badge::Free);
    m_clock.advanceUs(1'200'000'000);
    Q_EMIT m_rig->console->replica()->releasingChanged(end.key); // the dock updates, as it does each second
    QCOMPARE(text(), told);
}

/** A reload removed the source from the configuration: the lock's end wasn't seen. */
void LockDetailTest::unwatchedLocksAreNotGone()
{
    select(QStringLiteral("orders-redis"), "lock:orders:checkout:2025-1");
    app::replica::Replica *replica = m_rig->console->replica();
    replica->beginTable();
    replica->addPage({}, {});
    replica->completeTable(replica->seq());
    replica->flush();
    QVERIFY2(text().contains(QStringLiteral("Its source isn't watched any more")), qPrintable(text()));
    QVERIFY2(!text().contains(QStringLiteral("Gone")), qPrintable(text()));
    const auto *badge = m_rig->console->window()->detail()->findChild<app::views::BadgeWidget *>();
    QCOMPARE(badge->badge(), app::replica::Badge::Unknown);
    const auto labels = m_rig->console->window()->detail()->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->text() ==
               QStringLiteral(
                   "Can't release: the source isn't observed now. The Sources view names the cause.");
    }));
}

/** "Show in Locks" may choose a lock that is gone. The dock then keeps nothing of the previous lock. */
void LockDetailTest::goneBeforeItWasChosenClaimsNothing()
{
    select(QStringLiteral("orders-redis"), "reportJob");
    QVERIFY(text().contains(QStringLiteral("worker-7")));
    select(QStringLiteral("orders-redis"), "lock:long-gone");
    QCOMPARE(text(),
             QStringLiteral(
                 "lock:long-gone\norders-redis · redis.token · db0\n"
                 "Not in this list.\nNo longer listed: it was released, or it is no longer monitored."));
    const auto *badge = m_rig->console->window()->detail()->findChild<app::views::BadgeWidget *>();
    QVERIFY(!badge->isVisible());
    m_rig->console->replica()->setLive(false, QStringLiteral("dc1"));
    Q_EMIT m_rig->console->replica()->releasingChanged(*m_rig->console->selection()->current());
    QVERIFY2(text().endsWith(QStringLiteral("Not observed now, and not among what was seen last.")),
             qPrintable(text()));
    select(QStringLiteral("orders-redis"), "reportJob");
    QVERIFY(badge->isVisible());
    QVERIFY(text().contains(QStringLiteral("worker-7")));
}

/** For a source that was never observed, the dock shows no time, least of all the beginning of 1970. */
void LockDetailTest::neverObservedHasNoTime()
{
    domain::LockState state = m_rig->feed.locks(1).first();
    state.key.source = QStringLiteral("never-seen");
    show(state);
    QVERIFY2(text().contains(QStringLiteral("Not observed yet.")), qPrintable(text()));
    QVERIFY2(!text().contains(QStringLiteral("as of 1970")), qPrintable(text()));
}

void LockDetailTest::seenRunsOnInAnOutage()
{
    select(QStringLiteral("orders-redis"), "lock:orders:checkout:2025-1");
    m_clock.advanceUs(1'200'000'000);
    Q_EMIT m_rig->console->replica()->releasingChanged(*m_rig->console->selection()->current());
    QVERIFY2(text().contains(QStringLiteral("Seen\t20 min")), qPrintable(text()));
}

void LockDetailTest::listsWaitersInOrder()
{
    select(QStringLiteral("orders-redis"), "reportJob");
    QVERIFY2(text().contains(QStringLiteral("Waiters (4)\n1\tworker-7, 00:02:11\n2\tworker-8")),
             qPrintable(text()));
    QVERIFY(text().contains(QStringLiteral("Alive\trenewed 4.2 s ago")));
}

void LockDetailTest::longWordsAreShortened_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("shortened");
    const QString id = QStringLiteral("3b5f2c1e90d24a578a0e3b5f2c1e:43");
    QTest::newRow("an id") << id << true;
    QTest::newRow("and since when") << id + QStringLiteral(", ~ 1.5 s") << true;
    QTest::newRow("words") << QStringLiteral("guarded: by holder, depth and expiry, before each step")
                           << false;
    QTest::newRow("Chinese") << QStringLiteral(
                                    "有保护：持有者、重入深度与到期时间，在每一步之前都会再次核对一遍")
                             << false;
}

void LockDetailTest::longWordsAreShortened()
{
    QFETCH(QString, value);
    app::views::FactGrid grid;
    grid.setFacts({{QStringLiteral("Held by"), value, false, {}}});
    bool shortened = false;
    for (const auto *label : grid.findChildren<app::views::ElidedLabel *>())
        shortened = shortened || (!label->isHidden() && label->text() == value);
    QTEST(shortened, "shortened");
    QVERIFY(grid.text().endsWith(value)); // a copy contains the whole value
}

/** A value that changes every second may need a line more than before. */
void LockDetailTest::longerFactsGetALine()
{
    QScrollArea scroll;
    scroll.setWidgetResizable(true);
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    auto *grid = new app::views::FactGrid(app::views::FactGrid::kLabelWidth, content);
    column->addWidget(grid);
    column->addStretch();
    scroll.setWidget(content);
    scroll.resize(268, 600);
    scroll.show();
    const QString seen = QStringLiteral("dead: process 3506 doesn't exist (%1 s ago)");
    for (const char *seconds : {"9.9", "10.4", "1000.4", "123456789.0", "8.0"}) {
        grid->setFacts({{QStringLiteral("Alive"), QStringLiteral("unknown: no renewal seen"), false, {}},
                        {QStringLiteral("Its holder"), seen.arg(QLatin1String(seconds)), false, {}},
                        {QStringLiteral("Release"), QStringLiteral("unsafe: no identity"), false, {}}});
        const auto isWhole = [grid] {
            const auto labels = grid->findChildren<QLabel *>();
            return std::all_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
                return !label->isVisible() || label->height() >= label->heightForWidth(label->width());
            });
        };
        QTRY_VERIFY2(isWhole(), seconds);
    }
}

void LockDetailTest::saysThatWaitersAreNotVisible()
{
    select(QStringLiteral("orders-db"), "cleanupJob");
    QVERIFY(text().contains(QStringLiteral("Waiters not visible in this scheme")));
}

void LockDetailTest::nameIsPlain()
{
    select(QStringLiteral("orders-redis"), "<img src=x onerror=alert(1)><b>bold</b>");
    QVERIFY(text().startsWith(QStringLiteral("<img src=x onerror=alert(1)><b>bold</b>")));
    for (const QLabel *label : m_rig->console->window()->detail()->findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
}

void LockDetailTest::releaseIsOffWithItsReason()
{
    select(QStringLiteral("orders-db"), "archiveJob");
    const QPushButton *button = m_rig->console->window()->detail()->releaseButton();
    QVERIFY(!button->isEnabled());
    const auto labels = m_rig->console->window()->detail()->findChildren<QLabel *>();
    const auto says = [&](const QString &reason) {
        return std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *label) {
            return label->isVisible() && label->text() == reason;
        });
    };
    QVERIFY(says(QStringLiteral("Nothing to release: the lock is free.")));
    replica::Selection *selection = m_rig->console->selection();
    const domain::LockKey freeKey = *selection->current();
    select(QStringLiteral("orders-db"), "settle-daily");
    QVERIFY(button->isEnabled());
    const domain::LockKey heldKey = *selection->current();
    selection->select({freeKey, heldKey}, freeKey); // the button belongs to the lock shown
    QVERIFY(!button->isEnabled());
    selection->select({freeKey, heldKey}, heldKey);
    QVERIFY(button->isEnabled());
    m_rig->console->replica()->setLive(false, QStringLiteral("dc1"));
    QVERIFY(!button->isEnabled());
    QTRY_VERIFY(
        says(QStringLiteral("Can't release: no agent is connected. Connect to one in the Agent menu.")));
    QVERIFY2(text().contains(QStringLiteral("Release\tCan't release: the source isn't observed now.")),
             qPrintable(text()));
    QVERIFY2(!text().contains(QStringLiteral("guarded")), qPrintable(text()));
}

void LockDetailTest::saysThatTheFilterHidesIt()
{
    select(QStringLiteral("orders-db"), "cleanupJob");
    QVERIFY(!text().contains(QStringLiteral("Not in this list.")));
    m_rig->console->locks()->setFilter(QStringLiteral("settle"));
    QVERIFY2(text().contains(QStringLiteral("Not in this list.")), qPrintable(text()));
    // Each other remark of the dock stands below this one.
    select(QStringLiteral("orders-redis"), "lock:orders:checkout:2025-1");
    QVERIFY2(text().contains(QStringLiteral("Not in this list.\nStuck: ")), qPrintable(text()));
    m_rig->console->replica()->setLive(false, QStringLiteral("dc1"));
    QTRY_VERIFY2(text().contains(QStringLiteral("Not in this list.\nNot observed now: ")),
                 qPrintable(text()));
    m_rig->console->locks()->setFilter({});
    QVERIFY2(!text().contains(QStringLiteral("Not in this list.")), qPrintable(text()));
}

void LockDetailTest::chartStaysSmall()
{
    presentation::Theme theme;
    charts::LeaseChart chart(&theme);
    models::LeaseTrajectory trajectory;
    domain::LockState state = m_rig->feed.locks(5).at(4);
    qint64 now = m_clock.wallUs();
    for (int i = 0; i < 20'000; ++i, now += 40'000) {
        state.renewedUs = now;
        state.renewals = quint32(i + 1);
        state.expiresUs = now + 30'000'000 + (i % 7) * 1000;
        trajectory.add(state, now);
    }
    trajectory.openGap(now);
    chart.show(trajectory, now + 5'000'000);
    QVERIFY(chart.pointCount() > 10);
    QVERIFY2(chart.pointCount() <= models::LeaseTrajectory::kMaxPoints,
             qPrintable(QString::number(chart.pointCount())));
    QVERIFY(chart.summary().contains(QStringLiteral("1 gap")));
}

void LockDetailTest::holdsAreReadAgainWhenTheLockGoes()
{
    tests::ViewRig rig;
    const domain::LockState lock = tests::ViewRig::stuckLock("lock:a");
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.replica.find(lock.key));
    views::LockDetail detail(rig.context);
    rig.selection.selectOne(lock.key);
    QTRY_COMPARE(rig.agent.received<protocol::HoldsQuery>().size(), 1);
    rig.agent.publish(tests::released(lock));
    QTRY_VERIFY(!rig.replica.find(lock.key));
    QTRY_COMPARE(rig.agent.received<protocol::HoldsQuery>().size(), 2); // "still held" isn't true any more
}

/** At the dock's least width, the row drops what doesn't fit, but never the end. */
void LockDetailTest::narrowHoldsSayHowTheyEnded()
{
    tests::ViewRig rig;
    const domain::LockState lock = tests::ViewRig::stuckLock("lock:a");
    const qint64 nowUs = base::SystemClock().wallUs();
    protocol::Hold hold;
    hold.key = lock.key;
    hold.owner = "w1";
    hold.fromUs = nowUs;
    hold.toUs = nowUs + 12'000'000;
    hold.end = "force_released";
    hold.startSeen = false;
    rig.holds = {hold};
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.replica.find(lock.key));
    views::LockDetail detail(rig.context);
    detail.resize(276, 1600);
    detail.show();
    const auto *table = detail.findChild<views::RecentHolds *>()->findChild<QTreeView *>();
    const auto showsTheEnd = [table] {
        const QString end = QStringLiteral("Force-released");
        const QModelIndex index = table->model()->index(0, app::models::HoldEndColumn);
        return index.data().toString() == end &&
               table->visualRect(index).right() < table->viewport()->width() &&
               table->visualRect(index).width() > table->fontMetrics().horizontalAdvance(end) + 6;
    };
    rig.selection.selectOne(lock.key);
    QTRY_VERIFY(showsTheEnd());
    QVERIFY(!table->isColumnHidden(app::models::HoldDurationColumn));
    QVERIFY(table->isColumnHidden(app::models::HoldOwnerColumn));
    rig.holds.first().fromUs -= 90'000'000'000; // with its date
    rig.agent.publish(tests::released(lock));
    QTRY_VERIFY(table->isColumnHidden(app::models::HoldDurationColumn));
    QVERIFY(showsTheEnd());
    detail.resize(600, 1600);
    QTRY_VERIFY(!table->isColumnHidden(app::models::HoldOwnerColumn));
    QVERIFY(showsTheEnd() && !table->isColumnHidden(app::models::HoldDurationColumn));
}

void LockDetailTest::copiesAllThatIsShown()
{
    tests::ViewRig rig;
    const domain::LockState lock = tests::ViewRig::stuckLock("lock:a");
    protocol::Hold hold;
    hold.key = lock.key;
    hold.owner = "3b5f9c1e77aa4c1f9a102bb1f0c7d2e1";
    hold.fromUs = rig.clock.wallUs() - 90'000'000;
    hold.toUs = hold.fromUs + 12'000'000;
    hold.end = "released";
    rig.holds = {hold};
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.isLive() && rig.replica.find(lock.key));
    views::LockDetail detail(rig.context);
    detail.resize(276, 1600);
    detail.show();
    rig.selection.selectOne(lock.key);
    const auto *strip = detail.findChild<QWidget *>(QStringLiteral("lastHour"));
    QTRY_VERIFY(strip->accessibleName().startsWith(QStringLiteral("The last hour: held for ")));
    const auto *holds = detail.findChild<views::RecentHolds *>()->findChild<QTreeView *>();
    QTRY_COMPARE(holds->model()->rowCount(), 1);
    for (QPushButton *button : detail.findChildren<QPushButton *>()) {
        if (button->text() == QStringLiteral("Copy"))
            button->click();
    }
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.startsWith(detail.text() + QLatin1Char('\n') + strip->accessibleName()),
             qPrintable(copied));
    QVERIFY2(copied.contains(QStringLiteral("\nLast holds\n")), qPrintable(copied));
    QVERIFY2(copied.endsWith(QStringLiteral("\t12.0 s\tReleased\t3b5f9c1e77aa4c1f9a102bb1f0c7d2e1")),
             qPrintable(copied));
}

domain::LockState LockDetailTest::rowLock() const
{
    const qint64 now = m_clock.wallUs();
    domain::LockState state;
    state.key = {QStringLiteral("orders-db"), "sql.row", "app.lock/PRIMARY", "42"};
    state.phase = domain::Phase::Held;
    state.owner = "17";
    state.acquiredUs = now - 200'000'000;
    state.release.safety = domain::ReleaseSafety::Guarded;
    state.guard = "g";
    state.waitersVisible = true;
    state.waiters = {{"21", now - 90'000'000, "app@10.2.3.4"}, {"22", now - 30'000'000, {}, 500'000}};
    domain::Session session;
    session.id = "17";
    session.user = "app";
    session.client = "10.2.3.17:51422";
    session.program = "mysql";
    session.transaction = "4711";
    session.transactionSinceUs = now - 201'000'000;
    session.idleSinceUs = now - 191'000'000;
    session.statement = "SELECT *\n\tFROM `<b>lock</b>` -- \x1b[31m";
    session.statementCut = true;
    state.session = session;
    return state;
}

void LockDetailTest::show(const domain::LockState &state)
{
    m_rig->feed.load(*m_rig->console->replica(), {state});
    m_rig->console->selection()->selectOne(state.key);
}

/** Each field of a state changes the dock, but those that are left out on purpose. */
void LockDetailTest::everyFieldIsShown()
{
    domain::LockState leased;
    leased.key = {QStringLiteral("orders-redis"), "redis.token", "db0", "lock:a"};
    leased.phase = domain::Phase::Held;
    leased.owner = "w1";
    leased.acquiredUs = m_clock.wallUs() - 200'000'000;
    leased.renewals = 2;
    leased.renewedUs = m_clock.wallUs() - 9'000'000;
    leased.expiry = domain::ExpiryKind::At;
    leased.expiresUs = m_clock.wallUs() + 20'000'000;
    domain::LockState optimistic = leased;
    optimistic.phase = domain::Phase::Optimistic;
    QSet<quint64> missing;
    for (const quint64 key : tests::keysOnWire<domain::LockState>())
        missing.insert(key);
    const auto shown = [this](const domain::LockState &state) {
        show(state);
        m_rig->console->replica()->flush();
        m_rig->console->locks()->proxy()->tick();
        return text();
    };
    for (const domain::LockState &state : {leased, optimistic, rowLock()}) {
        for (const tests::PerturbedState &other : tests::perturbed(state)) {
            shown(state); // so that both are selected already
            const QString whole = shown(state);
            shown(other.state);
            if (shown(other.state) != whole)
                missing.remove(quint64(other.key));
        }
    }
    // Scripts read the guard and the mode. A lock is seen when its source is. The release dialog shows that a
    // guard pins the deadline. Only a lock of a past moment may have changed.
    QCOMPARE(missing, (QSet<quint64>{22, 23, 28, 29, 30}));
}

void LockDetailTest::showsTheHoldersConnection()
{
    show(rowLock());
    const QString all = text();
    QVERIFY2(all.startsWith(QStringLiteral("lock 42\n")), qPrintable(all)); // its name in the list
    QVERIFY2(all.contains(QStringLiteral("Alive\tconnection open, idle 00:03:11")), qPrintable(all));
    QVERIFY(all.contains(QStringLiteral("Release\tguarded kill: connection, thread and transaction")));
    QVERIFY2(all.contains(QStringLiteral("Connection 17\nUser\tapp\nClient\t10.2.3.17:51422\nProgram\tmysql\n"
                                         "Transaction\t4711, open for 00:03:21\nIdle\t00:03:11\n")),
             qPrintable(all));
    QVERIFY2(all.contains(QStringLiteral("Last statement:\n\tSELECT *\n FROM `<b>lock</b>` -- \\x1b[31m…")),
             qPrintable(all));
    QVERIFY2(all.contains(QStringLiteral("Waiters (2)\n1\t21, 00:01:30\n2\t22, ~ 30.0 s")), qPrintable(all));
    for (const QLabel *label : m_rig->console->window()->detail()->findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
}

void LockDetailTest::otherSessionsRunNoStatements()
{
    domain::LockState state = rowLock();
    state.key.scheme = "zookeeper.sequence";
    state.session = domain::Session();
    state.session->id = "0x10001";
    state.session->client = "10.2.3.17:51422 (10000 ms)";
    show(state);
    const QString all = text();
    QVERIFY2(all.contains(QStringLiteral("Alive\tsession open\n")), qPrintable(all));
    QVERIFY2(all.contains(QStringLiteral("Session 0x10001\nClient\t10.2.3.17:51422")), qPrintable(all));
    for (const char *word : {"onnection", "tatement", "Transaction\t", "Idle\t", "idle "})
        QVERIFY2(!all.contains(QLatin1String(word)), qPrintable(all));
}

void LockDetailTest::saysWhenTheOrderIsUnknown()
{
    domain::LockState state = rowLock();
    for (domain::Waiter &waiter : state.waiters)
        waiter.sinceUs.reset();
    show(state);
    QVERIFY2(text().contains(QStringLiteral("Order unknown\n\t21, ?\n\t22, ?")), qPrintable(text()));
}

void LockDetailTest::optimisticLocksHaveNothingToBreak()
{
    domain::LockState state;
    state.key = {QStringLiteral("orders-db"), "sql.version", "app.optimistic_lock", "stock"};
    state.phase = domain::Phase::Optimistic;
    state.fencing = "18446744073709551615";
    state.changesPerMinute = 42;
    show(state);
    QVERIFY2(text().contains(QStringLiteral("there is nothing to break")), qPrintable(text()));
    QVERIFY(text().contains(QStringLiteral("Version\t18446744073709551615")));
    QVERIFY(text().contains(QStringLiteral("Changes\t42 a minute")));
    QVERIFY(!text().contains(QStringLiteral("Fencing token")));
    QVERIFY(!m_rig->console->window()->detail()->releaseButton()->isEnabled());
}

void LockDetailTest::showsTheProbeOfItsHolder()
{
    tests::ViewRig rig;
    const domain::LockState lock = tests::ViewRig::lock("a");
    domain::HolderCheck check;
    check.lock = lock.key;
    check.guard = lock.guard;
    check.verdict = domain::HolderVerdict::Dead;
    check.evidence = domain::HolderEvidence::PodGone;
    check.target = "shop/orders-7f9";
    check.checkedUs = rig.clock.wallUs();
    rig.holderChecks = {check};
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.replica.find(lock.key));
    views::LockDetail detail(rig.context);
    detail.show();
    rig.selection.selectOne(lock.key);
    QTRY_VERIFY2(
        detail.text().contains(QStringLiteral("Its holder\tdead: pod shop/orders-7f9 doesn't exist (")),
        qPrintable(detail.text()));
}

void LockDetailTest::showsTheAlertsOfTheLock()
{
    using tests::firedAlert;
    tests::ViewRig rig;
    rig.book.emplace();
    domain::Alert over = firedAlert("a2", "a", domain::AlertCondition::Expired);
    over.resolvedUs = over.firedUs + 1;
    rig.book->alerts = {firedAlert("a1", "a"), over, firedAlert("a3", "b")};
    const domain::LockState lock = tests::heldLock("a");
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.replica.find(lock.key));
    views::LockDetail detail(rig.context);
    rig.selection.selectOne(lock.key);
    QTRY_VERIFY2(detail.text().contains(QStringLiteral("Warning\tLock stuck for ")),
                 qPrintable(detail.text()));
    QVERIFY(detail.text().contains(QStringLiteral(". Active")));
    QVERIFY(!detail.text().contains(QStringLiteral("Lease expired")));
    app::views::ConsoleContext past = rig.context;
    past.past = true;
    const views::LockDetail then(past);
    QVERIFY(!then.text().contains(QStringLiteral("Lock stuck"))); // alerts are of now
    over = firedAlert("a1", "a");
    over.resolvedUs = over.firedUs + 1;
    rig.book->change(rig.agent, over);
    QTRY_VERIFY(!detail.text().contains(QStringLiteral("Lock stuck")));
}

/** Advice on another lock of the same name isn't about this lock. */
void LockDetailTest::advisesOnTheLock()
{
    tests::ViewRig rig;
    const domain::LockState lock = tests::heldLock("a*");
    domain::Advice one;
    one.code = domain::AdviceCode::NoExpiry;
    one.confidence = domain::AdviceConfidence::Likely;
    one.lock = lock.key;
    domain::Advice other = one;
    other.code = domain::AdviceCode::NeverContended;
    other.lock.place = "elsewhere";
    rig.advice = protocol::AdvicePage{};
    rig.advice->advice = {one, other};
    rig.advice->holds = 12;
    rig.advice->observedPermille = 984;
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.replica.find(lock.key));
    views::LockDetail detail(rig.context);
    detail.show();
    rig.selection.selectOne(lock.key);
    QVERIFY(rig.advised.isEmpty()); // the user may still be moving through the list
    auto *advice = detail.findChild<views::LockAdvice *>();
    QTRY_VERIFY(advice->isVisible());
    QCOMPARE(rig.advised.constLast().source, lock.key.source);
    QCOMPARE(rig.advised.constLast().lockGlob, QByteArray("a\\*"));
    QCOMPARE(*rig.advised.constLast().toUs - *rig.advised.constLast().fromUs, 24 * base::kHourUs);
    const QString text = advice->text();
    QVERIFY2(text.contains(QStringLiteral("advice.md#no_expiry")), qPrintable(text));
    QVERIFY(!text.contains(QStringLiteral("never_contended")));
    QVERIFY2(text.contains(QStringLiteral("12 hold")) && text.contains(QStringLiteral("98.4 %")),
             qPrintable(text));
    QSignalSpy asked(&rig.requests, &views::Requests::viewAsked);
    advice->findChild<QPushButton *>(QStringLiteral("allAdvice"))->click();
    QCOMPARE(asked.value(0).value(0).toByteArray(), QByteArray("advice"));
    const qsizetype before = rig.advised.size();
    rig.clock.advanceUs(6 * 60'000'000LL);
    QTRY_COMPARE(rig.advised.size(), before + 1);
}

void LockDetailTest::adviceFollowsTheLock()
{
    tests::ViewRig rig;
    const domain::LockState first = tests::heldLock("a");
    const domain::LockState second = tests::heldLock("b");
    domain::Advice one;
    one.code = domain::AdviceCode::NoExpiry;
    one.lock = first.key;
    rig.advice = protocol::AdvicePage{};
    rig.advice->advice = {one};
    QVERIFY(rig.connectWith({first, second}));
    QTRY_VERIFY(rig.replica.find(second.key));
    views::LockDetail detail(rig.context);
    detail.show();
    rig.selection.selectOne(first.key);
    auto *advice = detail.findChild<views::LockAdvice *>();
    QTRY_VERIFY(advice->isVisible());
    rig.selection.selectOne(second.key);
    QVERIFY(!advice->isVisible()); // at once: it is advice on another lock
    QTRY_COMPARE(rig.advised.constLast().lockGlob, QByteArray("b"));
    detail.hide();
    const qsizetype before = rig.advised.size();
    rig.selection.selectOne(first.key);
    QCOMPARE(rig.advised.size(), before); // nobody looks
    detail.show();
    QTRY_COMPARE(rig.advised.size(), before + 1);
}

void LockDetailTest::showsTheDepth()
{
    domain::LockState state = m_rig->feed.locks(5).at(3);
    state.key.scheme = "sql.reentrant";
    state.depth = 3;
    show(state);
    QVERIFY2(text().contains(QStringLiteral("Depth\ttaken 3 time")), qPrintable(text()));
}

domain::LockState LockDetailTest::redlock() const
{
    domain::LockState state = m_rig->feed.locks(5).at(3);
    state.key.source = QStringLiteral("orders-redis");
    state.key.scheme = "redis.redlock";
    state.phase = domain::Phase::Held;
    state.owner = state.token = "8f14e45fceea167a5a36dedd4bea2543";
    const qint64 now = m_rig->console->replica()->storeNowUs(state.key.source);
    state.nodes = {{"10.0.0.1:6379", domain::NodeHolds::Holder, state.token, now + 20'000'000},
                   {"10.0.0.2:6379", domain::NodeHolds::Holder, state.token, now + 20'000'000},
                   {"10.0.0.3:6379", domain::NodeHolds::Other, "c9f0f895fb98ab91", std::nullopt},
                   {"10.0.0.4:6379", domain::NodeHolds::Unreachable, {}, std::nullopt},
                   {"10.0.0.5:6379", domain::NodeHolds::Holder, state.token, now + 20'000'000}};
    return state;
}

void LockDetailTest::showsTheNodes()
{
    show(redlock());
    const QString all = text();
    QVERIFY2(all.contains(QStringLiteral("Nodes (3/5)\n10.0.0.1:6379\tholder's token, 20.0 s")),
             qPrintable(all));
    QVERIFY2(all.contains(QStringLiteral("10.0.0.3:6379\ttoken c9f0f895, no expiry\n"
                                         "10.0.0.4:6379\tcan't be reached\n")),
             qPrintable(all));
    show(rowLock());
    QVERIFY(!text().contains(QStringLiteral("Nodes")));
}

void LockDetailTest::saysWhatNodesLeaveOpen()
{
    domain::LockState state = redlock();
    state.phase = domain::Phase::Unknown;
    state.nodes[4] = {"10.0.0.5:6379", domain::NodeHolds::Nothing, {}, std::nullopt};
    show(state);
    QVERIFY2(text().contains(QStringLiteral(
                 "Unknown: 2 of 5 nodes have its token, 3 are needed, and 1 are unreachable.")),
             qPrintable(text()));
    m_rig->console->locks()->filterBar()->setHiddenStates({}); // free locks are listed, too
    state.phase = domain::Phase::Free;
    state.nodes[3].holds = domain::NodeHolds::Nothing;
    state.release = {domain::ReleaseSafety::Guarded, domain::ReleaseOff::None};
    show(state);
    QVERIFY2(text().contains(QStringLiteral("Not held: no token has a majority (3 of 5 nodes).")),
             qPrintable(text()));
    QVERIFY(m_rig->console->window()->detail()->releaseButton()->isEnabled());
}

/** If the stored bytes don't fit the scheme, the dock says nothing about a holder. */
void LockDetailTest::anUnreadableRowHasOneVerdict()
{
    domain::LockState state = tests::ViewRig::lock("odd");
    state.key.source = QStringLiteral("orders-db"); // which is observed
    state.phase = domain::Phase::Unknown;
    state.expiry = domain::ExpiryKind::Unknown;
    state.expiresUs.reset();
    state.acquiredUs.reset();
    state.renewals = 0;
    state.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::Malformed};
    show(state);
    QTRY_VERIFY2(text().contains(QStringLiteral("what is stored doesn't match the scheme")),
                 qPrintable(text()));
    QString all = text();
    for (const QLabel *label : m_rig->console->window()->detail()->findChildren<QLabel *>()) {
        if (label->isVisible())
            all += QLatin1Char('\n') + label->text();
    }
    for (const QString &claim : {QStringLiteral("nobody holds"), QStringLiteral("is free")})
        QVERIFY2(!all.contains(claim, Qt::CaseInsensitive), qPrintable(all));
    QVERIFY(!m_rig->console->window()->detail()->releaseButton()->isEnabled());
}

void LockDetailTest::lastHourOpensTheTimeline()
{
    tests::ViewRig rig;
    const domain::LockState lock = tests::ViewRig::lock("a");
    protocol::TimelineLane lane;
    lane.key = lock.key;
    const qint64 now = rig.clock.wallUs();
    lane.waits = {{lock.key, "w9", now - 600'000'000, now - 60'000'000, 1},
                  {lock.key, "w8", now - 4'800'000'000, now - 4'200'000'000, 2}}; // before the hour
    rig.timeline.lanes = {lane};
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.replica.find(lock.key));
    views::LockDetail detail(rig.context);
    detail.resize(276, 700);
    detail.show();
    rig.selection.selectOne(lock.key);
    auto *strip = detail.findChild<QWidget *>(QStringLiteral("lastHour"));
    QTRY_VERIFY(strip->isVisible());
    auto *button = detail.findChild<QPushButton *>(QStringLiteral("timeline"));
    QVERIFY(button->isVisible());
    QTRY_VERIFY(strip->accessibleName().contains(QStringLiteral("waits: 1")));
    QCOMPARE(rig.timelines.first().keys, QList<domain::LockKey>{lock.key});
    QVERIFY(rig.timelines.first().toUs - rig.timelines.first().fromUs <= 2 * 3'600'000'000LL);
    QSignalSpy asked(&rig.requests, &views::Requests::timelineAsked);
    QTest::mouseClick(strip, Qt::LeftButton);
    QTest::keyClick(strip, Qt::Key_Return);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(asked.size(), 3);
    QCOMPARE(asked.first().first().value<QList<domain::LockKey>>(), QList<domain::LockKey>{lock.key});
}

/** If the last hour wasn't read, "Held for 0 seconds" would be a false claim. */
void LockDetailTest::lastHourThatWasntReadSaysSo()
{
    tests::ViewRig rig;
    const domain::LockState lock = tests::ViewRig::lock("a");
    rig.failure = base::Error{base::ErrorCode::Timeout, QStringLiteral("too long"), {}};
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.replica.find(lock.key));
    views::LockDetail detail(rig.context);
    detail.resize(276, 700);
    detail.show();
    rig.selection.selectOne(lock.key);
    const auto *strip = detail.findChild<QWidget *>(QStringLiteral("lastHour"));
    const QString unread = QStringLiteral("The last hour hasn't been read.");
    QTRY_COMPARE(strip->accessibleName(), unread);
    QTRY_VERIFY(!rig.timelines.isEmpty());
    QCOMPARE(strip->toolTip(), unread + QStringLiteral("\nOpens the timeline."));
}

/** Without this move, the hour read before the loss would pass for the last hour, regardless of its age. */
void LockDetailTest::lastHourMovesOnWithoutTheAgent()
{
    tests::ViewRig rig;
    const domain::LockState lock = tests::ViewRig::lock("a");
    const qint64 now = rig.clock.wallUs();
    protocol::TimelineLane lane;
    lane.key = lock.key;
    lane.waits = {{lock.key, "w9", now - 600'000'000, now - 60'000'000, 1}};
    rig.timeline.lanes = {lane};
    QVERIFY(rig.connectWith({lock}));
    QTRY_VERIFY(rig.isLive() && rig.replica.find(lock.key));
    rig.show({rig.source(lock.key.source)});
    QTRY_VERIFY(!rig.replica.isStale(lock.key.source));
    views::LockDetail detail(rig.context);
    detail.resize(276, 700);
    detail.show();
    rig.selection.selectOne(lock.key);
    const auto *strip = detail.findChild<QWidget *>(QStringLiteral("lastHour"));
    QTRY_VERIFY(strip->accessibleName().endsWith(QStringLiteral("waits: 1.")));
    rig.agent.stop();
    QTRY_VERIFY(rig.replica.isOffline());
    rig.clock.advanceUs(2 * 3'600'000'000LL);
    QTRY_VERIFY2(strip->accessibleName().contains(QStringLiteral("waits: 0 until then")),
                 qPrintable(strip->accessibleName()));
    QVERIFY(strip->accessibleName().startsWith(QStringLiteral("The last hour, not observed since ")));
}

LOCKKEEPER_TEST(LockDetailTest)

} // namespace tst_lock_detail

#include "tst_lock_detail.moc"
