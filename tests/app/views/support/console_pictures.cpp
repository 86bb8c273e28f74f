// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the console as operators see it, for a look at what a change did: console_pictures FOLDER
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
};

QList<Picture> pictures()
{
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    return {{s("light-1280-200"), {1280, 800}, s("light"), s("en"), 200, 0},
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
            {s("stuck-light-940"), {940, 480}, s("light"), s("en"), 12, 0, false, false, true}};
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

/** Draws the next picture once the window has settled; ends the program after the last. */
class Album : public QObject
{
public:
    explicit Album(const QString &folder) : m_folder(folder) { next(); }

private:
    void next()
    {
        if (m_at >= pictures().size()) {
            QCoreApplication::quit();
            return;
        }
        const Picture picture = pictures().at(m_at++);
        m_agent.reset();
        m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
        m_rig->settings.setValue(app::settings::Key::Appearance, picture.theme);
        m_rig->settings.setValue(app::settings::Key::Language, picture.language);
        QElapsedTimer timer;
        timer.start();
        app::Console &console = *m_rig->console;
        console.window()->resize(picture.size);
        console.window()->show();
        if (picture.sources) {
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
    std::unique_ptr<ChainsAgent> m_agent;
    std::unique_ptr<tests::ConsoleRig> m_rig;
    qsizetype m_at = 0;
};

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    if (argc != 2) {
        std::fprintf(stderr, "usage: console_pictures FOLDER\n");
        return 2;
    }
    const Album album(QString::fromLocal8Bit(argv[1]));
    return QApplication::exec();
}
