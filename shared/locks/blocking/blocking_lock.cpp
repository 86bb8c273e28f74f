// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/blocking/blocking_lock.h"

#include "shared/locks/blocking/event_thread.h"
#include "shared/locks/lock.h"

#include <utility>

namespace lockkeeper::locks {

BlockingLock::BlockingLock(std::shared_ptr<EventThread> thread, std::unique_ptr<Lock> lock, bool givesBack)
    : m_thread(std::move(thread)), m_lock(std::move(lock)), m_givesBack(givesBack)
{
}

BlockingLock::~BlockingLock()
{
    if (!m_thread->isHere()) {
        m_lock.release(); // it belongs to the parent process
        return;
    }
    for (int taken = m_givesBack ? depth() : 0; taken > 0; --taken)
        release();
    m_thread->ask<bool>([this](const EventThread::Answer<bool> &answer) {
        m_lock.reset();
        answer(true);
    });
}

base::Result<bool> BlockingLock::ask(std::function<void(Lock &, Done)> question)
{
    return m_thread->ask<bool>([this, question = std::move(question)](
                                   const EventThread::Answer<bool> &answer) { question(*m_lock, answer); });
}

std::string BlockingLock::name() const
{
    return m_lock->name().toStdString();
}

base::Result<bool> BlockingLock::tryAcquire()
{
    return ask([](Lock &lock, Done done) { lock.tryAcquire(std::move(done)); });
}

base::Result<bool> BlockingLock::acquire(std::optional<std::chrono::milliseconds> limit, std::stop_token stop)
{
    return ask([limit, stop = std::move(stop)](Lock &lock, Done done) {
        lock.acquire(limit, std::move(done), stop);
    });
}

base::Result<bool> BlockingLock::renew()
{
    return ask([](Lock &lock, Done done) { lock.renew(std::move(done)); });
}

base::Result<bool> BlockingLock::release()
{
    return ask([](Lock &lock, Done done) { lock.release(std::move(done)); });
}

bool BlockingLock::isHeld() const noexcept
{
    return m_lock->isHeld();
}

std::chrono::microseconds BlockingLock::remaining() const noexcept
{
    return m_lock->remaining();
}

std::stop_token BlockingLock::lostToken() const
{
    return m_lock->lostToken();
}

int BlockingLock::depth() const
{
    return m_thread->ask<int>([this](const EventThread::Answer<int> &answer) { answer(m_lock->depth()); })
        .value_or(0);
}

std::optional<quint64> BlockingLock::fencingToken() const
{
    using Token = std::optional<quint64>;
    return m_thread
        ->ask<Token>([this](const EventThread::Answer<Token> &answer) { answer(m_lock->fencingToken()); })
        .value_or(std::nullopt);
}

} // namespace lockkeeper::locks
