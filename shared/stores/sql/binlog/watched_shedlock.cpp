// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/stores/sql/binlog/watched_set.h"
#include "shared/stores/sql/shedlock.h"

namespace lockkeeper::stores::sql::binlog {

WatchedSet watchedShedlock(const Table &table, const QTimeZone &zone, quint16 set, const QByteArray &match)
{
    const auto reader = std::make_shared<ShedlockReader>(table, zone);
    const auto column = [&table](const char *key) { return table.column(key).name; };
    WatchedSet watched{set, match, table.database, table.name, {}, {}, {}, {}};
    watched.columns = {column("name"), column("expires_at"), column("acquired_at"), column("holder")};
    watched.takes = [match](const QByteArray &name) { return base::globMatches(match, name); };
    watched.observe = [reader, set](const QList<Cell> &values, qint64 nowUs) {
        LockRow row;
        row.name = values.at(0).text();
        row.expiresAt = values.at(1).rawTime();
        row.acquiredAt = values.at(2).rawTime();
        row.holder = values.at(3).text();
        return reader->observation(set, row, nowUs);
    };
    return watched;
}

} // namespace lockkeeper::stores::sql::binlog
