// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/etcd/queue_place.h"

#include "shared/base/clock.h"
#include "shared/stores/etcd/connection/wire.h"

#include <QJsonArray>
#include <QRandomGenerator>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace lockkeeper::locks::etcd {

using namespace stores::etcd;
using namespace stores;
using base::Error;
using base::ErrorCode;
using base::kSecondUs;

namespace {

constexpr qint64 kLeastKeepMs = 300;
constexpr qint64 kMostKeepMs = 3'600'000;
constexpr std::chrono::milliseconds kLookAgain(500);

/** The time by a clock that keeps running while the machine sleeps, as leases do. */
qint64 nowUs()
{
    return base::SleeplessClock().monotonicUs();
}

/** Chooses the lease's id itself, so that the lease can be revoked even if an answer was lost. */
QByteArray newLease()
{
    const auto number =
        QRandomGenerator::system()->generate64() & quint64(std::numeric_limits<qint64>::max());
    return leaseHex(std::max<qint64>(qint64(number), 1));
}

} // namespace

QueuePlace::QueuePlace(Gateway &gateway, DeletionWatch &watch, const QByteArray &owner, const Lease &wanted,
                       Done done, QObject *parent)
    : QObject(parent), m_gateway(gateway), m_watch(watch), m_owner(owner), m_done(std::move(done))
{
    m_lease.name = wanted.name;
    m_lease.token = newLease();
    m_lease.ttlUs = (wanted.ttlUs + kSecondUs - 1) / kSecondUs * kSecondUs;
    connect(&m_keepAlive, &QTimer::timeout, this, &QueuePlace::keepAlive);
}

QueuePlace::~QueuePlace()
{
    m_watch.forget(this);
}

