// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// zookeeper.sequence: ephemeral sequential nodes, as kazoo and Curator keep them: first come, first served.
#include <iostream>
#include <lockkeeper/locks.h>

using namespace lockkeeper::locks;
using namespace std::chrono_literals;

int main(int argc, char **argv)
try {
    Runtime runtime; // before all else, and gone after it
    StoreOptions store;
    store.url = argc > 1 ? argv[1] : "zookeeper://127.0.0.1:2181";
    store.scheme = "zookeeper.sequence";
    const auto locks = BlockingLockManager::open(runtime, store).value();
    const auto lock = locks->lock("/locks/compaction").value();
    if (!lock->acquire(10s).value()) {
        std::cout << "somebody else has it\n";
        return 1;
    }
    std::cout << "compacting\n";
    return 0; // its end gives it back
} catch (const tl::bad_expected_access<lockkeeper::base::Error> &failed) {
    std::cerr << failed.error().line().toStdString() << '\n';
    return 1;
}
