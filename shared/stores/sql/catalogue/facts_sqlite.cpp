// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/server_facts.h"

#include <QFileInfo>

#include <sys/stat.h>

namespace lockkeeper::stores::sql {

base::Result<ServerFacts> sqliteFacts(SqlConnection &connection)
{
    const QString path = connection.endpoint().database;
    struct stat file = {};
    if (stat(QFile::encodeName(path).constData(), &file) != 0)
        return base::failure(base::ErrorCode::Unreachable, QStringLiteral("the file no longer exists"));
    return ServerFacts{QStringLiteral("SQLite ") + connection.version(),
                       QByteArray::number(quint64(file.st_dev)) + ':' +
                           QByteArray::number(quint64(file.st_ino)),
                       QString(), !QFileInfo(path).isWritable()};
}

} // namespace lockkeeper::stores::sql
