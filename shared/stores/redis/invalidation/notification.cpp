// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/notification.h"

#include "shared/stores/redis/connection/handshake.h"
#include "shared/stores/redis/connection/resp.h"

#include <algorithm>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis::push {

QByteArray channelHead(const char *kind, int database)
{
    return QByteArray("__") + kind + '@' + QByteArray::number(database) + "__:";
}

Notification notificationOf(const redisReply *message, int database)
{
    using Kind = Notification::NotificationKind;
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
    const bool removed = event == "del" || event == "rename_from" || event == "move_from";
    if (removed || event == "expired" || event == "evicted") {
        last = removed ? KeyEnd::Deleted : event == "expired" ? KeyEnd::Expired : KeyEnd::Evicted;
        if (!written)
            first = last;
    } else if (event == "set" || event == "rename_to" || event == "restore" || event == "copy_to" ||
               event == "move_to") {
        set = set || event == "set";
        last = KeyEnd::Untold;
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
    const QHash<QByteArray, QByteArray> fields = infoFields(info);
    Databases found;
    bool stats = false;
    bool others = false;
    for (const auto &[name, value] : fields.asKeyValueRange()) {
        if (name.startsWith("cmdstat_")) {
            const qint64 calls = value.mid(6, value.indexOf(',') - 6).toLongLong(); // "calls=12,usec=…"
            stats = true;
            others = others || (calls > 0 && leadsElsewhere(name.sliced(8)));
            if (name == "cmdstat_swapdb")
                found.swaps = calls;
        } else if (name.startsWith("db") && value.startsWith("keys=")) {
            others = others || name != "db0";
        }
    }
    const QByteArray valkey = fields.value("valkey_version");
    const bool manyInClusters = valkey.first(std::max<qsizetype>(valkey.indexOf('.'), 0)).toInt() >= 9;
    found.onlyFirst = (fields.value("redis_mode") == "cluster" && !manyInClusters) || (stats && !others);
    return found;
}

} // namespace lockkeeper::stores::redis::push
