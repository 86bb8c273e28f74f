// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

#include <thread>

namespace lockkeeper::base {

/** Polls `isSo` for at most `us` microseconds. Returns true as soon as `isSo` does, false if it never did.
 * Use it for events that come sooner than a sleeping thread wakes up. */
template <typename Condition> bool busyWait(qint64 us, const Condition &isSo)
{
    QElapsedTimer since;
    since.start();
    while (!isSo()) {
        if (since.nsecsElapsed() >= us * 1'000)
            return false;
        std::this_thread::yield(); // lets the other side run on a machine with one processor
    }
    return true;
}

} // namespace lockkeeper::base
