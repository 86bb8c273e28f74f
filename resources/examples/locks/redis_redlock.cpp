// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// redis.redlock: the same key on a majority of independent servers.
#include <iostream>
#include <lockkeeper/locks.h>

using namespace lockkeeper::locks;
using namespace std::chrono_literals;

int main(int argc, char **argv)
try {
    Runtime runtime; // before all else, and gone after it
    StoreOptions store;
    store.url = argc > 1 ? argv[1] : "redlock://127.0.0.1:6379,127.0.0.1:6380,127.0.0.1:6381";
    store.scheme = "redis.redlock";
    const auto locks = BlockingLockManager::open(runtime, store).value();
    const auto lock = locks->lock("payout", {.ttl = 10s}).value();
    if (!lock->acquire(10s).value()) {
        std::cout << "somebody else has it\n";
        return 1;
    }
    for (int part = 1; part <= 3; ++part) {
        if (!lock->isHeld()) // a majority didn't renew it in time: somebody else may work already
            return 1;
        std::cout << "part " << part << " with " << lock->remaining() / 1ms << " ms to spare\n";
    }
    return 0; // its end gives it back
} catch (const tl::bad_expected_access<lockkeeper::base::Error> &failed) {
    std::cerr << failed.error().line().toStdString() << '\n';
    return 1;
}
