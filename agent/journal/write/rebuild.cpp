// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/rebuild.h"

#include "agent/journal/write/opening.h"

#include <QFile>

namespace lockkeeper::agent::journal {

base::Result<void> rebuildRollups(const QString &path, qint64 nowUs)
{
    if (!QFile::exists(path)) {
        return base::failure(base::ErrorCode::NotFound, QStringLiteral("%1: there is no journal").arg(path),
                             QStringLiteral("Look at data_dir and journal.url in the configuration"));
    }
    WriterLock lock;
    if (const auto locked = lock.take(path); !locked)
        return locked;
    Connection connection;
    QString setAside;
    if (const auto opened = openDatabase(connection, path, nowUs, &setAside); !opened)
        return opened;
    if (!setAside.isEmpty()) {
        return base::failure(base::ErrorCode::Corrupt,
                             QStringLiteral("the journal was damaged; it is %1 now").arg(setAside),
                             QStringLiteral("Restore it from a backup"));
    }
    RollupStore rollups(connection);
    bool well = rollups.reload() && rollups.rebuild();
    for (rollups.start(nowUs); well && !rollups.isDone();)
        well = rollups.step();
    if (!well)
        return tl::unexpected(connection.error());
    return {};
}

} // namespace lockkeeper::agent::journal
