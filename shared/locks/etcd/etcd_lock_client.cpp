// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/etcd/etcd_lock_client.h"

#include "shared/base/clock.h"
#include "shared/locks/client_makers.h"
#include "shared/stores/etcd/connection/wire.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::locks::etcd {

using namespace stores::etcd;
using namespace stores;
using base::Error;
using base::ErrorCode;
using base::kSecondUs;

namespace {

constexpr qint64 kMostSeconds = 9'000'000'000; ///< etcd refuses longer leases

QJsonObject createdBy(const QByteArray &key, qint64 revision)
{
    return {{QStringLiteral("key"), jsonOf(key)},
            {QStringLiteral("target"), QStringLiteral("CREATE")},
            {QStringLiteral("create_revision"), jsonOf(revision)}};
}

} // namespace

EtcdLockClient::EtcdLockClient(const SourceSpec &spec, Endpoints endpoints, bool plain, QByteArray owner)
    : m_gateway(endpoints, spec.password),
      m_plain(plain),
      m_owner(std::move(owner)),
      m_watch(std::move(endpoints), spec.password)
{
    m_gateway.setTimeoutMs(spec.statementTimeoutMs);
}

EtcdLockClient::~EtcdLockClient()
{
    qDeleteAll(findChildren<QueuePlace *>(Qt::FindDirectChildrenOnly)); // before m_watch, which they use
}

Traits EtcdLockClient::traits() const
{
    Traits traits;
    traits.leastTtlUs = kSecondUs;
    traits.mostTtlUs = kMostSeconds * kSecondUs;
    traits.fencing = true;
    traits.queues = !m_plain;
    return traits;
}

QByteArray EtcdLockClient::keyOf(const Lease &lease) const
{
    return m_plain ? lease.name : lease.name + '/' + lease.token;
}

QJsonObject EtcdLockClient::keysOfLock(const QByteArray &name) const
{
    if (m_plain)
        return {{QStringLiteral("key"), jsonOf(name)}};
    return {{QStringLiteral("key"), jsonOf(name + '/')},
            {QStringLiteral("range_end"), jsonOf(endOf(name + '/'))}};
}

void EtcdLockClient::tryAcquire(const Lease &wanted, Done done)
{
    queue([this, wanted, done = std::move(done)] { look(wanted, done); });
}

void EtcdLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    Q_UNUSED(ttlUs)
    queue([this, lease, done = std::move(done)] {
        m_gateway.ask("lease/keepalive", {{QStringLiteral("ID"), jsonOf(leaseOf(lease))}},
                      [this, lease, done](const Answer &kept) {
                          if (kept.error) {
                              fail(done, Attempt::Lost, kept);
                              return;
                          }
                          const QJsonObject result = kept.body.value(QLatin1String("result")).toObject();
                          Lease renewed = lease;
                          renewed.ttlUs = int64Of(result.value(QLatin1String("TTL"))) * kSecondUs;
                          if (renewed.ttlUs > 0)
                              check(renewed, done);
                          else
                              answer(done, Attempt::Lost);
                      });
    });
}

void EtcdLockClient::release(const Lease &lease, Done done)
{
    queue([this, lease, done = std::move(done)] { remove(lease, done); });
}

void EtcdLockClient::enqueue(const Lease &wanted, Done done)
{
    auto *place = new QueuePlace(m_gateway, m_watch, m_owner, wanted, std::move(done), this);
    m_places.insert(wanted.token, place);
    connect(place, &QueuePlace::ended, this, [this, place, token = wanted.token] {
        if (m_places.value(token) == place)
            m_places.remove(token);
    });
    place->begin();
}

void EtcdLockClient::leave(const Lease &wanted)
{
    if (QueuePlace *place = m_places.value(wanted.token))
        place->leave();
}

/** Carries out one request at a time, so that the answers come in order. */
void EtcdLockClient::queue(LockStep step)
{
    m_steps.enqueue(std::move(step));
    if (m_steps.size() == 1)
        QMetaObject::invokeMethod(this, LockStep(m_steps.constFirst()), Qt::QueuedConnection);
}

/** Checks first whether the lock is held: then the attempt costs only one request, and no lease. */
void EtcdLockClient::look(const Lease &wanted, const Done &done)
{
    if (wanted.ttlUs < 1'000) {
        Answer unasked;
        unasked.error = Error{ErrorCode::Usage, QStringLiteral("a lease lasts at least one millisecond"), {}};
        fail(done, Attempt::Held, unasked);
        return;
    }
    QJsonObject range = keysOfLock(wanted.name);
    range.insert(QStringLiteral("limit"), QStringLiteral("1"));
    range.insert(QStringLiteral("keys_only"), true);
    m_gateway.ask("kv/range", range, [this, wanted, done](const Answer &found) {
        if (found.error)
            fail(done, Attempt::Held, found);
        else if (!found.keys.isEmpty())
            answer(done, Attempt::Held);
        else
            grant(wanted, done);
    });
}

