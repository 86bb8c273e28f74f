// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the console as operators see it, for a look at what a change did: console_pictures FOLDER
// [PART_OF_A_NAME]
#include "app/views/chains/chains_tree.h"
#include "app/views/chains/chains_view.h"
#include "app/views/holder/holder_view.h"
#include "app/views/locks/locks_table.h"
#include "app/views/locks/locks_view.h"
#include "app/views/palette/command_palette.h"
#include "app/views/past/past_view.h"
#include "app/views/sources/sources_view.h"
#include "app/views/timeline/timeline_canvas.h"
#include "app/views/timeline/timeline_view.h"
#include "app/views/window/main_window.h"
#include "app/views/window/window_actions.h"
#include "tests/app/session/replay_agent.h"
#include "tests/app/views/support/demo_agent.h"
#include "tests/app/views/support/demo_feed.h"

#include <QApplication>
#include <QComboBox>
#include <QDeadlineTimer>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QImage>
#include <QLineEdit>
#include <QPixmap>
#include <QTabBar>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include <cstdio>
#include <functional>
#include <memory>

using namespace lockkeeper;

namespace {

struct Picture
{
    QString name;
    QByteArray view; ///< its id; "holders", "holds", "start" and what dialogs() knows besides
    QSize size;
    QString theme;
    QString language;
    int feed = -1; ///< so many locks instead of an agent; −1: an agent with something for every view
};

/** The actions that open the dialogs; "kill" releases a connection, "bulk" several locks. */
QHash<QByteArray, app::views::WindowActions::Id> dialogs()
{
    using Actions = app::views::WindowActions;
    return {{"release", Actions::Release},
            {"kill", Actions::Release},
            {"bulk", Actions::Release},
            {"connect", Actions::Connect},
            {"preferences", Actions::Preferences},
            {"palette", Actions::Palette},
            {"moment", Actions::StateAt},
            {"watch", Actions::WatchStore}};
}

/** Every view at both sizes, in both themes and languages; with QT_SCALE_FACTOR=2 at what is left of 1920 ×
 * 1080.
 */
QList<Picture> pictures()
{
    QList<QSize> sizes{{1280, 800}, {1920, 1080}};
    if (qApp->devicePixelRatio() > 1)
        sizes = {{944, 500}};
    QList<Picture> all;
    for (const char *view :
         {"overview",   "locks",    "chains", "timeline", "holders", "past",   "history",     "holds",
          "contention", "blockers", "holder", "alerts",   "advice",  "audit",  "sources",     "start",
          "release",    "kill",     "bulk",   "connect",  "palette", "moment", "preferences", "watch"}) {
        for (const QSize &size : std::as_const(sizes)) {
            for (const char *theme : {"light", "dark"}) {
                for (const char *language : {"en", "zh_CN"})
                    all.append({QStringLiteral("%1-%2-%3-%4")
                                    .arg(QLatin1String(view), QLatin1String(theme), QLatin1String(language))
                                    .arg(size.width()),
                                view, size, QLatin1String(theme), QLatin1String(language)});
            }
        }
    }
    for (const int feed : {0, 5, 200, 100'000})
        all.append({QStringLiteral("feed-%1").arg(feed), "locks", sizes.first(), QStringLiteral("light"),
                    QStringLiteral("en"), feed});
    return all;
}

/** An agent with an hour to look back at: gaps, waits, an unobserved hour of last week. */
class OverviewAgent : public tests::ReplayAgent
{
public:
    OverviewAgent(const tests::DemoFeed &feed, const base::Clock &clock, int locks)
        : m_nowUs(clock.wallUs()), m_calm(locks == 0)
    {
        for (const domain::LockState &lock : feed.locks(locks))
            table.locks.insert(lock.key, lock);
        m_sources = feed.sources();
        if (!m_calm) {
            domain::SourceState silent = m_sources.first();
            silent.name = QStringLiteral("billing-db");
            silent.link = domain::Link::Down;
            silent.pollMs = 500;
            silent.lastSeenUs = m_nowUs - 131'000'000;
            silent.lastSeenWallUs = m_nowUs - 131'000'000;
            m_sources.append(silent);
        }
        if (!m_calm)
            m_alerts = tests::demoAlerts(feed.locks(locks), m_nowUs);
        answer = [this](const protocol::Message &message) { return answerTo(message); };
    }

    void tellSources() { sendToAll(protocol::StateBatch{{}, m_sources, false, {}}); }

private:
    std::optional<protocol::Message> answerTo(const protocol::Message &message)
    {
        if (auto alert = m_alerts.answer(*this, message))
            return alert;
        if (const auto *query = std::get_if<protocol::AdviceQuery>(&message)) {
            protocol::AdvicePage page = tests::demoAdvice(table.locks.values(), m_nowUs, *query);
            if (m_calm)
                page.advice.clear();
            return page;
        }
        if (const auto *query = std::get_if<protocol::ContentionQuery>(&message))
            return costs(*query);
        if (const auto *query = std::get_if<protocol::WaitingQuery>(&message))
            return waiting(*query);
        if (const auto *query = std::get_if<protocol::AuditQuery>(&message))
            return audit(*query);
        if (const auto *query = std::get_if<protocol::StatusQuery>(&message)) {
            protocol::Status status;
            status.id = query->id;
            status.agent = QStringLiteral("dc1");
            status.sources = m_sources;
            return status;
        }
        return std::nullopt;
    }
    protocol::ContentionPage costs(const protocol::ContentionQuery &query) const
    {
        protocol::ContentionPage page;
        page.id = query.id;
        page.fromUs = query.fromUs.value_or(0);
        page.toUs = query.toUs.value_or(0);
        const qint64 share = m_nowUs - page.toUs > 3'600'000'000 ? 3 : 1;
        int rank = 0;
        for (const char *lockName : {"app.stock/PRIMARY 5", "reportJob", "lock:stock:sku-8841",
                                     "settle-daily", "lock:orders:checkout:2025-1", "mutex:invoice"}) {
            domain::Contention lock;
            lock.key = {QStringLiteral("orders-redis"), "redis.token", "db0", lockName};
            lock.waitersVisible = true;
            lock.waits = {2'140 / share / (rank + 1), 5'131'000'000 / share / (1LL << rank), 0, 0, 0};
            lock.acquisitions = 12'040 / share;
            lock.observedUs = 3'480'000'000;
            if (!m_calm)
                page.locks.append(lock);
            ++rank;
        }
        return page;
    }
    protocol::WaitingPage waiting(const protocol::WaitingQuery &query) const
    {
        protocol::WaitingPage page{query.id, query.fromUs, query.toUs, {}};
        const qint64 minute = 60'000'000;
        for (const domain::SourceState &source : m_sources) {
            protocol::SourceWaiting one{source.name, query.toUs, {}, {}};
            if (m_nowUs - query.toUs > 100 * 3'600'000'000LL && !m_calm)
                one.gaps = {{query.fromUs, query.toUs}};
            else if (source.name == QLatin1String("orders-db") && !m_calm)
                one.gaps = {{query.fromUs + 31 * minute, query.fromUs + 34 * minute + 20'000'000}};
            else if (source.link == domain::Link::Down && query.slices > 0)
                one.gaps = {{query.toUs - 131'000'000, query.toUs}};
            for (int i = 0; i < query.slices; ++i)
                one.waitedUs.append(m_calm ? 0 : (i * 7 % 11 + i / 6) * minute / 4);
            page.sources.append(one);
        }
        return page;
    }
    protocol::AuditPage audit(const protocol::AuditQuery &query) const
    {
        protocol::AuditPage page;
        page.id = query.id;
        for (int i = 0; i < (m_calm ? 0 : 3); ++i) {
            domain::AuditEntry entry;
            entry.id = 9 - i;
            entry.timeUs = m_nowUs - (i * 5 + 1) * 2'131'000'000LL;
            entry.key = {QStringLiteral("orders-redis"), "redis.token", "db0",
                         i == 1 ? "mutex:invoice" : "lock:orders:checkout:2025-1"};
            entry.who = i == 1 ? QStringLiteral("reaper") : QStringLiteral("kim");
            entry.role = i == 1 ? QStringLiteral("policy") : QStringLiteral("operator");
            entry.reason = QStringLiteral("stuck since the deployment");
            entry.outcome = i == 0   ? domain::Outcome::AwaitingApproval
                            : i == 1 ? domain::Outcome::Released
                                     : domain::Outcome::Unknown;
            page.entries.append(entry);
        }
        return page;
    }

    qint64 m_nowUs;
    bool m_calm;
    QList<domain::SourceState> m_sources;
    tests::AlertBook m_alerts;
};

/** An agent with an hour of holds of every kind of end, waits, a gap, and a lane of sums. */
class TimelineAgent : public tests::ReplayAgent
{
public:
    TimelineAgent(const tests::DemoFeed &feed, const base::Clock &clock) : m_now(clock.wallUs())
    {
        for (const domain::LockState &lock : feed.locks(12))
            table.locks.insert(lock.key, lock);
        const QList<QByteArray> names{"lock:orders:checkout", "settle-daily", "mutex:invoice",
                                      "cleanupJob",           "report:eu",    "stock:sku-8841",
                                      "lock:payment:70310"};
        for (qsizetype i = 0; i < names.size(); ++i)
            m_lanes.append(laneOf(names.at(i), int(i)));
        protocol::TimelineLane dense;
        dense.key = keyOf("lock:ticket-counter");
        for (int i = 0; i < 1200; ++i) {
            const qint64 held = (i * 7919) % 3'000'000;
            dense.slices.append({m_now - 3'600'000'000 + i * 3'000'000ll, held,
                                 i % 400 < 150 ? held * 3 : held / 4, 40, 12, i == 700});
        }
        m_lanes.append(dense);
        answer = [this, sources = feed.sources()](
                     const protocol::Message &message) mutable -> std::optional<protocol::Message> {
            const auto *query = std::get_if<protocol::TimelineQuery>(&message);
            if (!query)
                return std::nullopt;
            for (domain::SourceState &source : sources)
                source.lastSeenUs = source.lastSeenWallUs = m_now + 60'000'000;
            sendToAll(protocol::StateBatch{{}, sources, false, {}});
            protocol::TimelinePage page;
            page.id = query->id;
            page.fromUs = query->fromUs;
            page.toUs = query->toUs;
            page.sliceUs = 3'000'000;
            page.firstUs = m_now - 26ll * 86'400'000'000;
            page.lanes = query->by == protocol::TimelineLanes::Holder ? ofHolders() : m_lanes;
            if (!query->keys.isEmpty())
                page.lanes.removeIf(
                    [query](const protocol::TimelineLane &lane) { return !query->keys.contains(lane.key); });
            page.gaps = {{QStringLiteral("orders-redis"),
                          m_now - 2'100'000'000,
                          m_now - 1'860'000'000,
                          {},
                          QStringLiteral("source_down")}};
            for (int i = 0; i < query->stripSlices; ++i)
                page.strip.append((i * 7919) % 97 + (i % 60 < 20 ? 200 : 0));
            return page;
        };
    }

private:
    static domain::LockKey keyOf(const QByteArray &name)
    {
        return {QStringLiteral("orders-redis"), "redis.token", "db0", name};
    }
    QList<protocol::TimelineLane> ofHolders() const
    {
        QMap<QByteArray, protocol::TimelineLane> lanes;
        for (const protocol::TimelineLane &lane : m_lanes) {
            for (const protocol::Hold &hold : lane.holds) {
                protocol::TimelineLane &of = lanes[hold.owner];
                of.source = hold.key.source;
                of.holder = hold.owner;
                of.holds.append(hold);
            }
        }
        return lanes.values();
    }
    protocol::TimelineLane laneOf(const QByteArray &lockName, int number)
    {
        const QList<QByteArray> ends{"released", "expired", "taken_over", "force_released", "lost", "gap"};
        protocol::TimelineLane lane;
        lane.key = keyOf(lockName);
        qint64 at = m_now - 3'600'000'000 + number * 130'000'000ll;
        for (int i = 0; i < 7; ++i) {
            protocol::Hold hold;
            hold.key = *lane.key;
            hold.owner = "worker-" + QByteArray::number(i % 4) + "@10.2.3.17";
            hold.fromUs = at;
            hold.startSeen = i != 0;
            hold.fromWindowUs = i % 2 == 1 ? 25'000'000 : 0;
            hold.id = ++m_id;
            at += 260'000'000 + ((number * 31 + i * 17) % 9) * 37'000'000ll;
            if (at < m_now) {
                hold.toUs = at;
                hold.end = ends.at((i + number) % 6);
                hold.toWindowUs = i % 3 == 2 ? 40'000'000 : 0;
            }
            if (number % 2 == 0) {
                hold.renewals = 4;
                hold.renewedUs = hold.toUs.value_or(m_now) - 90'000'000;
                hold.expiresUs = *hold.renewedUs + (hold.end == "expired" ? 90'000'000 : 180'000'000);
            }
            lane.holds.append(hold);
            const int waiters = number == 0 ? 9 : number == 2 ? 3 : number == 5 ? 1 : 0;
            for (int w = 0; w < waiters && i % 3 == 1; ++w)
                lane.waits.append({*lane.key, "client-" + QByteArray::number(w),
                                   hold.fromUs + w * 21'000'000ll, std::min(m_now, at + 3'000'000), ++m_id});
            at += i % 2 == 0 ? 0 : 45'000'000;
            if (at >= m_now)
                break;
        }
        return lane;
    }

    qint64 m_now;
    qint64 m_id = 0;
    QList<protocol::TimelineLane> m_lanes;
};

/** Draws the next picture once the window has settled; ends the program after the last. */
class Album : public QObject
{
public:
    Album(const QString &folder, const QString &only) : m_folder(folder)
    {
        for (const Picture &picture : pictures()) {
            if (picture.name.contains(only))
                m_pictures.append(picture);
        }
        next();
    }

private:
    void next()
    {
        if (m_pictures.isEmpty()) {
            QCoreApplication::quit();
            return;
        }
        m_picture = m_pictures.takeFirst();
        m_since.start();
        m_agent.reset();
        m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
        m_rig->settings.setValue(app::settings::Key::Appearance, m_picture.theme);
        m_rig->settings.setValue(app::settings::Key::Language, m_picture.language);
        if (qEnvironmentVariableIsSet("LOCKKEEPER_FONT_ZOOM"))
            m_rig->settings.setValue(app::settings::Key::FontZoom,
                                     qEnvironmentVariable("LOCKKEEPER_FONT_ZOOM"));
        m_rig->console->window()->resize(m_picture.size);
        m_rig->console->window()->show();
        if (m_picture.feed >= 0)
            feed();
        else if (m_picture.view == "start")
            start();
        else
            connectAgent();
    }

    void feed()
    {
        m_sinceFed.start();
        m_rig->feed.load(*m_rig->console->replica(), m_rig->feed.locks(m_picture.feed));
        awaitRows();
    }

    /** Large tables are taken in over many turns of the event loop. */
    void awaitRows()
    {
        const auto chosen = [this] {
            if (m_rig->console->replica()->locks().size() >= m_picture.feed)
                chooseLock();
            return m_picture.feed == 0 || m_rig->console->selection()->current();
        };
        when(chosen, [this] {
            std::printf("%-20s %6d locks shown after %lld ms\n", qPrintable(m_picture.name), m_picture.feed,
                        static_cast<long long>(m_sinceFed.elapsed()));
            whenStill([this] { save(); });
        });
    }

    void start()
    {
        for (const char *name : {"/run/lockkeeper/staging.sock", "/run/lockkeeper/agent.sock"})
            m_rig->settings.noteAgent(QStringLiteral("local:%1").arg(QLatin1String(name)));
        m_rig->console->start({});
        whenStill([this] { save(); });
    }

    void connectAgent()
    {
        const bool tellsLater = m_picture.view == "timeline" || m_picture.view == "holders"; // with the lanes
        std::function<void()> tell = [] {};
        if (m_picture.view == "overview") {
            auto agent = std::make_unique<OverviewAgent>(m_rig->feed, m_clock, 60);
            tell = [told = agent.get()] { told->tellSources(); };
            m_agent = std::move(agent);
        } else if (tellsLater) {
            m_agent = std::make_unique<TimelineAgent>(m_rig->feed, m_clock);
        } else {
            m_agent = std::make_unique<tests::DemoAgent>(m_rig->feed, m_clock);
        }
        m_agent->start();
        m_rig->console->session()->open(m_agent->address());
        when([this] { return m_rig->console->session()->link() == app::session::LinkState::Live; },
             [this, tell, tellsLater] {
                 // The agent reports its sources when it is asked for its status.
                 m_rig->console->window()->showView("sources");
                 tell();
                 when([this,
                       tellsLater] { return tellsLater || !m_rig->console->replica()->sources().isEmpty(); },
                      [this] { arrange(); });
             });
    }

    void arrange()
    {
        static const QHash<QByteArray, QByteArray> kShown{
            {"holders", "timeline"}, {"holds", "history"}, {"kill", "chains"}, {"blockers", "contention"}};
        app::Console &console = *m_rig->console;
        const bool isDialog = dialogs().contains(m_picture.view);
        const QByteArray view = kShown.value(m_picture.view, isDialog ? "locks" : m_picture.view);
        if (view == "past")
            console.past()->showAt(m_clock.wallUs() - 600'000'000);
        if (view == "holder")
            console.holder()->showHolderOf(
                {QStringLiteral("orders-redis"), "redis.token", "db0", "reportJob"});
        console.window()->showView(view);
        if (view == "holder")
            console.holder()->findChild<QToolButton *>(QStringLiteral("sameHost"))->click();
        else
            chooseLock();
        if (m_picture.view == "blockers")
            console.window()->findChild<QComboBox *>(QStringLiteral("group"))->setCurrentIndex(4); // holders
        if (m_picture.view == "holds")
            console.window()->findChild<QTabBar *>(QStringLiteral("historyTabs"))->setCurrentIndex(1);
        if (m_picture.view == "contention")
            console.window()->findChild<QComboBox *>(QStringLiteral("range"))->setCurrentIndex(2); // 24 h
        if (m_picture.view == "sources")
            console.window()->findChild<app::views::SourcesView *>()->setFilter(
                QStringLiteral("orders-redis"));
        if (m_picture.view == "holders")
            console.timeline()->findChild<QComboBox *>(QStringLiteral("lanes"))->setCurrentIndex(1);
        when([this, view] { return hasRows(view); },
             [this, view] { whenStill([this, view] { choose(view); }); });
    }

    /** Returns true once the rows for choose() have arrived. */
    bool hasRows(const QByteArray &view) const
    {
        const app::Console &console = *m_rig->console;
        if (view == "chains")
            return console.chains()->model()->rowCount() > 0;
        if (view == "timeline")
            return !console.timeline()->canvas()->chart().lanes.isEmpty();
        return view != "past" || !console.past()->replica()->locks().isEmpty();
    }

    void choose(const QByteArray &view)
    {
        app::Console &console = *m_rig->console;
        if (view == "chains") {
            const app::models::ChainsModel *chains = console.chains()->model();
            console.chains()->tree()->choose(chains->at(chains->index(0, 0))->key);
        }
        if (view == "contention" || view == "audit" || view == "history" || view == "holder")
            chooseFirstRow();
        if (m_picture.view == "timeline")
            markTimeline();
        if (view == "past") {
            auto *locks = console.past()->findChild<app::views::LocksView *>();
            locks->proxy()->tick();
            locks->table()->setCurrentIndex(locks->proxy()->index(2, 0));
        }
        if (m_picture.view == "bulk")
            console.locks()->table()->selectAll();
        if (!dialogs().contains(m_picture.view))
            return whenStill([this] { save(); });
        whenStill([this] {
            (*m_rig->console->window()->actions())[dialogs().value(m_picture.view)]->trigger();
            if (m_picture.view == "palette")
                m_rig->console->window()->commandPalette()->edit()->setText(QStringLiteral("st"));
            const bool isPage = m_picture.view == "connect" || m_picture.view == "palette"; // in the window
            when([this, isPage] { return isPage || shown() != m_rig->console->window(); },
                 [this] { whenStill([this] { save(); }); });
        });
    }

    void markTimeline()
    {
        const qint64 now = m_clock.wallUs();
        app::views::TimelineCanvas *canvas = m_rig->console->timeline()->canvas();
        canvas->chooseLane(app::timeline::idOf(canvas->chart().lanes.first()));
        canvas->setMark(now - 1'000'000'000);
        canvas->setBrush(app::timeline::TimeRange{now - 900'000'000, now - 500'000'000});
        m_rig->console->selection()->selectOne(*canvas->chart().lanes.first().key);
    }

    void chooseLock()
    {
        app::Console &console = *m_rig->console;
        console.locks()->proxy()->tick();
        if (const app::models::LockRow *row = console.locks()->proxy()->lockAt(0))
            console.selection()->selectOne(row->lock.key());
    }

    void chooseFirstRow()
    {
        const auto tables = m_rig->console->window()->currentView()->findChildren<QTableView *>();
        for (QTableView *table : tables) {
            if (table->isVisible())
                table->selectRow(0);
        }
    }

    void when(const std::function<bool()> &ready, const std::function<void()> &then)
    {
        if (ready())
            return then();
        if (m_since.hasExpired(kPatienceMs)) {
            std::fprintf(stderr, "%s: what it shows didn't come\n", qPrintable(m_picture.name));
            return QCoreApplication::exit(1);
        }
        later(kStepMs, [this, ready, then] { when(ready, then); });
    }

    /**
     * Calls `then` once several looks in a row were the same, or after kStillMs. On a slow machine, a view
     * with a running counter never stands still.
     */
    void whenStill(const std::function<void()> &then)
    {
        auto last = std::make_shared<QImage>();
        auto same = std::make_shared<int>(0);
        const QDeadlineTimer enough(kStillMs);
        const auto look = [this, last, same, enough] {
            const QImage now = shown()->grab().toImage();
            *same = now == *last ? *same + 1 : 0;
            *last = now;
            return *same >= kSameLooks || enough.hasExpired();
        };
        when(look, then);
    }

    QWidget *shown() const
    {
        QWidget *shown = m_rig->console->window();
        for (auto *dialog : shown->findChildren<QDialog *>())
            shown = dialog->isVisible() ? dialog : shown;
        return shown;
    }

    void later(int ms, const std::function<void()> &what) { QTimer::singleShot(ms, this, what); }

    void save()
    {
        QWidget *widget = shown();
        widget->grab().save(QDir(m_folder).filePath(m_picture.name + QStringLiteral(".png")));
        if (auto *dialog = qobject_cast<QDialog *>(widget))
            dialog->reject();
        later(0, [this] { next(); });
    }

    static constexpr int kPatienceMs = 60'000; ///< for one picture
    static constexpr int kStepMs = 50;
    static constexpr int kStillMs = 5'000;
    static constexpr int kSameLooks = 4;

    base::SystemClock m_clock;
    QString m_folder;
    QList<Picture> m_pictures;
    Picture m_picture;
    QElapsedTimer m_since; ///< the picture was begun
    QElapsedTimer m_sinceFed;
    std::unique_ptr<tests::ReplayAgent> m_agent;
    std::unique_ptr<tests::ConsoleRig> m_rig;
};

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QApplication::setCursorFlashTime(0);
    if (argc != 2 && argc != 3) {
        std::fprintf(stderr, "usage: console_pictures FOLDER [PART_OF_A_NAME]\n");
        return 2;
    }
    const Album album(QString::fromLocal8Bit(argv[1]),
                      argc == 3 ? QString::fromLocal8Bit(argv[2]) : QString());
    return QApplication::exec();
}
