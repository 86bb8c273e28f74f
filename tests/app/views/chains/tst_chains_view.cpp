// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/records.h"
#include "app/views/chains/chain_menu.h"
#include "app/views/chains/chains_tree.h"
#include "app/views/chains/chains_view.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/live_freeze.h"
#include "app/views/widgets/plain_label.h"
#include "tests/app/models/graph_fixture.h"
#include "tests/app/views/support/exported.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace tst_chains_view {

using namespace lockkeeper;
using namespace lockkeeper::app;
using tests::graphOf;

/** The Chains view, connected to an agent that reports waits. */
class ChainsViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void saysThatNobodyWaits();
    void saysThatNothingIsWatched();
    void saysWhatIsNotObserved();
    void showsAChain();
    void asksOnlyWhileSeen();
    void asksNothingWhilePaused();
    void showsADeadlockOnce();
    void deadlocksGoWithTheirAgent();
    void namesAWholeTable();
    void goesToTheOtherBlocker();
    void foldsByKeyboardAndKeepsIt();
    void selectionFollowsTheConnection();
    void selectionEmptiesWithTheConnection();
    void selectsOnlyWhatTheConnectionHolds();
    void keepsALockThatJustChangesHands();
    void offersToForceReleaseWhatItHolds();
    void firstRowsWaitForNoTick();
    void showsOnlyLocksOfTheTree();
    void standsStillUnderAButton();
    void standsStillWhileAMenuIsOpen();
    void bannersMoveNoRow();
    void scrolledTreeFollowsNoSingleRow();
    void showsTheStatementWhereItsColumnHasNoRoom();
    void failuresKeepTheRows();
    void anotherFailureIsSaid();
    void tellsWhatTheHeadRanAndHolds();
    void otherStoresRunNoStatements();
    void storeTextStaysPlain();
    void copiesTheSelectedRow();
    void exportsTheTree();
    void columnsComeBack();
    void speaksTheLanguage();

private:
    void open(const QList<domain::WaitGraph> &graphs);
    domain::LockState held(const QByteArray &name, const QByteArray &session, int waiters = 1) const;
    QModelIndex connection(const QByteArray &id) const;
    QPoint middleOf(const QModelIndex &index) const { return tree()->visualRect(index).center(); }
    views::ChainsTree *tree() const { return m_view->tree(); }
    models::ChainsModel &model() const { return *m_view->model(); }
    int asked() const { return int(m_rig->agent.received<protocol::ChainsQuery>().size()); }
    QMenu *menuOf(const QByteArray &id);

    std::unique_ptr<tests::ViewRig> m_rig;
    std::unique_ptr<views::ChainsView> m_view;
};

void ChainsViewTest::init()
{
    m_rig = std::make_unique<tests::ViewRig>();
    m_view = std::make_unique<views::ChainsView>(m_rig->context);
    m_view->model()->setTickMs(0);
}

void ChainsViewTest::cleanup()
{
    m_view.reset();
    m_rig.reset();
}

void ChainsViewTest::open(const QList<domain::WaitGraph> &graphs)
{
    m_rig->graphs = graphs;
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_view->resize(1000, 500);
    m_view->show();
    m_view->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    m_view->activate();
    QTRY_VERIFY(asked() > 0);
    QTRY_COMPARE(model().forest().evidence.isEmpty(), graphs.isEmpty());
}

domain::LockState ChainsViewTest::held(const QByteArray &name, const QByteArray &session, int waiters) const
{
    domain::LockState state = tests::heldLock(name, session, QStringLiteral("orders-db"));
    state.key.scheme = "sql.row";
    state.key.place = "app.lock/PRIMARY";
    state.release.safety = domain::ReleaseSafety::Guarded;
    state.guard = "guard-1";
    state.session = domain::Session();
    state.session->id = session;
    for (int i = 0; i < waiters; ++i)
        state.waiters.append({QByteArray::number(90 + i), m_rig->clock.wallUs() - 5'000'000, {}});
    return state;
}

