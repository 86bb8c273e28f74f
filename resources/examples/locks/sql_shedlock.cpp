// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// sql.shedlock: ShedLock's table: a job that another node runs already is left out.
#include <iostream>
#include <lockkeeper/locks.h>

using namespace lockkeeper::locks;
using namespace std::chrono_literals;

int main(int argc, char **argv)
try {
    Runtime runtime; // before all else, and gone after it
    StoreOptions store;
    store.url = argc > 1 ? argv[1] : "mysql://app@127.0.0.1:3306/app";
    store.scheme = "sql.shedlock";
    const auto locks = BlockingLockManager::open(runtime, store).value();
    const auto lock = locks->lock("nightly", {.ttl = 10min}).value();
    if (!lock->tryAcquire().value()) {
        std::cout << "somebody else has it\n";
        return 1;
    }
    std::cout << "running the nightly job\n";
    return 0; // its end gives it back
} catch (const tl::bad_expected_access<lockkeeper::base::Error> &failed) {
    std::cerr << failed.error().line().toStdString() << '\n';
    return 1;
}
