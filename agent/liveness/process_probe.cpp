// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/process_probe.h"

#include "agent/liveness/start_times.h"
#include "shared/base/clock.h"

#include <QFile>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <unistd.h>

namespace lockkeeper::agent::liveness {

using base::ErrorCode;
using domain::HolderEvidence;
using domain::HolderVerdict;

namespace {

constexpr qint64 kMarginUs = 2 * base::kSecondUs;
constexpr int kStateField = 0;      ///< of /proc/PID/stat, counted behind the name in parentheses
constexpr int kStartTimeField = 19; ///< in clock ticks since the boot

/** The fields of /proc/PID/stat behind the name, which may contain any character. */
QByteArrayList statFields(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray line = file.read(4'096);
    const qsizetype name = line.lastIndexOf(") ");
    return name < 0 ? QByteArrayList() : line.mid(name + 2).trimmed().split(' ');
}

qint64 nowOf(clockid_t clock)
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return qint64(now.tv_sec) * base::kSecondUs + now.tv_nsec / 1'000;
}

qint64 startedUs(qint64 ticks)
{
    const qint64 sinceBootUs = ticks * base::kSecondUs / ::sysconf(_SC_CLK_TCK);
    return nowOf(CLOCK_REALTIME) - nowOf(CLOCK_BOOTTIME) + sinceBootUs;
}

} // namespace

StartOrder startOrder(qint64 firstUs, qint64 lastUs, const AcquiredWhen &acquired, qint64 marginUs)
{
    if (firstUs > acquired.latestUs + marginUs)
        return StartOrder::After;
    return lastUs <= acquired.latestUs ? StartOrder::Before : StartOrder::Unclear;
}

ProcessProbe::ProcessProbe(ProbeTarget target, std::optional<AcquiredWhen> acquired, Done done)
    : HolderProbe(std::move(target), std::move(done)), m_acquired(acquired)
{
}

void ProcessProbe::begin()
{
    // Where /proc hides other users' processes, only kill() distinguishes hidden from gone.
    const bool isGone = ::kill(pid_t(target().pid), 0) != 0 && errno == ESRCH;
    const QByteArrayList fields = statFields(target().pid);
    if (isGone || fields.value(kStateField) == "Z" || fields.value(kStateField) == "X") {
        finish({HolderVerdict::Dead, HolderEvidence::ProcessGone});
        return;
    }
    bool isNumber = false;
    const qint64 ticks = fields.value(kStartTimeField).toLongLong(&isNumber);
    if (!isNumber) {
        fail(ErrorCode::PermissionDenied, QStringLiteral("the agent can't read the holder's process"));
        return;
    }
    if (!m_acquired) {
        fail(ErrorCode::Unsupported,
             QStringLiteral("the store doesn't show when the lock was acquired, so that another process "
                            "could have this number"));
        return;
    }
    const qint64 atUs = startedUs(ticks);
    switch (startOrder(atUs, atUs, *m_acquired, kMarginUs)) {
    case StartOrder::Before:
        finish({HolderVerdict::Alive, HolderEvidence::ProcessRunning});
        break;
    case StartOrder::After:
        finish({HolderVerdict::Dead, HolderEvidence::ProcessReplaced, atUs});
        break;
    case StartOrder::Unclear:
        finish({HolderVerdict::Unknown, HolderEvidence::ProcessReplaced, atUs});
        break;
    }
}

} // namespace lockkeeper::agent::liveness
