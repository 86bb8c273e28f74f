// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/routed_lock_client.h"

#include "shared/locks/redis/client_scheme.h"

#include <QTimer>

#include <chrono>
#include <utility>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

RoutedLockClient::RoutedLockClient(qint64 patienceMs, const Traits &traits)
    : m_patienceMs(patienceMs), m_traits(traits)
{
}

void RoutedLockClient::tryAcquire(const Lease &wanted, Done done)
{
    put({wanted.name, Attempt::Held,
         [wanted](LockClient &to, Done then) { to.tryAcquire(wanted, std::move(then)); }, std::move(done)});
}

void RoutedLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    put({lease.name, Attempt::Lost,
         [lease, ttlUs](LockClient &to, Done then) { to.renew(lease, ttlUs, std::move(then)); },
         std::move(done)});
}

void RoutedLockClient::release(const Lease &lease, Done done)
{
    put({lease.name, Attempt::Lost,
         [lease](LockClient &to, Done then) { to.release(lease, std::move(then)); }, std::move(done)});
}

void RoutedLockClient::enqueue(const Lease &wanted, Done done)
{
    const Place place{wanted.name, wanted.token};
    m_queued.insert(place, {wanted});
    put({wanted.name, Attempt::Held,
         [this, place, wanted](LockClient &to, Done then) {
             Queued &queued = m_queued[place];
             queued.at = &to;
             queued.moves = false;
             to.enqueue(wanted, std::move(then));
             if (m_queued.value(place).leaves) // unless it was already answered
                 to.leave(wanted);
         },
         [this, place, wanted, done = std::move(done)](const AttemptResult &result) {
             AttemptResult told = result;
             if (m_queued.take(place).moves) { // it has left that queue, after anything granted there
                 told.attempt = Attempt::Held;
                 told.lease = placeOf(wanted);
                 if (!told.error)
                     told.error = {base::ErrorCode::ConnectionLost,
                                   QStringLiteral("the lock's queue is at another server"),
                                   {}};
             }
             done(told);
         }});
}

void RoutedLockClient::leave(const Lease &wanted)
{
    const auto queued = m_queued.find({wanted.name, wanted.token});
    if (queued == m_queued.end())
        return;
    queued->leaves = true;
    if (!queued->at.isNull())
        queued->at->leave(wanted);
}

void RoutedLockClient::announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                                Done done)
{
    put({name, Attempt::Lost,
         [name, waiters, forUs](LockClient &to, Done then) {
             to.announce(name, waiters, forUs, std::move(then));
         },
         std::move(done)});
}

void RoutedLockClient::put(RoutedCall question)
{
    if (isKnown()) {
        send(question);
        return;
    }
    m_waiting.enqueue(std::move(question));
    if (m_waiting.size() == 1)
        find();
}

void RoutedLockClient::sendWaiting()
{
    for (const RoutedCall &question : std::exchange(m_waiting, {}))
        put(question); // not send(): the first may already have shown that the server has changed
}

void RoutedLockClient::failWaiting(const base::Error &error)
{
    for (const RoutedCall &question : std::exchange(m_waiting, {}))
        question.fail(error);
}

void RoutedLockClient::retire(LockClient *client)
{
    for (Queued &queued : m_queued) {
        if (queued.at != client)
            continue;
        queued.moves = true;
        client->leave(queued.wanted); // it is answered, and may then queue elsewhere
    }
    client->setParent(this);
    QTimer::singleShot(std::chrono::milliseconds(m_patienceMs), client, &QObject::deleteLater);
}

bool RoutedLockClient::mustReroute(const AttemptResult &result)
{
    return result.error &&
           (base::isTransient(result.error->code) || result.error->code == base::ErrorCode::ReadOnly);
}

} // namespace lockkeeper::locks::redis
