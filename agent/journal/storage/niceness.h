// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace lockkeeper::agent::journal {

/** Of the calling thread, which Linux knows by the number of a process: whoever waits for an event is first.
 */
inline void setThreadNiceness(int niceness)
{
    setpriority(PRIO_PROCESS, id_t(gettid()), niceness); // a refusal costs no more than some latency
}

} // namespace lockkeeper::agent::journal