QModelIndex ChainsViewTest::connection(const QByteArray &id) const
{
    return model().indexOf(QByteArray("orders-db") + '\0' + id + '\0' + "t" + id);
}

QMenu *ChainsViewTest::menuOf(const QByteArray &id)
{
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection(id)));
    Q_EMIT tree()->menuAsked(tree()->mapToGlobal(QPoint(5, 5)));
    return qobject_cast<QMenu *>(QApplication::activePopupWidget());
}

void ChainsViewTest::saysThatNobodyWaits()
{
    open({graphOf({}, m_rig->clock.wallUs())});
    QTRY_VERIFY(m_view->text().contains(QStringLiteral("No connection waits for a lock")));
    const auto labels = m_view->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->text().startsWith(QStringLiteral("Evidence: performance_schema.data_locks"));
    }));
}

void ChainsViewTest::saysThatNothingIsWatched()
{
    open({});
    const auto said = [this] {
        const auto labels = m_view->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
            return label->text().startsWith(QStringLiteral("No source of this agent shows"));
        });
    };
    QTRY_VERIFY(said());
}

/** While a store is down, its waiters are unknown. */
void ChainsViewTest::saysWhatIsNotObserved()
{
    domain::SourceState down = m_rig->source(QStringLiteral("orders-db"));
    down.schemes = {"sql.row"};
    down.link = domain::Link::Down;
    down.lastSeenUs = m_rig->clock.wallUs() - 60'000'000;
    domain::SourceState other = m_rig->source(QStringLiteral("orders-redis"));
    m_rig->agent.sources = {down, other};
    open({});
    QTRY_VERIFY2(m_view->text().contains(QStringLiteral("No connection is known to wait for a lock")),
                 qPrintable(m_view->text()));
    const auto labels = m_view->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->text() == QStringLiteral("Not observed now: orders-db");
    }));
    down.link = domain::Link::Up;
    down.lastSeenUs = m_rig->clock.wallUs();
    m_rig->show({down});
    QTRY_VERIFY(m_view->text().contains(QStringLiteral("No connection waits for a lock")));
}

void ChainsViewTest::showsAChain()
{
    open({graphOf({"2>1 a 40", "3>2 b 30", "4>3 c 20", "5>4 d 10"}, m_rig->clock.wallUs())});
    QVERIFY(connection("5").isValid());
    for (const char *id : {"1", "2", "3", "4", "5"}) // all rows expanded
        QVERIFY(tree()->visualRect(connection(id)).isValid());
    const auto cell = [this](const char *id, int column) {
        return connection(id).siblingAtColumn(column).data().toString();
    };
    QCOMPARE(cell("1", models::ChainConnectionColumn), QStringLiteral("1 · app"));
    QCOMPARE(cell("1", models::ChainLockColumn), QStringLiteral("lock a"));
    QCOMPARE(cell("1", models::ChainWaitsForColumn), QStringLiteral("—"));
    QCOMPARE(cell("1", models::ChainBlocksColumn), QStringLiteral("1 / 4"));
    QCOMPARE(cell("1", models::ChainCausedColumn), QStringLiteral("00:01:40"));
    QCOMPARE(cell("5", models::ChainWaitedColumn), QStringLiteral("10.0 s"));
    QCOMPARE(connection("5").data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("Connection 5 · app has waited for lock d for 10 second(s)"));
    QVERIFY(m_view->text().contains(QStringLiteral("longest wait 40.0 s")));
}

void ChainsViewTest::asksOnlyWhileSeen()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    QTRY_VERIFY_WITH_TIMEOUT(asked() > 2, 5000); // once a second by itself
    m_view->hide();
    const int before = asked();
    m_view->refresh();
    m_view->show();
    QTRY_COMPARE(asked(), before + 1);
}

void ChainsViewTest::asksNothingWhilePaused()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    m_rig->replica.setPaused(true);
    const int before = asked();
    m_view->refresh();
    m_rig->replica.setPaused(false);
    m_view->refresh();
    QTRY_COMPARE(asked(), before + 1);
}

