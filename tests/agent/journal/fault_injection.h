// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockkeeper::tests {

/**
 * Stands between SQLite and the kernel: the test program defines pwrite64() and fdatasync() itself. Affects
 * writes to files only, in every thread.
 */
struct FaultInjection
{
    /** From now on writes fail with this errno (ENOSPC, EIO, …); 0: they work again. */
    static void failWrites(int error);
    /** How many writes to files there were since the start. */
    static int writes();
    /** How often a file's data was synced since the start. */
    static int syncs();
};

} // namespace lockkeeper::tests
