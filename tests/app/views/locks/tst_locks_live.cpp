// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/colours.h"
#include "app/views/locks/filter_bar.h"
#include "app/views/locks/locks_table.h"
#include "app/views/locks/locks_view.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/live_freeze.h"
#include "app/views/window/main_window.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QItemSelectionModel>
#include <QMenu>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QTest>

namespace tst_locks_live {

using namespace lockkeeper;
using namespace lockkeeper::app;

/** Changes of the table while the operator works in it. */
class LocksLiveTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void standsStillUnderAButton();
    void standsStillAfterAKey();
    void standsStillWhileAMenuIsOpen();
    void standsStillWhileTextIsSelected();
    void selectionFollowsTheLock();
    void selectionEmptiesWithTheLock();
    void selectionStaysWhenTheFilterHidesIt();
    void anchorFollowsTheLock();
    void scrolledListFollowsNoSingleLock_data();
    void scrolledListFollowsNoSingleLock();
    void topStaysWhenTheCurrentLockLeaves();
    void tenMinutesMoveNeitherSelectionNorScroll();
    void barShowsOnASelectedRow_data();
    void barShowsOnASelectedRow();
    void countdownStopsAtZero();
    void staleSourcesAreUnknown();

private:
    views::LocksView *view() const { return m_rig->console->locks(); }
    views::LocksTable *table() const { return view()->table(); }
    void load(const QList<domain::LockState> &locks);
    void send(const domain::LockState &after, bool gone = false);
    QPoint middleOf(int row) const { return table()->visualRect(view()->proxy()->index(row, 1)).center(); }
    int selectedRow() const;

    tests::FakeClock m_clock;
    std::unique_ptr<tests::ConsoleRig> m_rig;
};

void LocksLiveTest::init()
{
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    m_rig->console->window()->resize(1280, 800);
    m_rig->console->window()->show();
    m_rig->console->window()->activateWindow(); // no window manager does it
    QVERIFY(QTest::qWaitForWindowActive(m_rig->console->window()));
    view()->proxy()->setTickMs(0);
    view()->proxy()->setTurnRows(10'000); // each tick sorts all rows
    load(m_rig->feed.locks(200));
}

void LocksLiveTest::cleanup()
{
    m_rig.reset();
}

void LocksLiveTest::load(const QList<domain::LockState> &locks)
{
    m_rig->feed.load(*m_rig->console->replica(), locks);
    QTRY_COMPARE(m_rig->console->replica()->locks().size(), locks.size());
    view()->proxy()->tick();
}

void LocksLiveTest::send(const domain::LockState &after, bool gone)
{
    replica::Replica *replica = m_rig->console->replica();
    events::LockEvent event;
    event.seq = replica->seq() + 1;
    event.key = after.key;
    event.kind = gone ? events::EventKind::Released : events::EventKind::Stuck;
    if (!gone)
        event.after = after;
    replica->takeEvents({event});
    replica->flush();
}

int LocksLiveTest::selectedRow() const
{
    const QModelIndexList rows = table()->selectionModel()->selectedRows();
    return rows.size() == 1 ? rows.first().row() : -1;
}

void LocksLiveTest::standsStillUnderAButton()
{
    const auto key = view()->proxy()->lockAt(8)->lock.key();
    QTest::mousePress(table()->viewport(), Qt::LeftButton, {}, middleOf(8));
    QVERIFY(view()->freeze()->isFrozen());
    domain::LockState worse = *m_rig->console->replica()->find(key);
    worse.stuck = domain::StuckReason::NoExpiry;
    send(worse);
    view()->proxy()->tick();
    QCOMPARE(view()->proxy()->rowOf(key), 8);
    // The values keep changing meanwhile.
    QCOMPARE(view()->proxy()->index(8, models::StateColumn).data().toString(), QStringLiteral("Stuck"));
    QTest::mouseRelease(table()->viewport(), Qt::LeftButton, {}, middleOf(8));
    QTRY_VERIFY(!view()->freeze()->isFrozen());
    view()->proxy()->tick();
    QVERIFY(view()->proxy()->rowOf(key) < 3);
}

void LocksLiveTest::standsStillAfterAKey()
{
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Down);
    QVERIFY(view()->freeze()->isFrozen());
    QTRY_VERIFY_WITH_TIMEOUT(!view()->freeze()->isFrozen(), 2 * views::LiveFreeze::kQuietMs);
}

void LocksLiveTest::standsStillWhileAMenuIsOpen()
{
    QMenu menu(table());
    menu.addAction(QStringLiteral("x"));
    menu.popup(table()->mapToGlobal(QPoint(10, 10)));
    QTRY_VERIFY(view()->freeze()->isFrozen());
    menu.close();
    QTRY_VERIFY(!view()->freeze()->isFrozen());
}

void LocksLiveTest::standsStillWhileTextIsSelected()
{
    view()->setFilter(QStringLiteral("lock"));
    view()->focusFilter(); // selects all of it
    QTRY_VERIFY(view()->freeze()->isFrozen());
    view()->filterBar()->edit()->deselect();
    table()->setFocus();
    QTRY_VERIFY(!view()->freeze()->isFrozen());
}