void ChainsViewTest::showsADeadlockOnce()
{
    open({graphOf({"23>17 a 5", "17>23 b 4"}, m_rig->clock.wallUs())});
    QTRY_COMPARE(m_view->banners()->texts().size(), 1);
    QVERIFY(m_view->banners()->texts().first().startsWith(QStringLiteral("Deadlock in orders-db: ")));
    QVERIFY(m_view->banners()->texts().first().contains(QStringLiteral("17 → 23 → 17")));
    m_view->refresh();
    QTRY_VERIFY(asked() > 1);
    QCOMPARE(m_view->banners()->texts().size(), 1);
    m_rig->graphs = {graphOf({}, m_rig->clock.wallUs())};
    m_view->refresh();
    QTRY_VERIFY(m_view->banners()->texts().isEmpty());
}

void ChainsViewTest::deadlocksGoWithTheirAgent()
{
    open({graphOf({"23>17 a 5", "17>23 b 4"}, m_rig->clock.wallUs())});
    QTRY_COMPARE(m_view->banners()->texts().size(), 1);
    tests::ReplayAgent other; // an agent that hasn't answered yet
    QVERIFY(other.start());
    m_rig->session.open(other.address());
    QCOMPARE(m_view->banners()->texts(), QStringList());
}

void ChainsViewTest::namesAWholeTable()
{
    domain::WaitGraph graph = graphOf({"2>1 a 40"}, m_rig->clock.wallUs());
    graph.wholeTables.append({"1", "app.stock", 120'000});
    open({graph});
    const QModelIndex remark = model().index(0, 0, connection("1"));
    QCOMPARE(remark.data().toString(),
             QStringLiteral("whole table locked, unindexed predicate? app.stock · 120,000 rows"));
    QVERIFY(tree()->visualRect(remark).isValid());
}

void ChainsViewTest::goesToTheOtherBlocker()
{
    open({graphOf({"3>1 a 30", "3>2 a 30"}, m_rig->clock.wallUs())});
    const QModelIndex link = model().index(0, 0, connection("3"));
    QCOMPARE(link.data().toString(), QStringLiteral("also blocked by 2 · app"));
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(link));
    QTest::keyClick(tree(), Qt::Key_Return);
    QCOMPARE(tree()->currentIndex(), connection("2"));
}

void ChainsViewTest::foldsByKeyboardAndKeepsIt()
{
    open({graphOf({"2>1 a 40", "3>2 b 30"}, m_rig->clock.wallUs())});
    tree()->choose(model().at(connection("1"))->key);
    tree()->setFocus();
    QTest::keyClick(tree(), Qt::Key_Left);
    QVERIFY(!tree()->isExpanded(connection("1")));
    m_rig->graphs = {graphOf({"2>1 a 41", "3>2 b 31", "4>1 a 9"}, m_rig->clock.wallUs())};
    m_view->refresh();
    QTRY_COMPARE(model().forest().waiting, 3);
    model().setFrozen(false);
    model().tick();
    QVERIFY(connection("4").isValid());
    QVERIFY(!tree()->isExpanded(connection("1")));
    QTest::keyClick(tree(), Qt::Key_Asterisk);
    QVERIFY(tree()->isExpanded(connection("1")));
    QVERIFY(tree()->isExpanded(connection("2")));
}

void ChainsViewTest::selectionFollowsTheConnection()
{
    open({graphOf({"2>1 a 40", "3>2 b 30"}, m_rig->clock.wallUs())});
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("3")));
    m_rig->graphs = {graphOf({"3>4 b 31", "5>4 b 90"}, m_rig->clock.wallUs())};
    m_view->refresh();
    QTRY_VERIFY(model().isGone(connection("2")));
    model().setFrozen(false);
    model().tick();
    QCOMPARE(tree()->chosen()->node.session.id, QByteArray("3"));
    QCOMPARE(tree()->selectionModel()->selectedRows(), QModelIndexList{connection("3")});
}

