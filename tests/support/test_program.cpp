// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <QByteArray>

#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lockkeeper::tests {

namespace {
std::map<std::string, RunTest> &registered()
{
    static std::map<std::string, RunTest> all; // filled before main()
    return all;
}
} // namespace

RegisteredTest::RegisteredTest(const char *file, RunTest run)
{
    std::string name(file);
    name.erase(0, name.find_last_of('/') + 1);
    registered()[name.substr(0, name.find('.'))] = run;
}

void setTestEnvironment()
{
    const std::pair<const char *, QByteArray> variables[]{
        {"LC_ALL", "C.UTF-8"},
        {"LOCKKEEPER_BIN", QT_TESTCASE_BUILDDIR "/../bin"},
        {"LOCKKEEPER_SOURCE", QT_TESTCASE_SOURCEDIR "/.."},
        {"MONGOC_DISABLE_SHM", "1"},
        {"QT_QPA_PLATFORM", "offscreen"},
    };
    for (const auto &[name, value] : variables) {
        if (!qEnvironmentVariableIsSet(name))
            qputenv(name, value);
    }
}

int runTests(int argc, char **argv)
{
    const auto test = registered().find(argc > 1 ? argv[1] : "");
    if (test == registered().end()) {
        std::fprintf(stderr, "Usage: %s TEST [Qt Test options]\nTests:\n", argv[0]);
        for (const auto &[name, run] : registered())
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    std::vector<char *> rest{argv[0]};
    rest.insert(rest.end(), argv + 2, argv + argc);
    rest.push_back(nullptr);
    return test->second(int(rest.size()) - 1, rest.data());
}

} // namespace lockkeeper::tests
