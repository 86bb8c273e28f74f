// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/zookeeper/zookeeper_lock_client.h"

#include "shared/base/clock.h"
#include "shared/locks/client_makers.h"

#include <QPointer>
#include <QUuid>

#include <algorithm>
#include <limits>
#include <utility>

namespace lockkeeper::locks::zookeeper {

using namespace stores::zookeeper;
using namespace stores;
using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kBehindAll = std::numeric_limits<qint64>::max();

QByteArray pathOf(const Lease &lease)
{
    return lease.name + '/' + lease.token;
}

std::optional<Error> refusalOf(const Lease &wanted)
{
    const QByteArray &name = wanted.name;
    if (name.size() < 2 || !name.startsWith('/') || name.endsWith('/') || name.contains("//"))
        return Error{
            ErrorCode::Usage, QStringLiteral("a lock in ZooKeeper has a path for a name, as /locks/a"), {}};
    if (wanted.ttlUs < 1'000)
        return Error{ErrorCode::Usage, QStringLiteral("a lease lasts at least one millisecond"), {}};
    return {};
}

HoldKind wishOf(const QString &preset)
{
    if (preset == QLatin1String("kazoo-read") || preset == QLatin1String("curator-read"))
        return HoldKind::Shared;
    return preset == QLatin1String("curator-semaphore") ? HoldKind::Permit : HoldKind::Exclusive;
}

} // namespace

ZookeeperLockClient::ZookeeperLockClient(Ensemble ensemble, QString preset, int permits, QByteArray owner)
    : m_preset(std::move(preset)),
      m_wish(wishOf(m_preset)),
      m_permits(permits),
      m_owner(std::move(owner)),
      m_ensemble(std::move(ensemble))
{
}

Traits ZookeeperLockClient::traits() const
{
    Traits traits;
    traits.binaryNames = false;
    traits.fencing = true;
    traits.queues = true;
    return traits;
}

void ZookeeperLockClient::tryAcquire(const Lease &wanted, Done done)
{
    queue(std::move(done), Attempt::Held, [this, wanted] {
        if (const auto refusal = refusalOf(wanted))
            answer(Attempt::Held, {}, refusal);
        else
            look(wanted.name, false);
    });
    if (m_ensemble.sessionTimeoutMs == 0)
        m_ensemble.sessionTimeoutMs = std::clamp<qint64>(wanted.ttlUs / 1'000, 1, 3'600'000);
}

void ZookeeperLockClient::enqueue(const Lease &wanted, Done done)
{
    const QByteArray place = wanted.token;
    ZnodeWaiter waiting;
    waiting.lease.name = wanted.name;
    waiting.done = std::move(done);
    m_waiting.insert(place, waiting);
    const auto made = [this, place](const AttemptResult &result) {
        if (result.error)
            end(place, {Attempt::Held, {}, result.error});
    };
    queue(made, Attempt::Held, [this, wanted, place] {
        if (const auto refusal = refusalOf(wanted))
            answer(Attempt::Held, {}, refusal);
        else
            stand(place);
    });
    if (m_ensemble.sessionTimeoutMs == 0)
        m_ensemble.sessionTimeoutMs = std::clamp<qint64>(wanted.ttlUs / 1'000, 1, 3'600'000);
}

void ZookeeperLockClient::leave(const Lease &wanted)
{
    const auto waiting = m_waiting.constFind(wanted.token);
    if (waiting == m_waiting.constEnd())
        return;
    if (!waiting->lease.token.isEmpty() && m_link && m_link->isOpen())
        removeOwn(pathOf(waiting->lease), waiting->version, [](const Reply &) {});
    QMetaObject::invokeMethod(
        this, [done = waiting->done] { done({Attempt::Held}); }, Qt::QueuedConnection);
    m_waiting.erase(waiting); // stand() deletes a znode that is still being created
}

void ZookeeperLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    Q_UNUSED(ttlUs)
    queue(std::move(done), Attempt::Lost, [this, lease] { compare(lease); });
}

void ZookeeperLockClient::release(const Lease &lease, Done done)
{
    queue(std::move(done), Attempt::Lost, [this, lease] {
        m_held.remove(lease.token);
        m_link->get(pathOf(lease), [this, lease](const Reply &found) {
            if (failedBy(found))
                return;
            if (found.missing || QByteArray::number(found.stat.czxid) != lease.proof) {
                answer(Attempt::Lost);
                return;
            }
            removeOwn(pathOf(lease), found.stat.version, [this](const Reply &removed) {
                if (!failedBy(removed))
                    answer(removed.error ? Attempt::Lost : Attempt::Done);
            });
        });
    });
}

/** Carries out one request at a time, so that the answers come in order. */
void ZookeeperLockClient::queue(Done done, Attempt failed, LockStep step)
{
    m_requests.enqueue({std::move(done), failed, std::move(step)});
    if (m_requests.size() == 1)
        QMetaObject::invokeMethod(
            this, [this] { begin(); }, Qt::QueuedConnection);
}

void ZookeeperLockClient::begin()
{
    if (m_link && m_link->isOpen()) {
        m_requests.head().step();
        return;
    }
    m_link = std::make_unique<ZookeeperLink>(m_ensemble);
    connect(m_link.get(), &ZookeeperLink::childrenChanged, this, [this](const QByteArray &path) {
        const QList<QByteArray> places = m_waiting.keys();
        for (const QByteArray &place : places) {
            if (m_waiting.value(place).before == path)
                lookBefore(place);
        }
    });
    connect(m_link.get(), &ZookeeperLink::connected, this, [this] { m_requests.head().step(); });
    connect(m_link.get(), &ZookeeperLink::lost, this, [this](const Error &error) {
        // Emit lost() later: a receiver may destroy this client, and its link with it.
        const auto held = std::exchange(m_held, {});
        for (const Lease &lease : held) {
            QMetaObject::invokeMethod(
                this, [this, lease] { Q_EMIT lost(lease); }, Qt::QueuedConnection);
        }
        // Requests in progress fail by their own answers. The znodes of waiters are deleted with the session.
        const QPointer<ZookeeperLockClient> self(this);
        const QList<QByteArray> places = m_waiting.keys();
        for (const QByteArray &place : places) {
            if (!self.isNull() && !m_waiting.value(place).lease.token.isEmpty())
                end(place, {Attempt::Held, {}, error});
        }
        if (!self.isNull() && !m_requests.isEmpty() && !m_link->hasBeenOpen())
            answer(m_requests.head().failed, {}, error);
    });
    m_link->open();
}

void ZookeeperLockClient::look(const QByteArray &name, bool made)
{
    m_link->children(name, false, [this, name, made](const Reply &list) {
        if (list.missing && !made) {
            makePath(name, 1, [this, name] { look(name, true); });
            return;
        }
        if (list.error) {
            fail(list);
            return;
        }
        if (placesBefore(list.children, kBehindAll).size() >= m_permits)
            answer(Attempt::Held);
        else
            create(name, true, [this](const Lease &own, qint32 version) { holdIfFirst(own, version); });
    });
}

void ZookeeperLockClient::makePath(const QByteArray &name, qsizetype from, const LockStep &then)
{
    const qsizetype slash = name.indexOf('/', from);
    const QByteArray part = slash < 0 ? name : name.first(slash);
    m_link->createPersistent(part, [this, name, from, slash, then](const Reply &made) {
        Reply failed = made;
        if (made.missing && from == 1)
            failed.error->remedy = QStringLiteral("The path in the URL must exist: create it.");
        if (made.error && !made.exists)
            fail(failed);
        else if (slash < 0)
            then();
        else
            makePath(name, slash + 1, then);
    });
}

QByteArray ZookeeperLockClient::newName() const
{
    const QUuid uuid = QUuid::createUuid();
    if (m_preset == QLatin1String("curator"))
        return "_c_" + uuid.toByteArray(QUuid::WithoutBraces) + "-lock-";
    if (m_preset == QLatin1String("curator-write"))
        return "_c_" + uuid.toByteArray(QUuid::WithoutBraces) + "-__WRIT__";
    if (m_preset == QLatin1String("curator-read"))
        return "_c_" + uuid.toByteArray(QUuid::WithoutBraces) + "-__READ__";
    if (m_preset == QLatin1String("curator-semaphore"))
        return "_c_" + uuid.toByteArray(QUuid::WithoutBraces) + "-lease-";
    if (m_preset == QLatin1String("kazoo-read"))
        return uuid.toByteArray(QUuid::Id128) + "__rlock__";
    if (m_preset == QLatin1String("zookeeper-recipe"))
        return "x-" + QByteArray::number(m_link->session()) + '-';
    return uuid.toByteArray(QUuid::Id128) + "__lock__";
}

void ZookeeperLockClient::create(const QByteArray &name, bool pathMade, const Made &then)
{
    const QByteArray path = name + '/' + newName();
    m_link->createSequential(path, m_owner, [this, name, pathMade, then](const Reply &made) {
        if (made.missing && !pathMade) {
            makePath(name, 1, [this, name, then] { create(name, true, then); });
            return;
        }
        if (made.error) {
            giveUp(*made.error, !made.untouched);
            return;
        }
        Lease lease;
        lease.name = name;
        lease.token = made.path.sliced(made.path.lastIndexOf('/') + 1);
        lease.ttlUs = m_link->timeoutMs() * 1'000;
        m_link->get(made.path, [this, lease, then](const Reply &ours) {
            if (ours.error) {
                giveUp(*ours.error, !ours.missing);
                return;
            }
            Lease own = lease;
            own.proof = QByteArray::number(ours.stat.czxid);
            own.fencing = own.proof;
            then(own, ours.stat.version);
        });
    });
}

QList<QByteArray> ZookeeperLockClient::placesBefore(const QList<QByteArray> &children, qint64 sequence) const
{
    QList<QByteArray> before;
    for (const QByteArray &child : children) {
        const auto place = placeOf(child);
        const bool together = place && m_wish == HoldKind::Shared && place->wish == HoldKind::Shared;
        if (place && !together && place->sequence < sequence)
            before.append(child);
    }
    return before;
}

/** If the request may have left a znode, only the end of the session removes it. But the session's other
 * locks are held until their leases end, so the session isn't closed. */
void ZookeeperLockClient::giveUp(const Error &error, bool mayBeThere)
{
    if (mayBeThere && m_link->isOpen())
        m_link->abandon(error);
    answer(m_requests.head().failed, {}, error);
}

void ZookeeperLockClient::holdIfFirst(const Lease &own, qint32 version)
{
    m_link->children(own.name, false, [this, own, version](const Reply &list) {
        if (list.error) { // the znode would block all other clients
            removeOwn(pathOf(own), version, [this, list](const Reply &) { fail(list); });
            return;
        }
        const qint64 sequence = placeOf(own.token)->sequence;
        const bool first = placesBefore(list.children, sequence).size() < m_permits;
        if (!first || !list.children.contains(own.token)) {
            withdraw(own, version);
            return;
        }
        m_held.insert(own.token, own);
        answer(Attempt::Done, own);
    });
}

/** Puts a znode into the queue. That ends the request, and begins the wait. */
void ZookeeperLockClient::stand(const QByteArray &place)
{
    const QByteArray name = m_waiting.value(place).lease.name;
    if (name.isEmpty()) { // the waiter has left
        answer(Attempt::Held);
        return;
    }
    create(name, false, [this, place](const Lease &own, qint32 version) {
        const auto waiting = m_waiting.find(place);
        if (waiting == m_waiting.end()) {
            withdraw(own, version);
            return;
        }
        waiting->lease = own;
        waiting->version = version;
        answer(Attempt::Held);
        lookBefore(place);
    });
}

void ZookeeperLockClient::lookBefore(const QByteArray &place)
{
    const auto waiting = m_waiting.find(place);
    if (waiting == m_waiting.end() || !m_link || !m_link->isOpen())
        return;
    waiting->before.clear();
    // The server hears from the session after this moment, so the lease's age counts from it.
    const qint64 askedUs = base::SleeplessClock().monotonicUs();
    const bool watch = m_wish == HoldKind::Permit;
    m_link->sync([](const Reply &) {}); // as in compare()
    m_link->children(waiting->lease.name, watch, [this, place, askedUs](const Reply &list) {
        const Lease own = m_waiting.value(place).lease;
        if (own.token.isEmpty())
            return;
        if (list.error || !list.children.contains(own.token)) {
            const Error gone{
                ErrorCode::ConnectionLost, QStringLiteral("the place in the queue was deleted"), {}};
            end(place, {Attempt::Held, {}, list.error && !list.missing ? *list.error : gone});
            return;
        }
        const qint64 sequence = placeOf(own.token)->sequence;
        const QList<QByteArray> before = placesBefore(list.children, sequence);
        if (before.size() < m_permits) {
            end(place, {Attempt::Done, own, {}, -1, base::SleeplessClock().monotonicUs() - askedUs});
        } else if (m_wish == HoldKind::Permit) {
            m_waiting[place].before = own.name; // the deletion of any of them counts
        } else {
            const QByteArray last = *std::max_element(before.cbegin(), before.cend(),
                                                      [](const QByteArray &a, const QByteArray &b) {
                                                          return placeOf(a)->sequence < placeOf(b)->sequence;
                                                      });
            awaitBefore(place, own.name + '/' + last);
        }
    });
}

void ZookeeperLockClient::awaitBefore(const QByteArray &place, const QByteArray &before)
{
    m_waiting[place].before = before;
    m_link->awaitCreation(before, [this, place](const Reply &found) { // it also reports the deletion
        if (found.missing)
            lookBefore(place);
    });
}

void ZookeeperLockClient::end(const QByteArray &place, const AttemptResult &result)
{
    const auto waiting = m_waiting.constFind(place);
    if (waiting == m_waiting.constEnd())
        return;
    const ZnodeWaiter was = *waiting;
    m_waiting.erase(waiting);
    if (result.attempt == Attempt::Done)
        m_held.insert(was.lease.token, was.lease);
    if (result.error && !was.lease.token.isEmpty() && m_link && m_link->isOpen())
        removeOwn(pathOf(was.lease), was.version, [](const Reply &) {});
    was.done(result);
}

void ZookeeperLockClient::withdraw(const Lease &lease, qint32 version)
{
    removeOwn(pathOf(lease), version, [this](const Reply &removed) {
        if (!failedBy(removed))
            answer(Attempt::Held);
    });
}

void ZookeeperLockClient::removeOwn(const QByteArray &path, qint32 version, const ZookeeperLink::Done &then)
{
    m_link->remove(path, version, false, [this, path, then](const Reply &removed) {
        if (!removed.badVersion) {
            then(removed);
            return;
        }
        m_link->get(path, [this, path, then](const Reply &found) {
            if (found.error)
                then(found);
            else
                removeOwn(path, found.stat.version, then);
        });
    });
}

void ZookeeperLockClient::compare(const Lease &lease)
{
    // A server cut off from the leader still answers, although the leader may have ended its sessions.
    m_link->sync([](const Reply &) {});
    m_link->get(pathOf(lease), [this, lease](const Reply &found) {
        if (failedBy(found))
            return;
        const bool ours = !found.error && QByteArray::number(found.stat.czxid) == lease.proof &&
                          found.stat.owner == m_link->session();
        if (!ours)
            m_held.remove(lease.token);
        answer(ours ? Attempt::Done : Attempt::Lost, ours ? lease : Lease());
    });
}

/** True if the reply is an error, with which the request has ended. A missing znode isn't an error. */
bool ZookeeperLockClient::failedBy(const Reply &reply)
{
    if (!reply.error || reply.missing)
        return false;
    fail(reply);
    return true;
}

void ZookeeperLockClient::answer(Attempt attempt, const Lease &lease, const std::optional<Error> &error)
{
    const Done done = m_requests.dequeue().done;
    if (!m_requests.isEmpty())
        QMetaObject::invokeMethod(
            this, [this] { begin(); }, Qt::QueuedConnection);
    done({attempt, lease, error});
}

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    auto ensemble = ensembleOf(spec);
    if (!ensemble)
        return tl::unexpected(ensemble.error());
    return std::make_unique<ZookeeperLockClient>(std::move(*ensemble), set.preset, set.keys.limit, owner);
}

} // namespace lockkeeper::locks::zookeeper
