// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/holder/holder_view.h"
#include "app/views/locks/locks_view.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/views/window/main_window.h"
#include "app/views/window/window_actions.h"
#include "app/words/durations.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace tst_holder_view {

using namespace lockkeeper;
using namespace lockkeeper::app;
using views::HolderView;

class HolderViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void breaksTheShownLocks();
    void namesWhatItCantKnow();
    void selectsItsRows();
    void opensFromTheWindow();
    void aSessionsLockHasNoEnd();

private:
    static domain::LockState lock(const QByteArray &name, const QByteArray &owner)
    {
        domain::LockState state = tests::ViewRig::stuckLock(name);
        state.owner = owner;
        return state;
    }
    static QString note(const HolderView &view)
    {
        return view.findChild<views::PlainLabel *>(QStringLiteral("note"))->text();
    }
};

void HolderViewTest::breaksTheShownLocks()
{
    tests::ViewRig rig;
    QVERIFY(rig.connectWith({lock("a", "w@h"), lock("b", "w@h"), lock("c", "v@h")}));
    QTRY_COMPARE(rig.replica.locks().size(), 3);
    rig.show({rig.source(lock("a", {}).key.source)});
    QTRY_VERIFY(!rig.replica.sources().isEmpty());
    HolderView view(rig.context);
    QVERIFY(!view.isAvailable());
    view.showHolderOf(lock("a", {}).key);
    QVERIFY(view.isAvailable());
    QCOMPARE(view.model()->rowCount(), 2);
    auto *button = view.findChild<QPushButton *>(QStringLiteral("breakAll"));
    QTRY_VERIFY2(button->isEnabled(), qPrintable(button->toolTip()));
    QSignalSpy asked(&rig.requests, &views::Requests::releaseAsked);
    button->click();
    QCOMPARE(asked.value(0).value(0).value<QList<domain::LockKey>>(),
             (QList<domain::LockKey>{lock("a", {}).key, lock("b", {}).key}));
    view.setFilter(QStringLiteral("name:b"));
    QTRY_COMPARE(view.model()->rowCount(), 1);
    button->click();
    QCOMPARE(asked.value(1).value(0).value<QList<domain::LockKey>>(),
             (QList<domain::LockKey>{lock("b", {}).key}));
    view.setFilter({});
    QTRY_COMPARE(view.model()->rowCount(), 2);
    auto *host = view.findChild<QToolButton *>(QStringLiteral("sameHost"));
    QVERIFY(host->isEnabled());
    QVERIFY(host->text().contains(QStringLiteral("h")));
    host->click();
    QCOMPARE(view.model()->rowCount(), 3);
    QVERIFY2(note(view).contains(QStringLiteral("isn't the same process")), qPrintable(note(view)));
}

void HolderViewTest::namesWhatItCantKnow()
{
    tests::ViewRig rig;
    QVERIFY(rig.connectWith({lock("a", "3b5f9c1e77aa4c1f9a102bb1f0c7d2e1")}));
    QTRY_COMPARE(rig.replica.locks().size(), 1);
    rig.show({rig.source(lock("a", {}).key.source)});
    QTRY_VERIFY(!rig.replica.sources().isEmpty());
    HolderView view(rig.context);
    view.showHolderOf(lock("a", {}).key);
    QVERIFY2(note(view).contains(QStringLiteral("random token")), qPrintable(note(view)));
    QVERIFY(!view.findChild<QToolButton *>(QStringLiteral("sameHost"))->isEnabled());
    QVERIFY2(!note(view).contains(QStringLiteral("may be missing")), qPrintable(note(view)));
    rig.agent.stop();
    QTRY_VERIFY2(note(view).contains(QStringLiteral("may be missing")), qPrintable(note(view)));
    QVERIFY(!view.findChild<QPushButton *>(QStringLiteral("breakAll"))->isEnabled());
    view.showNamed(QStringLiteral("orders"), "17");
    QCOMPARE(view.model()->holder(), (replica::HolderId{"17", QStringLiteral("orders"), {}}));
    QVERIFY2(note(view).contains(QStringLiteral("only within its source")), qPrintable(note(view)));
}

void HolderViewTest::selectsItsRows()
{
    tests::ViewRig rig;
    QVERIFY(rig.connectWith({lock("a", "w@h"), lock("b", "w@h"), lock("c", "v@h")}));
    QTRY_COMPARE(rig.replica.locks().size(), 3);
    HolderView view(rig.context);
    rig.selection.selectOne(lock("b", {}).key);
    view.showHolderOf(lock("b", {}).key);
    auto *table = view.findChild<views::DataTable *>();
    QCOMPARE(table->selectedRowNumbers(), QList<int>{1});
    table->selectRow(0);
    QCOMPARE(rig.selection.keys(), (QList<domain::LockKey>{lock("a", {}).key}));
    QVERIFY(view.showsLock(lock("a", {}).key));
    QVERIFY(!view.showsLock(lock("c", {}).key)); // no action aims at it from here
}

void HolderViewTest::opensFromTheWindow()
{
    tests::FakeClock clock;
    tests::ConsoleRig rig(clock);
    rig.console->window()->show();
    rig.feed.load(*rig.console->replica(), rig.feed.locks(12));
    rig.console->locks()->proxy()->tick();
    QAction *action = (*rig.console->window()->actions())[views::WindowActions::Holder];
    QVERIFY(!action->isEnabled());
    for (const domain::LockState &state : rig.feed.locks(12)) {
        if (replica::holderOf(state).isEmpty())
            continue;
        rig.console->window()->showView("locks");
        rig.console->selection()->selectOne(state.key);
        rig.console->locks()->reveal(state.key);
        QTRY_VERIFY2(action->isEnabled(), qPrintable(rig.console->window()->actions()->reason(action)));
        action->trigger();
        QVERIFY(rig.console->holder()->isVisible());
        QVERIFY(rig.console->holder()->showsLock(state.key));
        return;
    }
    QFAIL("no lock with a holder");
}

void HolderViewTest::aSessionsLockHasNoEnd()
{
    tests::ViewRig rig;
    domain::LockState row = lock("a", "17");
    row.key.scheme = "sql.row";
    row.session.emplace().id = "17";
    QVERIFY(rig.connectWith({row}));
    QTRY_COMPARE(rig.replica.locks().size(), 1);
    HolderView view(rig.context);
    view.showHolderOf(row.key);
    QCOMPARE(view.model()->rowCount(), 1);
    QCOMPARE(view.model()->index(0, models::HolderRemainingColumn).data().toString(),
             words::Durations::notApplicable());
}

LOCKKEEPER_TEST(HolderViewTest)

} // namespace tst_holder_view

#include "tst_holder_view.moc"
