// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/locks_proxy.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

/**
 * How long a table keeps the GUI thread busy at a stretch. It has a view and many locks that change all the
 * time, sorted by the time left of their leases. The floor is Qt's own solution: a QSortFilterProxyModel that
 * sorts by itself over the same model, in the same run.
 */
using namespace lockkeeper;
using namespace lockkeeper::app::models;

namespace {

constexpr int kChangesPerSecond = 5000;
constexpr int kBatchMs = 100;
constexpr int kTtlMs = 30'000;
constexpr double kGoalMs = 16.0;

qint64 threadCpuNs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return qint64(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/**
 * How long the thread works at a stretch, from one sleep of its event loop to the next. The thread's own
 * processor time excludes the sleep itself and other programs on the machine.
 */
class BusyMeter : public QObject
{
public:
    BusyMeter()
    {
        connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            constexpr double idleMs =
                0.02; // A wake-up that found nothing to do would only flatter the figures.
            const qint64 now = threadCpuNs();
            const double ms = double(now - m_since) / 1e6;
            if (ms > idleMs)
                m_ms.push_back(ms);
            m_since = now;
        });
    }
    void clear() { m_ms.clear(); }
    double quantile(double q)
    {
        if (m_ms.empty())
            return 0;
        std::sort(m_ms.begin(), m_ms.end());
        return m_ms[std::min(m_ms.size() - 1, size_t(q * double(m_ms.size())))];
    }
    size_t slices() const { return m_ms.size(); }

private:
    qint64 m_since = threadCpuNs();
    std::vector<double> m_ms;
};

/** The cell that the views show and the floor sorts by: instants as numbers, all else as texts. */
class Words : public Formatter
{
public:
    QVariant cell(const QModelIndex &index, int role) const override
    {
        if (role != Qt::DisplayRole)
            return {};
        const auto *proxy = qobject_cast<const LocksProxy *>(index.model());
        const LockRow *row = proxy ? proxy->lockAt(index.row()) : rowOf<LockModel>(index);
        if (!row)
            return {};
        const domain::LockState state = row->lock.state();
        const auto instant = [](const domain::TimeUs &us) { return us ? QVariant(*us) : QVariant(); };
        switch (index.column()) {
        case NameColumn:
            return QString::fromUtf8(state.key.name);
        case HolderColumn:
            return QString::fromUtf8(state.owner);
        case SourceColumn:
            return state.key.source;
        case SchemeColumn:
            return QString::fromUtf8(state.key.scheme);
        case PlaceColumn:
            return QString::fromUtf8(state.key.place);
        case HeldForColumn:
        case AcquiredColumn:
            return instant(state.acquiredUs);
        case RemainingColumn:
        case ExpiresColumn:
            return instant(state.expiresUs);
        case SeenColumn:
            return instant(state.seenUs);
        default:
            return {};
        }
    }
    QVariant header(int, int) const override { return {}; }
};

/** Renews leases of a made-up table at a steady rate, as an agent's conflated batches would. */
class Load : public QObject
{
public:
    Load(app::replica::Replica &replica, const base::Clock &clock, int locks)
        : m_replica(replica), m_clock(clock)
    {
        domain::SourceState source;
        source.name = QStringLiteral("s");
        source.lastSeenUs = clock.wallUs();
        source.pollMs = 500;
        QList<domain::LockState> states;
        states.reserve(locks);
        for (int i = 0; i < locks; ++i)
            states.append(state(i));
        replica.setLive(true, QStringLiteral("bench"));
        replica.beginTable();
        replica.addPage(states, {source});
        replica.completeTable(0);
        m_locks = locks;
        connect(&m_timer, &QTimer::timeout, this, &Load::batch);
    }
    void start()
    {
        m_changes = 0;
        m_running.start();
        m_timer.start(kBatchMs);
    }
    /** The changes per second that were really made: a machine under load may not get there. */
    double stop()
    {
        m_timer.stop();
        return double(m_changes) * 1000 / double(std::max<qint64>(1, m_running.elapsed()));
    }

private:
    domain::LockState state(int number)
    {
        domain::LockState lock;
        lock.key = {QStringLiteral("s"), "redis.token", "db0", "lock:" + QByteArray::number(number)};
        lock.phase = domain::Phase::Held;
        lock.owner = "worker-" + QByteArray::number(number % 100);
        lock.expiry = domain::ExpiryKind::At;
        lock.ttlMs = kTtlMs;
        lock.seenUs = m_clock.wallUs();
        lock.acquiredUs = m_clock.wallUs() - number;
        lock.expiresUs = m_clock.wallUs() + qint64(next() % kTtlMs) * 1000;
        return lock;
    }
    quint32 next()
    {
        m_seed = m_seed * 1664525u + 1013904223u;
        return m_seed >> 8;
    }
    void batch()
    {
        // Sends all changes due by now: a late timer doesn't lighten the load.
        const qint64 due = m_running.elapsed() * kChangesPerSecond / 1000 - m_changes;
        m_changes += due;
        QList<domain::LockState> states;
        states.reserve(due);
        for (qint64 i = 0; i < due; ++i)
            states.append(state(int(next() % quint32(m_locks))));
        m_replica.takeStates(states, {});
    }

