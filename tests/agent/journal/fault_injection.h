// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <future>
#include <thread>

namespace lockkeeper::tests {

/**
 * Stands between SQLite and the kernel: the test program defines pwrite64() and fdatasync() itself. Affects
 * writes to files only, in every thread.
 */
struct FaultInjection
{
    /**
     * From now on writes fail with this errno (ENOSPC, EIO, …); 0: they work again. `part`: a literal; only
     * those to files whose names contain it.
     */
    static void failWrites(int error, const char *part = "");
    /** From now on writes to files whose names contain `part`, a literal, wait; nullptr: they continue. */
    static void holdWrites(const char *part);
    /** How often a file's data was synced since the start. */
    static int syncs();
};

/**
 * Holds writes back, as FaultInjection does, until letGo() or its destruction. It ends after a minute at
 * most: a waiting thread might keep a failed test from ending.
 */
class HeldWrites
{
public:
    explicit HeldWrites(const char *part);
    ~HeldWrites();
    HeldWrites(const HeldWrites &) = delete;
    HeldWrites &operator=(const HeldWrites &) = delete;
    void letGo() { FaultInjection::holdWrites(nullptr); }

private:
    std::promise<void> m_gone;
    std::thread m_rescue;
};

} // namespace lockkeeper::tests
