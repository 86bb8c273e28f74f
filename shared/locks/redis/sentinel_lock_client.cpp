// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/sentinel_lock_client.h"

#include <utility>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

SentinelLockClient::SentinelLockClient(SentinelGroup group, Make make, qint64 patienceMs,
                                       const Traits &traits)
    : RoutedLockClient(patienceMs, traits), m_guide(std::move(group)), m_make(std::move(make))
{
    connect(&m_guide, &SentinelGuide::found, this, &SentinelLockClient::onFound);
    connect(&m_guide, &SentinelGuide::moved, this, &SentinelLockClient::onMoved);
    connect(&m_guide, &SentinelGuide::notFound, this, &SentinelLockClient::failWaiting);
}

void SentinelLockClient::dropPrimary()
{
    LockClient *old = m_inner.release();
    if (old == nullptr)
        return;
    for (auto entry = m_wakes.cbegin(); entry != m_wakes.cend(); ++entry)
        old->unsubscribe(entry.key());
    retire(old);
}

void SentinelLockClient::subscribe(const QByteArray &name, Wake wake)
{
    if (m_inner != nullptr)
        m_inner->subscribe(name, wake);
    m_wakes.insert(name, std::move(wake));
}

void SentinelLockClient::unsubscribe(const QByteArray &name)
{
    m_wakes.remove(name);
    if (m_inner != nullptr)
        m_inner->unsubscribe(name);
}

void SentinelLockClient::forget(const QByteArray &name, const QByteArray &id)
{
    if (m_inner != nullptr) // otherwise the entry expires by itself
        m_inner->forget(name, id);
}

void SentinelLockClient::send(const RoutedCall &question)
{
    question.ask(*m_inner, [this, from = m_inner.get(), question](const AttemptResult &result) {
        onAnswer(from, question, result);
    });
}

void SentinelLockClient::onMoved()
{
    m_demoted = m_inner.get();
    dropPrimary();
    m_guide.find();
}

void SentinelLockClient::onFound(const Endpoint &primary)
{
    m_inner = m_make(primary);
    connect(m_inner.get(), &LockClient::doubted, this, &LockClient::doubted);
    for (auto entry = m_wakes.cbegin(); entry != m_wakes.cend(); ++entry)
        m_inner->subscribe(entry.key(), entry.value());
    const QString before = std::exchange(m_address, primary.address());
    sendWaiting();
    if (!before.isEmpty() && before != m_address)
        Q_EMIT doubted();
}

void SentinelLockClient::onAnswer(const LockClient *from, const RoutedCall &question,
                                  const AttemptResult &result)
{
    AttemptResult told = result;
    if (mustReroute(result) && from == m_inner.get()) {
        dropPrimary();
        m_guide.mistrust();
    }
    if (told.error && told.error->code == base::ErrorCode::ReadOnly)
        told.error->code = base::ErrorCode::Unreachable; // transient: the primary has changed, or will
    if (!told.error && from == m_demoted) {
        told.attempt = question.otherwise;
        told.error = {
            base::ErrorCode::ConnectionLost, QStringLiteral("the primary has become another server"), {}};
    }
    question.done(told);
}

} // namespace lockkeeper::locks::redis
