// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/lock_fault_test.h"

#include "tests/support/lock_fault_cases.h"

#include <QTest>

namespace lockkeeper::tests {

void LockFaultTest::cases_data()
{
    QTest::addColumn<int>("index");
    const QList<FaultCase> all = faultCases();
    for (int i = 0; i < all.size(); ++i) {
        if (QByteArrayView(all.at(i).name).startsWith("sql.") == m_ofSql)
            QTest::newRow(all.at(i).name) << i;
    }
}

void LockFaultTest::cases()
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
    QVERIFY2(report.kills + report.stops > 3 && report.faults > 2, report.text().constData());
}

} // namespace lockkeeper::tests
