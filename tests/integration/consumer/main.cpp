// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A program without Qt or an event loop of its own: takes the lock argv[3] of scheme argv[2] at argv[1], sees
// that others find it held, gives it back, and says what its own locale makes of a number.
#include <clocale>
#include <cstdio>
#include <lockkeeper/locks.h>

using namespace lockkeeper::locks;

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    std::setlocale(LC_NUMERIC, "C");
    Runtime runtime;
    StoreOptions options;
    options.url = argv[1];
    options.scheme = argv[2];
    const auto locks = BlockingLockManager::open(runtime, options);
    if (!locks) {
        std::fprintf(stderr, "%s\n", locks.error().line().toUtf8().constData());
        return 1;
    }
    const auto lock = (*locks)->lock(argv[3]);
    const auto other = (*locks)->lock(argv[3]);
    const auto held = (*lock)->tryAcquire();
    if (!held) {
        std::fprintf(stderr, "%s\n", held.error().line().toUtf8().constData());
        return 1;
    }
    const auto refused = (*other)->tryAcquire();
    const auto released = (*lock)->release();
    const auto scoped = (*locks)->withLock(argv[3], {}, [](BlockingLock &own) { own.renew(); });
    if (!scoped.value_or(false) || !(*locks)->traits().expires)
        return 1;
    std::printf("held %d, by others %d, released %d, %.1f, locale %s\n", int(*held),
                int(refused.value_or(true)), int(released.value_or(false)), 0.5,
                std::setlocale(LC_ALL, nullptr));
    return 0;
}
