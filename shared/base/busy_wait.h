// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

#include <thread>

namespace lockkeeper::base {

/** Asks `isSo` again and again, for `us` microseconds at most; whether it came to be so. For what comes
 * sooner than a sleeping thread is woken. */
template <typename Condition> bool busyWait(qint64 us, const Condition &isSo)
{
    QElapsedTimer since;
    since.start();
    while (!isSo()) {
        if (since.nsecsElapsed() >= us * 1'000)
            return false;
        std::this_thread::yield(); // to the other side, where there is one processor
    }
    return true;
}

} // namespace lockkeeper::base