void LocksLiveTest::selectionFollowsTheLock()
{
    const auto key = view()->proxy()->lockAt(9)->lock.key();
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, middleOf(9));
    QCOMPARE(m_rig->console->selection()->current(), key);
    QTRY_VERIFY(!view()->freeze()->isFrozen());
    domain::LockState worse = *m_rig->console->replica()->find(key);
    worse.stuck = domain::StuckReason::NoExpiry;
    send(worse);
    view()->proxy()->tick();
    const int row = view()->proxy()->rowOf(key);
    QVERIFY(row != 9);
    QCOMPARE(selectedRow(), row);
    QCOMPARE(m_rig->console->selection()->current(), key);
    // A whole new table arrives, as after a reconnect.
    load(m_rig->feed.locks(200));
    QCOMPARE(selectedRow(), view()->proxy()->rowOf(key));
}

void LocksLiveTest::selectionEmptiesWithTheLock()
{
    const domain::LockState state = view()->proxy()->lockAt(5)->lock.state();
    m_rig->console->selection()->selectOne(state.key);
    QCOMPARE(selectedRow(), 5);
    send(state, true);
    view()->proxy()->tick();
    QCOMPARE(view()->proxy()->rowOf(state.key), -1);
    QVERIFY(table()->selectionModel()->selectedRows().isEmpty()); // no neighbour selected instead
}

void LocksLiveTest::selectionStaysWhenTheFilterHidesIt()
{
    const domain::LockState state = view()->proxy()->lockAt(5)->lock.state();
    m_rig->console->selection()->selectOne(state.key);
    view()->setFilter(QStringLiteral("-\"%1\"").arg(QString::fromUtf8(state.key.name)));
    QCOMPARE(view()->proxy()->rowOf(state.key), -1);
    QCOMPARE(m_rig->console->selection()->current(), state.key);
    view()->setFilter({});
    QCOMPARE(selectedRow(), view()->proxy()->rowOf(state.key));
}

void LocksLiveTest::anchorFollowsTheLock()
{
    table()->verticalScrollBar()->setValue(60);
    const auto atTheTop = [this] { return view()->proxy()->lockAt(table()->verticalScrollBar()->value()); };
    QVERIFY(atTheTop());
    const domain::LockKey top = atTheTop()->lock.key();
    QList<domain::LockState> more = m_rig->feed.locks(200);
    for (int i = 0; i < 5; ++i) {
        domain::LockState worse = more.first();
        worse.key.name = "another-" + QByteArray::number(i);
        send(worse);
    }
    view()->proxy()->tick();
    QCOMPARE(atTheTop()->lock.key(), top);
    QCOMPARE(table()->verticalScrollBar()->value(), 65);
}

void LocksLiveTest::scrolledListFollowsNoSingleLock_data()
{
    QTest::addColumn<bool>("leaves");
    QTest::newRow("the lock at the top gets stuck") << false;
    QTest::newRow("the lock at the top is released") << true;
}

/** The lock at the top moves on; the list keeps its place by the other rows. */
void LocksLiveTest::scrolledListFollowsNoSingleLock()
{
    QFETCH(bool, leaves);
    table()->verticalScrollBar()->setValue(60);
    const domain::LockState top = view()->proxy()->lockAt(60)->lock.state();
    const auto key = view()->proxy()->lockAt(65)->lock.key();
    const int place = table()->visualRect(view()->proxy()->index(65, 0)).top();
    domain::LockState worse = top;
    worse.stuck = domain::StuckReason::NoExpiry;
    send(leaves ? top : worse, leaves);
    view()->proxy()->tick();
    QVERIFY(view()->proxy()->rowOf(top.key) < 20);
    const int row = view()->proxy()->rowOf(key);
    const int rowHeight = table()->visualRect(view()->proxy()->index(row, 0)).height();
    const int moved = std::abs(table()->visualRect(view()->proxy()->index(row, 0)).top() - place);
    QVERIFY2(moved <= rowHeight, qPrintable(QString::number(moved)));
}

void LocksLiveTest::topStaysWhenTheCurrentLockLeaves()
{
    const domain::LockState state = view()->proxy()->lockAt(5)->lock.state();
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, middleOf(5));
    QTRY_VERIFY(!view()->freeze()->isFrozen());
    // Free locks sort last before they leave, and the view then selects the last row's neighbour.
    domain::LockState free = state;
    free.phase = domain::Phase::Free;
    free.stuck = domain::StuckReason::None;
    send(free);
    view()->proxy()->tick();
    QCOMPARE(view()->proxy()->rowOf(state.key), -1);
    QCOMPARE(table()->verticalScrollBar()->value(), 0);
}