void ChainsViewTest::selectionEmptiesWithTheConnection()
{
    open({graphOf({"2>1 a 40", "3>1 a 30"}, m_rig->clock.wallUs())});
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("2")));
    m_rig->graphs = {graphOf({"3>1 a 31"}, m_rig->clock.wallUs())};
    m_view->refresh();
    QTRY_VERIFY(model().isGone(connection("2")));
    model().setFrozen(false);
    model().tick();
    QVERIFY(!tree()->chosen());
    QVERIFY(tree()->selectionModel()->selectedRows().isEmpty());
}

void ChainsViewTest::selectsOnlyWhatTheConnectionHolds()
{
    const domain::LockState a = held("a", "1");
    m_rig->agent.table.locks.insert(a.key, a);
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    QTRY_VERIFY(m_rig->replica.find(a.key));
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("1")));
    QCOMPARE(m_rig->selection.current(), a.key);
    // The release of a waiter's lock would kill another connection, so the view selects nothing.
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("2")));
    QVERIFY(m_rig->selection.keys().isEmpty());
}

void ChainsViewTest::keepsALockThatJustChangesHands()
{
    const domain::LockState a = held("a", "2"); // the graph still names the previous holder
    m_rig->agent.table.locks.insert(a.key, a);
    open({graphOf({"2>1 a 40", "4>3 b 9"}, m_rig->clock.wallUs())});
    QTRY_VERIFY(m_rig->replica.find(a.key));
    m_rig->selection.selectOne(a.key);
    m_view->activate();
    QCOMPARE(tree()->chosen()->node.session.id, QByteArray("1"));
    QCOMPARE(m_rig->selection.current(), a.key);
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("3")));
    QVERIFY(m_rig->selection.keys().isEmpty()); // held by another connection
}

void ChainsViewTest::offersToForceReleaseWhatItHolds()
{
    const domain::LockState a = held("a", "1");
    const domain::LockState other = held("b", "7"); // held by another connection in the meantime
    m_rig->agent.table.locks.insert(a.key, a);
    m_rig->agent.table.locks.insert(other.key, other);
    domain::WaitGraph graph = graphOf({"2>1 a 40", "3>1 b 4"}, m_rig->clock.wallUs());
    open({graph});
    m_rig->show({m_rig->source(QStringLiteral("orders-db"))});
    QTRY_VERIFY(m_rig->replica.find(a.key) && !m_rig->replica.isStale(QStringLiteral("orders-db")));
    QMenu *menu = menuOf("1");
    QVERIFY(menu);
    QCOMPARE(menu->actions().first()->text(), QStringLiteral("Force-release “lock a”…"));
    QVERIFY(menu->actions().first()->isEnabled());
    QVERIFY(menu->actions().at(1)->isSeparator()); // no entry for b
    const QSignalSpy asks(&m_rig->requests, &views::Requests::releaseAsked);
    menu->actions().first()->trigger();
    QCOMPARE(asks.size(), 1);
    QCOMPARE(asks.first().first().value<QList<domain::LockKey>>(), QList<domain::LockKey>{a.key});
    menu->close();
    menu = menuOf("2");
    QVERIFY(menu);
    for (const QAction *action : menu->actions())
        QVERIFY2(!action->text().startsWith(QStringLiteral("Force-release")), qPrintable(action->text()));
    menu->close();
}

/** The key that opens the view also freezes it: an empty tree below a head that counts waiters is false. */
void ChainsViewTest::firstRowsWaitForNoTick()
{
    m_view->model()->setFrozen(true);
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    QCOMPARE(model().rowCount(), 1);
    QVERIFY2(!m_view->text().contains(QStringLiteral("No waiters")), qPrintable(m_view->text()));
}

