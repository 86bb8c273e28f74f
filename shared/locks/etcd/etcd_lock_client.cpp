// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/etcd/etcd_lock_client.h"

#include "shared/base/clock.h"
#include "shared/stores/etcd/connection/wire.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::stores::etcd {

using base::Error;
using base::ErrorCode;
using base::kSecondUs;

namespace {

QByteArray keyOf(const Lease &lease)
{
    return lease.name + '/' + lease.token;
}

qint64 leaseOf(const Lease &lease)
{
    return qint64(lease.token.toULongLong(nullptr, 16));
}

QJsonObject createdBy(const QByteArray &key, qint64 revision)
{
    return {{QStringLiteral("key"), jsonOf(key)},
            {QStringLiteral("target"), QStringLiteral("CREATE")},
            {QStringLiteral("create_revision"), jsonOf(revision)}};
}

} // namespace

EtcdLockClient::EtcdLockClient(const SourceSpec &spec, Endpoints endpoints, QByteArray owner, QObject *parent)
    : LockClient(parent), m_gateway(std::move(endpoints), spec.password), m_owner(std::move(owner))
{
    m_gateway.setTimeoutMs(spec.statementTimeoutMs);
}

void EtcdLockClient::tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    enqueue([this, request, name, ttlUs] { look(request, name, ttlUs); });
}

void EtcdLockClient::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    Q_UNUSED(ttlUs)
    enqueue([this, request, lease] {
        m_gateway.ask("lease/keepalive", {{QStringLiteral("ID"), jsonOf(leaseOf(lease))}},
                      [this, request, lease](const Answer &kept) {
                          if (kept.error) {
                              fail(request, Attempt::Lost, *kept.error);
                              return;
                          }
                          const QJsonObject result = kept.body.value(QLatin1String("result")).toObject();
                          Lease renewed = lease;
                          renewed.ttlUs = int64Of(result.value(QLatin1String("TTL"))) * kSecondUs;
                          if (renewed.ttlUs > 0)
                              check(request, renewed);
                          else
                              answer(request, Attempt::Lost);
                      });
    });
}

void EtcdLockClient::release(quint64 request, const Lease &lease)
{
    enqueue([this, request, lease] { remove(request, lease); });
}

/** Requests are answered in their order: one at a time. */
void EtcdLockClient::enqueue(Step step)
{
    m_steps.enqueue(std::move(step));
    if (m_steps.size() == 1)
        QMetaObject::invokeMethod(this, Step(m_steps.constFirst()), Qt::QueuedConnection);
}

/** A lock that is held costs one request, and no lease. */
void EtcdLockClient::look(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    if (ttlUs < 1'000) {
        fail(request, Attempt::Held,
             {ErrorCode::Usage, QStringLiteral("a lease lasts at least one millisecond"), {}});
        return;
    }
    const QJsonObject range{{QStringLiteral("key"), jsonOf(name + '/')},
                            {QStringLiteral("range_end"), jsonOf(endOf(name + '/'))},
                            {QStringLiteral("limit"), QStringLiteral("1")},
                            {QStringLiteral("keys_only"), true}};
    m_gateway.ask("kv/range", range, [this, request, name, ttlUs](const Answer &found) {
        if (found.error)
            fail(request, Attempt::Held, *found.error);
        else if (!keysOf(found.body).isEmpty())
            answer(request, Attempt::Held);
        else
            grant(request, name, ttlUs);
    });
}

void EtcdLockClient::grant(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    const qint64 seconds = (ttlUs + kSecondUs - 1) / kSecondUs;
    m_gateway.askOnce("lease/grant", {{QStringLiteral("TTL"), jsonOf(seconds)}},
                      [this, request, name](const Answer &granted) {
                          if (granted.error) {
                              fail(request, Attempt::Held, *granted.error);
                              return;
                          }
                          Lease lease;
                          lease.name = name;
                          lease.token = leaseHex(int64Of(granted.body.value(QLatin1String("ID"))));
                          lease.ttlUs = int64Of(granted.body.value(QLatin1String("TTL"))) * kSecondUs;
                          put(request, lease);
                      });
}

