// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// mongodb.ttl: a document that a TTL index removes when nobody renews it.
#include <iostream>
#include <lockkeeper/locks.h>

using namespace lockkeeper::locks;
using namespace std::chrono_literals;

int main(int argc, char **argv)
try {
    Runtime runtime; // before all else, and gone after it
    StoreOptions store;
    store.url = argc > 1 ? argv[1] : "mongodb://127.0.0.1:27017/app";
    store.scheme = "mongodb.ttl";
    store.table = "locks"; // the collection
    const auto locks = BlockingLockManager::open(runtime, store).value();
    const auto lock = locks->lock("reindex").value();
    if (!lock->acquire(10s).value()) {
        std::cout << "somebody else has it\n";
        return 1;
    }
    std::cout << "reindexing\n";
    return 0; // its end gives it back
} catch (const tl::bad_expected_access<lockkeeper::base::Error> &failed) {
    std::cerr << failed.error().line().toStdString() << '\n';
    return 1;
}
