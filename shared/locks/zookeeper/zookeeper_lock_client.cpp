// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/zookeeper/zookeeper_lock_client.h"

#include "shared/stores/zookeeper/reading/recipes.h"

#include <QUuid>

#include <algorithm>

namespace lockkeeper::locks::zookeeper {

using base::Error;
using base::ErrorCode;

namespace {

QByteArray pathOf(const Lease &lease)
{
    return lease.name + '/' + lease.token;
}

} // namespace

ZookeeperLockClient::ZookeeperLockClient(Ensemble ensemble, QByteArray owner, QObject *parent)
    : LockClient(parent), m_owner(std::move(owner)), m_ensemble(std::move(ensemble))
{
}

Traits ZookeeperLockClient::traits() const
{
    Traits traits;
    traits.binaryNames = false;
    return traits;
}

void ZookeeperLockClient::tryAcquire(const Lease &wanted, Done done)
{
    queue(std::move(done), Attempt::Held, [this, name = wanted.name, ttlUs = wanted.ttlUs] {
        const bool path =
            name.size() > 1 && name.startsWith('/') && !name.endsWith('/') && !name.contains("//");
        if (ttlUs < 1'000 || !path)
            answer(Attempt::Held, {},
                   Error{ErrorCode::Usage,
                         path ? QStringLiteral("a lease lasts at least one millisecond")
                              : QStringLiteral("a lock in ZooKeeper has a path for a name, as /locks/a"),
                         {}});
        else
            look(name, false);
    });
    if (m_ensemble.sessionTimeoutMs == 0)
        m_ensemble.sessionTimeoutMs = std::clamp<qint64>(wanted.ttlUs / 1'000, 1, 3'600'000);
}

void ZookeeperLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    Q_UNUSED(ttlUs)
    queue(std::move(done), Attempt::Lost, [this, lease] { compare(lease); });
}

void ZookeeperLockClient::release(const Lease &lease, Done done)
{
    queue(std::move(done), Attempt::Lost, [this, lease] {
        m_link->get(pathOf(lease), [this, lease](const Reply &found) {
            if (failedBy(found))
                return;
            if (found.missing || QByteArray::number(found.stat.czxid) != lease.proof) {
                answer(Attempt::Lost);
                return;
            }
            m_link->remove(pathOf(lease), found.stat.version, false, [this](const Reply &removed) {
                if (!failedBy(removed))
                    answer(removed.error ? Attempt::Lost : Attempt::Done);
            });
        });
    });
}

/** Requests are answered in their order: one at a time. */
void ZookeeperLockClient::queue(Done done, Attempt failed, Step step)
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
    m_link = std::make_unique<Link>(m_ensemble);
    connect(m_link.get(), &Link::connected, this, [this] { m_requests.head().step(); });
    connect(m_link.get(), &Link::lost, this, [this](const Error &error) {
        // Requests under way fail by their own answers.
        if (!m_requests.isEmpty() && !m_link->hasBeenOpen())
            answer(m_requests.head().failed, {}, error);
    });
    m_link->open();
}

void ZookeeperLockClient::look(const QByteArray &name, bool made)
{
    m_link->children(name, false, [this, name, made](const Reply &list) {
        if (list.missing && !made) {
            makePath(name, 1);
            return;
        }
        if (list.error) {
            failedBy(list);
            return;
        }
        const bool held = std::any_of(list.children.cbegin(), list.children.cend(),
                                      [](const QByteArray &child) { return placeOf(child).has_value(); });
        if (held)
            answer(Attempt::Held);
        else
            create(name);
    });
}

void ZookeeperLockClient::makePath(const QByteArray &name, qsizetype from)
{
    const qsizetype slash = name.indexOf('/', from);
    const QByteArray part = slash < 0 ? name : name.first(slash);
    m_link->createPersistent(part, [this, name, slash](const Reply &made) {
        if (made.error && !made.exists)
            failedBy(made);
        else if (slash < 0)
            look(name, true);
        else
            makePath(name, slash + 1);
    });
}

void ZookeeperLockClient::create(const QByteArray &name)
{
    const QByteArray prefix = QUuid::createUuid().toByteArray(QUuid::Id128) + "__lock__";
    m_link->createSequential(name + '/' + prefix, m_owner, [this, name](const Reply &made) {
        if (made.error) {
            if (!made.untouched)
                m_link->close(); // it may be there: it ends with the session
            failedBy(made);
            return;
        }
        Lease lease;
        lease.name = name;
        lease.token = made.path.sliced(made.path.lastIndexOf('/') + 1);
        lease.ttlUs = m_link->timeoutMs() * 1'000;
        m_link->get(made.path, [this, lease](const Reply &ours) {
            Lease own = lease;
            own.proof = QByteArray::number(ours.stat.czxid);
            m_link->children(own.name, false, [this, own, version = ours.stat.version](const Reply &list) {
                if (list.error) {
                    failedBy(list);
                    return;
                }
                const qint64 sequence = placeOf(own.token)->sequence;
                const bool first =
                    std::all_of(list.children.cbegin(), list.children.cend(), [&](const QByteArray &child) {
                        const auto place = placeOf(child);
                        return !place || child == own.token || place->sequence > sequence;
                    });
                if (first && list.children.contains(own.token))
                    answer(Attempt::Done, own);
                else
                    withdraw(own, version);
            });
        });
    });
}

void ZookeeperLockClient::withdraw(const Lease &lease, qint32 version)
{
    m_link->remove(pathOf(lease), version, false, [this](const Reply &removed) {
        if (!failedBy(removed))
            answer(Attempt::Held);
    });
}

void ZookeeperLockClient::compare(const Lease &lease)
{
    m_link->get(pathOf(lease), [this, lease](const Reply &found) {
        if (failedBy(found))
            return;
        const bool ours = !found.error && QByteArray::number(found.stat.czxid) == lease.proof &&
                          found.stat.owner == m_link->session();
        answer(ours ? Attempt::Done : Attempt::Lost, ours ? lease : Lease());
    });
}

/** True where the request has ended by this; that a znode isn't there is an answer. */
bool ZookeeperLockClient::failedBy(const Reply &reply)
{
    if (!reply.error || reply.missing || reply.badVersion)
        return false;
    answer(m_requests.head().failed, {}, reply.error);
    return true;
}

void ZookeeperLockClient::answer(Attempt attempt, const Lease &lease, const std::optional<Error> &error)
{
    const Done done = m_requests.dequeue().done;
    AttemptResult result;
    result.attempt = attempt;
    result.lease = lease;
    result.error = error;
    if (!m_requests.isEmpty())
        QMetaObject::invokeMethod(
            this, [this] { begin(); }, Qt::QueuedConnection);
    done(result);
}

} // namespace lockkeeper::locks::zookeeper
