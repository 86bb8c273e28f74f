// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/filter_bar.h"
#include "app/views/locks/locks_view.h"
#include "app/views/palette/command_palette.h"
#include "app/views/palette/palette_search.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/window/main_window.h"
#include "app/views/window/navigation.h"
#include "app/views/window/window_actions.h"
#include "tests/app/session/replay_agent.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>
#include <QTest>

namespace tst_command_palette {

using namespace lockkeeper;
using namespace lockkeeper::app;
using views::PaletteRank;
using views::WindowActions;

/** Ctrl+K: finds views, saved filters, actions and locks, and runs the chosen one. */
class CommandPaletteTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_rig.reset(); }
    void ranks_data();
    void ranks();
    void findsTheBestLocks();
    void findsRowsByTheirTable();
    void isQuickWithManyLocks();
    void offersViewsFiltersAndActions();
    void keysChooseAndRun();
    void escapeGoesBack();
    void closesWhenTheFocusLeaves();
    void disabledActionsSayWhy();
    void aLockIsSelectedInLocks();
    void aHiddenLockIsRevealed();
    void releaseOnlyOpensItsDialog();
    void nothingEndsWithoutAQuestion();
    void namesStayPlain();
    void speaksTheOtherLanguage();

private:
    views::MainWindow *window() const { return m_rig->console->window(); }
    views::CommandPalette *palette() const { return window()->commandPalette(); }
    void load(int count)
    {
        m_rig->feed.load(*m_rig->console->replica(), m_rig->feed.locks(count));
        m_rig->console->replica()->flush();
        m_rig->console->locks()->proxy()->tick();
    }
    void open(const QString &typed = {})
    {
        (*window()->actions())[WindowActions::Palette]->trigger();
        QVERIFY(palette()->isVisible());
        QTest::keyClicks(palette()->edit(), typed);
    }
    /** -1: not there. */
    int rowOf(const QString &text) const
    {
        const views::PaletteModel *model = palette()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->at(row).text == text)
                return row;
        }
        return -1;
    }

    tests::FakeClock m_clock;
    std::unique_ptr<tests::ConsoleRig> m_rig;
};

void CommandPaletteTest::init()
{
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    window()->resize(1280, 800);
    window()->show();
    window()->activateWindow(); // no window manager does it
    QVERIFY(QTest::qWaitForWindowActive(window()));
}

void CommandPaletteTest::ranks_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("rank"); // −1: doesn't fit
    const auto row = [](const char *typed, const char *text, int rank) {
        QTest::addRow("%s in %s", typed, text) << QString::fromUtf8(typed) << QString::fromUtf8(text) << rank;
    };
    row("history", "History", int(PaletteRank::Whole));
    row("hist", "History", int(PaletteRank::Start));
    row("time", "State at a time…", int(PaletteRank::WordStart));
    row("time state", "State at a time…", int(PaletteRank::WordStart));
    row("istor", "History", int(PaletteRank::Within));
    row("exp y", "Export…", -1);
    row("fcrl", "Force-release…", int(PaletteRank::Letters));
    row("lrcf", "Force-release…", -1);
    row("时间", "某一时间的状态…", int(PaletteRank::Within));
    row("", "History", int(PaletteRank::Start));
}

void CommandPaletteTest::ranks()
{
    QFETCH(QString, typed);
    QFETCH(QString, text);
    QFETCH(int, rank);
    const auto found = views::paletteRank(typed, text);
    QCOMPARE(found ? int(*found) : -1, rank);
}

void CommandPaletteTest::findsTheBestLocks()
{
    replica::PackedLockTable table;
    for (const char *name : {"lock:stock:1", "stock", "stockroom", "restock", "STOCK-2", "orders"})
        table.insert(replica::PackedLock(tests::heldLock(name)));
    const auto names = [&](const char *typed, int most) {
        QByteArrayList found;
        for (const views::FoundLock &lock : views::findLocks(QString::fromUtf8(typed), table, most))
            found.append(lock.key.name);
        return found;
    };
    QCOMPARE(names("Stock", 20),
             (QByteArrayList{"stock", "STOCK-2", "stockroom", "lock:stock:1", "restock"}));
    QCOMPARE(names("stock", 2), (QByteArrayList{"stock", "STOCK-2"}));
    QCOMPARE(names("stock 1", 20), QByteArrayList{"lock:stock:1"});
    QVERIFY(names("nothing", 20).isEmpty());
    QVERIFY(names("", 20).isEmpty());
}

