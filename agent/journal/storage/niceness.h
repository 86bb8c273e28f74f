// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace lockkeeper::agent::journal {

/** Sets the niceness of the calling thread, so that work for which clients wait runs first. Linux identifies
 * the thread by the number of a process. */
inline void setThreadNiceness(int niceness)
{
    setpriority(PRIO_PROCESS, id_t(gettid()), niceness); // a refusal only costs some latency
}

} // namespace lockkeeper::agent::journal
