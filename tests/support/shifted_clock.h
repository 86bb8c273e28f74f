// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>

#include <chrono>

namespace lockkeeper::tests {

/** Before start(): the program's wall clock is off by so much. Nothing is done where it is zero. */
void shiftClock(QProcess &process, std::chrono::seconds by);

} // namespace lockkeeper::tests
