// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/process_probe.h"
#include "agent/liveness/start_times.h"
#include "shared/base/clock.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTest>

#include <csignal>

namespace tst_process_probe {

using namespace lockkeeper;
using namespace lockkeeper::agent::liveness;
using domain::HolderEvidence;
using domain::HolderVerdict;

namespace {

constexpr qint64 kSecond = 1'000'000;

ProbeOutcome outcomeOf(qint64 pid, const std::optional<AcquiredWhen> &acquired)
{
    ProbeTarget target;
    target.method = domain::LivenessMethod::Process;
    target.pid = pid;
    target.timeoutUs = 10 * kSecond;
    std::optional<ProbeOutcome> outcome;
    const auto probe =
        makeProbe(target, acquired, [&outcome](const ProbeOutcome &found) { outcome = found; });
    probe->start();
    (void)QTest::qWaitFor([&outcome] { return outcome.has_value(); }, 20'000);
    return outcome.value_or(ProbeOutcome{HolderVerdict::Unknown, HolderEvidence::Other});
}

} // namespace

/** Processes of this host. */
class TestProcessProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void orders();
    void processes();
};

void TestProcessProbe::orders()
{
    const AcquiredWhen acquired{90, 100};
    QCOMPARE(startOrder(50, 50, acquired, 10), StartOrder::Before);
    QCOMPARE(startOrder(100, 100, acquired, 10), StartOrder::Before);
    QCOMPARE(startOrder(101, 101, acquired, 10), StartOrder::Unclear);
    QCOMPARE(startOrder(110, 110, acquired, 10), StartOrder::Unclear);
    QCOMPARE(startOrder(111, 200, acquired, 10), StartOrder::After);
    QCOMPARE(startOrder(50, 200, acquired, 10), StartOrder::Unclear);
}

void TestProcessProbe::processes()
{
    QProcess process;
    process.start(QStringLiteral("/bin/sleep"), {QStringLiteral("600")});
    QVERIFY(process.waitForStarted());
    const qint64 pid = process.processId();
    const qint64 nowUs = base::SystemClock().wallUs();
    const AcquiredWhen since{nowUs + kSecond, nowUs + kSecond};
    ProbeOutcome outcome = outcomeOf(pid, since);
    QCOMPARE(outcome.verdict, HolderVerdict::Alive);
    QCOMPARE(outcome.evidence, HolderEvidence::ProcessRunning);
    outcome = outcomeOf(pid, AcquiredWhen{nowUs - 60 * kSecond, nowUs - 60 * kSecond});
    QCOMPARE(outcome.verdict, HolderVerdict::Dead);
    QCOMPARE(outcome.evidence, HolderEvidence::ProcessReplaced);
    QVERIFY(qAbs(outcome.number.value_or(0) - nowUs) < 10 * kSecond);
    QCOMPARE(outcomeOf(pid, std::nullopt).verdict, HolderVerdict::Unknown);
    QCOMPARE(outcomeOf(1, AcquiredWhen{nowUs, nowUs}).verdict, HolderVerdict::Alive); // another user's
    ::kill(pid_t(pid), SIGKILL);
    const auto isGone = [&] { return outcomeOf(pid, since).evidence == HolderEvidence::ProcessGone; };
    QTRY_VERIFY(isGone()); // first as a zombie
    process.waitForFinished();
    outcome = outcomeOf(pid, std::nullopt);
    QCOMPARE(outcome.verdict, HolderVerdict::Dead);
    QCOMPARE(outcome.evidence, HolderEvidence::ProcessGone);
}

LOCKKEEPER_TEST(TestProcessProbe)

} // namespace tst_process_probe

#include "tst_process_probe.moc"
