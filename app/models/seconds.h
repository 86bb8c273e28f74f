// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

namespace lockkeeper::app::models {

/**
 * Starts a timer of one second in step with all other timers of the process, so that a displayed time is the
 * same everywhere.
 */
inline void startSeconds(QTimer &timer)
{
    timer.setTimerType(Qt::VeryCoarseTimer);
    timer.start(1'000);
}

} // namespace lockkeeper::app::models