void QueuePlace::begin()
{
    m_keptUs = nowUs();
    const QJsonObject body{{QStringLiteral("ID"), jsonOf(leaseOf(m_lease))},
                           {QStringLiteral("TTL"), jsonOf(m_lease.ttlUs / kSecondUs)}};
    m_gateway.askOnce("lease/grant", body, [self = QPointer<QueuePlace>(this)](const Answer &granted) {
        if (self.isNull() || !self->m_done)
            return;
        self->m_granted = !granted.untouched;
        if (granted.error) {
            self->fail(granted);
            return;
        }
        self->m_lease.ttlUs = int64Of(granted.body.value(QLatin1String("TTL"))) * kSecondUs;
        self->m_keepAlive.start(int(std::clamp(self->m_lease.ttlUs / 3'000, kLeastKeepMs, kMostKeepMs)));
        self->put();
    });
}

void QueuePlace::put()
{
    const QJsonObject value{{QStringLiteral("key"), jsonOf(key())},
                            {QStringLiteral("value"), jsonOf(m_owner)},
                            {QStringLiteral("lease"), jsonOf(leaseOf(m_lease))}};
    m_gateway.askOnce("kv/put", value, [self = QPointer<QueuePlace>(this)](const Answer &done) {
        if (self.isNull() || !self->m_done)
            return;
        if (done.error) {
            self->fail(done);
            return;
        }
        const QJsonObject header = done.body.value(QLatin1String("header")).toObject();
        self->m_lease.proof = QByteArray::number(int64Of(header.value(QLatin1String("revision"))));
        self->m_lease.fencing = self->m_lease.proof;
        self->look();
    });
}

/** Reads, at one revision, whether our key still exists, and which key is just before it. */
void QueuePlace::look()
{
    if (!m_done || m_lease.proof.isEmpty() || std::exchange(m_looking, true))
        return;
    const QJsonObject ours{{QStringLiteral("key"), jsonOf(key())},
                           {QStringLiteral("target"), QStringLiteral("CREATE")},
                           {QStringLiteral("create_revision"), QString::fromLatin1(m_lease.proof)}};
    const QJsonObject before{{QStringLiteral("key"), jsonOf(prefix())},
                             {QStringLiteral("range_end"), jsonOf(endOf(prefix()))},
                             {QStringLiteral("max_create_revision"), jsonOf(m_lease.proof.toLongLong() - 1)},
                             {QStringLiteral("sort_order"), QStringLiteral("DESCEND")},
                             {QStringLiteral("sort_target"), QStringLiteral("CREATE")},
                             {QStringLiteral("limit"), QStringLiteral("1")},
                             {QStringLiteral("keys_only"), true}};
    const QJsonObject transaction{
        {QStringLiteral("compare"), QJsonArray{ours}},
        {QStringLiteral("success"), QJsonArray{QJsonObject{{QStringLiteral("request_range"), before}}}}};
    m_gateway.ask("kv/txn", transaction, [self = QPointer<QueuePlace>(this)](const Answer &found) {
        if (self.isNull())
            return;
        self->m_looking = false;
        if (!self->m_done)
            return;
        if (found.error)
            self->onUnseen(found);
        else
            self->onLook(found.body);
    });
}

void QueuePlace::onUnseen(const Answer &failed)
{
    if (!base::isTransient(failed.error->code) || nowUs() >= m_keptUs + m_lease.ttlUs) {
        fail(failed);
        return;
    }
    m_gateway.leave(failed.member);
    QTimer::singleShot(kLookAgain, this, &QueuePlace::look);
}

void QueuePlace::onLook(const QJsonObject &body)
{
    if (!body.value(QLatin1String("succeeded")).toBool()) {
        const Error gone{
            ErrorCode::ConnectionLost,
            QStringLiteral("the place in the queue no longer exists: its lease expired, or it was deleted"),
            {}};
        answer({Attempt::Held, {}, gone});
        return;
    }
    const QJsonObject range = body.value(QLatin1String("responses"))
                                  .toArray()
                                  .at(0)
                                  .toObject()
                                  .value(QLatin1String("response_range"))
                                  .toObject();
    const QList<KeyValue> keys = keysOf(range);
    const QByteArray before = keys.isEmpty() ? QByteArray() : keys.constFirst().key;
    if (const QByteArray last = std::exchange(m_before, before); !last.isEmpty() && last != before)
        m_watch.mistrust(prefix());
    if (before.isEmpty()) {
        answer({Attempt::Done, {}, {}, -1, nowUs() - m_keptUs});
        return;
    }
    const QJsonObject header = body.value(QLatin1String("header")).toObject();
    m_watch.await(this, prefix(), before, int64Of(header.value(QLatin1String("revision"))), [this] {
        m_before.clear();
        look();
    });
}

void QueuePlace::keepAlive()
{
    m_gateway.ask("lease/keepalive", {{QStringLiteral("ID"), jsonOf(leaseOf(m_lease))}},
                  [self = QPointer<QueuePlace>(this), askedUs = nowUs()](const Answer &kept) {
                      if (self.isNull() || !self->m_done)
                          return;
                      if (kept.error) { // the next one may reach another member
                          if (base::isTransient(kept.error->code))
                              self->m_gateway.leave(kept.member);
                          return;
                      }
                      const QJsonObject result = kept.body.value(QLatin1String("result")).toObject();
                      if (int64Of(result.value(QLatin1String("TTL"))) > 0)
                          self->m_keptUs = askedUs;
                      self->look();
                  });
}

void QueuePlace::leave()
{
    QMetaObject::invokeMethod(
        this, [this] { answer({Attempt::Held}); }, Qt::QueuedConnection);
}

void QueuePlace::fail(const Answer &failed)
{
    if (base::isTransient(failed.error->code))
        m_gateway.leave(failed.member);
    answer({Attempt::Held, {}, failed.error});
}

void QueuePlace::answer(AttemptResult result)
{
    if (!m_done)
        return;
    m_watch.forget(this);
    m_keepAlive.stop();
    if (m_granted)
        result.lease = m_lease;
    const Done done = std::exchange(m_done, {});
    deleteLater();
    Q_EMIT ended();
    done(result);
}

} // namespace lockkeeper::locks::etcd
