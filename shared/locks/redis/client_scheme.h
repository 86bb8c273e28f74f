// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/redis/connection/resp.h"
#include "shared/stores/redis/connection/script.h"
#include "shared/stores/redis/redis_stores.h"
#include "shared/stores/source_spec.h"

#include <algorithm>
#include <charconv>
#include <memory>

namespace lockkeeper::locks::redis {

using namespace stores;
using namespace stores::redis;

/** What is asked of a lock client: Enqueue of a queue in the store, whose place Release gives up as well; the
 * last two of the register of those who wait. */
enum class ClientAct : quint8 { Acquire = 0, Renew, Release, Enqueue, Announce, Withdraw };

/** How long a place in a queue is kept beyond its turn: Redisson's own, unless told otherwise. */
inline constexpr qint64 kPlaceUs = 300'000'000;

/** One request under way, as its scheme sees it. */
struct ClientCall
{
    ClientAct act = ClientAct::Acquire;
    Lease lease;
    int index = 0;                  ///< of its commands, the one that is composed or was answered
    bool byText = false;            ///< the server doesn't know the command's script yet
    QByteArray seen;                ///< redis.json: the value that is replaced
    QList<QByteArray> waiters = {}; ///< Announce, Withdraw: their ids
};

/** What comes of the answer to a command. */
struct ClientStep
{
    Attempt attempt = Attempt::Held;
    bool more = false;    ///< another command follows, and `attempt` means nothing
    qint64 afterMs = 0;   ///< … so long after now
    qint64 freeInUs = -1; ///< of Held
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
    virtual QByteArray token() const = 0;
    /** Adds the next command of the call. */
    virtual void compose(CommandBatch &to, ClientCall &call) const = 0;
    /** Takes the answer to it; an error never gets here. */
    virtual ClientStep take(ClientCall &call, const redisReply *reply) const;
    /** True where the lock may be taken though the answer to this command of an acquisition was lost. */
    virtual bool mayHaveTaken(const ClientCall &call) const;
    /** ACL rules of what is kept beside the lock, for an error of a missing right; empty: nothing is. */
    virtual QByteArray besideRules() const { return {}; }
    /** Where it is told that a lock may be free. Who stands in a queue has a channel of its own, which goes
     * on with a colon and the token. */
    virtual QByteArray channelOf(const QByteArray &name) const { return name; }
};

/** What a wait that ends without the lock may leave in its queue: to be given back as long as that may be. */
inline Lease placeOf(Lease wanted)
{
    wanted.ttlUs = std::max(wanted.ttlUs, kPlaceUs);
    return wanted;
}

/** A number as an argument of a command. */
class NumberText
{
public:
    explicit NumberText(qint64 number) : m_end(std::to_chars(m_text, m_text + sizeof m_text, number).ptr) {}
    operator QByteArrayView() const { return {m_text, m_end}; } // NOLINT(google-explicit-constructor)

private:
    char m_text[24];
    char *m_end;
};

/** A lease's length in milliseconds. */
inline NumberText millisecondsOf(const Lease &lease)
{
    return NumberText(lease.ttlUs / 1'000);
}

/** Adds the call of a script: by its name, or by its text where the server doesn't know it. */
void addScript(CommandBatch &to, const ClientCall &call, const Script &script,
               std::initializer_list<QByteArrayView> keys, std::initializer_list<QByteArrayView> arguments);

/** Of an acquisition by a script that answers the fencing token (0: without), or what is left of the holder's
 * lease in a list. */
ClientStep fencedStep(ClientCall &call, const redisReply *reply);

/** Of the lock set's scheme; `owner` is what schemes with an owner of their own write. */
std::unique_ptr<ClientScheme> clientSchemeOf(const LockSet &set, const QByteArray &owner, Topology topology);

} // namespace lockkeeper::locks::redis
