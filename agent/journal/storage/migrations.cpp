// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/migrations.h"

#include <QDir>
#include <QFile>
#include <QVariant>

namespace lockkeeper::agent::journal {

namespace {

const QString kFolder = QStringLiteral(":/lockkeeper/journal/");

QStringList scripts()
{
    return QDir(kFolder).entryList({QStringLiteral("[0-9][0-9][0-9][0-9]_*.sql")}, QDir::Files, QDir::Name);
}

bool applyScript(Connection &connection, const QString &file, int version)
{
    QFile script(kFolder + file);
    return script.open(QIODevice::ReadOnly) && connection.transact([&] {
        return connection.run(QString::fromUtf8(script.readAll())) &&
               connection.run(QStringLiteral("INSERT INTO schema_version(version) VALUES(%1)").arg(version));
    });
}

} // namespace

/** The oldest schema that migrate() can bring to the newest. */
int oldestSchema()
{
    const QStringList files = scripts();
    return files.isEmpty() ? 0 : files.first().first(4).toInt();
}

int newestSchema()
{
    const QStringList files = scripts();
    return files.isEmpty() ? 0 : files.last().first(4).toInt();
}

base::Result<void> migrate(Connection &connection)
{
    if (!connection.run(
            QStringLiteral("CREATE TABLE IF NOT EXISTS schema_version(version INTEGER PRIMARY KEY)")))
        return tl::unexpected(connection.error());
    const auto found =
        connection.scalar(QStringLiteral("SELECT coalesce(max(version), 0) FROM schema_version"));
    if (!found)
        return tl::unexpected(connection.error());
    if (found->toInt() > newestSchema()) {
        return base::failure(
            base::ErrorCode::Unsupported,
            QStringLiteral("the journal was written by a newer version (schema %1, this build knows %2)")
                .arg(found->toInt())
                .arg(newestSchema()),
            QStringLiteral("Run that version again, or point journal.url to another file"));
    }
    if (found->toInt() > 0 && found->toInt() < oldestSchema()) {
        return base::failure(
            base::ErrorCode::Unsupported,
            QStringLiteral(
                "the journal was written by a version before the first release (schema %1, the first is %2)")
                .arg(found->toInt())
                .arg(oldestSchema()),
            QStringLiteral("Move the files of journal.url away: the agent makes a new one"));
    }
    for (const QString &file : scripts()) {
        const int version = file.first(4).toInt();
        if (version > found->toInt() && !applyScript(connection, file, version))
            return tl::unexpected(connection.error());
    }
    return {};
}

} // namespace lockkeeper::agent::journal
