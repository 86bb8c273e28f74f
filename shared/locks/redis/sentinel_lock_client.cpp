// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/sentinel_lock_client.h"

#include <chrono>
#include <utility>

namespace lockkeeper::locks::redis {

using base::Error;
using base::ErrorCode;

SentinelLockClient::SentinelLockClient(SentinelGroup group, Make make, qint64 patienceMs,
                                       const Traits &traits, QObject *parent)
    : LockClient(parent),
      m_guide(std::move(group)),
      m_make(std::move(make)),
      m_patienceMs(patienceMs),
      m_traits(traits)
{
    connect(&m_guide, &SentinelGuide::found, this, &SentinelLockClient::onFound);
    connect(&m_guide, &SentinelGuide::moved, this, &SentinelLockClient::retire);
    connect(&m_guide, &SentinelGuide::notFound, this, [this](const Error &error) {
        m_leaving.clear();
        for (const Question &question : std::exchange(m_waiting, {}))
            question.done({.attempt = question.otherwise, .error = error});
    });
}

/** It still answers what it was asked, and is asked no more. */
void SentinelLockClient::retire()
{
    LockClient *old = m_inner.release();
    if (old == nullptr)
        return;
    for (auto entry = m_wakes.cbegin(); entry != m_wakes.cend(); ++entry)
        old->unsubscribe(entry.key());
    for (const Lease &queued : std::as_const(m_queued))
        old->leave(queued);
    old->setParent(this);
    QTimer::singleShot(std::chrono::milliseconds(m_patienceMs), old, &QObject::deleteLater);
}

void SentinelLockClient::tryAcquire(const Lease &wanted, Done done)
{
    put({Attempt::Held, [wanted](LockClient &to, Done then) { to.tryAcquire(wanted, std::move(then)); },
         std::move(done)});
}

void SentinelLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    put({Attempt::Lost,
         [lease, ttlUs](LockClient &to, Done then) { to.renew(lease, ttlUs, std::move(then)); },
         std::move(done)});
}

void SentinelLockClient::release(const Lease &lease, Done done)
{
    put({Attempt::Lost, [lease](LockClient &to, Done then) { to.release(lease, std::move(then)); },
         std::move(done)});
}

/** Who has to leave the queue of a server that is no longer the primary is told that the lock is held, and
 * may ask again. */
void SentinelLockClient::enqueue(const Lease &wanted, Done done)
{
    const auto isWanted = [wanted](const Lease &any) {
        return any.token == wanted.token && any.name == wanted.name;
    };
    m_queued.append(wanted);
    put({Attempt::Held, [wanted](LockClient &to, Done then) { to.enqueue(wanted, std::move(then)); },
         [this, isWanted, done = std::move(done)](const AttemptResult &result) {
             m_queued.removeIf(isWanted);
             done(result);
         }});
}

void SentinelLockClient::leave(const Lease &wanted)
{
    if (m_inner != nullptr)
        m_inner->leave(wanted);
    else
        m_leaving.append(wanted);
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

void SentinelLockClient::announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                                  Done done)
{
    put({Attempt::Lost,
         [name, waiters, forUs](LockClient &to, Done then) {
             to.announce(name, waiters, forUs, std::move(then));
         },
         std::move(done)});
}

void SentinelLockClient::forget(const QByteArray &name, const QByteArray &id)
{
    if (m_inner != nullptr) // else its time ends by itself
        m_inner->forget(name, id);
}

void SentinelLockClient::put(Question question)
{
    if (m_inner != nullptr) {
        send(question);
        return;
    }
    m_waiting.enqueue(std::move(question));
    if (m_waiting.size() == 1)
        m_guide.find();
}

void SentinelLockClient::send(const Question &question)
{
    question.ask(*m_inner, [this, from = m_inner.get(), done = question.done](const AttemptResult &result) {
        onAnswer(from, done, result);
    });
}

void SentinelLockClient::onFound(const Endpoint &primary)
{
    m_inner = m_make(primary);
    for (auto entry = m_wakes.cbegin(); entry != m_wakes.cend(); ++entry)
        m_inner->subscribe(entry.key(), entry.value());
    for (const Question &question : std::exchange(m_waiting, {}))
        send(question);
    for (const Lease &wanted : std::exchange(m_leaving, {}))
        m_inner->leave(wanted);
}

void SentinelLockClient::onAnswer(const LockClient *from, const Done &done, const AttemptResult &result)
{
    // Whatever came between: the next question asks the sentinels first.
    const bool astray =
        result.error && (base::isTransient(result.error->code) || result.error->code == ErrorCode::ReadOnly);
    if (astray && from == m_inner.get())
        retire();
    done(result);
}

} // namespace lockkeeper::locks::redis
