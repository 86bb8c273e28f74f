// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/sentinel_lock_client.h"

#include <chrono>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

SentinelLockClient::SentinelLockClient(SentinelGroup group, Make make, qint64 patienceMs, QObject *parent)
    : LockClient(parent), m_guide(std::move(group)), m_make(std::move(make)), m_patienceMs(patienceMs)
{
    connect(&m_guide, &SentinelGuide::found, this, &SentinelLockClient::onFound);
    connect(&m_guide, &SentinelGuide::moved, this, &SentinelLockClient::retire);
    connect(&m_guide, &SentinelGuide::notFound, this, [this](const Error &error) {
        for (const Question &question : std::exchange(m_waiting, {}))
            Q_EMIT answered({question.request, question.otherwise, {}, error});
    });
}

/** It still answers what it was asked, and is asked no more. */
void SentinelLockClient::retire()
{
    LockClient *old = m_inner.release();
    if (old == nullptr)
        return;
    old->setParent(this);
    QTimer::singleShot(std::chrono::milliseconds(m_patienceMs), old, &QObject::deleteLater);
}

void SentinelLockClient::tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    put({request, Attempt::Held, [=](LockClient &to) { to.tryAcquire(request, name, ttlUs); }});
}

void SentinelLockClient::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    put({request, Attempt::Lost, [=](LockClient &to) { to.renew(request, lease, ttlUs); }});
}

void SentinelLockClient::release(quint64 request, const Lease &lease)
{
    put({request, Attempt::Lost, [=](LockClient &to) { to.release(request, lease); }});
}

void SentinelLockClient::put(Question question)
{
    if (m_inner != nullptr) {
        question.ask(*m_inner);
        return;
    }
    m_waiting.enqueue(std::move(question));
    if (m_waiting.size() == 1)
        m_guide.find();
}

void SentinelLockClient::onFound(const Endpoint &primary)
{
    m_inner = m_make(primary);
    connect(m_inner.get(), &LockClient::answered, this, &SentinelLockClient::onAnswer);
    for (const Question &question : std::exchange(m_waiting, {}))
        question.ask(*m_inner);
}

void SentinelLockClient::onAnswer(const AttemptResult &result)
{
    // Whatever came between: the next question asks the sentinels first.
    const bool astray =
        result.error && (base::isTransient(result.error->code) || result.error->code == ErrorCode::ReadOnly);
    if (astray && sender() == m_inner.get())
        retire();
    Q_EMIT answered(result);
}

} // namespace lockkeeper::stores::redis
