// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// etcd.lease: a queue of keys under leases, as `etcdctl lock` and Go's concurrency package keep it.
#include <iostream>
#include <lockkeeper/locks.h>
#include <stop_token>

using namespace lockkeeper::locks;
using namespace std::chrono_literals;

int main(int argc, char **argv)
try {
    Runtime runtime; // before all else, and gone after it
    StoreOptions store;
    store.url = argc > 1 ? argv[1] : "etcd://127.0.0.1:2379";
    store.scheme = "etcd.lease";
    const auto locks = BlockingLockManager::open(runtime, store).value();
    const auto lock = locks->lock("/locks/migrate", {.ttl = 15s}).value();
    std::stop_source enough; // ends the waiting from elsewhere: another thread, a signal
    if (!lock->acquire(10s, enough.get_token()).value()) {
        std::cout << "somebody else has it\n";
        return 1;
    }
    std::cout << "our turn, fencing token " << *lock->fencingToken() << '\n';
    return 0; // its end gives it back
} catch (const tl::bad_expected_access<lockkeeper::base::Error> &failed) {
    std::cerr << failed.error().line().toStdString() << '\n';
    return 1;
}