    app::replica::Replica &m_replica;
    const base::Clock &m_clock;
    QTimer m_timer;
    QElapsedTimer m_running;
    qint64 m_changes = 0;
    int m_locks = 0;
    quint32 m_seed = 42;
};

struct Figures
{
    double p50 = 0, p99 = 0, max = 0, rate = 0;
    size_t slices = 0;
};

/** Lets the load run over a view of `model` for a while. */
Figures measure(QAbstractItemModel &model, Load &load, int seconds)
{
    QTableView view;
    view.setModel(&model);
    view.resize(1280, 800);
    view.verticalHeader()->setDefaultSectionSize(24);
    view.show();
    BusyMeter meter;
    // The first second belongs to the start of the window.
    QTimer::singleShot(1000, &meter, [&] { meter.clear(); });
    QTimer::singleShot(1000 * (seconds + 1), qApp, &QCoreApplication::quit);
    load.start();
    QCoreApplication::exec();
    const double rate = load.stop();
    return {meter.quantile(0.5), meter.quantile(0.99), meter.quantile(1.0), rate, meter.slices()};
}

void print(QTextStream &out, const char *name, int locks, double value, double floor, double goal)
{
    out << "{\"bench\":\"" << name << "\",\"n\":" << locks << ",\"value\":" << value
        << ",\"unit\":\"ms\",\"floor\":" << floor << ",\"ratio\":" << (floor > 0 ? value / floor : 0)
        << ",\"goal\":";
    if (goal > 0)
        out << goal;
    else
        out << "null";
    out << "}\n";
}

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const int locks = argc > 1 ? std::max(1, std::atoi(argv[1])) : 100'000;
    const int seconds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 10;

    const base::SystemClock clock;
    app::replica::Replica replica(clock);
    Load load(replica, clock, locks);
    const Words words;

    Figures ours, floor;
    {
        LockModel model(replica, clock);
        model.setFormatter(&words);
        LocksProxy proxy(model);
        proxy.setFormatter(&words);
        proxy.sort(RemainingColumn);
        ours = measure(proxy, load, seconds);
    }
    {
        LockModel model(replica, clock);
        model.setFormatter(&words);
        QSortFilterProxyModel proxy;
        proxy.setDynamicSortFilter(true);
        proxy.setSourceModel(&model);
        proxy.sort(ExpiresColumn);
        floor = measure(proxy, load, seconds);
    }

    QTextStream out(stdout);
    out.setRealNumberNotation(QTextStream::FixedNotation);
    out.setRealNumberPrecision(3);
    out << locks << " locks, " << kChangesPerSecond
        << " changes/s, sorted by time left; ms busy at a stretch\n";
    out << "                          p50       p99       max changes/s stretches\n";
    const auto row = [&out](const char *name, const Figures &f) {
        out << qSetFieldWidth(20) << Qt::left << name << Qt::right << qSetFieldWidth(10) << f.p50 << f.p99
            << f.max << f.rate << qSetFieldWidth(9) << qint64(f.slices) << qSetFieldWidth(0) << '\n';
    };
    row("locks proxy", ours);
    row("sort filter proxy", floor);
    print(out, "models.locks.busy_p50", locks, ours.p50, floor.p50, 0);
    print(out, "models.locks.busy_p99", locks, ours.p99, floor.p99, kGoalMs);
    print(out, "models.locks.busy_max", locks, ours.max, floor.max, 0);
    return 0;
}