/** The dock releases only what the tree shows. */
void ChainsViewTest::showsOnlyLocksOfTheTree()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    const domain::LockKey shown = model().at(connection("1"))->holds.first();
    domain::LockKey other = shown;
    other.name = "b";
    QVERIFY(m_view->showsLock(shown));
    QVERIFY(!m_view->showsLock(other));
}

void ChainsViewTest::standsStillUnderAButton()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    QTest::mousePress(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("2")));
    QVERIFY(m_view->freeze()->isFrozen());
    m_rig->graphs = {graphOf({"3>4 b 90", "2>1 a 41"}, m_rig->clock.wallUs())};
    m_view->refresh();
    QTRY_COMPARE(model().forest().waiting, 2);
    model().tick();
    QCOMPARE(model().rowCount(), 1);
    QTest::mouseRelease(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("2")));
    QTRY_VERIFY(!m_view->freeze()->isFrozen());
    model().tick();
    QCOMPARE(model().rowCount(), 2);
}

void ChainsViewTest::standsStillWhileAMenuIsOpen()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    QMenu *menu = menuOf("1");
    QVERIFY(menu);
    QTRY_VERIFY(m_view->freeze()->isFrozen());
    m_rig->graphs = {graphOf({"3>4 b 90", "2>1 a 41"}, m_rig->clock.wallUs())};
    m_view->refresh();
    QTRY_COMPARE(model().forest().waiting, 2);
    model().tick();
    QCOMPARE(model().rowCount(), 1);
    menu->close();
    QTRY_VERIFY(!m_view->freeze()->isFrozen());
}

void ChainsViewTest::bannersMoveNoRow()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    const auto place = [this] { return tree()->viewport()->mapTo(m_view.get(), middleOf(connection("2"))); };
    const QPoint before = place();
    m_rig->failure = base::Error{base::ErrorCode::PermissionDenied, QStringLiteral("PROCESS is missing"), {}};
    m_view->refresh();
    QTRY_VERIFY(m_view->text().contains(QStringLiteral("PROCESS is missing")));
    QTRY_VERIFY(m_view->banners()->isVisible());
    QCoreApplication::processEvents(); // the layout's turn
    QCOMPARE(place(), before);
}

/** The connection at the top moves to the head; the tree keeps its place by the other rows. */
void ChainsViewTest::scrolledTreeFollowsNoSingleRow()
{
    const auto graph = [this](int first) {
        QList<QByteArray> rows;
        for (int i = 0; i < 40; ++i)
            rows.append(QByteArray::number(200 + i) + '>' + QByteArray::number(100 + i) + " l" +
                        QByteArray::number(i) + ' ' + QByteArray::number(i == first ? 900 : 400 - i));
        return graphOf(rows, m_rig->clock.wallUs());
    };
    open({graph(-1)});
    model().tick();
    tree()->verticalScrollBar()->setValue(40); // two rows a chain: number 20 stands at the top
    QCOMPARE(model().at(tree()->indexAt(QPoint(0, 0)))->node.session.id, QByteArray("120"));
    const int place = tree()->visualRect(connection("123")).top();
    m_rig->graphs = {graph(20)};
    m_view->refresh();
    QTRY_COMPARE(model().forest().rows.first().node.session.id, QByteArray("120"));
    QTRY_VERIFY(!m_view->freeze()->isFrozen());
    model().tick();
    QCOMPARE(model().at(model().index(0, 0))->node.session.id, QByteArray("120"));
    const int moved = std::abs(tree()->visualRect(connection("123")).top() - place);
    QVERIFY2(moved <= 2 * tree()->visualRect(connection("123")).height(), qPrintable(QString::number(moved)));
}

