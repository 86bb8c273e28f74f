// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

/**
 * The tests of a folder are one program: `redis_tests tst_redis_push [Qt Test options]` runs one of its test
 * classes, in a process of its own; without a name the program lists them. ctest knows each class by its
 * file's name.
 */
namespace lockkeeper::tests {

using RunTest = int (*)(int argc, char **argv);

/** Enters a test class, or a helper process of one, under the base name of its file. */
class RegisteredTest
{
public:
    RegisteredTest(const char *file, RunTest run);
};

/** The main() of every test program; the application object is there already. */
int runTests(int argc, char **argv);

} // namespace lockkeeper::tests

#define LOCKKEEPER_TEST(Class)                                                                               \
    const lockkeeper::tests::RegisteredTest registered##Class(__FILE__, [](int argc, char **argv) {          \
        Class test;                                                                                          \
        return QTest::qExec(&test, argc, argv);                                                              \
    });
