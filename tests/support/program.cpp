// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.h"

#include <QProcess>

namespace lockkeeper::tests {

Output run(const char *program, const QStringList &arguments, const QStringList &environment)
{
    QProcess process;
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    for (const QString &one : environment)
        all.insert(one.section(QLatin1Char('='), 0, 0), one.section(QLatin1Char('='), 1));
    process.setProcessEnvironment(all);
    process.start(qEnvironmentVariable("LOCKKEEPER_BIN") + QLatin1Char('/') + QLatin1String(program),
                  arguments);
    process.waitForFinished(60'000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace lockkeeper::tests