void ChainsViewTest::showsTheStatementWhereItsColumnHasNoRoom()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    m_view->resize(852, 500); // beside navigation and dock in a window of 1280
    QTRY_VERIFY(tree()->isColumnHidden(models::ChainStatementColumn));
    const auto *statement = m_view->findChild<QPlainTextEdit *>(QStringLiteral("statement"));
    QVERIFY(statement && statement->isVisible());
    tree()->choose(model().at(connection("2"))->key);
    QTRY_VERIFY2(
        statement->toPlainText().contains(QStringLiteral("SELECT * FROM `lock` WHERE id = 1 FOR UPDATE")),
        qPrintable(statement->toPlainText()));
    QVERIFY(statement->width() >= 600);
    QCOMPARE(tree()->header()->length(), tree()->viewport()->width()); // no strip beside the last column
    m_view->resize(1600, 500);
    QTRY_VERIFY(!tree()->isColumnHidden(models::ChainStatementColumn));
    QVERIFY(tree()->columnWidth(models::ChainStatementColumn) >= 200);
    QCOMPARE(tree()->header()->length(), tree()->viewport()->width());
    m_view->resize(852, 500);
    QTRY_VERIFY(tree()->isColumnHidden(models::ChainStatementColumn));
    QCOMPARE(tree()->header()->length(), tree()->viewport()->width());
}

void ChainsViewTest::failuresKeepTheRows()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    m_rig->failure = base::Error{base::ErrorCode::PermissionDenied, QStringLiteral("PROCESS is missing"), {}};
    m_view->refresh();
    QTRY_VERIFY(m_view->text().contains(QStringLiteral("PROCESS is missing")));
    QVERIFY(model().isStale(connection("2")));
    m_rig->failure.reset();
    m_view->refresh();
    QTRY_VERIFY(!m_view->text().contains(QStringLiteral("PROCESS is missing")));
    QVERIFY(connection("2").isValid());
}

/** The page shows the last answer, and stays unchanged while the answer stays the same. */
void ChainsViewTest::anotherFailureIsSaid()
{
    m_rig->failure = base::Error{base::ErrorCode::PermissionDenied, QStringLiteral("PROCESS is missing"), {}};
    open({});
    const auto says = [this](const char *text) {
        const auto labels = m_view->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(), [text](const QLabel *label) {
            return label->isVisible() && label->text().contains(QLatin1String(text));
        });
    };
    const auto again = [this] {
        const auto buttons = m_view->findChildren<QPushButton *>();
        const auto found = std::find_if(buttons.cbegin(), buttons.cend(), [](const QPushButton *button) {
            return button->isVisible() && button->text() == QLatin1String("Try again");
        });
        return found == buttons.cend() ? nullptr : *found;
    };
    QTRY_VERIFY(says("PROCESS is missing") && again());
    const QPointer<QPushButton> before = again();
    const int answered = asked();
    m_view->refresh();
    QTRY_VERIFY(asked() > answered + 1); // the view asks again after each answer
    QVERIFY(before && before->isVisible());
    m_rig->failure = base::Error{base::ErrorCode::Timeout, QStringLiteral("gave up after 5 s"), {}};
    QTRY_VERIFY(says("gave up after 5 s"));
    QVERIFY(!says("PROCESS is missing"));
}

