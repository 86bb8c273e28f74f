// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into a server it moves the server's wall clock by LOCKKEEPER_TEST_CLOCK_SHIFT seconds. Its
// monotonic clock and the length of its waits stay as they are. Its machine has slept for as many hours as
// the file LOCKKEEPER_TEST_SLEPT has bytes. libfaketime does more, and can't start Debian's redis-server:
// jemalloc asks for the time before it is ready.
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

long shiftS()
{
    static const char *const text = std::getenv("LOCKKEEPER_TEST_CLOCK_SHIFT");
    return text == nullptr ? 0 : std::atol(text);
}

long sleptS()
{
    static const char *const file = std::getenv("LOCKKEEPER_TEST_SLEPT");
    struct stat status = {};
    return file == nullptr || ::stat(file, &status) != 0 ? 0 : 3'600 * long(status.st_size);
}

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec *now) noexcept
{
    const int result = int(::syscall(SYS_clock_gettime, clock, now));
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += shiftS();
    if (result == 0 && clock == CLOCK_BOOTTIME)
        now->tv_sec += sleptS();
    return result;
}

int gettimeofday(timeval *__restrict now, void *__restrict) noexcept
{
    timespec precise{};
    if (clock_gettime(CLOCK_REALTIME, &precise) != 0)
        return -1;
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1'000;
    return 0;
}

time_t time(time_t *now) noexcept
{
    timespec precise{};
    clock_gettime(CLOCK_REALTIME, &precise);
    if (now != nullptr)
        *now = precise.tv_sec;
    return precise.tv_sec;
}

/** The kernel waits by the true clock. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const timespec *until)
{
    using Wait = int (*)(pthread_cond_t *, pthread_mutex_t *, const timespec *);
    static const auto wait =
        reinterpret_cast<Wait>(::dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2"));
    timespec truly = *until;
    truly.tv_sec -= shiftS();
    return wait(condition, mutex, &truly);
}

} // extern "C"
