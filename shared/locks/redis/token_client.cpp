// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/token_client.h"

#include "shared/stores/redis/schemes/key_preset.h"
#include "shared/stores/redis/schemes/token_scheme.h"

#include <QUuid>

#include <hiredis/hiredis.h>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

namespace {

constexpr QByteArrayView kFencing("lockkeeper:fencing:");

/** By the rule of Redis: the text between the first '{' and the next '}', unless that is empty. */
bool hasHashTag(QByteArrayView name)
{
    const qsizetype open = name.indexOf('{');
    return open >= 0 && name.indexOf('}', open) > open + 1;
}

} // namespace

QByteArray fencingKeyOf(const QByteArray &name)
{
    QByteArray key;
    key.reserve(kFencing.size() + name.size() + 2);
    key.append(kFencing);
    return hasHashTag(name) ? key.append(name) : key.append('{').append(name).append('}');
}

TokenClient::TokenClient(const LockSet &set) : m_fencing(set.keys.fencing && set.scheme == "redis.token")
{
    if (const auto preset = keyPresetNamed(set.preset); !set.preset.isEmpty() && preset)
        m_wakes = preset->wakes;
}

Traits TokenClient::traits() const
{
    Traits traits;
    traits.fencing = m_fencing;
    return traits;
}

QByteArray TokenClient::token() const
{
    return QUuid::createUuid().toByteArray(QUuid::Id128);
}

void TokenClient::compose(CommandBatch &to, ClientCall &call) const
{
    const Lease &lease = call.lease;
    if (call.act == ClientAct::Acquire && m_fencing) {
        addScript(to, call, m_acquire, {lease.name, fencingKeyOf(lease.name)},
                  {lease.token, millisecondsOf(lease)});
    } else if (call.act == ClientAct::Acquire) {
        to.add({"SET", lease.name, lease.token, "NX", "PX", millisecondsOf(lease)});
    } else if (call.act == ClientAct::Renew) {
        addScript(to, call, m_renew, {lease.name}, {lease.token, millisecondsOf(lease)});
    } else if (m_wakes.isEmpty()) {
        addScript(to, call, m_unlock, {lease.name}, {lease.token});
    } else {
        QList<QByteArray> all{call.byText ? "EVAL" : "EVALSHA",
                              call.byText ? m_unlock.text : m_unlock.sha,
                              "1",
                              lease.name,
                              lease.token,
                              m_wakes};
        to.add(all + sleepersOf(m_wakes, lease.name));
    }
}

ClientStep TokenClient::take(ClientCall &call, const redisReply *reply) const
{
    if (call.act != ClientAct::Acquire || !m_fencing)
        return ClientScheme::take(call, reply);
    return fencedStep(call, reply);
}

QByteArray TokenClient::besideRules() const
{
    return m_fencing ? "~lockkeeper:fencing:* +exists +pttl +incr +time +set" : QByteArray();
}

} // namespace lockkeeper::locks::redis
