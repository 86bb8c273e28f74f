// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the console as operators see it, for a look at what a change did: console_pictures FOLDER [NAME]
#include "app/views/chains/chains_tree.h"
#include "app/views/chains/chains_view.h"
#include "app/views/locks/locks_view.h"
#include "app/views/sources/sources_view.h"
#include "app/views/window/main_window.h"
#include "app/views/window/window_actions.h"
#include "tests/app/models/graph_fixture.h"
#include "tests/app/session/replay_agent.h"
#include "tests/app/views/support/demo_feed.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>

#include <cstdio>
#include <functional>

using namespace lockkeeper;

namespace {

struct Picture
{
    QString name;
    QSize size;
    QString theme;
    QString language;
    int locks;
    int selected; ///< row; −1 none
    bool chains = false;
    bool sources = false;
    bool release = false; ///< of the selected lock, with a message at the foot and an error in the filter
    bool overview = false;
};

QList<Picture> pictures()
{
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    return {
        {s("light-1280-200"), {1280, 800}, s("light"), s("en"), 200, 0},
        {s("dark-1280-200"), {1280, 800}, s("dark"), s("en"), 200, 2},
        {s("zh-dark-1280-200"), {1280, 800}, s("dark"), s("zh_CN"), 200, 1},
        {s("zh-light-1920-200"), {1920, 1080}, s("light"), s("zh_CN"), 200, 5},
        {s("light-1920-100k"), {1920, 1080}, s("light"), s("en"), 100'000, 3},
        {s("light-1280-5"), {1280, 800}, s("light"), s("en"), 5, 2},
        {s("dark-940-5"), {940, 480}, s("dark"), s("en"), 5, -1}, // 1920 × 1080 at 200 %
        {s("light-1280-0"), {1280, 800}, s("light"), s("en"), 0, -1},
        {s("chains-light-1280"), {1280, 800}, s("light"), s("en"), 12, 0, true},
        {s("chains-dark-zh-1280"), {1280, 800}, s("dark"), s("zh_CN"), 12, 0, true},
        {s("chains-dark-1920"), {1920, 1080}, s("dark"), s("en"), 12, 0, true},
        {s("chains-light-zh-1920"), {1920, 1080}, s("light"), s("zh_CN"), 12, 0, true},
        {s("sources-light-1280"), {1280, 800}, s("light"), s("en"), 12, -1, false, true},
        {s("sources-dark-1280"), {1280, 800}, s("dark"), s("en"), 12, -1, false, true},
        {s("sources-light-zh-1280"), {1280, 800}, s("light"), s("zh_CN"), 12, -1, false, true},
        {s("stuck-light-1280"), {1280, 800}, s("light"), s("en"), 12, 0, false, false, true},
        {s("stuck-dark-zh-1280"), {1280, 800}, s("dark"), s("zh_CN"), 12, 0, false, false, true},
        {s("stuck-light-940"), {940, 480}, s("light"), s("en"), 12, 0, false, false, true},
        {s("overview-light-1280"), {1280, 800}, s("light"), s("en"), 60, -1, false, false, false, true},
        {s("overview-dark-1280"), {1280, 800}, s("dark"), s("en"), 60, -1, false, false, false, true},
        {s("overview-light-zh-1280"), {1280, 800}, s("light"), s("zh_CN"), 60, -1, false, false, false, true},
        {s("overview-light-1920"), {1920, 1080}, s("light"), s("en"), 60, -1, false, false, false, true},
        {s("overview-dark-zh-1920"), {1920, 1080}, s("dark"), s("zh_CN"), 60, -1, false, false, false, true},
        {s("overview-calm-light-1280"), {1280, 800}, s("light"), s("en"), 0, -1, false, false, false, true},
        {s("overview-light-940"), {940, 480}, s("light"), s("en"), 60, -1, false, false, false, true}};
}

/** A source of Redis with something of each severity. */
void endanger(domain::SourceState &source, qint64 nowUs)
{
    using domain::Severity;
    source.server = QStringLiteral("Redis 7.0.15");
    source.address = QStringLiteral("redis://lk@10.0.0.17:6379/0");
    source.schemes = {"redis.token", "redis.redisson"};
    source.sinceWallUs = nowUs - 7'200'000'000;
    source.access = {
        {"scan", true, false, {}},
        {"getrange", true, false, {}},
        {"release", false, true, QStringLiteral("ACL SETUSER lk ~lock:* +type +del +eval +evalsha +wait")}};
    source.findings = {{"evicted_keys", Severity::Danger, "1204", nowUs - 40'000'000},
                       {"eviction_policy", Severity::Warning, "allkeys-lru", {}},
                       {"no_expiry", Severity::Warning, "3", {}},
                       {"restarts", Severity::Warning, "1", nowUs - 1'200'000'000},
                       {"snapshots_only", Severity::Notice, "0", {}}};
}

/** An agent with a chain of five, a whole table, a deadlock, and the lock at the head of the chain. */
class ChainsAgent : public tests::ReplayAgent
{
public:
    explicit ChainsAgent(const tests::DemoFeed &feed, const base::Clock &clock) : m_sources(feed.sources())
    {
        endanger(m_sources.first(), clock.wallUs());
        const qint64 now = clock.wallUs();
        features = {QString::fromLatin1(protocol::kFeatureChains),
                    QString::fromLatin1(protocol::kFeatureLens)};
        graph = tests::graphOf({"21>17 1 131", "22>21 2 96", "23>22 3 44", "24>23 4 9", "25>17 1 31",
                                "33>31 7 12", "31>33 8 11"},
                               now);
        graph.wholeTables.append({"17", "app.stock", 120'400});
        graph.sessions[0].statement = "UPDATE `stock` SET reserved = reserved + 1 WHERE note = 'sku-8841'";
        for (const domain::LockState &lock : feed.locks(12))
            table.locks.insert(lock.key, lock);
        domain::LockState held;
        held.key = {QStringLiteral("orders-db"), "sql.row", "app.lock/PRIMARY", "1"};
        held.phase = domain::Phase::Held;
        held.owner = "17";
        held.acquiredUs = now - 200'000'000;
        held.acquiredBy = domain::Evidence::Observation;
        held.windowUs = 700'000;
        held.release.safety = domain::ReleaseSafety::Guarded;
        held.guard = QByteArray(64, 'b');
        held.waitersVisible = true;
        held.waiters = {{"21", now - 131'000'000, {}}, {"25", now - 31'000'000, {}, 500'000}};
        held.session = graph.sessions.first();
        held.session->program = "settlement-service";
        held.session->idleSinceUs = now - 191'000'000;
        table.locks.insert(held.key, held);
        answer = [this](const protocol::Message &message) -> std::optional<protocol::Message> {
            if (const auto *query = std::get_if<protocol::ChainsQuery>(&message)) {
                sendToAll(protocol::StateBatch{{}, m_sources, false, {}});
                return protocol::ChainsPage{query->id, {graph}};
            }
            if (const auto *query = std::get_if<protocol::StatusQuery>(&message)) {
                sendToAll(protocol::StateBatch{{}, m_sources, false, {}});
                protocol::Status status;
                status.id = query->id;
                status.agent = QStringLiteral("dc1");
                status.version = QStringLiteral(LOCKKEEPER_VERSION);
                status.sources = m_sources;
                return status;
            }
            if (const auto *query = std::get_if<protocol::Inspect>(&message)) {
                protocol::Inspected read;
                read.id = query->id;
                read.present = true;
                read.state = table.locks.value(query->key);
                read.ticket = "ticket";
                read.willRun =
                    read.state.session
                        ? QStringLiteral("KILL CONNECTION '17', if it still is in transaction 't17'")
                        : QStringLiteral("EVAL (one atomic script): if TYPE \"%1\" = string and GET "
                                         "\"%1\" = \"%2\" then DEL \"%1\"")
                              .arg(QString::fromUtf8(read.state.key.name),
                                   QString::fromUtf8(read.state.owner));
                return read;
            }
            return std::nullopt;
        };
    }

    domain::WaitGraph graph;

private:
    QList<domain::SourceState> m_sources;
};

/** An agent with an hour to look back at: gaps, waits, an hour of last week that nobody observed. */
class OverviewAgent : public tests::ReplayAgent
{
public:
    OverviewAgent(const tests::DemoFeed &feed, const base::Clock &clock, int locks)
        : m_nowUs(clock.wallUs()), m_calm(locks == 0)
    {
        features = {QString::fromLatin1(protocol::kFeatureContention),
                    QString::fromLatin1(protocol::kFeatureWaiters),
                    QString::fromLatin1(protocol::kFeatureWaiting)};
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
        answer = [this](const protocol::Message &message) { return answerTo(message); };
    }

    void tellSources() { sendToAll(protocol::StateBatch{{}, m_sources, false, {}}); }

private:
    std::optional<protocol::Message> answerTo(const protocol::Message &message)
    {
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
        for (const char *name : {"app.stock/PRIMARY 5", "reportJob", "lock:stock:sku-8841", "settle-daily",
                                 "lock:orders:checkout:2025-1", "mutex:invoice"}) {
            domain::Contention lock;
            lock.key = {QStringLiteral("orders-redis"), "redis.token", "db0", name};
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
            entry.outcome = i == 2 ? domain::Outcome::Unknown : domain::Outcome::Released;
            page.entries.append(entry);
        }
        return page;
    }

    qint64 m_nowUs;
    bool m_calm;
    QList<domain::SourceState> m_sources;
};

/** Draws the next picture once the window has settled; ends the program after the last. */
class Album : public QObject
{
public:
    Album(const QString &folder, const QString &wanted) : m_folder(folder), m_wanted(wanted) { next(); }

private:
    void next()
    {
        if (m_at >= pictures().size()) {
            QCoreApplication::quit();
            return;
        }
        const Picture picture = pictures().at(m_at++);
        if (!picture.name.contains(m_wanted))
            return next();
        m_agent.reset();
        m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
        m_rig->settings.setValue(app::settings::Key::Appearance, picture.theme);
        m_rig->settings.setValue(app::settings::Key::Language, picture.language);
        QElapsedTimer timer;
        timer.start();
        app::Console &console = *m_rig->console;
        console.window()->resize(picture.size);
        console.window()->show();
        if (picture.overview) {
            auto agent = std::make_unique<OverviewAgent>(m_rig->feed, m_clock, picture.locks);
            agent->start();
            console.session()->open(agent->address());
            QTimer::singleShot(600, this, [this, &console, told = agent.get()] {
                told->tellSources();
                console.window()->showView("overview");
            });
            m_agent = std::move(agent);
        } else if (picture.sources) {
            m_agent = std::make_unique<ChainsAgent>(m_rig->feed, m_clock);
            m_agent->start();
            console.session()->open(m_agent->address());
            QTimer::singleShot(600, this, [&console] { console.window()->showView("sources"); });
            QTimer::singleShot(1600, this, [&console] {
                console.window()->findChild<app::views::SourcesView *>()->setFilter(
                    QStringLiteral("orders-redis"));
            });
        } else if (picture.release) {
            m_agent = std::make_unique<ChainsAgent>(m_rig->feed, m_clock);
            m_agent->start();
            console.session()->open(m_agent->address());
            // The agent tells of its sources when it is asked for its status.
            QTimer::singleShot(600, this, [&console] { console.window()->showView("sources"); });
            QTimer::singleShot(1100, this, [&console] {
                console.window()->showView("locks");
                console.locks()->proxy()->tick();
                console.selection()->selectOne(console.locks()->proxy()->lockAt(0)->state.key);
            });
            QTimer::singleShot(1600, this, [this, &console, picture] {
                (*console.window()->actions())[app::views::WindowActions::Release]->trigger();
                QTimer::singleShot(600, this, [this, &console, picture] {
                    savedAndClosed(picture.name);
                    console.locks()->setFilter(QStringLiteral("sorce:orders"));
                    (*console.window()->actions())[app::views::WindowActions::Pause]->trigger();
                });
            });
        } else if (picture.chains) {
            m_agent = std::make_unique<ChainsAgent>(m_rig->feed, m_clock);
            m_agent->start();
            console.session()->open(m_agent->address());
            QTimer::singleShot(600, this, [&console] { console.window()->showView("chains"); });
            QTimer::singleShot(1100, this, [&console] {
                const QModelIndex first = console.chains()->model()->index(0, 0);
                console.chains()->tree()->choose(console.chains()->model()->at(first)->key);
            });
            QTimer::singleShot(1600, this, [this, &console, picture] {
                (*console.window()->actions())[app::views::WindowActions::Release]->trigger();
                QTimer::singleShot(600, this, [this, picture] { savedAndClosed(picture.name); });
            });
        } else {
            m_rig->feed.load(*console.replica(), m_rig->feed.locks(picture.locks));
            console.locks()->proxy()->tick();
        }
        if (const app::models::LockRow *row = console.locks()->proxy()->lockAt(picture.selected))
            console.selection()->selectOne(row->state.key);
        std::printf("%-20s %6d locks shown after %lld ms\n", qPrintable(picture.name), picture.locks,
                    static_cast<long long>(timer.elapsed()));
        QTimer::singleShot(m_agent ? 2600 : 1500, this, [this, picture] {
            m_rig->console->window()->grab().save(
                QDir(m_folder).filePath(picture.name + QStringLiteral(".png")));
            next();
        });
    }

    void savedAndClosed(const QString &name)
    {
        if (QWidget *dialog = QApplication::activeModalWidget()) {
            dialog->grab().save(QDir(m_folder).filePath(name + QStringLiteral("-release.png")));
            dialog->close();
        }
    }

    base::SystemClock m_clock;
    QString m_folder;
    QString m_wanted; ///< a part of the names; empty: all
    std::unique_ptr<tests::ReplayAgent> m_agent;
    std::unique_ptr<tests::ConsoleRig> m_rig;
    qsizetype m_at = 0;
};

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    if (argc != 2 && argc != 3) {
        std::fprintf(stderr, "usage: console_pictures FOLDER [PART OF A NAME]\n");
        return 2;
    }
    const Album album(QString::fromLocal8Bit(argv[1]), QString::fromLocal8Bit(argc > 2 ? argv[2] : ""));
    return QApplication::exec();
}
