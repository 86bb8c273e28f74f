// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application/console.h"
#include "app/settings/settings.h"
#include "app/views/window/main_window.h"
#include "tests/benchmarks/agents/steady_agents.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QTemporaryDir>
#include <QTextStream>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

/**
 * How long messages of twenty agents keep the console's window from answering an operator: bench_many_agents
 * [LOCKS [SECONDS [AGENTS]]]. The floor is one agent with as many locks and changes, in the same run. The
 * agents live in another thread.
 */
using namespace lockkeeper;

namespace {

constexpr int kChangesPerSecond = 1000;
constexpr int kLosses = 3;
constexpr double kGoalMs = 16.0;

qint64 threadCpuNs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return qint64(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

double quantile(std::vector<double> &values, double q)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, size_t(q * double(values.size())))];
}

struct Figures
{
    double p99 = 0, max = 0;         ///< busy at a stretch, ms of the thread's own processor time
    double lateP99 = 0, lateMax = 0; ///< of a timer of 1 ms: other programs on the machine count, too
    double seconds = 0;
};

/**
 * The turns of the GUI thread's event loop. The busy time of one, from a sleep of the loop to the next, is
 * the thread's processor time, so that neither the sleep nor other programs count.
 */
class BlockMeter : public QObject
{
public:
    BlockMeter()
    {
        connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            constexpr double idleMs = 0.02; // a turn that found nothing to do would only flatter the figures
            const qint64 now = threadCpuNs();
            if (const double ms = double(now - std::exchange(m_since, now)) / 1e6; ms > idleMs)
                m_busy.push_back(ms);
        });
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_late.push_back(std::max(0.0, double(m_tick.nsecsElapsed()) / 1e6 - 1.0));
            m_tick.start();
        });
        m_timer.start(1);
        m_tick.start();
        m_phase.start();
    }
    /** Of the phase that ends here. */
    Figures take()
    {
        const Figures figures{quantile(m_busy, 0.99), quantile(m_busy, 1), quantile(m_late, 0.99),
                              quantile(m_late, 1), double(m_phase.restart()) / 1000};
        m_busy.clear();
        m_late.clear();
        return figures;
    }

private:
    qint64 m_since = threadCpuNs();
    std::vector<double> m_busy, m_late;
    QTimer m_timer;
    QElapsedTimer m_tick, m_phase;
};

struct Run
{
    Figures tables, steady, loss;
    double rate = 0;
};

/** One console with `count` agents. */
class ManyAgents
{
public:
    ManyAgents(int count, int locks) : m_locks(locks)
    {
        m_agents = bench::steadyAgents(count, locks, kChangesPerSecond, m_folder.path());
        for (const auto &agent : m_agents)
            agent->moveToThread(&m_thread);
        m_thread.start();
        for (const auto &agent : m_agents)
            inThread([&agent] { agent->start(); });
        m_settings.setValue(app::settings::Key::Language, QStringLiteral("en"));
        m_settings.setValue(app::settings::Key::DefaultView, QStringLiteral("locks"));
    }
    ~ManyAgents()
    {
        inThread([this] {
            for (const auto &agent : m_agents) {
                agent->stop();
                agent->moveToThread(m_main);
            }
        });
        m_thread.quit();
        m_thread.wait();
    }

