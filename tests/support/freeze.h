// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <csignal>
#include <sys/wait.h>

namespace lockkeeper::tests {

/** SIGSTOP to a child, and waits until all of its threads stand still, or it has ended: on a busy machine
 * they run on for a while. */
inline void freeze(qint64 pid)
{
    ::kill(pid_t(pid), SIGSTOP);
    siginfo_t stopped{};
    ::waitid(P_PID, id_t(pid), &stopped, WSTOPPED | WEXITED | WNOWAIT);
}

} // namespace lockkeeper::tests
