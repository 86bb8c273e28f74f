// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/chains/chains_tree.h"
#include "app/views/chains/chains_view.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/holder/holder_view.h"
#include "app/views/locks/locks_view.h"
#include "app/views/past/past_view.h"
#include "app/views/sources/sources_view.h"
#include "app/views/window/main_window.h"
#include "tests/app/views/support/demo_agent.h"
#include "tests/app/views/support/widget_words.h"
#include "tests/support/fake_clock.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"

#include <QComboBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QTreeView>

namespace tst_console_words {

using namespace lockkeeper;
using namespace lockkeeper::app;

/** How the agent answers. */
enum class AgentMood : quint8 {
    Rich = 0, ///< with something for every page
    Empty,    ///< with nothing
    Failing,  ///< its journal can't be read
};

/** Every page in words, compared with a file in tests/data/console: pixels differ by Qt version and fonts. */
class TestConsoleWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void page_data();
    void page();
    void menus();
    void cleanup();

private:
    void compare(const QString &name, const std::function<QByteArray()> &words);
    void connectTo(AgentMood mood);
    void arrange(const QByteArray &page);
    void chooseFirstRows();
    QByteArray words(const QByteArray &page);
    QByteArray contextMenus();
    QByteArray withoutMachine(const QStringList &lines) const;
    bool isStill(const QByteArray &words);

    static constexpr int kSameLooks = 8;
    /** So large that no column and no chart gives way in any font. */
    static constexpr QSize kLargeWindow{4000, 2400};