/** An idle head blocker: its last statement, if the server reports it, and all locks that it holds. */
void ChainsViewTest::tellsWhatTheHeadRanAndHolds()
{
    domain::WaitGraph graph = graphOf({"8>7 5 60"}, m_rig->clock.wallUs());
    domain::Session &head = graph.sessions.first();
    QCOMPARE(head.id, QByteArray("7"));
    head.idleSinceUs = m_rig->clock.wallUs() - 30'000'000;
    head.rowsChanged = 3;
    head.statement = "UPDATE `lock`\n SET x = '<b>'";
    for (const domain::LockState &lock : {held("5", "7"), held("6&7", "7", 0), held("9", "8", 0)})
        m_rig->agent.table.locks.insert(lock.key, lock);
    open({graph});
    m_rig->show({m_rig->source(QStringLiteral("orders-db"))});
    QTRY_VERIFY(m_rig->replica.source(QStringLiteral("orders-db")));
    const auto text = [this](const char *name) {
        return m_view->findChild<QPlainTextEdit *>(QLatin1String(name))->toPlainText();
    };
    QCOMPARE(connection("7").siblingAtColumn(models::ChainStatementColumn).data().toString(),
             QStringLiteral("last: UPDATE `lock` SET x = '<b>'"));
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("7")));
    tests::picture(m_view.get(), "chains-head");
    QVERIFY2(text("statement").startsWith(QStringLiteral("Idle for 30")), qPrintable(text("statement")));
    QVERIFY(text("statement").endsWith(QStringLiteral("Last statement: UPDATE `lock`\n SET x = '<b>'")));
    const auto *holds = m_view->findChild<views::ElidedLabel *>(QStringLiteral("held"));
    QCOMPARE(
        holds->text(),
        QStringLiteral("Holds 2 watched lock(s): lock 5, lock 6&7. A kill rolls back 3 changed row(s)."));
    QCOMPARE(holds->toolTip(), holds->text());
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("8")));
    QVERIFY2(text("statement").startsWith(QStringLiteral("Runs: SELECT")), qPrintable(text("statement")));
    // If the server doesn't report the statement, the view says so.
    m_rig->graphs.first().sessions.first().statement.clear();
    const int before = asked();
    QTRY_VERIFY(asked() > before + 1);
    QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection("7")));
    QVERIFY2(text("statement").endsWith(QStringLiteral("the server doesn't report its last statement.")),
             qPrintable(text("statement")));
}

/** Sessions of ZooKeeper neither idle nor run statements, and an undated wait isn't short. */
void ChainsViewTest::otherStoresRunNoStatements()
{
    domain::WaitGraph graph = graphOf({"8>7 5 60"}, m_rig->clock.wallUs());
    for (domain::Session &session : graph.sessions) {
        session.statement.clear();
        session.transactionSinceUs.reset();
        session.idleSinceUs.reset();
    }
    graph.edges.first().lock.scheme = "zookeeper.sequence";
    graph.edges.first().sinceUs.reset();
    open({graph});
    const auto cell = [this](const QByteArray &id, int column) {
        return connection(id).siblingAtColumn(column).data().toString();
    };
    QCOMPARE(cell("8", models::ChainWaitedColumn), QStringLiteral("?"));
    QCOMPARE(cell("7", models::ChainWaitedColumn), QStringLiteral("—"));
    QCOMPARE(cell("7", models::ChainCausedColumn), QStringLiteral("?"));
    QCOMPARE(cell("8", models::ChainCausedColumn), QStringLiteral("—"));
    // No SQL is shown beside them, neither in the titles nor below the tree.
    QStringList words{m_view->text()};
    for (int column = 0; column < models::ChainColumnCount; ++column)
        words.append(tree()->model()->headerData(column, Qt::Horizontal).toString());
    const QRegularExpression sql(QStringLiteral("transaction|statement|row"),
                                 QRegularExpression::CaseInsensitiveOption);
    QVERIFY2(!words.join(QLatin1Char('\n')).contains(sql), qPrintable(words.join(QLatin1Char('\n'))));
    for (const QByteArray id : {"7", "8"}) {
        QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, middleOf(connection(id)));
        QCOMPARE(m_view->findChild<QPlainTextEdit *>(QStringLiteral("statement"))->toPlainText(),
                 QStringLiteral("This store doesn't show what its clients do."));
    }
}

void ChainsViewTest::storeTextStaysPlain()
{
    domain::WaitGraph graph = graphOf({"2>1 <b>bold</b> 40"}, m_rig->clock.wallUs());
    graph.sessions[1].statement = "UPDATE `<img src=x>` SET a = 1\n-- \xe2\x80\xae";
    graph.sessions[1].statementCut = true;
    open({graph});
    const QModelIndex two = connection("2");
    QCOMPARE(two.siblingAtColumn(models::ChainWaitsForColumn).data().toString(),
             QStringLiteral("lock <b>bold</b>"));
    const QString statement = two.siblingAtColumn(models::ChainStatementColumn).data().toString();
    QVERIFY(statement.contains(QStringLiteral("<img src=x>")));
    QVERIFY(statement.contains(QStringLiteral("\\u202e")));
    QVERIFY(statement.endsWith(QStringLiteral("…")));
}

