// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/migrations.h"

#include <QDir>
#include <QFile>
#include <QVariant>

namespace lockkeeper::agent::journal {

namespace {

QString folderOf(Schema schema)
{
    switch (schema) {
    case Schema::Journal:
        return QStringLiteral(":/lockkeeper/journal/");
    case Schema::Audit:
        return QStringLiteral(":/lockkeeper/audit/");
    case Schema::Alerts:
        break;
    }
    return QStringLiteral(":/lockkeeper/alerts/");
}

QStringList scriptsOf(Schema schema)
{
    return QDir(folderOf(schema))
        .entryList({QStringLiteral("[0-9][0-9][0-9][0-9]_*.sql")}, QDir::Files, QDir::Name);
}

bool applyScript(SqliteConnection &connection, const QString &path, int version)
{
    QFile script(path);
    return script.open(QIODevice::ReadOnly) && connection.transact([&] {
        return connection.run(QString::fromUtf8(script.readAll())) &&
               connection.run(QStringLiteral("INSERT INTO schema_version(version) VALUES(%1)").arg(version));
    });
}

/** The oldest schema that migrate() can bring to the newest. */
int oldestOf(Schema schema)
{
    const QStringList files = scriptsOf(schema);
    return files.isEmpty() ? 0 : files.first().first(4).toInt();
}

} // namespace

int newestOf(Schema schema)
{
    const QStringList files = scriptsOf(schema);
    return files.isEmpty() ? 0 : files.last().first(4).toInt();
}

base::Result<void> migrate(SqliteConnection &connection, Schema schema)
{
    if (!connection.run(
            QStringLiteral("CREATE TABLE IF NOT EXISTS schema_version(version INTEGER PRIMARY KEY)")))
        return tl::unexpected(connection.error());
    const auto found =
        connection.scalar(QStringLiteral("SELECT coalesce(max(version), 0) FROM schema_version"));
    if (!found)
        return tl::unexpected(connection.error());
    if (found->toInt() > newestOf(schema)) {
        return base::failure(
            base::ErrorCode::Unsupported,
            QStringLiteral("%1 was written by a newer version (schema %2, this build knows %3)")
                .arg(connection.subject())
                .arg(found->toInt())
                .arg(newestOf(schema)),
            schema == Schema::Alerts
                ? QStringLiteral("Run that version, or move alerts.db away: the agent makes a new one")
                : QStringLiteral("Run that version, or point journal.url to another file"));
    }
    if (found->toInt() > 0 && found->toInt() < oldestOf(schema)) {
        return base::failure(
            base::ErrorCode::Unsupported,
            QStringLiteral(
                "the journal was written by a version before the first release (schema %1, the first is %2)")
                .arg(found->toInt())
                .arg(oldestOf(schema)),
            QStringLiteral("Move the files of journal.url away: the agent makes a new one"));
    }
    for (const QString &file : scriptsOf(schema)) {
        const int version = file.first(4).toInt();
        if (version > found->toInt() && !applyScript(connection, folderOf(schema) + file, version))
            return tl::unexpected(connection.error());
    }
    return {};
}

} // namespace lockkeeper::agent::journal
