// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>

#include <chrono>

namespace lockkeeper::tests {

/** To be called before start(). The program's wall clock is then off by `by`; zero changes nothing. */
void shiftClock(QProcess &process, std::chrono::seconds by);

} // namespace lockkeeper::tests
