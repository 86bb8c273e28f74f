// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <ctime>

namespace lockkeeper::tests {

/**
 * The processor time of this process in milliseconds. Unlike a clock's time, it doesn't depend on other busy
 * programs.
 */
inline qint64 processorMs()
{
    return qint64(std::clock()) * 1'000 / CLOCKS_PER_SEC;
}

} // namespace lockkeeper::tests