/** The tree copies a row like any other table. */
void ChainsViewTest::copiesTheSelectedRow()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    tree()->setCurrentIndex({});
    QGuiApplication::clipboard()->setText(QStringLiteral("before"));
    QVERIFY(!m_view->copyText());
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("before"));
    tree()->setCurrentIndex(connection("2"));
    QVERIFY(m_view->copyText());
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QVERIFY(lines.at(0).startsWith(QStringLiteral("Connection\tLock\tWaits for")));
    QVERIFY(lines.at(1).startsWith(QStringLiteral("2 · app\t—\tlock a")));
    QCOMPARE(lines.size(), 3); // the last one is empty
}

/** The export follows the order of the tree, has the depth of each connection, and includes collapsed rows.
 */
void ChainsViewTest::exportsTheTree()
{
    domain::WaitGraph graph = graphOf({"8>7 =1+1 30", "9>8 b 20"}, m_rig->clock.wallUs());
    for (domain::Session &session : graph.sessions)
        session.statement = "-- \"x\",\n=y";
    open({graph});
    QCOMPARE(model().forest().rows.size(), 3);
    tree()->collapseAll();
    const QString agent = m_rig->session.agentOf(graph.source);
    QVERIFY(!agent.isEmpty());
    const QList<QJsonObject> chains = app::records::chainObjects(graph, agent);
    QCOMPARE(chains.size(), 3);
    QCOMPARE(chains.first().value(QLatin1String("blocks_all")).toInt(), 2);
    tests::compareExports(*m_view, *m_rig, chains, app::records::chainColumns(false));
}

/** Their order, their widths and the order of the rows are those of the last run. */
void ChainsViewTest::columnsComeBack()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    QHeaderView *header = tree()->header();
    header->resizeSection(models::ChainConnectionColumn, 190);
    header->moveSection(header->visualIndex(models::ChainBlocksColumn), 1);
    tree()->sortByColumn(models::ChainAgeColumn, Qt::DescendingOrder);
    const auto isKept = [](const QHeaderView *one) {
        return one->sectionSize(models::ChainConnectionColumn) == 190 &&
               one->visualIndex(models::ChainBlocksColumn) == 1 &&
               one->sortIndicatorSection() == models::ChainAgeColumn &&
               one->sortIndicatorOrder() == Qt::DescendingOrder;
    };
    QVERIFY(isKept(header));
    const views::ChainsView other(m_rig->context);
    QVERIFY(isKept(other.tree()->header()));
    m_rig->settings.resetLayout();
    const views::ChainsView reset(m_rig->context);
    QVERIFY(!isKept(reset.tree()->header()));
    // The one that is open at once.
    QCOMPARE(header->sectionSize(models::ChainConnectionColumn),
             reset.tree()->header()->sectionSize(models::ChainConnectionColumn));
    QCOMPARE(header->visualIndex(models::ChainBlocksColumn), int(models::ChainBlocksColumn));
    QCOMPARE(header->sortIndicatorSection(), -1);
}

void ChainsViewTest::speaksTheLanguage()
{
    open({graphOf({"2>1 a 40"}, m_rig->clock.wallUs())});
    const tests::BracketLanguage language;
    QCOMPARE(m_view->title(), QStringLiteral("[Chains]"));
    for (int column = 0; column < models::ChainColumnCount; ++column)
        QVERIFY(model().headerData(column, Qt::Horizontal).toString().startsWith(QLatin1Char('[')));
    QTRY_VERIFY(m_view->text().startsWith(QLatin1Char('[')));
    QVERIFY(tree()->accessibleName().startsWith(QLatin1Char('[')));
}

LOCKKEEPER_TEST(ChainsViewTest)

} // namespace tst_chains_view

#include "tst_chains_view.moc"
