// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/json_client.h"

#include "shared/stores/redis/schemes/json_fields.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <hiredis/hiredis.h>

namespace lockkeeper::locks::redis {

namespace {

constexpr qint64 kSettleMs = 500; ///< the scheme's own: who writes at the same time is seen by then

ClientStep look(const Lease &lease, qint64 afterMs)
{
    return {Attempt::Held, {"GETRANGE", lease.name, "0", kLastByte.toByteArray()}, afterMs};
}

} // namespace

JsonClient::JsonClient(KeyLayout layout, QByteArray owner)
    : m_layout(std::move(layout)),
      m_owner(std::move(owner)),
      m_write(clientScript("json_write")),
      m_unlock(clientScript("token_unlock"))
{
}

/** The owner that is configured, and what makes this acquisition one of its own. */
QByteArray JsonClient::token()
{
    const QByteArray unique = QUuid::createUuid().toByteArray(QUuid::Id128).first(12);
    return m_owner.isEmpty() ? unique : m_owner + '#' + unique;
}

ClientStep JsonClient::begin(ClientAct act, const Lease &lease)
{
    switch (act) {
    case ClientAct::Acquire:
        return look(lease, 0);
    case ClientAct::Renew:
        return write(lease, lease.proof, lease.proof);
    case ClientAct::Release:
        break;
    }
    if (m_layout.stateField.isEmpty())
        return {Attempt::Held, {"EVAL", m_unlock.text, "1", lease.name, lease.proof}, 0};
    const QByteArray now = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
    return write(lease, lease.proof, valueOf(lease.token, false, now));
}

ClientStep JsonClient::next(ClientAct act, int index, Lease &lease, const redisReply *reply)
{
    if (act != ClientAct::Acquire)
        return ClientScheme::next(act, index, lease, reply);
    switch (index) {
    case 0:
        return afterFirstLook(lease, reply);
    case 1: {
        const bool written = reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
        return written ? look(lease, kSettleMs) : ClientStep{Attempt::Held, {}, 0};
    }
    default:
        return {bytesOf(reply) == lease.proof ? Attempt::Done : Attempt::Held, {}, 0};
    }
}

/** Free is no key, or one that says so; anything else is somebody's. */
ClientStep JsonClient::afterFirstLook(Lease &lease, const redisReply *reply) const
{
    const QByteArray seen = bytesOf(reply).toByteArray();
    QByteArray lastSync = "0";
    if (!seen.isEmpty()) {
        const auto fields = readJsonFields(seen, {m_layout.stateField, m_layout.lastSyncField});
        const bool idle = fields && !m_layout.stateField.isEmpty() &&
                          fields->at(0).kind != JsonField::Nested && fields->at(0).text == m_layout.idleValue;
        if (!idle)
            return {Attempt::Held, {}, 0};
        if (fields->at(1).kind == JsonField::Scalar)
            lastSync = fields->at(1).text;
    }
    lease.proof = valueOf(lease.token, true, lastSync);
    return write(lease, seen, lease.proof);
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

ClientStep JsonClient::write(const Lease &lease, const QByteArray &seen, const QByteArray &value) const
{
    return {Attempt::Held,
            {"EVAL", m_write.text, "1", lease.name, seen, value, QByteArray::number(lease.ttlUs / 1000)},
            0};
}

} // namespace lockkeeper::locks::redis
