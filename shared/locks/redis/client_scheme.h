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

/** The requests to a lock client. Enqueue joins a queue in the store; Release also gives up such a place. The
 * last two are for the register of waiters. */
enum class ClientAct : quint8 { Acquire = 0, Renew, Release, Enqueue, Announce, Withdraw };

/** How long a place in a queue is kept beyond its turn; Redisson's default. */
inline constexpr qint64 kPlaceUs = 300'000'000;

/** One request in progress, as its scheme sees it. */
struct ClientCall
{
    ClientAct act = ClientAct::Acquire;
    Lease lease;
    int index = 0;                  ///< of the command that is being composed or was answered
    bool byText = false;            ///< send the script's text: the server doesn't know it yet
    QByteArray seen;                ///< redis.json: the value that is replaced
    QList<QByteArray> waiters = {}; ///< Announce, Withdraw: their ids
};

/** The result of evaluating the answer to a command. */
struct ClientStep
{
    Attempt attempt = Attempt::Held;
    bool more = false;    ///< another command follows, and `attempt` has no meaning
    qint64 afterMs = 0;   ///< … after this delay
    qint64 freeInUs = -1; ///< for Held: time left of the holder's lease; -1: not known
};

/**
 * The lock library's side of one scheme: the commands that acquire, renew and release a lock as the scheme's
 * own clients do. Stateless.
 */
class ClientScheme
{
public:
    ClientScheme() = default;
    virtual ~ClientScheme();
    Q_DISABLE_COPY_MOVE(ClientScheme)

    virtual Traits traits() const { return {}; }
    /** Makes a new token, which proves one acquisition. */
    virtual QByteArray token() const = 0;
    /** Adds the next command of the call. */
    virtual void compose(stores::redis::CommandBatch &to, ClientCall &call) const = 0;
    /** Evaluates the answer to that command; never called with an error. */
    virtual ClientStep take(ClientCall &call, const redisReply *reply) const;
    /** True if the lock may have been acquired although the answer to this command was lost. */
    virtual bool mayHaveTaken(const ClientCall &call) const;
    /** ACL rules for the keys beside the lock, for the remedy of a missing right; empty: no such keys. */
    virtual QByteArray besideRules() const { return {}; }
    /** The channel that announces that a lock may be free. A waiter in a queue has its own channel: this one
     * with a colon and the token appended. */
    virtual QByteArray channelOf(const QByteArray &name) const { return name; }
};

/** A lease for the place that an unsuccessful wait may have left in its queue. Its TTL covers the life of the
 * place, so that its release is retried for that long. */
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

/** Adds the call of a script: by its SHA, or by its text if the server doesn't know it. */
void addScript(stores::redis::CommandBatch &to, const ClientCall &call, const stores::redis::Script &script,
               std::initializer_list<QByteArrayView> keys, std::initializer_list<QByteArrayView> arguments);

/** Evaluates the answer of an acquisition's script. It is the fencing token (0: none), or a list with the
 * time left of the holder's lease in milliseconds. */
ClientStep fencedStep(ClientCall &call, const redisReply *reply);

/** Makes the scheme of the lock set. `owner`: text for schemes that store an owner. */
std::unique_ptr<ClientScheme> clientSchemeOf(const stores::LockSet &set, const QByteArray &owner,
                                             stores::redis::Topology topology);

} // namespace lockkeeper::locks::redis
