// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_faults.h"

#include "tests/support/freeze.h"
#include "tests/support/shifted_clock.h"

#include <QFile>
#include <QPointer>
#include <QTest>

#include <algorithm>
#include <csignal>

namespace lockkeeper::tests {

using std::chrono::milliseconds;

namespace {
/** A killed process's locks stay taken for a TTL: with more kills, nobody would get a lock. */
constexpr milliseconds kKillEvery{450};
constexpr milliseconds kStopEvery{600};
constexpr qsizetype kLeastHolds = 8;
} // namespace

qsizetype FaultReport::overlaps() const
{
    return std::count_if(violations.cbegin(), violations.cend(),
                         [](const Violation &one) { return one.kind == Violation::Kind::Overlap; });
}

QByteArray FaultReport::text() const
{
    QByteArray text = QByteArray::number(holds) + " holds, " + QByteArray::number(kills) + " killed, " +
                      QByteArray::number(stops) + " stopped, " + QByteArray::number(faults) +
                      " faults of the store, " + QByteArray::number(overlaps()) + " overlaps, " +
                      QByteArray::number(violations.size() - overlaps()) + " fencing tokens that don't grow";
    for (const Violation &one : violations.first(std::min<qsizetype>(violations.size(), 3)))
        text += "\n  " + one.text();
    return text;
}

LockFaults::LockFaults(FaultPlan plan, quint32 seed) : m_plan(std::move(plan)), m_random(seed)
{
    m_fighters.resize(size_t(m_plan.processes));
    m_end.setSingleShot(true);
    connect(&m_kills, &QTimer::timeout, this, &LockFaults::kill);
    connect(&m_stops, &QTimer::timeout, this, &LockFaults::stop);
    connect(&m_faults, &QTimer::timeout, this, [this] {
        ++m_report.faults;
        m_plan.fault();
    });
    connect(&m_end, &QTimer::timeout, this, &LockFaults::end);
}

LockFaults::~LockFaults()
{
    m_ending = true;
    for (const Fighter &fighter : m_fighters) {
        if (fighter.process) {
            fighter.process->disconnect(this);
            fighter.process->kill();
            fighter.process->waitForFinished();
        }
    }
}

void LockFaults::start()
{
    QFile file(m_folder.filePath(QStringLiteral("fight.toml")));
    if (!file.open(QIODevice::WriteOnly))
        return;
    const auto ms = [](milliseconds duration) { return '"' + QByteArray::number(duration.count()) + "ms\""; };
    file.write(m_plan.source + "\n[[workers]]\nworkers = " + QByteArray::number(m_plan.workers) +
               "\nper_process = " + QByteArray::number(m_plan.workers) + "\nlock = \"" + m_plan.name +
               "\"\nlocks = " + QByteArray::number(m_plan.locks) + "\nttl = " + ms(m_plan.ttl) +
               "\nhold = [\"0ms\", " + ms(m_plan.longestHold) +
               "]\nidle = [\"0ms\", \"20ms\"]\nwait = \"2s\"\nowner = \"fighter-\"\n");
    file.close();
    for (size_t i = 0; i < m_fighters.size(); ++i)
        spawn(i);
    if (m_plan.kills)
        m_kills.start(std::max(kKillEvery, m_plan.ttl * 2 / 3));
    if (m_plan.stops)
        m_stops.start(std::max(kStopEvery, m_plan.ttl * 2 / 3));
    if (m_plan.faultEvery.count() > 0)
        m_faults.start(m_plan.faultEvery);
    m_end.start(m_plan.lasts);
    m_since.start();
}

void LockFaults::spawn(size_t place)
{
    Fighter &fighter = m_fighters.at(place);
    fighter.name = 'p' + QByteArray::number(++m_spawned);
    fighter.process = std::make_unique<QProcess>();
    fighter.process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    if (place < 2)
        shiftClock(*fighter.process, place == 0 ? m_plan.clocksOff : -m_plan.clocksOff);
    connect(fighter.process.get(), &QProcess::readyReadStandardOutput, this,
            [this, name = fighter.name, process = fighter.process.get()] {
                m_history.add(name, process->readAllStandardOutput());
            });
    fighter.since.start();
    fighter.process->start(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"),
                           {QStringLiteral("--log-level"), QStringLiteral("error"),
                            QStringLiteral("simulate"), m_folder.filePath(QStringLiteral("fight.toml")),
                            QStringLiteral("--seed"), QString::number(m_random.bounded(1'000'000))});
}

void LockFaults::kill()
{
    const size_t place = size_t(m_random.bounded(m_plan.processes));
    QProcess &process = *m_fighters.at(place).process;
    process.kill();
    process.waitForFinished();
    m_history.add(m_fighters.at(place).name, process.readAllStandardOutput());
    ++m_report.kills;
    spawn(place);
}

void LockFaults::stop()
{
    QList<qint64> pids; // of the fighters that may hold something by now
    for (const Fighter &fighter : m_fighters) {
        const qint64 pid = fighter.process->processId();
        if (pid > 0 && !m_stopped.contains(pid) && milliseconds(fighter.since.elapsed()) > kStopEvery)
            pids.append(pid);
    }
    if (pids.isEmpty() || 2 * m_stopped.size() >= m_plan.processes)
        return; // some fighter must continue
    const qint64 pid = pids.at(m_random.bounded(pids.size()));
    freeze(pid);
    m_stopped.append(pid);
    ++m_report.stops;
    QTimer::singleShot(m_plan.ttl * 2, this, [this, pid] {
        m_stopped.removeOne(pid);
        const bool isOurs =
            std::any_of(m_fighters.cbegin(), m_fighters.cend(),
                        [pid](const Fighter &fighter) { return fighter.process->processId() == pid; });
        if (isOurs) // or it was killed meanwhile
            ::kill(pid_t(pid), SIGCONT);
    });
}

/** A server that takes seconds to come back on a busy machine leaves time for little else. */
bool LockFaults::hasSuffered() const
{
    return (!m_plan.kills || m_report.kills > 2) && (!m_plan.stops || m_report.stops > 1) &&
           (m_plan.faultEvery.count() == 0 || m_report.faults > 2) && m_history.holds().size() > kLeastHolds;
}

void LockFaults::end()
{
    if (!hasSuffered() && milliseconds(m_since.elapsed()) < 4 * m_plan.lasts) {
        m_end.start(m_plan.lasts / 4);
        return;
    }
    m_kills.stop();
    m_stops.stop();
    m_faults.stop();
    m_ending = true;
    for (const Fighter &fighter : m_fighters) {
        const auto ended = [this] {
            m_done = std::all_of(m_fighters.cbegin(), m_fighters.cend(), [](const Fighter &one) {
                return one.process->state() == QProcess::NotRunning;
            });
        };
        connect(fighter.process.get(), &QProcess::finished, this, ended);
        const qint64 pid = fighter.process->processId();
        // Within its TTL, a holder would for a moment keep a lock that its link has lost meanwhile.
        const bool tooSoon = m_plan.window.count() > 0 && m_stopped.contains(pid);
        ::kill(pid_t(pid), tooSoon ? SIGKILL : SIGTERM);
        ::kill(pid_t(pid), SIGCONT);
        ended();
    }
}

FaultReport LockFaults::finished(const std::function<QList<Hold>()> &others)
{
    const auto limit = 5 * m_plan.lasts + std::chrono::seconds(60);
    const bool ended = QTest::qWaitFor([this] { return m_done; }, int(limit.count()));
    QList<Hold> holds = m_history.holds();
    if (others)
        holds.append(others());
    for (Hold &hold : holds)
        hold.toUs -= hold.released ? 0 : std::chrono::microseconds(m_plan.window).count();
    holds.removeIf([](const Hold &hold) { return hold.toUs < hold.fromUs; }); // lost since it was answered
    FaultReport report = m_report;
    report.holds = ended ? int(holds.size()) : 0; // not to be taken for a fight that went well
    report.violations = check(holds);
    return report;
}

FaultReport runFaults(const FaultPlan &plan, quint32 seed)
{
    LockFaults faults(plan, seed);
    faults.start();
    return faults.finished();
}

} // namespace lockkeeper::tests
