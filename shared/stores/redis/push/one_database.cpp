// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/one_database.h"

#include <QByteArray>
#include <QList>

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
qint64 callsOf(const QByteArray &line)
{
    const qsizetype at = line.indexOf("calls=");
    return at < 0 ? 0 : line.mid(at + 6, line.indexOf(',', at) - at - 6).toLongLong();
}

} // namespace

Databases databasesOf(QByteArrayView info)
{
    Databases found;
    bool stats = false;
    bool others = false;
    bool cluster = false;
    int valkey = 0; ///< major version
    for (const QByteArray &raw : info.toByteArray().split('\n')) {
        const QByteArray line = raw.trimmed();
        if (line.startsWith("cmdstat_")) {
            const QByteArray command = line.mid(8, line.indexOf(':') - 8);
            stats = true;
            others = others || (leadsElsewhere(command) && callsOf(line) > 0);
            if (command == "swapdb")
                found.swaps = callsOf(line);
        } else if (line.startsWith("redis_mode:")) {
            cluster = line.endsWith(":cluster");
        } else if (line.startsWith("valkey_version:")) {
            valkey = line.mid(15, line.indexOf('.') - 15).toInt();
        } else if (line.startsWith("db") && line.contains(":keys=")) {
            others = others || !line.startsWith("db0:");
        }
    }
    found.onlyFirst = (cluster && valkey < kValkeyWithDatabases) || (stats && !others);
    return found;
}

} // namespace lockkeeper::stores::redis::push
