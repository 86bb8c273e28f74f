// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/told.h"

#include "shared/stores/redis/resp.h"

#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis::push {

namespace {

Told invalidation(const redisReply *payload)
{
    Told what;
    if (payload->type == REDIS_REPLY_NIL) {
        what.kind = Told::Kind::Everything;
    } else if (payload->type == REDIS_REPLY_ARRAY) {
        what.kind = Told::Kind::Keys;
        what.keys.reserve(qsizetype(payload->elements));
        for (size_t i = 0; i < payload->elements; ++i)
            what.keys.append(bytesOf(payload->element[i]));
    }
    return what;
}

} // namespace

QByteArray keyeventHead(int database)
{
    return "__keyevent@" + QByteArray::number(database) + "__:";
}

QByteArray keyspaceHead(int database)
{
    return "__keyspace@" + QByteArray::number(database) + "__:";
}

Told told(const redisReply *message, int database)
{
    Told what;
    if (message->type != REDIS_REPLY_ARRAY || message->elements < 3)
        return what;
    const bool byPattern = bytesOf(message->element[0]) == "pmessage" && message->elements == 4;
    if (!byPattern && (bytesOf(message->element[0]) != "message" || message->elements != 3))
        return what;
    const QByteArrayView channel = bytesOf(message->element[byPattern ? 2 : 1]);
    const redisReply *payload = message->element[byPattern ? 3 : 2];
    if (channel == kInvalidate)
        return invalidation(payload);
    const QByteArray keyevent = keyeventHead(database);
    const QByteArray keyspace = keyspaceHead(database);
    if (channel.startsWith(keyevent)) {
        what.kind = Told::Kind::Event;
        what.event = channel.sliced(keyevent.size());
        what.keys = {bytesOf(payload)};
    } else if (channel.startsWith(keyspace)) {
        what.kind = Told::Kind::Event;
        what.byKeyspace = true;
        what.event = bytesOf(payload);
        what.keys = {channel.sliced(keyspace.size())};
    }
    return what;
}

KeyStory::End KeyStory::endOf(QByteArrayView event)
{
    if (event == "expired")
        return End::Expired;
    if (event == "del" || event == "evicted" || event == "rename_from" || event == "move_from")
        return End::Deleted;
    return End::Untold;
}

void KeyStory::add(QByteArrayView event)
{
    const End ended = endOf(event);
    if (ended != End::Untold) {
        if (!m_written)
            first = ended;
        m_written = true;
        last = ended;
    } else if (event == "set" || event == "rename_to" || event == "restore" || event == "copy_to" ||
               event == "move_to") {
        came = came || event == "set";
        m_written = true;
        last = End::Untold;
    }
}

void KeyStory::append(const KeyStory &later)
{
    came = came || later.came;
    if (!m_written)
        first = later.first;
    if (later.m_written)
        last = later.last;
    m_written = m_written || later.m_written;
}

} // namespace lockkeeper::stores::redis::push
