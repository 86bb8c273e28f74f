// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/socket_link.h"

namespace lockkeeper::stores::redis {

namespace {

bool isNamed(const redisReply *reply, size_t elements, QByteArrayView name)
{
    return reply->type == REDIS_REPLY_ARRAY && reply->elements == elements &&
           bytesOf(reply->element[0]) == name;
}

bool isConfirmation(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_ARRAY && reply->elements == 3 &&
           reply->element[2]->type == REDIS_REPLY_INTEGER && bytesOf(reply->element[0]).endsWith("subscribe");
}

} // namespace

bool RedisConnection::SocketLink::isOutOfBand(const redisReply *reply) const
{
    if (channels > 0 && (isNamed(reply, 3, "message") || isNamed(reply, 4, "pmessage")))
        return true;
    // A slot that leaves the node ends the subscriptions of its channels.
    if (shardChannels > 0 &&
        (isNamed(reply, 3, "smessage") || (count == 0 && isNamed(reply, 3, "sunsubscribe"))))
        return true;
    // A line begins with its time, as in: 1339518083.107412 [0 127.0.0.1:60866] "get" "k"
    const QByteArrayView line = bytesOf(reply);
    return monitoring && reply->type == REDIS_REPLY_STATUS && !line.isEmpty() && line.front() >= '0' &&
           line.front() <= '9';
}

/** An answer that changes what the server may send unasked. */
void RedisConnection::SocketLink::noteMode(const redisReply *reply, bool monitor)
{
    const bool ofShard = isNamed(reply, 3, "ssubscribe") || isNamed(reply, 3, "sunsubscribe");
    if (isConfirmation(reply))
        (ofShard ? shardChannels : channels) = reply->element[2]->integer;
    else if (monitor && reply->type == REDIS_REPLY_STATUS)
        monitoring = true;
}

void RedisConnection::SocketLink::answer(const redisReply *reply)
{
    --count;
    Owed &front = owed.front();
    const bool last = --front.left == 0;
    noteMode(reply, last && front.monitor);
    if (!last) {
        front.sink->take(reply); // the batch stays in place: an end of this link is deferred
        return;
    }
    const std::unique_ptr<ReplySink> sink = std::move(front.sink);
    owed.pop_front();
    sink->take(reply);
}

void RedisConnection::SocketLink::drain()
{
    while (!owed.empty()) {
        Owed batch = std::move(owed.front());
        owed.pop_front();
        for (; batch.left > 0 && owner != nullptr; --batch.left)
            batch.sink->take(nullptr);
    }
    count = 0;
}

} // namespace lockkeeper::stores::redis
