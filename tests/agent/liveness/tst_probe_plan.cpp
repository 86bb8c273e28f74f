// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/probe_plan.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_probe_plan {

using namespace lockkeeper;
using agent::liveness::ProbeCause;
using agent::liveness::ProbePermit;
using agent::liveness::ProbePlan;

namespace {

constexpr qint64 kSecond = 1'000'000;

domain::LockKey key(int number, const QString &source = QStringLiteral("orders"))
{
    return {source, "redis.token", "db0", "lock:" + QByteArray::number(number)};
}

} // namespace

/** When probes may begin. */
class TestProbePlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLockRestsBetweenProbes();
    void aSourceHasABudget();
    void looksKeepAShare();
    void soManyAtOnce();
    void forgetsTheOld();
};

void TestProbePlan::aLockRestsBetweenProbes()
{
    ProbePlan plan;
    QCOMPARE(plan.permit(key(1), {}, ProbeCause::Look, 0), ProbePermit::Now);
    plan.begin(key(1), 0);
    QCOMPARE(plan.permit(key(1), {}, ProbeCause::Look, 20 * kSecond), ProbePermit::UnderWay);
    plan.end(key(1));
    plan.end(key(1)); // only once
    QCOMPARE(plan.underWay(), 0);
    QCOMPARE(plan.permit(key(1), {}, ProbeCause::Look, 10 * kSecond - 1), ProbePermit::Rests);
    QCOMPARE(plan.permit(key(1), {}, ProbeCause::Trouble, 10 * kSecond), ProbePermit::Now);
    QCOMPARE(plan.permit(key(2), {}, ProbeCause::Trouble, 1), ProbePermit::Now);
}

void TestProbePlan::aSourceHasABudget()
{
    ProbePlan plan;
    const ProbePlan::ProbeLimits limits{10 * kSecond, 4};
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(plan.permit(key(i), limits, ProbeCause::Look, i * kSecond), ProbePermit::Now);
        plan.begin(key(i), i * kSecond);
        plan.end(key(i));
    }
    QCOMPARE(plan.permit(key(9), limits, ProbeCause::Look, 59 * kSecond), ProbePermit::NoBudget);
    QCOMPARE(plan.permit(key(9, QStringLiteral("stock")), limits, ProbeCause::Look, 59 * kSecond),
             ProbePermit::Now);
    QCOMPARE(plan.permit(key(9), limits, ProbeCause::Look, 60 * kSecond), ProbePermit::Now);
}

void TestProbePlan::looksKeepAShare()
{
    ProbePlan plan;
    const ProbePlan::ProbeLimits limits{10 * kSecond, 4};
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(plan.permit(key(i), limits, ProbeCause::Trouble, 0), ProbePermit::Now);
        plan.begin(key(i), 0);
    }
    QCOMPARE(plan.permit(key(9), limits, ProbeCause::Trouble, kSecond), ProbePermit::NoBudget);
    QCOMPARE(plan.permit(key(9), limits, ProbeCause::Look, kSecond), ProbePermit::Now);
    QCOMPARE(plan.permit(key(9), {10 * kSecond, 1}, ProbeCause::Trouble, 61 * kSecond), ProbePermit::Now);
}

void TestProbePlan::soManyAtOnce()
{
    ProbePlan plan;
    for (int i = 0; i < ProbePlan::kMostAtOnce; ++i)
        plan.begin(key(i), 0);
    QCOMPARE(plan.permit(key(99), {}, ProbeCause::Look, 0), ProbePermit::Full);
    plan.end(key(3));
    QCOMPARE(plan.permit(key(99), {}, ProbeCause::Look, 0), ProbePermit::Now);
}

void TestProbePlan::forgetsTheOld()
{
    ProbePlan plan;
    plan.begin(key(1), 0);
    plan.begin(key(2), 0);
    plan.end(key(1));
    QCOMPARE(plan.lastUs(key(1)), std::optional<qint64>(0));
    plan.forgetOld(3'600 * kSecond);
    QVERIFY(!plan.lastUs(key(1)));
    QVERIFY(plan.lastUs(key(2))); // under way
    QCOMPARE(plan.underWay(), 1);
}

LOCKKEEPER_TEST(TestProbePlan)

} // namespace tst_probe_plan

#include "tst_probe_plan.moc"
