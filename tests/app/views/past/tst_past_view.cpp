// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/chains/chains_view.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/locks/filter_bar.h"
#include "app/views/locks/locks_table.h"
#include "app/views/locks/locks_view.h"
#include "app/views/past/past_dialog.h"
#include "app/views/past/past_view.h"
#include "app/views/timeline/timeline_canvas.h"
#include "app/views/timeline/timeline_view.h"
#include "app/views/widgets/field_error.h"
#include "app/views/window/main_window.h"
#include "app/views/window/window_actions.h"
#include "app/words/time_format.h"
#include "tests/app/session/replay_agent.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/app/views/support/exported.h"
#include "tests/app/views/support/picture.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QCalendarWidget>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextCharFormat>

namespace tst_past_view {

using namespace lockkeeper;
using namespace lockkeeper::app;

namespace {

constexpr qint64 kMinute = 60'000'000;

domain::SourceState sourceAt(const QString &name, qint64 atUs, std::optional<qint64> gapSinceUs = {})
{
    domain::SourceState state;
    state.name = name;
    state.store = "redis";
    state.link = gapSinceUs ? domain::Link::Down : domain::Link::Up;
    state.lastSeenUs = gapSinceUs ? gapSinceUs : atUs;
    state.gapSinceUs = gapSinceUs;
    return state;
}

} // namespace

/** The console at a past moment: a whole console over a real socket to an agent within the test. */
class PastViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsTheTableOfTheMoment();
    void dockTellsWhatWasTrueThen();
    void narrowWindowKeepsTheTable();
    void splitterStaysWhereItWas();
    void copiesAndExportsSayWhen();
    void everyExportedRowSaysWhen();
    void eachRowIsMarked();
    void saysWhichPartWasNotSeen();
    void nothingCountsOnAndNoEventGetsIn();
    void releasesAreOff();
    void saysWhatWasNotSeen();
    void marksWhatMayHaveChanged();
    void chainsOfTheMoment();
    void namesTheMomentThatIsShown();
    void aSliderAsksOnlyForWhatIsStillWanted();
    void followsTheTimelinesMark();
    void refusalIsSaid();
    void backToNow();
    void anotherAgentEndsIt();
    void asksForATime_data();
    void asksForATime();
    void calendarGivesTheDay();
    void filtersOfNowAreNotTouched();
    void pictures_data();
    void pictures();

private:
    domain::LockState held(const QByteArray &name, const QByteArray &owner, qint64 sinceUs) const;
    views::PastView *past() const { return m_rig->console->past(); }
    views::MainWindow *window() const { return m_rig->console->window(); }
    views::LocksView *locks() const { return past()->findChild<views::LocksView *>(); }
    void show(qint64 us);

    tests::FakeClock m_clock;
    qint64 m_atUs = 0;
    QList<domain::LockState> m_locks; ///< at the past moment
    QList<domain::SourceState> m_sources;
    QList<qint64> m_asked;
    std::optional<base::Error> m_failure;
    bool m_mute = false;
    std::unique_ptr<tests::ReplayAgent> m_agent;
    std::unique_ptr<tests::ConsoleRig> m_rig;
};

void PastViewTest::init()
{
    m_atUs = m_clock.wallUs() - 60 * kMinute;
    m_asked.clear();
    m_failure.reset();
    m_mute = false;
    m_locks = {held("lock:then", "w9", m_atUs - 90'000'000)};
    m_sources = {sourceAt(QStringLiteral("s"), m_atUs)};
    m_agent = std::make_unique<tests::ReplayAgent>();
    m_agent->table.locks.insert(tests::heldLock("lock:now").key, tests::heldLock("lock:now"));
    m_agent->answer = [this](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::LocksQuery>(&message);
        if (!query || !query->atUs)
            return std::nullopt;
        m_asked.append(*query->atUs);
        if (m_mute)
            return std::nullopt;
        if (m_failure)
            return protocol::Failed{query->id, *m_failure};
        return protocol::SnapshotPage{query->id, 7, true, m_locks, m_sources};
    };
    QVERIFY(m_agent->start());
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    window()->resize(1280, 800);
    window()->show();
    window()->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window()));
    m_rig->console->start(QStringLiteral("local:") + m_agent->address().path);
    QTRY_VERIFY(m_rig->console->session()->link() == session::LinkState::Live);
}

