// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replica/holder.h"
#include "app/views/locks/column_layout.h"
#include "app/views/locks/locks_view.h"
#include "app/views/past/past_view.h"
#include "app/views/window/main_window.h"
#include "tests/app/views/support/demo_agent.h"
#include "tests/app/views/support/picture.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>

namespace tst_targets {

using namespace lockkeeper;
using namespace lockkeeper::app;

/** Whatever can be clicked is at least 24 px high and wide and shows its whole text, in every view of a
 * window of 1280 × 800, in both languages. */
class TestTargets : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyTarget_data();
    void everyTarget();
    void lowWindowSqueezesNothing();
    void startPage_data() { everyTarget_data(); }
    void startPage();
    void menus_data() { everyTarget_data(); }
    void menus();

private:
    static constexpr int kLeast = 24;

    views::MainWindow *window() const { return m_rig->console->window(); }
    void speak(const QString &language);
    void connectAgent();
    void look(const QWidget *root, const QString &where);
    void lookAt(const QAbstractButton *button, const QString &where);
    void lookAt(const QTabBar *tabs, const QString &where);
    void lookAt(const QHeaderView *header, const QString &where);
    void lookAt(const QLabel *label, const QString &where);
    void lookAt(const QTableView *table, const QString &where);
    void lookAt(const QMenu *menu, const QString &where);
    void note(bool good, const QString &where, const QString &what)
    {
        if (!good)
            m_faults.append(where + QStringLiteral(": ") + what);
    }

    tests::FakeClock m_clock;
    std::unique_ptr<tests::ConsoleRig> m_rig;
    std::unique_ptr<tests::DemoAgent> m_agent;
    QStringList m_faults;
};

namespace {

/** Describes the widget of a fault. */
QString nameOf(const QWidget *widget, const QString &text)
{
    return QStringLiteral("%1 %2 “%3” %4×%5")
        .arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName(), text)
        .arg(widget->width())
        .arg(widget->height());
}

/** Returns true for a widget that Qt made within another control; the whole control is the target. */
bool isInner(const QWidget *widget)
{
    return qobject_cast<const QLineEdit *>(widget->parentWidget()) ||
           qobject_cast<const QTabBar *>(widget->parentWidget()) ||
           widget->objectName().startsWith(QLatin1String("qt_"));
}

} // namespace

void TestTargets::init()
{
    m_faults.clear();
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    m_agent = std::make_unique<tests::DemoAgent>(m_rig->feed, m_clock);
    QVERIFY(m_agent->start());
    window()->resize(1280, 800);
    window()->show();
    QVERIFY(QTest::qWaitForWindowExposed(window()));
}

void TestTargets::cleanup()
{
    m_rig.reset();
    m_agent.reset();
}

void TestTargets::everyTarget_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << QStringLiteral("en");
    QTest::newRow("Chinese") << QStringLiteral("zh_CN");
}

/** An event notifies the widgets. */
void TestTargets::speak(const QString &language)
{
    m_rig->settings.setValue(settings::Key::Language, language);
    const QString file =
        language == QLatin1String("en") ? QStringLiteral("&File") : QStringLiteral("文件(&F)");
    QTRY_COMPARE(window()->menuBar()->actions().first()->text(), file);
}

void TestTargets::lookAt(const QAbstractButton *button, const QString &where)
{
    if (isInner(button) || !button->isEnabled())
        return;
    const QString name = nameOf(button, button->text());
    note(button->height() >= kLeast && button->width() >= kLeast, where, name + QStringLiteral(" too small"));
    note(button->sizeHint().width() <= button->width(), where, name + QStringLiteral(" clipped"));
    const auto *tool = qobject_cast<const QToolButton *>(button);
    const QList<QObject *> places =
        tool && tool->defaultAction() ? tool->defaultAction()->associatedObjects() : QList<QObject *>();
    const bool inAMenu = std::any_of(places.cbegin(), places.cend(),
                                     [](const QObject *place) { return qobject_cast<const QMenu *>(place); });
    note((button->focusPolicy() & Qt::TabFocus) || inAMenu, where, name + QStringLiteral(" not by keyboard"));
    note(!button->text().isEmpty() || !button->accessibleName().isEmpty() || !button->toolTip().isEmpty(),
         where, name + QStringLiteral(" without a word"));
}

