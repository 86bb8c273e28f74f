// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// sql.insert: a row that is there while the lock is held, in any table by its columns.
#include <iostream>
#include <lockkeeper/locks.h>

using namespace lockkeeper::locks;
using namespace std::chrono_literals;

int main(int argc, char **argv)
try {
    Runtime runtime; // before all else, and gone after it
    StoreOptions store;
    store.url = argc > 1 ? argv[1] : "mysql://app@127.0.0.1:3306/app";
    store.scheme = "sql.insert";
    store.table = "distribute_lock";
    store.keys = {{"name", "resource_id"}, {"id", "id"}, {"acquired_at", "create_time"}, {"lease", "30s"}};
    const auto locks = BlockingLockManager::open(runtime, store).value();
    const auto lock = locks->lock("invoice/4711").value();
    if (!lock->acquire(10s).value()) {
        std::cout << "somebody else has it\n";
        return 1;
    }
    std::cout << "sending the invoice once\n";
    return 0; // its end gives it back
} catch (const tl::bad_expected_access<lockkeeper::base::Error> &failed) {
    std::cerr << failed.error().line().toStdString() << '\n';
    return 1;
}