void PastViewTest::cleanup()
{
    m_rig.reset();
    m_agent.reset();
}

domain::LockState PastViewTest::held(const QByteArray &name, const QByteArray &owner, qint64 sinceUs) const
{
    domain::LockState state = tests::heldLock(name, owner);
    state.acquiredUs = sinceUs;
    state.acquiredBy = domain::Evidence::Observation;
    state.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::Past};
    return state;
}

void PastViewTest::show(qint64 us)
{
    QVERIFY(!past()->isAvailable());
    past()->showAt(us);
    window()->showView(past()->id());
    QTRY_COMPARE(past()->replica()->locks().size(), m_locks.size());
    locks()->proxy()->tick();
}

void PastViewTest::showsTheTableOfTheMoment()
{
    const QAbstractItemModelTester tester(locks()->proxy());
    show(m_atUs);
    QCOMPARE(m_asked, QList<qint64>{m_atUs});
    QVERIFY2(past()->text().startsWith(QLatin1String("As of 20")), qPrintable(past()->text()));
    QCOMPARE(locks()->proxy()->rowCount(), 1);
    const auto cell = [this](int column) { return locks()->proxy()->index(0, column).data().toString(); };
    QCOMPARE(cell(models::NameColumn), QStringLiteral("lock:then"));
    QCOMPARE(cell(models::HeldForColumn), QStringLiteral("00:01:30"));
    QVERIFY2(window()->windowTitle().startsWith(QLatin1String("As of 20")),
             qPrintable(window()->windowTitle()));
}

/**
 * The dock shows the selected lock's state at that moment. It shows nothing of the present, and nothing that
 * only the running agent knows.
 */
void PastViewTest::dockTellsWhatWasTrueThen()
{
    m_locks[0].waiters = {{"w7", m_atUs - 20'000'000, {}}};
    m_locks[0].waitersVisible = true;
    m_locks[0].expiry = domain::ExpiryKind::At;
    m_locks[0].expiresUs = m_atUs + 12'000'000;
    m_locks[0].expiresBy = domain::Evidence::Observation;
    show(m_atUs);
    const auto *detail = past()->findChild<views::LockDetail *>();
    QVERIFY(detail && detail->isVisible());
    locks()->table()->setCurrentIndex(locks()->proxy()->index(0, 0));
    QTRY_VERIFY2(detail->text().contains(QLatin1String("00:01:30")), qPrintable(detail->text()));
    const QString then = detail->text();
    for (const char *said : {"lock:then", "As of 20", "w9", "12.0 s", "w7", "20.0 s", "Acquired", "Expires"})
        QVERIFY2(then.contains(QLatin1String(said)), qPrintable(QLatin1String(said) + u'\n' + then));
    for (const char *unknown : {"Alive", "Clock offset", "Seen", "Idle"})
        QVERIFY2(!then.contains(QLatin1String(unknown)), qPrintable(then));
    QVERIFY(!detail->releaseButton()->isVisible());
    QVERIFY(m_asked.size() == 1); // no question to the agent about later
    m_clock.advanceUs(10 * kMinute);
    QCoreApplication::processEvents();
    QCOMPARE(detail->text(), then);
    // At another moment, the lock has another state, or none.
    m_locks[0].owner = "w5";
    past()->showAt(m_atUs + 5'000'000);
    QTRY_VERIFY2(detail->text().contains(QLatin1String("w5")), qPrintable(detail->text()));
    m_locks = {held("lock:other", "w6", m_atUs)};
    past()->showAt(m_atUs + 6'000'000);
    QTRY_VERIFY2(detail->text().contains(QLatin1String("isn't in the table of that time")),
                 qPrintable(detail->text()));
}

/** Like the live dock, this dock hides below 1200 px until the user asks for it. */
void PastViewTest::narrowWindowKeepsTheTable()
{
    show(m_atUs);
    QVERIFY(past()->detail()->isVisible());
    window()->resize(1024, 640);
    QTRY_VERIFY(!past()->detail()->isVisible());
    locks()->table()->setCurrentIndex(locks()->proxy()->index(0, 0));
    locks()->table()->setFocus();
    QTest::keyClick(locks()->table(), Qt::Key_Return);
    QVERIFY(past()->detail()->isVisible());
    window()->resize(1280, 800);
    QTRY_VERIFY(past()->detail()->isVisible());
    window()->resize(1024, 640);
    QTRY_VERIFY(!past()->detail()->isVisible());
}