    tests::FakeClock m_clock{1'700'000'000'000'000}; ///< 2023: before the time of any agent's own clock
    std::unique_ptr<tests::ReplayAgent> m_agent;
    std::unique_ptr<tests::ConsoleRig> m_rig;
    QByteArray m_last;
    int m_same = 0;
};

std::optional<protocol::Message> nothing(const protocol::Message &message)
{
    if (const auto *query = std::get_if<protocol::StatusQuery>(&message)) {
        protocol::Status status;
        status.id = query->id;
        status.agent = QStringLiteral("dc1");
        return status;
    }
    if (const auto *query = std::get_if<protocol::HistoryQuery>(&message))
        return tests::eventPageOf({}, 0, *query);
    if (const auto *query = std::get_if<protocol::HoldsQuery>(&message))
        return tests::holdPageOf({}, *query);
    if (const auto *query = std::get_if<protocol::AuditQuery>(&message)) {
        protocol::AuditPage page = tests::auditPageOf({}, *query);
        page.verified = query->verify;
        return page;
    }
    if (const auto *query = std::get_if<protocol::ChainsQuery>(&message))
        return protocol::ChainsPage{query->id, {}};
    if (const auto *query = std::get_if<protocol::AlertsQuery>(&message)) {
        protocol::AlertsPage page;
        page.id = query->id;
        return page;
    }
    if (const auto *query = std::get_if<protocol::AdviceQuery>(&message)) {
        protocol::AdvicePage page;
        page.id = query->id;
        return page;
    }
    if (const auto *query = std::get_if<protocol::ContentionQuery>(&message)) {
        protocol::ContentionPage page;
        page.id = query->id;
        return page;
    }
    return std::nullopt;
}

std::optional<protocol::Message> failure(const protocol::Message &message)
{
    const base::Error error{base::ErrorCode::Corrupt, QStringLiteral("the disk returned an error"),
                            QStringLiteral("Check the disk")};
    std::optional<protocol::Message> failed;
    std::visit(
        [&](const auto &query) {
            if constexpr (requires { query.id; })
                failed = protocol::Failed{quint64(query.id), error};
        },
        message);
    return failed;
}

void TestConsoleWords::page_data()
{
    QTest::addColumn<QByteArray>("page");
    QTest::addColumn<AgentMood>("mood");
    for (const char *page : {"overview", "locks", "detail", "chains", "timeline", "past"})
        QTest::newRow(page) << QByteArray(page) << AgentMood::Rich;
    for (const char *page : {"history", "holds", "contention", "waiters", "blockers", "holder", "alerts",
                             "advice", "audit", "sources"}) {
        QTest::newRow(page) << QByteArray(page) << AgentMood::Rich;
        QTest::addRow("%s-empty", page) << QByteArray(page) << AgentMood::Empty;
        if (qstrcmp(page, "holder") != 0) // it asks the agent nothing
            QTest::addRow("%s-failing", page) << QByteArray(page) << AgentMood::Failing;
    }
}

void TestConsoleWords::page()
{
    QFETCH(QByteArray, page);
    QFETCH(AgentMood, mood);
    connectTo(mood);
    if (QTest::currentTestFailed())
        return;
    arrange(page);
    const QString name = QLatin1String(QTest::currentDataTag());
    compare(name, [&] { return words(page); });
    if (mood == AgentMood::Rich && page != "detail")
        compare(name + QStringLiteral("-menus"), [this] { return contextMenus(); });
}

void TestConsoleWords::menus()
{
    connectTo(AgentMood::Rich);
    compare(QStringLiteral("menus"), [this] {
        QStringList lines;
        const QList<QAction *> titles = m_rig->console->window()->menuBar()->actions();
        for (const QAction *title : titles) {
            lines.append(title->text());
            for (const QString &line : tests::WidgetWords::ofMenu(title->menu()))
                lines.append(QStringLiteral("    ") + line);
        }
        return withoutMachine(lines);
    });
}

/** Waits for words that equal the file; to write it, waits until they stay the same. */
void TestConsoleWords::compare(const QString &name, const std::function<QByteArray()> &words)
{
    if (QTest::currentTestFailed())
        return;
    m_last.clear();
    m_same = 0;
    if (qEnvironmentVariableIsSet("LOCKKEEPER_WRITE_GOLDEN"))
        QTRY_VERIFY(isStill(words()));
    const auto fault = [&] {
        return tests::compareWithGolden(QStringLiteral("tests/data/console/%1.txt").arg(name), words());
    };
    QTRY_VERIFY2(fault().isEmpty(), qPrintable(fault()));
}

void TestConsoleWords::cleanup()
{
    m_rig.reset();
    m_agent.reset();
}

void TestConsoleWords::connectTo(AgentMood mood)
{
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    m_agent = std::make_unique<tests::ReplayAgent>();
    if (mood == AgentMood::Rich)
        m_agent = std::make_unique<tests::DemoAgent>(m_rig->feed, m_clock);
    else
        m_agent->answer = mood == AgentMood::Empty ? nothing : failure;
    QVERIFY(m_agent->start());
    m_rig->console->window()->resize(kLargeWindow);
    m_rig->console->window()->show();
    m_rig->console->session()->open(m_agent->address());
    QTRY_COMPARE(m_rig->console->session()->link(), session::LinkState::Live);
    m_rig->console->window()->showView("sources"); // the agent reports its sources when it is asked
    if (mood == AgentMood::Rich)
        QTRY_VERIFY(!m_rig->console->replica()->sources().isEmpty());
    QTRY_COMPARE(m_rig->console->replica()->locks().size(), m_agent->table.locks.size());
    m_rig->console->locks()->proxy()->tick();
}

void TestConsoleWords::arrange(const QByteArray &page)
{
    static const QHash<QByteArray, QByteArray> kShown{
        {"holds", "history"}, {"waiters", "contention"}, {"blockers", "contention"}, {"detail", "locks"}};
    Console &console = *m_rig->console;
    if (page == "past")
        console.past()->showAt(m_clock.wallUs() - 600'000'000);
    const domain::LockKey held{QStringLiteral("orders-redis"), "redis.token", "db0", "reportJob"};
    if (page == "holder" && console.replica()->find(held))
        console.holder()->showHolderOf(held);
    else if (page == "holder")
        console.holder()->showNamed(held.source, "nobody");
    if (page == "locks" || page == "detail")
        console.selection()->selectOne(held);
    console.window()->showView(kShown.value(page, page));
    if (page == "holds")
        console.window()->findChild<QTabBar *>(QStringLiteral("historyTabs"))->setCurrentIndex(1);
    auto *group = console.window()->findChild<QComboBox *>(QStringLiteral("group"));
    if (page == "waiters")
        group->setCurrentIndex(3);
    if (page == "blockers")
        group->setCurrentIndex(4);
}

/** Where none is chosen: a page shows more about a chosen row. */
void TestConsoleWords::chooseFirstRows()
{
    const auto lists = m_rig->console->window()->currentView()->findChildren<QAbstractItemView *>();
    for (QAbstractItemView *list : lists) {
        if (list->isVisible() && list->model()->rowCount() > 0 && !list->selectionModel()->hasSelection())
            list->setCurrentIndex(list->model()->index(0, 0));
    }
}

QByteArray TestConsoleWords::words(const QByteArray &page)
{
    m_rig->console->locks()->proxy()->tick(); // rows take their places
    chooseFirstRows();
    const views::MainWindow *window = m_rig->console->window();
    if (page == "detail")
        return withoutMachine(tests::WidgetWords::of(window->detail()));
    return withoutMachine(tests::WidgetWords::of(window->currentView()));
}

/** Of the rows, and of the titles. */
QByteArray TestConsoleWords::contextMenus()
{
    QStringList lines;
    const auto lists = m_rig->console->window()->currentView()->findChildren<QAbstractItemView *>();
    for (QAbstractItemView *list : lists) {
        const bool isTitle = qobject_cast<QHeaderView *>(list);
        const QString name =
            isTitle ? list->parent()->objectName() + QStringLiteral(", titles") : list->objectName();
        if (list->isVisible() && list->model()->rowCount() > 0)
            lines += QStringList{name + QLatin1Char(':')} + tests::WidgetWords::ofContextMenu(list);
    }
    return withoutMachine(lines);
}

/** Without the paths of this run, the version, and the ages of alerts: an agent's clock can't be stopped. */
QByteArray TestConsoleWords::withoutMachine(const QStringList &lines) const
{
    QString text = lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
    text.replace(m_agent->address().text(), QStringLiteral("ADDRESS"));
    text.replace(m_rig->folder.path(), QStringLiteral("FOLDER"));
    text.replace(QStringLiteral(LOCKKEEPER_VERSION), QStringLiteral("VERSION"));
    static const QRegularExpression age(QStringLiteral("\\d+d \\d\\d:\\d\\d|\\d+ d \\d+ h"));
    return text.replace(age, QStringLiteral("AGE")).toUtf8();
}

/** The page hasn't changed for several looks. */
bool TestConsoleWords::isStill(const QByteArray &words)
{
    m_same = words == m_last ? m_same + 1 : 0;
    m_last = words;
    return m_same >= kSameLooks;
}

LOCKKEEPER_TEST(TestConsoleWords)

} // namespace tst_console_words

#include "tst_console_words.moc"
