// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/notification.h"

#include "shared/stores/redis/connection/resp.h"

#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis::push {

QByteArray channelHead(const char *kind, int database)
{
    return QByteArray("__") + kind + '@' + QByteArray::number(database) + "__:";
}

Notification notificationOf(const redisReply *message, int database)
{
    using Kind = Notification::Kind;
    if (message->type != REDIS_REPLY_ARRAY || message->elements < 3)
        return {};
    const bool byPattern = bytesOf(message->element[0]) == "pmessage" && message->elements == 4;
    if (!byPattern && (bytesOf(message->element[0]) != "message" || message->elements != 3))
        return {};
    const QByteArrayView channel = bytesOf(message->element[byPattern ? 2 : 1]);
    const redisReply *payload = message->element[byPattern ? 3 : 2];
    if (channel == kInvalidate && payload->type == REDIS_REPLY_NIL)
        return {Kind::Everything, {}, {}};
    if (channel == kInvalidate && payload->type == REDIS_REPLY_ARRAY) {
        Notification keys{Kind::Keys, {}, {}};
        for (size_t i = 0; i < payload->elements; ++i)
            keys.keys.append(bytesOf(payload->element[i]));
        return keys;
    }
    if (const QByteArray head = channelHead("keyevent", database); channel.startsWith(head))
        return {Kind::Event, {bytesOf(payload)}, channel.sliced(head.size())};
    if (const QByteArray head = channelHead("keyspace", database); channel.startsWith(head))
        return {Kind::Event, {channel.sliced(head.size())}, bytesOf(payload)};
    return {};
}

void KeyEvents::add(QByteArrayView event)
{
    const bool removed =
        event == "del" || event == "evicted" || event == "rename_from" || event == "move_from";
    if (removed || event == "expired") {
        last = removed ? End::Deleted : End::Expired;
        if (!written)
            first = last;
    } else if (event == "set" || event == "rename_to" || event == "restore" || event == "copy_to" ||
               event == "move_to") {
        set = set || event == "set";
        last = End::Untold;
    } else {
        return;
    }
    written = true;
}

namespace {

/** Commands that write into, or lead to, another database; the last ones forget the statistics. */
bool leadsElsewhere(QByteArrayView command)
{
    return command == "select" || command == "move" || command == "copy" || command == "swapdb" ||
           command == "debug" || command == "config" || command == "config|resetstat";
}

} // namespace

Databases databasesOf(QByteArrayView info)
{
    Databases found;
    bool stats = false;
    bool others = false;
    bool cluster = false;
    bool manyInClusters = false;
    for (const QByteArray &raw : info.toByteArray().split('\n')) {
        const QByteArray line = raw.trimmed();
        if (line.startsWith("cmdstat_")) {
            const QByteArray command = line.mid(8, line.indexOf(':') - 8);
            const qsizetype at = line.indexOf("calls=") + 6;
            const qint64 calls = line.mid(at, line.indexOf(',', at) - at).toLongLong();
            stats = true;
            others = others || (calls > 0 && leadsElsewhere(command));
            if (command == "swapdb")
                found.swaps = calls;
        } else if (line.startsWith("redis_mode:")) {
            cluster = line.endsWith(":cluster");
        } else if (line.startsWith("valkey_version:")) {
            manyInClusters = line.mid(15, line.indexOf('.') - 15).toInt() >= 9;
        } else if (line.startsWith("db") && line.contains(":keys=")) {
            others = others || !line.startsWith("db0:");
        }
    }
    found.onlyFirst = (cluster && !manyInClusters) || (stats && !others);
    return found;
}

} // namespace lockkeeper::stores::redis::push