void PastViewTest::splitterStaysWhereItWas()
{
    show(m_atUs);
    const auto sizes = [](views::PastView *view) {
        return static_cast<QSplitter *>(view->detail()->parentWidget())->sizes();
    };
    QSplitterHandle *handle = static_cast<QSplitter *>(past()->detail()->parentWidget())->handle(1);
    const QList<int> before = sizes(past());
    const QPoint at = handle->rect().center();
    QTest::mousePress(handle, Qt::LeftButton, {}, at);
    QTest::mouseMove(handle, at - QPoint(40, 0));
    QTest::mouseRelease(handle, Qt::LeftButton, {}, at - QPoint(40, 0));
    QVERIFY(sizes(past()) != before);
    Console second(&m_rig->settings, &m_clock);
    second.window()->resize(window()->size());
    second.window()->show();
    second.start(QStringLiteral("local:") + m_agent->address().path);
    QTRY_COMPARE(second.session()->link(), session::LinkState::Live);
    second.past()->showAt(m_atUs);
    second.window()->showView("past");
    QTRY_COMPARE(sizes(second.past()), sizes(past()));
}

/** Every copy and every export from the view names its moment. */
void PastViewTest::copiesAndExportsSayWhen()
{
    show(m_atUs);
    const QString stamp = words::TimeFormat::rfc3339(m_atUs);
    locks()->table()->setCurrentIndex(locks()->proxy()->index(0, 0));
    QVERIFY(past()->copyText());
    const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n');
    QVERIFY2(lines.at(0).startsWith(QLatin1String("As of (UTC")), qPrintable(lines.at(0)));
    const QString when = QDateTime::fromMSecsSinceEpoch(m_atUs / 1000, Qt::UTC)
                             .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    QVERIFY2(lines.at(1).startsWith(when), qPrintable(lines.at(1)));
    QVERIFY(past()->copyJson());
    const QByteArray json = QGuiApplication::clipboard()->text().toUtf8();
    const QJsonObject copied = QJsonDocument::fromJson(json).array().first().toObject();
    QCOMPARE(copied.value(QLatin1String("as_of_us")).toInteger(), m_atUs);
    const QTemporaryDir folder;
    for (const char *name : {"past.csv", "past.json"}) {
        const QString path = folder.filePath(QLatin1String(name));
        QVERIFY(past()->exportRows());
        auto *dialog = past()->findChild<QFileDialog *>();
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(path);
        delete dialog;
        QTRY_VERIFY(QFileInfo(path).size() > 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        const bool csv = path.endsWith(QLatin1String("csv"));
        QVERIFY2(csv ? text.contains("as_of") && text.contains(stamp.toUtf8())
                     : text.contains("\"as_of_us\":" + QByteArray::number(m_atUs)),
                 text.constData());
    }
    // The live table's copy names no moment.
    m_rig->console->locks()->proxy()->tick();
    m_rig->console->locks()->table()->setCurrentIndex(m_rig->console->locks()->proxy()->index(0, 0));
    QVERIFY(m_rig->console->locks()->copyJson());
    QVERIFY(!QGuiApplication::clipboard()->text().contains(QLatin1String("as_of")));
}

/**
 * Each exported row of locks and of chains, in either format, names the moment: a line that is cut out still
 * carries it.
 */
void PastViewTest::everyExportedRowSaysWhen()
{
    domain::LockState blocked = held("=1+1", "7", m_atUs - 90'000'000);
    blocked.key.scheme = "sql.row";
    blocked.session = domain::Session();
    blocked.session->id = "7";
    blocked.session->transaction = "t7";
    blocked.waiters = {{"8", m_atUs - 30'000'000, {}}};
    blocked.waitersVisible = true;
    m_locks.append(blocked);
    show(m_atUs);
    const QString stamp = words::TimeFormat::rfc3339(m_atUs);
    const QTemporaryDir folder;
    auto *tabs = past()->findChild<QTabWidget *>();
    for (int tab = 0; tab < 2; ++tab) {
        tabs->setCurrentIndex(tab);
        auto *view = qobject_cast<views::View *>(tabs->currentWidget());
        QVERIFY(view);
        QTRY_VERIFY(view->shownRows().value_or(0) == 2);
        views::Requests &requests = *m_rig->console->requests();
        const QByteArray csv =
            tests::exportedBytes(*view, requests, folder.path(), QStringLiteral("past.csv"));
        const auto records = tests::csvRecords(csv);
        QVERIFY2(records && records->size() == 3, csv.constData());
        const qsizetype at = records->first().indexOf(QStringLiteral("as_of"));
        QVERIFY2(at >= 0, csv.constData());
        const QByteArrayList lines =
            tests::exportedTo(*view, requests, folder.path(), QStringLiteral("past.jsonl"));
        QCOMPARE(lines.size(), 2);
        for (qsizetype row = 0; row < 2; ++row) {
            QCOMPARE(records->at(row + 1).at(at), stamp);
            const QJsonObject object = QJsonDocument::fromJson(lines.at(row)).object();
            QCOMPARE(object.value(QLatin1String("as_of_us")).toInteger(), m_atUs);
        }
        QVERIFY2(csv.contains("'=1+1"), csv.constData());
    }
}

void PastViewTest::eachRowIsMarked()
{
    show(m_atUs);
    const auto *table = locks()->table();
    const QRect row = table->visualRect(locks()->proxy()->index(0, 0));
    const auto left = [&] {
        return locks()->table()->viewport()->grab().toImage().pixelColor(1, row.center().y());
    };
    QCOMPARE(left(), m_rig->console->theme()->badge(replica::Badge::Unknown).border);
    const QModelIndex state = locks()->proxy()->index(0, models::StateColumn);
    QVERIFY2(state.data(Qt::AccessibleTextRole).toString().contains(QLatin1String(", as of 20")),
             qPrintable(state.data(Qt::AccessibleTextRole).toString()));
}

/** The journal doesn't record which part a lock belongs to, so every lock of the source is uncertain. */
void PastViewTest::saysWhichPartWasNotSeen()
{
    m_locks[0].mayHaveChanged = true;
    m_sources[0].findings = {{domain::kPartUnseen, domain::Severity::Warning, "10.0.0.3:6379", m_atUs - 5}};
    show(m_atUs);
    QVERIFY2(past()->text().contains(QLatin1String("s: its part 10.0.0.3:6379 wasn't observed then")),
             qPrintable(past()->text()));
    locks()->table()->setCurrentIndex(locks()->proxy()->index(0, 0));
    const auto *detail = past()->findChild<views::LockDetail *>();
    QTRY_VERIFY2(detail->text().contains(QLatin1String("may have changed by then")),
                 qPrintable(detail->text()));
}

void PastViewTest::nothingCountsOnAndNoEventGetsIn()
{
    show(m_atUs);
    m_clock.advanceUs(10 * kMinute);
    domain::LockState other = tests::heldLock("lock:other");
    m_agent->publish(tests::acquired(other));
    QTRY_VERIFY(m_rig->console->replica()->find(other.key));
    locks()->proxy()->tick();
    QCOMPARE(past()->replica()->locks().size(), 1);
    QCOMPARE(locks()->proxy()->index(0, models::HeldForColumn).data().toString(), QStringLiteral("00:01:30"));
    QVERIFY(!m_rig->console->replica()->find(m_locks.at(0).key)); // the live table without the past lock
}

void PastViewTest::releasesAreOff()
{
    show(m_atUs);
    locks()->table()->setCurrentIndex(locks()->proxy()->index(0, 0));
    QAction *release = (*window()->actions())[views::WindowActions::Release];
    QVERIFY(!release->isEnabled());
    QVERIFY2(release->toolTip().contains(QLatin1String("past")), qPrintable(release->toolTip()));
    QVERIFY(window()->detailDock()->isHidden()); // the dock shows the present
    QVERIFY(!(*window()->actions())[views::WindowActions::Detail]->isEnabled());
}

void PastViewTest::saysWhatWasNotSeen()
{
    m_locks = {held("lock:then", "w9", m_atUs - 90'000'000), held("lock:within", "w8", m_atUs - 1'000'000)};
    m_sources = {sourceAt(QStringLiteral("s"), m_atUs, m_atUs - 2'000'000)};
    show(m_atUs);
    const int then = locks()->proxy()->rowOf(m_locks.at(0).key);
    const int within = locks()->proxy()->rowOf(m_locks.at(1).key);
    QCOMPARE(locks()->proxy()->index(within, models::HeldForColumn).data().toString(), QStringLiteral("?"));
    QCOMPARE(locks()->proxy()->index(then, models::StateColumn).data().toString(), QStringLiteral("Unknown"));
    QVERIFY2(past()->text().contains(QLatin1String("s wasn't observed then, last at")),
             qPrintable(past()->text()));
    // Held for the time that it was observed as held.
    QCOMPARE(locks()->proxy()->index(then, models::HeldForColumn).data().toString(),
             QStringLiteral("00:01:28"));
}

void PastViewTest::marksWhatMayHaveChanged()
{
    m_locks[0].mayHaveChanged = true;
    show(m_atUs);
    const QModelIndex holder = locks()->proxy()->index(0, models::HolderColumn);
    QVERIFY2(holder.data().toString().endsWith(QLatin1String(" ~")), qPrintable(holder.data().toString()));
    QVERIFY(holder.data(Qt::ToolTipRole).toString().contains(QLatin1String("may have changed by then")));
    const QModelIndex state = locks()->proxy()->index(0, models::StateColumn);
    QVERIFY(state.data(Qt::AccessibleTextRole).toString().contains(QLatin1String("may have changed")));
}

void PastViewTest::chainsOfTheMoment()
{
    domain::LockState row = held("stock/5", "app 17", m_atUs - kMinute);
    row.key.scheme = "sql.row";
    row.session = domain::Session();
    row.session->id = "17";
    row.session->user = "app";
    row.waiters = {{"app 18", m_atUs - 30'000'000, {}}, {"app 19", m_atUs - 20'000'000, {}}};
    row.waitersVisible = true;
    domain::LockState next = held("stock/6", "app 18", m_atUs - kMinute);
    next.key.scheme = "sql.row";
    next.session = domain::Session();
    next.session->id = "18";
    next.waiters = {{"app 20", m_atUs - 10'000'000, {}}};
    next.waitersVisible = true;
    m_locks = {row, next};
    show(m_atUs);
    auto *tabs = past()->findChild<QTabWidget *>();
    tabs->setCurrentIndex(1);
    auto *chains = past()->findChild<views::ChainsView *>();
    const QAbstractItemModelTester tester(chains->model());
    QTRY_COMPARE(chains->model()->forest().rows.size(), 4);
    const auto &rows = chains->model()->forest().rows;
    QCOMPARE(rows.at(0).node.session.id, QByteArray("17"));
    QCOMPARE(rows.at(0).node.blocksAll, 3);
    QCOMPARE(rows.at(0).node.waitingCausedUs, 60'000'000);
    QVERIFY2(chains->text().contains(QLatin1String("doesn't keep statements")), qPrintable(chains->text()));
}

/** The titles name the moment that is shown, also while the view reads another moment. */
void PastViewTest::namesTheMomentThatIsShown()
{
    show(m_atUs);
    const QString head = past()->text();
    const QString title = window()->windowTitle();
    m_mute = true;
    past()->showAt(m_atUs + 30 * kMinute);
    QTRY_COMPARE(m_asked.size(), 2);
    QVERIFY2(past()->text().startsWith(head + QStringLiteral(" – reading 20")), qPrintable(past()->text()));
    QCOMPARE(window()->windowTitle(), title);
}

void PastViewTest::aSliderAsksOnlyForWhatIsStillWanted()
{
    show(m_atUs);
    m_asked.clear();
    for (int i = 1; i <= 50; ++i)
        past()->showAt(m_atUs + i * 1'000'000);
    QTRY_COMPARE(past()->replica()->storeNowUs(QStringLiteral("none")), m_atUs + 50'000'000);
    QCOMPARE(m_asked, (QList<qint64>{m_atUs + 1'000'000, m_atUs + 50'000'000}));
}

/**
 * The Timeline's mark drives this view. When it is shown again, the view reads the latest mark once and shows
 * that moment.
 */
void PastViewTest::followsTheTimelinesMark()
{
    auto *canvas = m_rig->console->timeline()->canvas();
    canvas->setMark(m_atUs - 9'000'000); // no past moment was requested yet
    QVERIFY(!past()->isAvailable());
    show(m_atUs);
    window()->showView(m_rig->console->timeline()->id());
    m_asked.clear();
    for (int i = 1; i <= 50; ++i)
        canvas->setMark(m_atUs + i * 1'000'000);
    canvas->setMark(std::nullopt); // takes nothing back
    QCoreApplication::processEvents();
    QVERIFY(m_asked.isEmpty()); // nobody sees it
    window()->showView(past()->id());
    QTRY_COMPARE(past()->replica()->storeNowUs(QStringLiteral("none")), m_atUs + 50'000'000);
    QCOMPARE(m_asked, (QList<qint64>{m_atUs + 50'000'000}));
    // A mark that hasn't changed doesn't make the view read again.
    window()->showView(m_rig->console->timeline()->id());
    window()->showView(past()->id());
    QCoreApplication::processEvents();
    QCOMPARE(m_asked.size(), 1);
    // A time that the user typed since then takes precedence.
    window()->showView(m_rig->console->timeline()->id());
    canvas->setMark(m_atUs + 60'000'000);
    past()->showAt(m_atUs - 1'000'000);
    window()->showView(past()->id());
    QTRY_COMPARE(past()->replica()->storeNowUs(QStringLiteral("none")), m_atUs - 1'000'000);
    QCOMPARE(m_asked.size(), 2);
}

void PastViewTest::refusalIsSaid()
{
    m_failure = base::Error{base::ErrorCode::NotFound,
                            QStringLiteral("the journal has the table of locks only since 2026-01-01"),
                            {}};
    past()->showAt(m_atUs);
    window()->showView(past()->id());
    QTRY_VERIFY2(past()->text().contains(QLatin1String("only since 2026-01-01")), qPrintable(past()->text()));
}

void PastViewTest::backToNow()
{
    show(m_atUs);
    for (QPushButton *button : past()->findChildren<QPushButton *>()) {
        if (button->text() == QLatin1String("Back to now"))
            QTest::mouseClick(button, Qt::LeftButton);
    }
    QVERIFY(!past()->isAvailable());
    QCOMPARE(m_rig->console->locks()->isVisible(), true);
    QVERIFY2(!window()->windowTitle().startsWith(QLatin1String("As of")),
             qPrintable(window()->windowTitle()));
}

void PastViewTest::anotherAgentEndsIt()
{
    show(m_atUs);
    tests::ReplayAgent other;
    QVERIFY(other.start());
    m_rig->console->start(QStringLiteral("local:") + other.address().path);
    QVERIFY(!past()->isAvailable());
    QVERIFY(past()->replica()->locks().isEmpty());
    QTRY_VERIFY(
        !(*window()->actions())[views::WindowActions::StateAt]->isEnabled()); // it doesn't know the question
}

void PastViewTest::asksForATime_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<bool>("taken");
    QTest::newRow("minutes ago") << QStringLiteral("-15m") << true;
    QTest::newRow("a date") << QStringLiteral("2024-01-01 03:12") << true;
    QTest::newRow("no time") << QStringLiteral("soon") << false;
    QTest::newRow("still to come") << QStringLiteral("2190-01-01") << false;
}

