// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// In a program that has Qt's event loop already: nothing waits, and no thread is needed.
#include <QCoreApplication>

#include <iostream>
#include <lockkeeper/locks.h>

using namespace lockkeeper::locks;

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    StoreOptions store;
    store.url = argc > 1 ? argv[1] : "redis://127.0.0.1:6379/0";
    store.scheme = "redis.token";
    const auto locks = LockManager::open(store).value();
    const auto lock = locks->lock("lock:report").value();
    QObject::connect(lock.get(), &Lock::lost, [] { QCoreApplication::exit(1); });
    lock->acquire(std::chrono::seconds(10), [&lock](const auto &held) {
        if (!held || !*held)
            return QCoreApplication::exit(1);
        std::cout << "held for " << lock->remaining().count() / 1000 << " ms\n";
        lock->release([](const auto &) { QCoreApplication::quit(); });
    });
    return QCoreApplication::exec();
}
