// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/fault_injection.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
std::atomic<int> writeError{0};
std::atomic<const char *> failingPart{""};
std::atomic<const char *> heldPart{nullptr};
std::atomic<int> syncCount{0};

bool isNamed(int fd, const char *part)
{
    std::array<char, 4096> name{};
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const ssize_t size = readlink(link.c_str(), name.data(), name.size() - 1);
    return size >= 0 && std::strstr(name.data(), part) != nullptr;
}

ssize_t writeAt(int fd, const void *data, size_t size, off64_t offset)
{
    for (const char *held = heldPart; held != nullptr && isNamed(fd, held); held = heldPart)
        heldPart.wait(held);
    if (const int error = writeError; error != 0 && isNamed(fd, failingPart)) {
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

void FaultInjection::failWrites(int error, const char *part)
{
    failingPart = part;
    writeError = error;
}

void FaultInjection::holdWrites(const char *part)
{
    heldPart = part;
    heldPart.notify_all();
}

int FaultInjection::syncs()
{
    return syncCount;
}

HeldWrites::HeldWrites(const char *part)
    : m_rescue([gone = m_gone.get_future()] {
          if (gone.wait_for(std::chrono::minutes(1)) != std::future_status::ready)
              FaultInjection::holdWrites(nullptr);
      })
{
    FaultInjection::holdWrites(part);
}

HeldWrites::~HeldWrites()
{
    letGo();
    m_gone.set_value();
    m_rescue.join();
}

} // namespace lockkeeper::tests