void PastViewTest::asksForATime()
{
    QFETCH(QString, typed);
    QFETCH(bool, taken);
    QTest::keyClick(window(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    auto *dialog = window()->findChild<views::PastDialog *>();
    QVERIFY(dialog);
    QTest::keyClicks(dialog->edit(), typed);
    QTest::keyClick(dialog->edit(), Qt::Key_Return);
    QCOMPARE(past()->isAvailable(), taken);
    if (taken && typed.startsWith(u'-'))
        QCOMPARE(past()->us(), m_clock.wallUs() - 15 * kMinute);
    QCOMPARE(dialog->isVisible(), !taken);
    const auto labels = dialog->findChildren<QLabel *>();
    const auto *error = dialog->findChild<views::FieldError *>();
    QCOMPARE(error->isVisible(), !taken);
    for (const QLabel *label : labels) // the error covers neither question nor hint
        if (label != error && error->isVisible())
            QVERIFY(!label->geometry().intersects(error->geometry()));
}

/** A click on a day keeps the time of day, and the calendar follows what is typed. */
void PastViewTest::calendarGivesTheDay()
{
    QTest::keyClick(window(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    auto *dialog = window()->findChild<views::PastDialog *>();
    QVERIFY(dialog);
    QCalendarWidget *calendar = dialog->calendar();
    const QDate today = QDateTime::fromMSecsSinceEpoch(m_clock.wallUs() / 1000, Qt::UTC).date();
    QCOMPARE(calendar->selectedDate(), today);
    QCOMPARE(calendar->maximumDate(), today);
    QTest::keyClicks(dialog->edit(), QStringLiteral("2026-11-02 03:12"));
    QCOMPARE(calendar->selectedDate(), QDate(2026, 11, 2));
    calendar->setSelectedDate(QDate(2026, 10, 30));
    QCOMPARE(dialog->edit()->text(), QStringLiteral("2026-10-30 03:12:00"));
    for (const Qt::DayOfWeek day : {Qt::Saturday, Qt::Sunday})
        QVERIFY(calendar->weekdayTextFormat(day).foreground().color() != QColor(Qt::red));
    for (const auto appearance : {presentation::Appearance::Dark, presentation::Appearance::Light}) {
        m_rig->console->theme()->setAppearance(appearance);
        QCOMPARE(calendar->weekdayTextFormat(Qt::Sunday).foreground().color(),
                 m_rig->console->theme()->muted());
    }
    QTest::keyClick(dialog->edit(), Qt::Key_Return);
    QCOMPARE(past()->us(), QDateTime(QDate(2026, 10, 30), QTime(3, 12), Qt::UTC).toMSecsSinceEpoch() * 1000);
}

void PastViewTest::filtersOfNowAreNotTouched()
{
    m_rig->console->locks()->setFilter(QStringLiteral("now"));
    show(m_atUs);
    locks()->setFilter(QStringLiteral("nothing-like-it"));
    QTRY_COMPARE(locks()->proxy()->rowCount(), 0);
    QCOMPARE(m_rig->settings.viewState(QStringLiteral("locks")).value_or(settings::ViewState()).filter,
             QStringLiteral("now"));
}

void PastViewTest::pictures_data()
{
    QTest::addColumn<QString>("theme");
    QTest::addColumn<QString>("language");
    QTest::newRow("past-light") << QStringLiteral("light") << QStringLiteral("en");
    QTest::newRow("past-dark-zh") << QStringLiteral("dark") << QStringLiteral("zh_CN");
}

void PastViewTest::pictures()
{
    QFETCH(QString, theme);
    QFETCH(QString, language);
    m_rig->settings.setValue(settings::Key::Appearance, theme);
    m_rig->settings.setValue(settings::Key::Language, language);
    m_locks.clear();
    for (int i = 0; i < 14; ++i) {
        m_locks.append(held("lock:order-" + QByteArray::number(70'310 + i),
                            "w3@10.2.3." + QByteArray::number(i), m_atUs - (i + 1) * 7'300'000));
        m_locks.last().key.source = i % 3 == 0 ? QStringLiteral("orders-db") : QStringLiteral("orders-redis");
    }
    m_locks[1].waiters = {{"w7@10.2.3.9", m_atUs - 4'200'000, {}}, {"w8@10.2.3.9", m_atUs - 1'100'000, {}}};
    m_locks[1].waitersVisible = true;
    m_locks[2].stuck = domain::StuckReason::NoExpiry;
    m_locks[4].mayHaveChanged = true;
    m_locks[5].phase = domain::Phase::Expired;
    m_sources = {sourceAt(QStringLiteral("orders-db"), m_atUs, m_atUs - 80'000'000),
                 sourceAt(QStringLiteral("orders-redis"), m_atUs)};
    show(m_atUs);
    const int row = locks()->proxy()->rowOf(m_locks.at(1).key);
    QVERIFY(row >= 0);
    locks()->table()->setCurrentIndex(locks()->proxy()->index(row, 0));
    QCoreApplication::processEvents();
    tests::picture(window(), QTest::currentDataTag());
    for (QPushButton *button : past()->findChildren<QPushButton *>())
        if (button->isVisible())
            QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
}

LOCKKEEPER_TEST(PastViewTest)

} // namespace tst_past_view

#include "tst_past_view.moc"
