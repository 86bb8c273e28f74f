// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/lock_fault_test.h"
#include "tests/support/test_program.h"

namespace tst_sql_lock_faults {

class TestSqlLockFaults : public lockkeeper::tests::LockFaultTest
{
public:
    TestSqlLockFaults() : LockFaultTest(true) {}
};

LOCKKEEPER_TEST(TestSqlLockFaults)

} // namespace tst_sql_lock_faults
