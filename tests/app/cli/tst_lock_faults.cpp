// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_fault_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_lock_faults {

using namespace lockkeeper::tests;

/**
 * Locks under faults, some seconds each: what a scheme promises holds, and where it is known not to, the same
 * checker says so. `./run bench locks` does the same for minutes.
 */
class TestLockFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cases_data();
    void cases();
};

void TestLockFaults::cases_data()
{
    QTest::addColumn<int>("index");
    const QList<FaultCase> all = faultCases();
    for (int i = 0; i < all.size(); ++i)
        QTest::newRow(all.at(i).name) << i;
}

void TestLockFaults::cases()
{
    QFETCH(int, index);
    const FaultCase one = faultCases().at(index);
    if (one.absent)
        QSKIP(one.absent);
    const FaultReport report = one.run({});
    qInfo().noquote() << one.name << report.text();
    QVERIFY2(report.holds > 5, report.text().constData());
    if (!one.safe) {
        QVERIFY2(report.overlaps() > 0, report.text().constData());
        return;
    }
    QVERIFY2(report.violations.isEmpty(), report.text().constData());
    QVERIFY2(report.kills > 2 && report.stops > 1 && report.faults > 2, report.text().constData());
}

LOCKKEEPER_TEST(TestLockFaults)

} // namespace tst_lock_faults

#include "tst_lock_faults.moc"
