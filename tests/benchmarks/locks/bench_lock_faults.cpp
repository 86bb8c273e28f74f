// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_fault_cases.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <cstdio>

using namespace lockkeeper::tests;

/*
 * bench_lock_faults [SECONDS [CASE]]: 200 workers in 20 processes fight for 50 locks of each scheme, for five
 * minutes by default. Meanwhile they are killed and stopped, links cut and servers crashed. No overlap may be
 * found where the scheme is safe, and some where it is known not to be.
 */
int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    if (!qEnvironmentVariableIsSet("LOCKKEEPER_BIN"))
        qputenv("LOCKKEEPER_BIN",
                (QCoreApplication::applicationDirPath() + QStringLiteral("/../../bin")).toUtf8());
    const QString only = app.arguments().value(2);
    FaultPlan scale;
    scale.processes = 20;
    scale.workers = 10;
    scale.locks = 50;
    scale.ttl = std::chrono::seconds(2);
    scale.lasts = std::chrono::seconds(app.arguments().value(1, QStringLiteral("300")).toInt());
    bool good = true;
    for (const FaultCase &one : faultCases()) {
        if (!only.isEmpty() && !QString::fromLatin1(one.name).startsWith(only))
            continue;
        if (one.absent) {
            std::fprintf(stderr, "bench_lock_faults: %s left out: %s\n", one.name, one.absent);
            continue;
        }
        QElapsedTimer timer;
        timer.start();
        const FaultReport report = one.run(scale);
        const bool asExpected =
            report.holds > 0 && (one.safe ? report.violations.isEmpty() : report.overlaps() > 0);
        std::printf("%s (%s): %s, %.0f s%s\n", one.name, one.safe ? "safe" : "known to be unsafe",
                    report.text().constData(), double(timer.nsecsElapsed()) / 1e9,
                    asExpected ? "" : " — NOT AS EXPECTED");
        std::printf(
            "{\"bench\":\"locks.faults.%s\",\"n\":%d,\"value\":%lld,\"unit\":\"overlaps\",\"safe\":%s}\n",
            one.name, report.holds, static_cast<long long>(report.overlaps()), one.safe ? "true" : "false");
        std::fflush(stdout);
        good = good && asExpected;
    }
    return good ? 0 : 1;
}
