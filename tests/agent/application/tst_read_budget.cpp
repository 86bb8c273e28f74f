// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/read_budget.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_read_budget {

using lockkeeper::agent::application::ReadBudget;

class TestReadBudget : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void spacesWhatIsAskedFor();
    void aPauseIsNoCredit();
};

void TestReadBudget::spacesWhatIsAskedFor()
{
    ReadBudget budget;
    QCOMPARE(budget.reserve(50, 1'000, 5'000'000), 0); // a scan of 50 locks
    QCOMPARE(budget.reserve(50, 1'000, 5'000'000), 50'000);
    QCOMPARE(budget.reserve(1, 1'000, 5'020'000), 80'000);
    QCOMPARE(budget.reserve(1, 1'000, 5'020'000), 81'000);
    QCOMPARE(budget.reserve(1, 1'000, 5'110'000), 0);
}

/** Or the readings of a quiet hour would come in one second. */
void TestReadBudget::aPauseIsNoCredit()
{
    ReadBudget budget;
    QCOMPARE(budget.reserve(10, 10, 1'000'000), 0);
    QCOMPARE(budget.reserve(10, 10, 3'600'000'000), 0);
    QCOMPARE(budget.reserve(10, 10, 3'600'000'000), 1'000'000);
}

LOCKKEEPER_TEST(TestReadBudget)

} // namespace tst_read_budget

#include "tst_read_budget.moc"
