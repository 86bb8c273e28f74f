// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/session_client.h"

#include "shared/base/random_id.h"
#include "shared/locks/sql/wait_breaker.h"

#include <QTimer>

#include <algorithm>

namespace lockkeeper::locks::sql {

using namespace stores::sql;
using namespace stores;

namespace {
constexpr qsizetype kMostIdle = 8;
constexpr std::chrono::milliseconds kBreakAgain(50); ///< the session may have been between two statements
constexpr int kLastTries = 100;                      ///< in the destructor, after which nothing retries
} // namespace

SessionClient::SessionClient(SourceSpec spec, const Traits &traits)
    : m_spec(std::move(spec)), m_traits(traits), m_breaker(std::make_unique<WaitBreaker>(m_spec))
{
}

SessionClient::~SessionClient()
{
    for (const auto &session : std::as_const(m_sessions)) {
        if (session->wait) {
            session->wait->left = true;
            m_breaker->end(session->wait, kLastTries, {});
        }
    }
    m_sessions.clear(); // each session waits for its thread
}

void SessionClient::later(Done done, const AttemptResult &result)
{
    QMetaObject::invokeMethod(
        this, [done = std::move(done), result] { done(result); }, Qt::QueuedConnection);
}

std::shared_ptr<SessionClient::SessionSlot> SessionClient::session(bool waits)
{
    const auto idle = std::find_if(m_idle.begin(), m_idle.end(), [waits](const auto &session) {
        return (session->wait != nullptr) == waits;
    });
    if (idle != m_idle.end()) {
        const std::shared_ptr<SessionSlot> found = *idle;
        m_idle.erase(idle);
        return found;
    }
    auto made = std::make_shared<SessionSlot>();
    if (waits)
        made->wait = std::make_shared<ServerWait>();
    made->client =
        std::make_unique<ThreadedLockClient>(std::make_unique<SessionWorker>(m_spec, made->wait), m_traits);
    connect(made->client.get(), &LockClient::lost, this, &SessionClient::onLost);
    return made;
}

void SessionClient::retire(const QByteArray &key)
{
    const std::shared_ptr<SessionSlot> session = m_sessions.take(key);
    if (!session)
        return;
    if (session->wait)
        session->wait->left = false;
    if (m_idle.size() < kMostIdle)
        m_idle.append(session);
    else // the session may be the caller: destroy it later
        QMetaObject::invokeMethod(
            this, [session] {}, Qt::QueuedConnection);
}

void SessionClient::tryAcquire(const Lease &wanted, Done done)
{
    take(wanted, false, std::move(done));
}

void SessionClient::enqueue(const Lease &wanted, Done done)
{
    take(wanted, true, std::move(done));
}

void SessionClient::take(Lease wanted, bool waits, Done done)
{
    if (wanted.token.isEmpty())
        wanted.token = base::randomId();
    const QByteArray key = keyOf(wanted);
    if (m_sessions.contains(key)) {
        later(std::move(done), {.attempt = Attempt::Held, .lease = wanted});
        return;
    }
    const std::shared_ptr<SessionSlot> session = this->session(waits);
    session->done = std::move(done);
    m_sessions.insert(key, session);
    session->client->tryAcquire(wanted, [this, key](const AttemptResult &result) { onTaken(key, result); });
}

void SessionClient::onTaken(const QByteArray &key, const AttemptResult &result)
{
    const std::shared_ptr<SessionSlot> session = m_sessions.value(key);
    if (session->breaking) { // nothing else may run on its connection until the break has ended
        session->result = result;
        return;
    }
    if (result.error || result.attempt != Attempt::Done)
        retire(key);
    std::exchange(session->done, {})(result);
}

void SessionClient::onLost(const Lease &lease)
{
    const QByteArray key = keyOf(lease);
    const std::shared_ptr<SessionSlot> session = m_sessions.value(key);
    if (!session)
        return;
    if (session->result) { // the acquisition wasn't reported yet
        session->result->attempt = Attempt::Held;
        return;
    }
    retire(key);
    Q_EMIT lost(lease);
}

void SessionClient::leave(const Lease &wanted)
{
    const QByteArray key = keyOf(wanted);
    const std::shared_ptr<SessionSlot> session = m_sessions.value(key);
    if (!session || !session->wait || !session->done)
        return;
    session->wait->left = true;
    breakWait(key);
}

void SessionClient::breakWait(const QByteArray &key)
{
    const std::shared_ptr<SessionSlot> session = m_sessions.value(key);
    if (!session || !session->done || session->breaking || !session->wait || !session->wait->left)
        return;
    session->breaking = true;
    m_breaker->end(session->wait, 1, [this, key] {
        SessionSlot &waiting = *m_sessions.value(key);
        waiting.breaking = false;
        if (const auto result = std::exchange(waiting.result, std::nullopt))
            onTaken(key, *result);
        else
            QTimer::singleShot(kBreakAgain, this, [this, key] { breakWait(key); });
    });
}

void SessionClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    const QByteArray key = keyOf(lease);
    const std::shared_ptr<SessionSlot> session = m_sessions.value(key);
    if (!session || session->done) {
        later(std::move(done), {.attempt = Attempt::Lost, .lease = lease});
        return;
    }
    session->client->renew(lease, ttlUs, [this, key, done = std::move(done)](const AttemptResult &result) {
        if (!result.error && result.attempt == Attempt::Lost)
            retire(key);
        done(result);
    });
}

void SessionClient::release(const Lease &lease, Done done)
{
    const QByteArray key = keyOf(lease);
    const std::shared_ptr<SessionSlot> session = m_sessions.value(key);
    if (!session || session->done) {
        later(std::move(done), {.attempt = Attempt::Lost, .lease = lease});
        return;
    }
    session->client->release(lease, [this, key, done = std::move(done)](const AttemptResult &result) {
        retire(key);
        done(result);
    });
}

} // namespace lockkeeper::locks::sql
