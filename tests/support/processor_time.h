// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <ctime>

namespace lockkeeper::tests {

/** Milliseconds of the processor that this process has taken: other than a clock's, they stay what they are
 * beside busy programs. */
inline qint64 processorMs()
{
    return qint64(std::clock()) * 1'000 / CLOCKS_PER_SEC;
}

} // namespace lockkeeper::tests
