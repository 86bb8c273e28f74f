// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/redis/client_scheme.h"

namespace lockkeeper::locks::redis {

/**
 * The lock library's side of redis.token, and of each node of a Redlock: SET NX PX, and scripts that compare
 * the token. With fencing tokens, which Redlock doesn't have, the acquisition is a script, too.
 */
class TokenClient final : public ClientScheme
{
public:
    explicit TokenClient(const stores::LockSet &set);

    Traits traits() const override;
    QByteArray token() const override;
    void compose(stores::redis::CommandBatch &to, ClientCall &call) const override;
    ClientStep take(ClientCall &call, const redisReply *reply) const override;
    QByteArray besideRules() const override;

private:
    bool m_fencing;
    QByteArray m_wakes; ///< KeyPreset::wakes
    stores::redis::Script m_acquire = stores::redis::clientScript("token_acquire");
    stores::redis::Script m_renew = stores::redis::clientScript("token_renew");
    stores::redis::Script m_unlock = stores::redis::clientScript("token_unlock");
};

/**
 * The key that counts the fencing tokens of a lock: `lockkeeper:fencing:` and the name, in braces unless the
 * name has a hash tag, so that both share a hash slot. For a name with a '}' but without a hash tag that
 * isn't possible: a cluster refuses it.
 */
QByteArray fencingKeyOf(const QByteArray &name);

} // namespace lockkeeper::locks::redis
