// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/lock_fault_test.h"
#include "tests/support/test_program.h"

namespace tst_lock_faults {

class TestLockFaults : public lockkeeper::tests::LockFaultTest
{
public:
    TestLockFaults() : LockFaultTest(false) {}
};

LOCKKEEPER_TEST(TestLockFaults)

} // namespace tst_lock_faults