void EtcdLockClient::put(quint64 request, const Lease &lease)
{
    // Of an empty range the revision is 0.
    QJsonObject empty = createdBy(lease.name + '/', 0);
    empty.insert(QStringLiteral("range_end"), jsonOf(endOf(lease.name + '/')));
    const QJsonObject key{{QStringLiteral("key"), jsonOf(keyOf(lease))},
                          {QStringLiteral("value"), jsonOf(m_owner)},
                          {QStringLiteral("lease"), jsonOf(leaseOf(lease))}};
    const QJsonObject transaction{
        {QStringLiteral("compare"), QJsonArray{empty}},
        {QStringLiteral("success"), QJsonArray{QJsonObject{{QStringLiteral("request_put"), key}}}}};
    m_gateway.askOnce("kv/txn", transaction, [this, request, lease](const Answer &done) {
        if (!done.error && done.body.value(QLatin1String("succeeded")).toBool()) {
            Lease held = lease;
            held.proof = done.body.value(QLatin1String("header"))
                             .toObject()
                             .value(QLatin1String("revision"))
                             .toString()
                             .toLatin1();
            answer(request, Attempt::Done, held);
            return;
        }
        revoke(lease, [this, request, error = done.error] {
            if (error)
                fail(request, Attempt::Held, *error);
            else
                answer(request, Attempt::Held);
        });
    });
}

/** The lease lives; somebody may have broken the lock all the same. */
void EtcdLockClient::check(quint64 request, const Lease &lease)
{
    m_gateway.ask("kv/range", {{QStringLiteral("key"), jsonOf(keyOf(lease))}},
                  [this, request, lease](const Answer &found) {
                      if (found.error) {
                          fail(request, Attempt::Lost, *found.error);
                          return;
                      }
                      const QList<KeyValue> keys = keysOf(found.body);
                      const bool ours =
                          !keys.isEmpty() && QByteArray::number(keys.constFirst().create) == lease.proof;
                      answer(request, ours ? Attempt::Done : Attempt::Lost, ours ? lease : Lease());
                  });
}

void EtcdLockClient::remove(quint64 request, const Lease &lease)
{
    const QJsonObject key{{QStringLiteral("key"), jsonOf(keyOf(lease))}};
    const QJsonObject transaction{
        {QStringLiteral("compare"), QJsonArray{createdBy(keyOf(lease), lease.proof.toLongLong())}},
        {QStringLiteral("success"), QJsonArray{QJsonObject{{QStringLiteral("request_delete_range"), key}}}}};
    m_gateway.askOnce("kv/txn", transaction, [this, request, lease](const Answer &done) {
        if (done.error) {
            fail(request, Attempt::Lost, *done.error);
            return;
        }
        const bool ours = done.body.value(QLatin1String("succeeded")).toBool();
        revoke(lease, [this, request, ours] { answer(request, ours ? Attempt::Done : Attempt::Lost); });
    });
}

/** Our own lease; where that fails it ends by itself. */
void EtcdLockClient::revoke(const Lease &lease, Step then)
{
    m_gateway.ask("lease/revoke", {{QStringLiteral("ID"), jsonOf(leaseOf(lease))}},
                  [then = std::move(then)](const Answer &) { then(); });
}

void EtcdLockClient::answer(quint64 request, Attempt attempt, const Lease &lease)
{
    AttemptResult result;
    result.request = request;
    result.attempt = attempt;
    result.lease = lease;
    end(result);
}

void EtcdLockClient::fail(quint64 request, Attempt attempt, const Error &error)
{
    if (base::isTransient(error.code))
        m_gateway.next();
    AttemptResult result;
    result.request = request;
    result.attempt = attempt;
    result.error = error;
    end(result);
}

void EtcdLockClient::end(const AttemptResult &result)
{
    m_steps.dequeue();
    if (!m_steps.isEmpty())
        QMetaObject::invokeMethod(this, Step(m_steps.constFirst()), Qt::QueuedConnection);
    Q_EMIT answered(result);
}

} // namespace lockkeeper::stores::etcd
