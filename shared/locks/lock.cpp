// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/lock.h"

#include "shared/locks/holding.h"

namespace lockkeeper::locks {

Lock::Lock(std::unique_ptr<Holding> holding) : m_holding(std::move(holding))
{
    connect(m_holding.get(), &Holding::lost, this, &Lock::lost);
}

Lock::~Lock() = default;

QByteArray Lock::name() const
{
    return m_holding->name();
}

void Lock::tryAcquire(Done done)
{
    m_holding->acquire(false, {}, {}, std::move(done));
}

void Lock::acquire(std::optional<std::chrono::milliseconds> limit, Done done, std::stop_token stop)
{
    m_holding->acquire(true, limit, stop, std::move(done));
}

void Lock::renew(Done done)
{
    m_holding->renew(std::move(done));
}

void Lock::release(Done done)
{
    m_holding->release(std::move(done));
}

bool Lock::isHeld() const noexcept
{
    return m_holding->isHeld();
}

std::chrono::microseconds Lock::remaining() const noexcept
{
    return std::chrono::microseconds(m_holding->remainingUs());
}

int Lock::depth() const
{
    return m_holding->depth();
}

std::optional<quint64> Lock::fencingToken() const
{
    return fencingNumber(m_holding->lease().fencing);
}

QByteArray Lock::token() const
{
    return m_holding->lease().token;
}

std::stop_token Lock::lostToken() const
{
    return m_holding->lostToken();
}

} // namespace lockkeeper::locks
