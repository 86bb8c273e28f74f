// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/one_database.h"

#include "shared/stores/redis/handshake.h"

namespace lockkeeper::stores::redis::push {

namespace {

constexpr int kValkeyWithDatabases = 9; ///< in clusters

/** Commands that write into, or lead to, another database; the last one forgets the statistics. */
bool leadsElsewhere(QByteArrayView command)
{
    return command == "select" || command == "move" || command == "copy" || command == "swapdb" ||
           command == "config" || command == "config|resetstat" || command == "debug";
}

/** The number behind "calls=". */
qint64 callsOf(const QByteArray &field)
{
    const qsizetype at = field.indexOf("calls=");
    return at < 0 ? 0 : field.mid(at + 6, field.indexOf(',', at) - at - 6).toLongLong();
}

} // namespace

Databases databasesOf(QByteArrayView info)
{
    const QHash<QByteArray, QByteArray> fields = infoFields(info);
    Databases found;
    found.swaps = callsOf(fields.value("cmdstat_swapdb"));
    bool stats = false;
    bool others = false;
    for (auto field = fields.cbegin(); field != fields.cend(); ++field) {
        if (field.key().startsWith("cmdstat_")) {
            stats = true;
            others = others || (leadsElsewhere(field.key().mid(8)) && callsOf(field.value()) > 0);
        } else if (field.key().startsWith("db") && field.value().startsWith("keys=")) {
            others = others || field.key() != "db0";
        }
    }
    const bool cluster = fields.value("redis_mode") == "cluster";
    const int valkey = fields.value("valkey_version").split('.').constFirst().toInt();
    found.onlyFirst = (cluster && valkey < kValkeyWithDatabases) || (stats && !others);
    return found;
}

} // namespace lockkeeper::stores::redis::push
