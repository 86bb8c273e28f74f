// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// sql.version: nobody holds it. Who finds the version that was read increments it, who doesn't begins again.
#include <iostream>
#include <lockkeeper/locks.h>

using namespace lockkeeper::locks;

int main(int argc, char **argv)
try {
    Runtime runtime; // before all else, and gone after it
    StoreOptions store;
    store.url = argc > 1 ? argv[1] : "mysql://app@127.0.0.1:3306/app";
    store.preset = "optimistic-lock";
    const auto locks = BlockingLockManager::open(runtime, store).value();
    int tries = 0;
    if (!locks
             ->compareAndIncrement(
                 "account/7", [&tries] { ++tries; }, 5)
             .value()) {
        std::cout << "somebody else was faster each time\n";
        return 1;
    }
    std::cout << "changed, try " << tries << '\n';
    return 0;
} catch (const tl::bad_expected_access<lockkeeper::base::Error> &failed) {
    std::cerr << failed.error().line().toStdString() << '\n';
    return 1;
}
