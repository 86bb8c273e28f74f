// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/redis/connection/resp.h"
#include "shared/stores/source_spec.h"

#include <memory>

namespace lockkeeper::locks::redis {

using namespace stores;
using namespace stores::redis;

/** What is asked of a lock client. */
enum class ClientAct : quint8 { Acquire = 0, Renew, Release };

/** What a lock client does next: its answer, or another command. */
struct ClientStep
{
    Attempt attempt = Attempt::Held;
    QList<QByteArray> command; ///< not empty: it is sent, and `attempt` means nothing
    qint64 afterMs = 0;        ///< so long after now
};

/**
 * The lock library's side of one scheme: the commands that take, renew and give back a lock as the scheme's
 * own clients do. Stateless.
 */
class ClientScheme
{
public:
    ClientScheme() = default;
    virtual ~ClientScheme();
    Q_DISABLE_COPY_MOVE(ClientScheme)

    virtual Traits traits() const { return {}; }
    /** A new one, which proves one acquisition. */
    virtual QByteArray token() = 0;
    /** The first command of an act. */
    virtual ClientStep begin(ClientAct act, const Lease &lease) = 0;
    /** After the answer to command number `index` of the act; an error never gets here. */
    virtual ClientStep next(ClientAct act, int index, Lease &lease, const redisReply *reply);
};

/** Of the lock set's scheme; `owner` is what schemes with an owner of their own write. */
std::unique_ptr<ClientScheme> clientSchemeOf(const LockSet &set, const QByteArray &owner);

} // namespace lockkeeper::locks::redis
