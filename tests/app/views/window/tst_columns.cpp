// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/chains/chains_tree.h"
#include "app/views/locks/locks_table.h"
#include "app/views/locks/locks_view.h"
#include "app/views/window/main_window.h"
#include "app/views/window/window_actions.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/app/views/support/picture.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QDialog>
#include <QHeaderView>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTest>

#include <algorithm>

namespace tst_columns {

using namespace lockkeeper;
using namespace lockkeeper::app;

/** The View menu's *Columns…* and *Sort by*, without a mouse. */
class ColumnsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_rig.reset(); }
    void columnsAreChosenAndMoved();
    void everyTableHasThem();
    void sortsByMenu();

private:
    views::MainWindow *window() const { return m_rig->console->window(); }
    views::LocksView *locks() const { return m_rig->console->locks(); }
    QHeaderView *header() const { return locks()->table()->header(); }
    QAction *columnsAction() const { return (*window()->actions())[views::WindowActions::Columns]; }
    QListWidget *openDialog() const;
    /** A button of the list's dialog. */
    static void click(const QListWidget *list, const char *title);
    void sortBy(const char *title) const;

    tests::FakeClock m_clock;
    std::unique_ptr<tests::ConsoleRig> m_rig;
};

void ColumnsTest::init()
{
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    window()->resize(1280, 800);
    window()->show();
    window()->activateWindow(); // no window manager does it
    QVERIFY(QTest::qWaitForWindowActive(window()));
    m_rig->feed.load(*m_rig->console->replica(), m_rig->feed.locks(12));
    QTRY_COMPARE(m_rig->console->replica()->locks().size(), 12);
    locks()->proxy()->tick();
}

QListWidget *ColumnsTest::openDialog() const
{
    columnsAction()->trigger();
    auto *dialog = window()->findChild<QDialog *>(QStringLiteral("columns"));
    if (!dialog)
        return nullptr;
    dialog->activateWindow();
    return QTest::qWaitForWindowActive(dialog) ? dialog->findChild<QListWidget *>() : nullptr;
}

void ColumnsTest::click(const QListWidget *list, const char *title)
{
    for (QPushButton *button : list->window()->findChildren<QPushButton *>()) {
        if (button->text() == QLatin1String(title))
            button->click();
    }
}

void ColumnsTest::sortBy(const char *title) const
{
    QMenu *menu = window()->actions()->sortMenu();
    Q_EMIT menu->aboutToShow();
    const QList<QAction *> actions = menu->actions();
    const auto found = std::find_if(actions.cbegin(), actions.cend(), [title](const QAction *action) {
        return action->text().remove(QLatin1Char('&')) == QLatin1String(title);
    });
    QVERIFY2(found != actions.cend(), title);
    QVERIFY2((*found)->isEnabled(), title);
    (*found)->trigger();
}

void ColumnsTest::columnsAreChosenAndMoved()
{
    QListWidget *list = openDialog();
    QVERIFY(list);
    QTRY_VERIFY(list->hasFocus());
    QCOMPARE(list->count(), header()->count());
    tests::picture(list->window(), "columns");
    // The first column stays where it is.
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(list, Qt::Key_Space);
    QCOMPARE(header()->visualIndex(models::StateColumn), 0);
    QVERIFY(!header()->isSectionHidden(models::StateColumn));
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(header()->visualIndex(models::NameColumn), 1);
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Space);
    QVERIFY(header()->isSectionHidden(models::HolderColumn));
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(header()->visualIndex(models::HolderColumn), 3);
    QCOMPARE(list->currentRow(), 3); // which disappears with its column
    QTest::keyClick(list, Qt::Key_Space);
    QVERIFY(!header()->isSectionHidden(models::HolderColumn));
    QCOMPARE(m_rig->settings.columns(QStringLiteral("locks"))->columns.at(3).name, QByteArray("holder"));

    click(list, "&Default columns");
    QCOMPARE(header()->visualIndex(models::HolderColumn), 2);
    const auto kept = m_rig->settings.columns(QStringLiteral("locks"));
    if (kept) // the table's other settings may be kept
        QVERIFY(kept->columns.isEmpty());
    QTest::keyClick(list, Qt::Key_Escape);
    QTRY_VERIFY(!window()->findChild<QDialog *>(QStringLiteral("columns")));
}

void ColumnsTest::everyTableHasThem()
{
    window()->showView("overview");
    QVERIFY(!columnsAction()->isEnabled() && !window()->actions()->sortMenu()->isEnabled());
    window()->showView("history");
    QVERIFY(columnsAction()->isEnabled());
    QVERIFY(!window()->actions()->sortMenu()->isEnabled()); // by time only
    QListWidget *list = openDialog();
    QVERIFY(list);
    list->setCurrentRow(1);
    click(list, "Move up");
    const auto kept = m_rig->settings.columns(QStringLiteral("history"));
    QVERIFY(kept && !kept->columns.isEmpty());
    click(list, "&Default columns");
    list->window()->close();
    QHeaderView *chains = window()->view("chains")->tableColumns().header;
    chains->moveSection(2, 3);
    QVERIFY(!m_rig->settings.columns(QStringLiteral("chains"))->columns.isEmpty());
    window()->view("chains")->tableColumns().reset();
    QCOMPARE(chains->visualIndex(2), 2);
    const auto reset = m_rig->settings.columns(QStringLiteral("chains"));
    if (reset) // the table's other settings may be kept
        QVERIFY(reset->columns.isEmpty());
    for (views::View *view : window()->views()) {
        const QList<QByteArray> tables{"locks", "chains", "history"};
        if (tables.contains(view->id()))
            QVERIFY2(view->tableColumns().header, view->id().constData());
    }
}

void ColumnsTest::sortsByMenu()
{
    QVERIFY(window()->actions()->sortMenu()->isEnabled());
    const auto sorting = [this] { return locks()->proxy()->sorting(); };
    sortBy("Waiters");
    QCOMPARE(sorting().column, int(models::WaitersColumn));
    QCOMPARE(sorting().order, Qt::AscendingOrder);
    sortBy("Descending");
    QCOMPARE(sorting().order, Qt::DescendingOrder);
    sortBy("Source"); // the direction stays
    QCOMPARE(sorting().column, int(models::SourceColumn));
    QCOMPARE(sorting().order, Qt::DescendingOrder);
    QCOMPARE(m_rig->settings.columns(QStringLiteral("locks"))->sortColumn, QByteArray("source"));
    sortBy("Default order");
    QCOMPARE(sorting().column, -1);
    const auto kept = m_rig->settings.columns(QStringLiteral("locks"));
    if (kept) // the table's other settings may be kept
        QVERIFY(kept->sortColumn.isEmpty());
}

LOCKKEEPER_TEST(ColumnsTest)

} // namespace tst_columns

#include "tst_columns.moc"
