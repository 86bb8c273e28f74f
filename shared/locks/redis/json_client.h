// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/redis/client_scheme.h"

namespace lockkeeper::locks::redis {

/**
 * The lock library's side of redis.json. It overwrites a free value and reads it again half a second later:
 * the lock is held if the value is still the client's. Unlike the scheme's other clients it never overwrites
 * a value that it hasn't seen. Lease::proof is the whole value.
 */
class JsonClient final : public ClientScheme
{
public:
    JsonClient(stores::KeyLayout layout, QByteArray owner)
        : m_layout(std::move(layout)), m_owner(std::move(owner))
    {
    }

    Traits traits() const override;
    QByteArray token() const override;
    void compose(stores::redis::CommandBatch &to, ClientCall &call) const override;
    ClientStep take(ClientCall &call, const redisReply *reply) const override;
    bool mayHaveTaken(const ClientCall &call) const override { return call.index > 0; }

private:
    QByteArray valueOf(const QByteArray &owner, bool held, const QByteArray &lastSync) const;
    void write(stores::redis::CommandBatch &to, const ClientCall &call, const QByteArray &seen,
               const QByteArray &value) const;
    ClientStep afterFirstLook(ClientCall &call, const redisReply *reply) const;

    stores::KeyLayout m_layout;
    QByteArray m_owner;
    stores::redis::Script m_write = stores::redis::clientScript("json_write");
    stores::redis::Script m_unlock =
        stores::redis::clientScript("token_unlock"); ///< for values without a state: deletes the key
};

} // namespace lockkeeper::locks::redis
