// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/connection/reply_reader.h"
#include "shared/stores/redis/connection/transport.h"

#include <QPointer>

#include <deque>
#include <optional>

namespace lockkeeper::stores::redis {

/** A batch under way. */
struct Owed
{
    std::unique_ptr<ReplySink> sink;
    qsizetype left = 0;   ///< answers
    bool monitor = false; ///< the last of its commands is MONITOR
};

/**
 * The state that lives and dies with one link of a Connection. It outlives its place there while answers are
 * being taken: handlers may close, fail, reopen or destroy the Connection.
 */
struct RedisConnection::SocketLink
{
    SocketLink(RedisConnection *connection, quint64 number)
        : owner(connection), transport(new Transport(connection->endpoint())), opened(number)
    {
    }
    ~SocketLink()
    {
        if (transport != nullptr)
            transport->dismiss();
    }
    Q_DISABLE_COPY_MOVE(SocketLink)

    /** Hands an answer to the sink of the batch that is next in line. */
    void answer(const redisReply *reply);
    /** Answers every command that is still owed an answer with null; without an owner no sink is called. */
    void drain();
    bool isOutOfBand(const redisReply *reply) const;

    QPointer<RedisConnection> owner;
    QPointer<Transport> transport;
    ReplyReader reader;
    std::deque<Owed> owed;
    qint64 count = 0; ///< answers owed
    quint64 opened;
    qint64 channels = 0;      ///< subscribed to
    qint64 shardChannels = 0; ///< … of this node's shard
    bool monitoring = false;  ///< MONITOR was accepted
    bool busy = false;        ///< processing answers: an end of the link is deferred until then
    bool writing = false;
    bool answered = false; ///< a reply has arrived
    bool heard = false;    ///< the server sent something
    /** Its first reply where that is an error, until another comes: a server that turns a client away says
     * why before it hangs up. */
    std::optional<base::Error> farewell;
    bool over = false;
    bool announce = false; ///< its end is a loss

private:
    void noteMode(const redisReply *reply, bool monitor);
};

} // namespace lockkeeper::stores::redis
