// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// sql.lease: a row that stays, whose time is moved.
#include <future>
#include <iostream>
#include <lockkeeper/locks.h>
#include <stop_token>

using namespace lockkeeper::locks;
using namespace std::chrono_literals;

int main(int argc, char **argv)
try {
    Runtime runtime; // before all else, and gone after it
    StoreOptions store;
    store.url = argc > 1 ? argv[1] : "mysql://app@127.0.0.1:3306/app";
    store.preset = "lock-lease"; // scheme, table and columns in one word
    const auto locks = BlockingLockManager::open(runtime, store).value();
    const auto lock = locks->lock("leader").value();
    if (!lock->acquire(10s).value()) {
        std::cout << "somebody else has it\n";
        return 1;
    }
    std::promise<void> deposed; // set in the Runtime's thread, which must not block
    const std::stop_callback onLost(lock->lostToken(), [&deposed] { deposed.set_value(); });
    std::cout << "leading\n";
    if (deposed.get_future().wait_for(1s) == std::future_status::ready)
        return 1;
    return 0; // its end gives it back
} catch (const tl::bad_expected_access<lockkeeper::base::Error> &failed) {
    std::cerr << failed.error().line().toStdString() << '\n';
    return 1;
}