/** "stock 148" is the name that the list shows for row 148 of the table. */
void CommandPaletteTest::findsRowsByTheirTable()
{
    replica::PackedLockTable table;
    domain::LockState row = tests::heldLock("148");
    row.key.scheme = "sql.row";
    row.key.place = "app.stock/PRIMARY";
    table.insert(replica::PackedLock(row));
    row.key.place = "app.orders/PRIMARY";
    table.insert(replica::PackedLock(row));
    const QList<views::FoundLock> found = views::findLocks(QStringLiteral("stock 148"), table, 20);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().key.place, QByteArray("app.stock/PRIMARY"));
    QVERIFY(views::findLocks(QStringLiteral("stock 149"), table, 20).isEmpty());
}

void CommandPaletteTest::isQuickWithManyLocks()
{
    replica::PackedLockTable table;
    for (const domain::LockState &lock : m_rig->feed.locks(100'000))
        table.insert(replica::PackedLock(lock));
    for (const char *typed : {"o", "orders", "job-0012", "nothing fits"}) {
        QElapsedTimer time;
        time.start();
        QVERIFY(views::findLocks(QString::fromLatin1(typed), table, 20).size() <= 20);
        qInfo("%s: %lld ms", typed, static_cast<long long>(time.elapsed()));
        QVERIFY2(time.elapsed() < 1'000, typed); // without optimisation, on a busy machine
    }
}

void CommandPaletteTest::offersViewsFiltersAndActions()
{
    load(12);
    const QAbstractItemModelTester tester(palette()->model());
    open();
    const views::PaletteModel *model = palette()->model();
    QCOMPARE(model->at(0).text, QStringLiteral("Overview"));
    QCOMPARE(model->at(0).group, QStringLiteral("View"));
    QCOMPARE(model->at(0).keys, QStringLiteral("Ctrl+1"));
    QVERIFY(rowOf(QStringLiteral("Chains")) >= 0);
    QCOMPARE(model->at(rowOf(QStringLiteral("Needs attention"))).group, QStringLiteral("Saved filter"));
    QCOMPARE(model->at(rowOf(QStringLiteral("Preferences…"))).group, QStringLiteral("Tools"));
    QCOMPARE(model->at(rowOf(QStringLiteral("Read now"))).keys, QStringLiteral("F5"));
    QCOMPARE(model->at(rowOf(QStringLiteral("UTC"))).group, QStringLiteral("Time zone"));
    QStringList lines; // nothing is shown twice
    for (int row = 0; row < model->rowCount(); ++row)
        lines.append(model->at(row).text + model->at(row).keys);
    QCOMPARE(lines.removeDuplicates(), 0);
    for (const domain::LockState &lock : m_rig->feed.locks(12)) // locks come with the first letter
        QVERIFY(rowOf(QString::fromUtf8(lock.key.name)) < 0);
    QTest::keyClicks(palette()->edit(), QStringLiteral("needs"));
    QTest::keyClick(palette()->edit(), Qt::Key_Return);
    QCOMPARE(m_rig->console->locks()->filterBar()->edit()->text(),
             QStringLiteral("state:stuck,expired,unknown"));
    QVERIFY(!palette()->isVisible());
}

void CommandPaletteTest::keysChooseAndRun()
{
    window()->showView("locks");
    QTest::keyClick(window(), Qt::Key_K, Qt::ControlModifier);
    QVERIFY(palette()->isVisible());
    QVERIFY(palette()->edit()->hasFocus());
    const auto *list = palette()->findChild<QListView *>();
    QCOMPARE(list->currentIndex().row(), 0);
    QTest::keyClick(palette()->edit(), Qt::Key_Up);
    QCOMPARE(list->currentIndex().row(), 0);
    QTest::keyClick(palette()->edit(), Qt::Key_Down);
    QCOMPARE(list->currentIndex().row(), 1);
    QTest::keyClick(palette()->edit(), Qt::Key_PageDown);
    QVERIFY(list->currentIndex().row() > 5);
    QTest::keyClicks(palette()->edit(), QStringLiteral("audit"));
    QCOMPARE(list->currentIndex().row(), 0);
    QTest::keyClick(palette()->edit(), Qt::Key_Enter);
    QCOMPARE(window()->currentView()->id(), QByteArray("audit"));
    QVERIFY(!palette()->isVisible());
    // The filter line leaves the shortcut alone, though a line edit could delete with it.
    window()->showView("locks");
    window()->currentView()->focusFilter();
    QTest::keyClick(m_rig->console->locks()->filterBar()->edit(), Qt::Key_K, Qt::ControlModifier);
    QVERIFY(palette()->isVisible());
    QTest::keyClicks(palette()->edit(), QStringLiteral("zzzz"));
    QCOMPARE(palette()->model()->rowCount(), 0);
    QTest::keyClick(palette()->edit(), Qt::Key_Return);
    QTest::keyClick(palette()->edit(), Qt::Key_Down);
    QVERIFY(palette()->isVisible());
}

void CommandPaletteTest::escapeGoesBack()
{
    window()->currentView()->focusFilter();
    const QPointer<QWidget> before = QApplication::focusWidget();
    open();
    QTest::keyClick(palette()->edit(), Qt::Key_Escape);
    QVERIFY(!palette()->isVisible());
    QVERIFY(before);
    QCOMPARE(QApplication::focusWidget(), before.data());
}

void CommandPaletteTest::closesWhenTheFocusLeaves()
{
    open();
    window()->findChild<views::Navigation *>()->setFocus(Qt::MouseFocusReason);
    QVERIFY(!palette()->isVisible());
}

void CommandPaletteTest::disabledActionsSayWhy()
{
    load(12);
    QSignalSpy asked(m_rig->console->requests(), &views::Requests::releaseAsked);
    open(QStringLiteral("force"));
    const int row = rowOf(QStringLiteral("Force-release…"));
    QCOMPARE(row, 0);
    QCOMPARE(palette()->model()->at(row).reason, QStringLiteral("No lock is selected."));
    QTest::keyClick(palette()->edit(), Qt::Key_Return);
    QVERIFY(palette()->isVisible());
    QCOMPARE(asked.count(), 0);
}

void CommandPaletteTest::aLockIsSelectedInLocks()
{
    load(200);
    window()->showView("sources");
    open(QStringLiteral("nightly"));
    QCOMPARE(palette()->model()->at(0).text, QStringLiteral("nightlyBackup"));
    QVERIFY(palette()->model()->at(0).group.contains(QStringLiteral("orders-db")));
    QTest::keyClick(palette()->edit(), Qt::Key_Return);
    QCOMPARE(window()->currentView()->id(), QByteArray("locks"));
    QCOMPARE(m_rig->console->selection()->current().value_or(domain::LockKey()).name,
             QByteArray("nightlyBackup"));
    int locks = 0;
    open(QStringLiteral("lock"));
    for (int row = 0; row < palette()->model()->rowCount(); ++row)
        locks += palette()->model()->at(row).text.contains(QStringLiteral("lock:")) ? 1 : 0;
    QCOMPARE(locks, views::CommandPalette::kMostLocks);
}

void CommandPaletteTest::aHiddenLockIsRevealed()
{
    load(200);
    m_rig->console->locks()->setFilter(QStringLiteral("reportJob"));
    open(QStringLiteral("archiveJob")); // it is free as well, and that chip is off
    QTest::keyClick(palette()->edit(), Qt::Key_Return);
    const auto key = m_rig->console->selection()->current();
    QVERIFY(key);
    QTRY_VERIFY(m_rig->console->locks()->showsLock(*key));
}

void CommandPaletteTest::releaseOnlyOpensItsDialog()
{
    load(12);
    m_rig->console->selection()->selectOne(m_rig->console->locks()->proxy()->lockAt(0)->lock.key());
    QSignalSpy asked(m_rig->console->requests(), &views::Requests::releaseAsked);
    open(QStringLiteral("force"));
    QTest::keyClick(palette()->edit(), Qt::Key_Return);
    QCOMPARE(asked.count(), 1);
    const auto dialogs = window()->findChildren<QDialog *>();
    QVERIFY(std::any_of(dialogs.cbegin(), dialogs.cend(), [](const QDialog *one) {
        return one->isVisible() && one->windowTitle().contains(QStringLiteral("elease"));
    }));
    QVERIFY(!m_rig->console->replica()->isReleasing(*m_rig->console->selection()->current()));
}

void CommandPaletteTest::nothingEndsWithoutAQuestion()
{
    window()->actions()->setPrivateAgentRuns(true);
    QVERIFY((*window()->actions())[WindowActions::StopPrivate]->isEnabled());
    open(QStringLiteral("private"));
    QVERIFY(rowOf(QStringLiteral("Stop the private agent")) < 0);
}

void CommandPaletteTest::namesStayPlain()
{
    load(12);
    open(QStringLiteral("txt.exe"));
    QCOMPARE(palette()->model()->at(0).text, QStringLiteral("lock:\\u202etxt.exe"));
    palette()->edit()->setText(QStringLiteral("<b>"));
    QCOMPARE(palette()->model()->at(0).text, QStringLiteral("<img src=x onerror=alert(1)><b>bold</b>"));
}

void CommandPaletteTest::speaksTheOtherLanguage()
{
    open();
    m_rig->settings.setValue(app::settings::Key::Language, QStringLiteral("zh_CN"));
    QTRY_VERIFY(!palette()->isVisible());
    open();
    QVERIFY(rowOf(QStringLiteral("锁")) >= 0);
    palette()->edit()->setText(QStringLiteral("强制"));
    QVERIFY(rowOf(QStringLiteral("强制释放…")) >= 0); // without its mnemonic
}

LOCKKEEPER_TEST(CommandPaletteTest)

} // namespace tst_command_palette

#include "tst_command_palette.moc"