void TestTargets::lookAt(const QTabBar *tabs, const QString &where)
{
    for (int tab = 0; tab < tabs->count(); ++tab)
        note(tabs->tabRect(tab).height() >= kLeast, where, nameOf(tabs, tabs->tabText(tab)));
}

void TestTargets::lookAt(const QHeaderView *header, const QString &where)
{
    if (header->orientation() != Qt::Horizontal || !header->sectionsClickable())
        return;
    note(header->height() >= kLeast, where, nameOf(header, QStringLiteral("header")));
    for (int column = 0; column < header->count(); ++column) {
        const QString title = header->model()->headerData(column, Qt::Horizontal).toString();
        const bool iconWithATip =
            header->sectionSize(column) < views::ColumnLayout::kIconOnly &&
            !header->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty();
        note(header->isSectionHidden(column) || iconWithATip ||
                 header->fontMetrics().horizontalAdvance(title) + 8 <= header->sectionSize(column),
             where, QStringLiteral("header “%1” clipped at %2").arg(title).arg(header->sectionSize(column)));
    }
}

void TestTargets::lookAt(const QLabel *label, const QString &where)
{
    const QString name = nameOf(label, label->text()) + QStringLiteral(" clipped");
    note(!label->buddy() || label->sizeHint().width() <= label->width() || label->wordWrap(), where, name);
    note(label->text().isEmpty() || label->height() >= label->fontMetrics().height(), where, name);
}

/** Checks the rows, and that a right-aligned column has its heading above it. */
void TestTargets::lookAt(const QTableView *table, const QString &where)
{
    const QAbstractItemModel *model = table->model();
    if (model->rowCount() == 0)
        return;
    note(table->rowHeight(0) >= kLeast, where,
         nameOf(table, QStringLiteral("row of %1").arg(table->rowHeight(0))));
    const auto side = [](const QVariant &alignment) {
        return alignment.value<Qt::Alignment>() & Qt::AlignRight ? Qt::AlignRight : Qt::AlignLeft;
    };
    for (int column = 0; column < model->columnCount(); ++column)
        note(side(model->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)) ==
                 side(model->index(0, column).data(Qt::TextAlignmentRole)),
             where,
             QStringLiteral("“%1” stands apart from its column")
                 .arg(model->headerData(column, Qt::Horizontal).toString()));
}

void TestTargets::lookAt(const QMenu *menu, const QString &where)
{
    for (const QAction *action : menu->actions()) {
        if (!action->isSeparator() && action->isVisible() && action->isEnabled())
            note(menu->actionGeometry(const_cast<QAction *>(action)).height() >= kLeast, where,
                 QStringLiteral("menu item “%1”").arg(action->text()));
    }
}

void TestTargets::look(const QWidget *root, const QString &where)
{
    const auto widgets = root->findChildren<const QWidget *>();
    for (const QWidget *widget : widgets) {
        if (!widget->isVisible())
            continue;
        if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
            lookAt(button, where);
        else if (const auto *tabs = qobject_cast<const QTabBar *>(widget))
            lookAt(tabs, where);
        else if (const auto *header = qobject_cast<const QHeaderView *>(widget))
            lookAt(header, where);
        else if (const auto *list = qobject_cast<const QListView *>(widget))
            note(!list->model() || !list->model()->rowCount() || list->sizeHintForRow(0) >= kLeast, where,
                 nameOf(list, QStringLiteral("row of %1").arg(list->sizeHintForRow(0))));
        else if (const auto *table = qobject_cast<const QTableView *>(widget))
            lookAt(table, where);
        else if (qobject_cast<const QComboBox *>(widget) ||
                 (qobject_cast<const QLineEdit *>(widget) &&
                  !qobject_cast<const QComboBox *>(widget->parentWidget())))
            note(widget->height() >= kLeast, where, nameOf(widget, widget->accessibleName()));
        else if (const auto *label = qobject_cast<const QLabel *>(widget))
            lookAt(label, where);
    }
}

void TestTargets::connectAgent()
{
    m_rig->console->session()->open(m_agent->address());
    QTRY_COMPARE(m_rig->console->session()->link(), session::LinkState::Live);
    QTRY_VERIFY(!m_rig->console->replica()->locks().isEmpty());
    m_rig->console->locks()->proxy()->tick();
    m_rig->console->selection()->selectOne(m_rig->console->locks()->proxy()->lockAt(0)->lock.key());
}

