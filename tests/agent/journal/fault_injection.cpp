// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/fault_injection.h"

#include <atomic>
#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
std::atomic<int> writeError{0};
std::atomic<int> syncCount{0};
std::atomic<int> writeCount{0};

ssize_t writeAt(int fd, const void *data, size_t size, off64_t offset)
{
    ++writeCount;
    if (const int error = writeError) {
        errno = error;
        return -1;
    }
    return ssize_t(syscall(SYS_pwrite64, fd, data, size, offset));
}
} // namespace

extern "C" {
// With 64-bit offsets the C library's header turns pwrite() into pwrite64(): the plain name needs its symbol.
ssize_t plainPwrite(int fd, const void *data, size_t size, off64_t offset) __asm__("pwrite");

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
    return writeAt(fd, data, size, offset);
}

ssize_t plainPwrite(int fd, const void *data, size_t size, off64_t offset)
{
    return writeAt(fd, data, size, offset);
}

int fdatasync(int fd)
{
    ++syncCount;
    return int(syscall(SYS_fdatasync, fd));
}

int fsync(int fd)
{
    ++syncCount;
    return int(syscall(SYS_fsync, fd));
}
}

namespace lockkeeper::tests {

void FaultInjection::failWrites(int error)
{
    writeError = error;
}

int FaultInjection::writes()
{
    return writeCount;
}

int FaultInjection::syncs()
{
    return syncCount;
}

} // namespace lockkeeper::tests