/** In each of 300 ticks of two seconds, five locks come, go or change. */
void LocksLiveTest::tenMinutesMoveNeitherSelectionNorScroll()
{
    QRandomGenerator random(14);
    load(m_rig->feed.locks(1'000));
    table()->verticalScrollBar()->setValue(300);
    const domain::LockKey chosen = view()->proxy()->lockAt(306)->lock.key();
    m_rig->console->selection()->selectOne(chosen);
    const auto places = [this] {
        QHash<domain::LockKey, int> found;
        for (int row = 0; row < view()->proxy()->rowCount(); ++row) {
            const QRect place = table()->visualRect(view()->proxy()->index(row, 1));
            if (place.top() >= 0 && place.bottom() < table()->viewport()->height())
                found.insert(view()->proxy()->lockAt(row)->lock.key(), place.top());
        }
        return found;
    };
    for (int tick = 0; tick < 300; ++tick) {
        const QHash<domain::LockKey, int> before = places();
        QSet<domain::LockKey> touched;
        for (int change = 0; change < 5; ++change) {
            domain::LockState state =
                view()->proxy()->lockAt(random.bounded(view()->proxy()->rowCount()))->lock.state();
            if (state.key == chosen)
                continue;
            const int kind = random.bounded(4);
            if (kind == 0)
                state.key.name = "new-" + QByteArray::number(tick) + '-' + QByteArray::number(change);
            state.stuck = kind == 1 ? domain::StuckReason::NoExpiry : domain::StuckReason::None;
            touched.insert(state.key);
            send(state, kind == 2);
        }
        m_clock.advanceUs(2'000'000);
        view()->proxy()->tick();
        QCOMPARE(m_rig->console->selection()->keys(), QList{chosen});
        QCOMPARE(selectedRow(), view()->proxy()->rowOf(chosen));
        // About as many of the visible rows moved up as down.
        int up = 0;
        int down = 0;
        int stayed = 0;
        for (auto it = before.cbegin(); it != before.cend(); ++it) {
            const int row = view()->proxy()->rowOf(it.key());
            if (touched.contains(it.key()) || row < 0)
                continue;
            const int move = table()->visualRect(view()->proxy()->index(row, 1)).top() - it.value();
            ++(move < 0 ? up : move > 0 ? down : stayed);
        }
        QVERIFY2(std::abs(up - down) <= stayed + touched.size(),
                 qPrintable(QStringLiteral("tick %1: %2 up, %3 down, %4 stayed, at %5")
                                .arg(tick)
                                .arg(up)
                                .arg(down)
                                .arg(stayed)
                                .arg(table()->verticalScrollBar()->value())));
    }
}

void LocksLiveTest::barShowsOnASelectedRow_data()
{
    QTest::addColumn<QString>("theme");
    QTest::newRow("light") << QStringLiteral("light");
    QTest::newRow("dark") << QStringLiteral("dark");
}

void LocksLiveTest::barShowsOnASelectedRow()
{
    QFETCH(QString, theme);
    m_rig->settings.setValue(settings::Key::Appearance, theme);
    int row = 0;
    while (view()->proxy()->lockAt(row)->lock.state().expiry != domain::ExpiryKind::At ||
           view()->proxy()->lockAt(row)->lock.state().expiresUs.value_or(0) < m_clock.wallUs() + 2'000'000)
        ++row;
    m_rig->console->selection()->selectOne(view()->proxy()->lockAt(row)->lock.key());
    const QRect cell = table()->visualRect(view()->proxy()->index(row, models::RemainingColumn));
    const QImage drawn =
        table()->viewport()->grab(QRect(cell.left(), cell.top(), 60, cell.height())).toImage();
    const QColor ground = table()->palette().color(QPalette::Highlight);
    int clear = 0;
    for (int x = 0; x < drawn.width(); ++x)
        clear += presentation::contrastRatio(drawn.pixelColor(x, drawn.height() / 2), ground) >= 3 ? 1 : 0;
    QVERIFY2(clear >= 3, qPrintable(QString::number(clear)));
}

void LocksLiveTest::countdownStopsAtZero()
{
    const int row =
        view()->proxy()->rowOf({QStringLiteral("orders-db"), "sql.shedlock", "app.shedlock", "cleanupJob"});
    QVERIFY(row >= 0);
    m_clock.advanceUs(4'000'000);
    m_rig->console->replica()->takeStates({}, m_rig->feed.sources());
    QCOMPARE(view()->proxy()->index(row, models::RemainingColumn).data().toString(), QStringLiteral("0.0 s"));
    QVERIFY(view()->proxy()->index(row, models::StateColumn).data().toString() != QStringLiteral("Expired"));
}

void LocksLiveTest::staleSourcesAreUnknown()
{
    m_rig->console->replica()->setLive(false, QStringLiteral("dc1"));
    const_cast<models::LockModel &>(view()->proxy()->source()).lookAtClock();
    QTRY_COMPARE(view()->proxy()->index(0, models::StateColumn).data().toString(), QStringLiteral("Unknown"));
    QCOMPARE(view()->proxy()->index(8, models::RemainingColumn).data().toString(), QStringLiteral("?"));
}

LOCKKEEPER_TEST(LocksLiveTest)

} // namespace tst_locks_live

#include "tst_locks_live.moc"