    Run measure(int seconds)
    {
        app::Console console(&m_settings, &m_clock, m_folder.filePath(QStringLiteral("private")));
        console.window()->resize(1280, 800);
        console.window()->show();
        runFor(1000); // the start of the window
        BlockMeter meter;
        QStringList addresses;
        for (const auto &agent : m_agents)
            addresses.append(agent->address().text());
        console.start(addresses.join(QLatin1String(", ")));
        runUntil([&] { return isWhole(console); });
        runFor(2000);
        Run run;
        run.tables = meter.take();
        const qint64 before = changes();
        runFor(seconds * 1000);
        run.steady = meter.take();
        run.rate = double(changes() - before) / run.steady.seconds;
        for (int i = 0; i < kLosses; ++i) {
            inThread([this] { m_agents.front()->stop(); });
            runUntil([&] { return live(console) < m_agents.size(); });
            runFor(1000);
            inThread([this] { m_agents.front()->start(); });
            runUntil([&] { return isWhole(console); });
            runFor(1000);
        }
        run.loss = meter.take();
        return run;
    }

private:
    void inThread(const std::function<void()> &what)
    {
        QMetaObject::invokeMethod(m_agents.front().get(), what, Qt::BlockingQueuedConnection);
    }
    qint64 changes()
    {
        qint64 sum = 0;
        inThread([this, &sum] {
            for (const auto &agent : m_agents)
                sum += agent->changes();
        });
        return sum;
    }
    static size_t live(app::Console &console)
    {
        const auto sessions = console.session()->sessions();
        return size_t(std::count_if(sessions.cbegin(), sessions.cend(), [](const auto *session) {
            return session->link() == app::session::LinkState::Live;
        }));
    }
    bool isWhole(app::Console &console) const
    {
        return live(console) == m_agents.size() && console.replica()->locks().size() == m_locks;
    }
    static void runFor(int ms)
    {
        QEventLoop loop;
        QTimer::singleShot(ms, &loop, &QEventLoop::quit);
        loop.exec();
    }
    static void runUntil(const std::function<bool()> &isTrue)
    {
        constexpr int tries = 6000;
        for (int i = 0; i < tries; ++i) {
            if (isTrue())
                return;
            runFor(10);
        }
        qFatal("the console didn't get there within a minute");
    }

    const int m_locks;
    const base::SystemClock m_clock;
    QTemporaryDir m_folder;
    app::settings::Settings m_settings{m_folder.filePath(QStringLiteral("console.ini"))};
    QThread m_thread;
    QThread *const m_main = QThread::currentThread();
    std::vector<std::unique_ptr<bench::SteadyAgent>> m_agents;
};

void print(QTextStream &out, const char *phase, int locks, const Figures &many, const Figures &one)
{
    const auto line = [&](const char *what, double value, double floor, bool isGoal) {
        out << "{\"bench\":\"agents." << phase << '.' << what << "\",\"n\":" << locks
            << ",\"value\":" << value << ",\"unit\":\"ms\",\"floor\":" << floor
            << ",\"ratio\":" << (floor > 0 ? value / floor : 0) << ",\"goal\":";
        if (isGoal)
            out << kGoalMs;
        else
            out << "null";
        out << "}\n";
    };
    line("busy_p99", many.p99, one.p99, false);
    line("busy_max", many.max, one.max, true);
    line("late_max", many.lateMax, one.lateMax, false);
}

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QLoggingCategory::setFilterRules(
        QStringLiteral("lockkeeper.session=false")); // agents are lost on purpose
    const auto argument = [&](int i, int otherwise) {
        return argc > i ? std::max(1, std::atoi(argv[i])) : otherwise;
    };
    const int locks = argument(1, 50'000);
    const int seconds = argument(2, 20);
    const int count = argument(3, 20);

    const Run one = ManyAgents(1, locks).measure(seconds);
    const Run many = ManyAgents(count, locks).measure(seconds);

    QTextStream out(stdout);
    out.setRealNumberNotation(QTextStream::FixedNotation);
    out.setRealNumberPrecision(2);
    out << locks << " locks, changes/s: " << one.rate << " by one agent, " << many.rate << " by " << count
        << "; ms that the GUI thread is busy at a stretch, and that a timer of 1 ms is late\n";
    out << "                           busy p99  busy max  late p99  late max\n";
    const auto row = [&out](const QString &name, const Figures &f) {
        out << qSetFieldWidth(25) << Qt::left << name << Qt::right << qSetFieldWidth(10) << f.p99 << f.max
            << f.lateP99 << f.lateMax << qSetFieldWidth(0) << '\n';
    };
    const auto rows = [&](const QString &name, const Run &run) {
        row(name + QStringLiteral(", first tables"), run.tables);
        row(name + QStringLiteral(", steady"), run.steady);
        row(name + QStringLiteral(", lost and back"), run.loss);
    };
    rows(QStringLiteral("1 agent"), one);
    rows(QStringLiteral("%1 agents").arg(count), many);
    print(out, "first_tables", locks, many.tables, one.tables);
    print(out, "steady", locks, many.steady, one.steady);
    print(out, "lost_and_back", locks, many.loss, one.loss);
    return 0;
}