/** 1920 × 1080 at 200 %: the user scrolls to whatever doesn't fit. */
void TestTargets::lowWindowSqueezesNothing()
{
    connectAgent();
    window()->showView("sources");
    QTRY_COMPARE(window()->currentView()->shownRows(), std::optional<qint64>(2));
    QCoreApplication::processEvents();
    const auto areas = window()->currentView()->findChildren<QScrollArea *>();
    for (const QScrollArea *area : areas) // no needless scrolling at 1280 × 800
        QCOMPARE(area->verticalScrollBar()->maximum(), 0);
    window()->resize(944, 500);
    QCoreApplication::processEvents();
    look(window(), QStringLiteral("sources in a low window"));
    QVERIFY2(m_faults.isEmpty(), qPrintable(QLatin1Char('\n') + m_faults.join(QLatin1Char('\n'))));
}

void TestTargets::everyTarget()
{
    QFETCH(QString, language);
    speak(language);
    connectAgent();
    window()->showView("sources"); // the agent reports its sources with its status
    QTRY_COMPARE(window()->currentView()->shownRows(), std::optional<qint64>(2));
    m_rig->console->past()->showAt(m_clock.wallUs() - 600'000'000);
    for (const replica::PackedLock &packed : m_rig->console->replica()->locks()) { // somebody chose a holder
        const domain::LockState lock = packed.state();
        if (!replica::holderOf(lock).isEmpty())
            Q_EMIT m_rig->console->requests()->holderOfAsked(lock.key);
    }
    for (views::View *view : window()->views()) {
        QVERIFY2(view->isAvailable(), view->id().constData()); // the agent offers all that there is
        window()->showView(view->id());
        QTRY_VERIFY2(view->isVisible(), view->id().constData());
        if (view->id() != "locks")
            QTRY_VERIFY2(view->shownRows().value_or(1) > 0, view->id().constData());
        QCoreApplication::processEvents();
        tests::picture(window(), QByteArray("targets-" + view->id() + '-' + language.toLatin1()).constData());
        look(window(), QString::fromLatin1(view->id()));
        const auto tabs = view->findChildren<QTabBar *>();
        for (QTabBar *bar : tabs) {
            for (int tab = 1; bar->isVisible() && tab < bar->count(); ++tab) {
                bar->setCurrentIndex(tab);
                QCoreApplication::processEvents();
                look(window(), QStringLiteral("%1 tab %2").arg(QString::fromLatin1(view->id())).arg(tab));
            }
            bar->setCurrentIndex(0);
        }
    }
    QVERIFY2(m_faults.isEmpty(), qPrintable(QLatin1Char('\n') + m_faults.join(QLatin1Char('\n'))));
}

void TestTargets::startPage()
{
    QFETCH(QString, language);
    speak(language);
    for (const char *name : {"a", "b", "c"})
        m_rig->settings.noteAgent(QStringLiteral("local:/nowhere/%1.sock").arg(QLatin1String(name)));
    m_rig->console->start({});
    QTRY_VERIFY(window()->findChild<QListWidget *>(QStringLiteral("recent_agents"))->isVisible());
    QCoreApplication::processEvents(); // the layout's turn
    tests::picture(window(), QByteArray("targets-start-" + language.toLatin1()).constData());
    look(window(), QStringLiteral("start"));
    window()->resize(944, 500); // 1920 × 1080 at 200 %
    QCoreApplication::processEvents();
    look(window(), QStringLiteral("start in a low window"));
    QVERIFY2(m_faults.isEmpty(), qPrintable(QLatin1Char('\n') + m_faults.join(QLatin1Char('\n'))));
}

void TestTargets::menus()
{
    QFETCH(QString, language);
    speak(language);
    const auto menus = window()->findChildren<QMenu *>();
    QVERIFY(!menus.isEmpty());
    for (QMenu *menu : menus)
        lookAt(menu, menu->title());
    for (QAction *action : window()->menuBar()->actions())
        note(window()->menuBar()->actionGeometry(action).height() >= kLeast, QStringLiteral("menu bar"),
             action->text());
    QVERIFY2(m_faults.isEmpty(), qPrintable(QLatin1Char('\n') + m_faults.join(QLatin1Char('\n'))));
}

LOCKKEEPER_TEST(TestTargets)

} // namespace tst_targets

#include "tst_targets.moc"
