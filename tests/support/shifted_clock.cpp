// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/shifted_clock.h"

namespace lockkeeper::tests {

void shiftClock(QProcess &process, std::chrono::seconds by)
{
    if (by == std::chrono::seconds::zero())
        return;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LD_PRELOAD"), QStringLiteral(LOCKKEEPER_CLOCK_SHIFT));
    environment.insert(QStringLiteral("LOCKKEEPER_TEST_CLOCK_SHIFT"), QString::number(by.count()));
    process.setProcessEnvironment(environment);
}

} // namespace lockkeeper::tests
