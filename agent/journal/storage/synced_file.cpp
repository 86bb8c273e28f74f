// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/synced_file.h"

#include <QDateTime>

namespace lockkeeper::agent::journal {

bool openSynced(SqliteConnection &connection, const QString &path)
{
    return connection.open(path, SqliteConnection::Mode::Write) &&
           connection.run(QStringLiteral("PRAGMA synchronous = FULL"));
}

bool isIntact(SqliteConnection &connection)
{
    if (!connection.scalar(QStringLiteral("PRAGMA schema_version")))
        return false;
    const auto verdict = connection.scalar(QStringLiteral("PRAGMA integrity_check(1)"));
    if (!verdict)
        return false;
    const QString text = verdict->toString().simplified();
    if (text == QLatin1String("ok"))
        return true;
    connection.restoreError({base::ErrorCode::Corrupt, text, {}});
    return false;
}

QString corruptSuffix(qint64 nowUs)
{
    return QLatin1String(".corrupt-") + QDateTime::fromMSecsSinceEpoch(nowUs / 1000, Qt::UTC)
                                            .toString(QStringLiteral("yyyyMMddTHHmmsszzz"));
}

} // namespace lockkeeper::agent::journal