void EtcdLockClient::grant(const Lease &wanted, const Done &done)
{
    const qint64 seconds = (wanted.ttlUs + kSecondUs - 1) / kSecondUs;
    m_gateway.askOnce("lease/grant", {{QStringLiteral("TTL"), jsonOf(seconds)}},
                      [this, name = wanted.name, done](const Answer &granted) {
                          if (granted.error) {
                              fail(done, Attempt::Held, granted);
                              return;
                          }
                          Lease lease;
                          lease.name = name;
                          lease.token = leaseHex(int64Of(granted.body.value(QLatin1String("ID"))));
                          lease.ttlUs = int64Of(granted.body.value(QLatin1String("TTL"))) * kSecondUs;
                          put(lease, done);
                      });
}

void EtcdLockClient::put(const Lease &lease, const Done &done)
{
    // The create revision of an empty range, or of a missing key, is 0.
    QJsonObject empty = keysOfLock(lease.name);
    empty.insert(QStringLiteral("target"), QStringLiteral("CREATE"));
    empty.insert(QStringLiteral("create_revision"), jsonOf(qint64(0)));
    const QJsonObject key{{QStringLiteral("key"), jsonOf(keyOf(lease))},
                          {QStringLiteral("value"), jsonOf(m_owner)},
                          {QStringLiteral("lease"), jsonOf(leaseOf(lease))}};
    const QJsonObject transaction{
        {QStringLiteral("compare"), QJsonArray{empty}},
        {QStringLiteral("success"), QJsonArray{QJsonObject{{QStringLiteral("request_put"), key}}}}};
    m_gateway.askOnce("kv/txn", transaction, [this, lease, done](const Answer &written) {
        if (!written.error && written.body.value(QLatin1String("succeeded")).toBool()) {
            Lease held = lease;
            held.proof = written.body.value(QLatin1String("header"))
                             .toObject()
                             .value(QLatin1String("revision"))
                             .toString()
                             .toLatin1();
            held.fencing = held.proof;
            answer(done, Attempt::Done, held);
            return;
        }
        if (written.error && !written.untouched) {
            fail(done, Attempt::Held, written, lease);
            return;
        }
        revoke(lease, [this, done, written](const Answer &) {
            if (written.error)
                fail(done, Attempt::Held, written);
            else
                answer(done, Attempt::Held);
        });
    });
}

/** The lease exists, but the lock may have been broken: checks that its key still exists. */
void EtcdLockClient::check(const Lease &lease, const Done &done)
{
    m_gateway.ask("kv/range", {{QStringLiteral("key"), jsonOf(keyOf(lease))}},
                  [this, lease, done](const Answer &found) {
                      if (found.error) {
                          fail(done, Attempt::Lost, found);
                          return;
                      }
                      const bool ours = !found.keys.isEmpty() &&
                                        QByteArray::number(found.keys.constFirst().create) == lease.proof;
                      answer(done, ours ? Attempt::Done : Attempt::Lost, ours ? lease : Lease());
                  });
}

void EtcdLockClient::remove(const Lease &lease, const Done &done)
{
    const QJsonObject key{{QStringLiteral("key"), jsonOf(keyOf(lease))}};
    const QJsonObject transaction{
        {QStringLiteral("compare"), QJsonArray{createdBy(keyOf(lease), lease.proof.toLongLong())}},
        {QStringLiteral("success"), QJsonArray{QJsonObject{{QStringLiteral("request_delete_range"), key}}}}};
    m_gateway.askOnce("kv/txn", transaction, [this, lease, done](const Answer &removed) {
        if (removed.error) {
            fail(done, Attempt::Lost, removed);
            return;
        }
        const bool ours = removed.body.value(QLatin1String("succeeded")).toBool();
        revoke(lease, [this, done, ours](const Answer &revoked) {
            // For a failed attempt the revision isn't known: its key is deleted with the lease.
            if (!ours && revoked.error && base::isTransient(revoked.error->code))
                fail(done, Attempt::Lost, revoked);
            else
                answer(done, ours ? Attempt::Done : Attempt::Lost);
        });
    });
}

/** Revokes one of our leases. */
void EtcdLockClient::revoke(const Lease &lease, Gateway::Done then)
{
    m_gateway.ask("lease/revoke", {{QStringLiteral("ID"), jsonOf(leaseOf(lease))}}, std::move(then));
}

void EtcdLockClient::answer(const Done &done, Attempt attempt, const Lease &lease)
{
    end(done, {attempt, lease});
}

void EtcdLockClient::fail(const Done &done, Attempt attempt, const Answer &failed, const Lease &left)
{
    if (base::isTransient(failed.error->code))
        m_gateway.leave(failed.member);
    end(done, {attempt, left, failed.error});
}

void EtcdLockClient::end(const Done &done, const AttemptResult &result)
{
    m_steps.dequeue();
    if (!m_steps.isEmpty())
        QMetaObject::invokeMethod(this, LockStep(m_steps.constFirst()), Qt::QueuedConnection);
    done(result);
}

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    auto endpoints = endpointsOf(spec);
    if (!endpoints)
        return tl::unexpected(endpoints.error());
    return std::make_unique<EtcdLockClient>(spec, std::move(*endpoints),
                                            set.preset == QLatin1String("etcd-key"), owner);
}

} // namespace lockkeeper::locks::etcd
