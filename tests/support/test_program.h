// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

/**
 * The tests of a folder are one program: `redis_tests tst_redis_push [Qt Test options]` runs one of its test
 * classes in a separate process. Without a name, the program lists its test classes. ctest knows each class
 * by its file's name.
 */
namespace lockkeeper::tests {

using RunTest = int (*)(int argc, char **argv);

/** Enters a test class, or a helper process of one, under the base name of its file. */
class RegisteredTest
{
public:
    RegisteredTest(const char *file, RunTest run);
};

/**
 * Sets the variables that ctest sets, unless they are set: a program can be started by hand. To be called
 * before the application object is made.
 */
void setTestEnvironment();

/** The main() of every test program; the application object exists already. */
int runTests(int argc, char **argv);

} // namespace lockkeeper::tests

// A condition may come late on a busy machine with slow disks: Qt Test waits only for five seconds.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 20'000)
#define QTRY_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT(condition, message, 20'000)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 20'000)

#define LOCKKEEPER_TEST(Class)                                                                               \
    const lockkeeper::tests::RegisteredTest registered##Class(__FILE__, [](int argc, char **argv) {          \
        Class test;                                                                                          \
        return QTest::qExec(&test, argc, argv);                                                              \
    });
