// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <QCoreApplication>

int main(int argc, char **argv)
{
    lockkeeper::tests::setTestEnvironment();
    const QCoreApplication app(argc, argv);
    return lockkeeper::tests::runTests(argc, argv);
}
