// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/checkpointer.h"

#include "agent/journal/storage/niceness.h"

namespace lockkeeper::agent::journal {

namespace {

// In pages of 2 KiB. If the log is copied completely while nobody writes, SQLite starts it again.
constexpr qint64 kStep = 16'000;
constexpr qint64 kSmallStep = 512; // for an agent with few events, so that its log stays small too
constexpr auto kSmallPause = std::chrono::minutes(1);
constexpr qint64 kLong = 131'072; // copying by the writer delays all events, so it is rare and short
constexpr qint64 kVeryLong = 2 * kLong;
constexpr qint64 kLittle = 1'000;
constexpr int kCopyNiceness = 10;

} // namespace

void Checkpointer::start(const QString &path)
{
    stop();
    m_stop = m_asked = false;
    m_copied = 0;
    m_thread = std::thread([this, path] { run(path); });
}

void Checkpointer::stop()
{
    if (!m_thread.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

bool Checkpointer::isDue(qint64 pages, Clock::time_point now)
{
    if (pages < kSmallStep)
        return false;
    const std::lock_guard lock(m_mutex);
    if (pages < m_copied)
        m_copied = 0; // the log has started again
    if (m_asked)
        return pages >= kVeryLong;
    const bool isLong = pages >= kLong;
    if (isLong && pages - m_copied < kLittle)
        return true;
    const bool isSmallDue = pages - m_copied >= kSmallStep && now >= m_nextSmall;
    if (isLong || pages - m_copied >= kStep || isSmallDue) {
        m_nextSmall = now + kSmallPause;
        m_asked = true;
        m_changed.notify_all();
    }
    return false;
}

void Checkpointer::run(const QString &path)
{
    setThreadNiceness(kCopyNiceness);
    SqliteConnection connection;
    if (!connection.open(path, SqliteConnection::Mode::Copy))
        return;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_asked || m_stop; });
        if (m_stop)
            break;
        lock.unlock();
        const qint64 copied = connection.checkpoint();
        lock.lock();
        m_copied = copied;
        m_asked = false;
    }
    lock.unlock();
    connection.close();
}

} // namespace lockkeeper::agent::journal
