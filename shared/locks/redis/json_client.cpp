// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/json_client.h"

#include "shared/base/clock.h"
#include "shared/stores/redis/schemes/json_fields.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <hiredis/hiredis.h>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

namespace {

constexpr qint64 kSettleMs = 500; ///< set by the scheme: concurrent writes are visible by then

} // namespace

Traits JsonClient::traits() const
{
    Traits traits;
    traits.leastTtlUs = 2 * kSettleMs * 1'000;
    return traits;
}

/** The configured owner, with a random part that is unique for each acquisition. */
QByteArray JsonClient::token() const
{
    const QByteArray unique = QUuid::createUuid().toByteArray(QUuid::Id128).first(12);
    return m_owner.isEmpty() ? unique : m_owner + '#' + unique;
}

void JsonClient::compose(CommandBatch &to, ClientCall &call) const
{
    const Lease &lease = call.lease;
    if (call.act == ClientAct::Acquire && call.index != 1)
        to.add({"GETRANGE", lease.name, "0", kLastByte});
    else if (call.act == ClientAct::Acquire)
        write(to, call, call.seen, lease.proof);
    else if (call.act == ClientAct::Renew)
        write(to, call, lease.proof, lease.proof);
    else if (m_layout.stateField.isEmpty())
        addScript(to, call, m_unlock, {lease.name}, {lease.proof});
    else
        write(to, call, lease.proof,
              valueOf(lease.token, false, QByteArray::number(base::SystemClock().wallUs() / 1'000)));
}

ClientStep JsonClient::take(ClientCall &call, const redisReply *reply) const
{
    if (call.act != ClientAct::Acquire)
        return ClientScheme::take(call, reply);
    if (call.index == 0)
        return afterFirstLook(call, reply);
    if (call.index == 1) {
        const bool written = reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
        return {.more = written, .afterMs = kSettleMs};
    }
    return {.attempt = bytesOf(reply) == call.lease.proof ? Attempt::Done : Attempt::Held};
}

/** The lock is free if the key is missing or its state says so. Any other value counts as held. */
ClientStep JsonClient::afterFirstLook(ClientCall &call, const redisReply *reply) const
{
    call.seen = bytesOf(reply).toByteArray();
    QByteArray lastSync = "0";
    if (!call.seen.isEmpty()) {
        const auto fields = readJsonFields(call.seen, {m_layout.stateField, m_layout.lastSyncField});
        const bool idle = fields && !m_layout.stateField.isEmpty() &&
                          fields->at(0).kind != JsonField::Nested && fields->at(0).text == m_layout.idleValue;
        if (!idle)
            return {};
        if (fields->at(1).kind == JsonField::Scalar)
            lastSync = fields->at(1).text;
    }
    call.lease.proof = valueOf(call.lease.token, true, lastSync);
    return {.more = true};
}

QByteArray JsonClient::valueOf(const QByteArray &owner, bool held, const QByteArray &lastSync) const
{
    QJsonObject object{{QString::fromUtf8(m_layout.ownerField), QString::fromUtf8(owner)}};
    if (!m_layout.stateField.isEmpty())
        object.insert(QString::fromUtf8(m_layout.stateField),
                      QString::fromUtf8(held ? m_layout.heldValue : m_layout.idleValue));
    if (!m_layout.lastSyncField.isEmpty())
        object.insert(QString::fromUtf8(m_layout.lastSyncField), lastSync.toLongLong());
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

void JsonClient::write(CommandBatch &to, const ClientCall &call, const QByteArray &seen,
                       const QByteArray &value) const
{
    addScript(to, call, m_write, {call.lease.name}, {seen, value, millisecondsOf(call.lease)});
}

} // namespace lockkeeper::locks::redis
