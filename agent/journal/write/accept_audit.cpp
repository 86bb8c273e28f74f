// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/accept_audit.h"

#include "agent/journal/write/opening.h"

#include <QFileInfo>

#include <unistd.h>

namespace lockkeeper::agent::journal {

namespace {

/** The id of a journal that exists. */
QByteArray savedId(const QString &path)
{
    SqliteConnection connection;
    if (!QFileInfo::exists(path) || !connection.open(path, SqliteConnection::Mode::Read))
        return {};
    return connection.meta("journal_id").value_or(QByteArray());
}

} // namespace

base::Result<base::Error> acceptAudit(const JournalOptions &options, const QString &reason, qint64 nowUs)
{
    const AuditFiles files = auditFiles(options);
    const QFileInfo file(files.database);
    if (!file.exists())
        return base::failure(base::ErrorCode::Usage,
                             QStringLiteral("there is no audit %1").arg(files.database),
                             QStringLiteral("Start the agent first: it makes one"));
    // The agent couldn't open files that root makes here.
    if (file.ownerId() != ::geteuid())
        return base::failure(base::ErrorCode::PermissionDenied,
                             QStringLiteral("%1 belongs to the user '%2'").arg(files.database, file.owner()),
                             QStringLiteral("Run this command as that user: sudo -u %1 …").arg(file.owner()));
    WriterLock lock;
    if (const auto locked = lock.take(options.path); !locked)
        return tl::unexpected(locked.error());
    AuditStore audit(files, options.systemLog);
    const auto left = audit.open(savedId(options.path), nowUs);
    if (!left)
        return tl::unexpected(left.error());
    for (const AuditStore::LeftOpen &intent : *left) {
        if (!audit.end(intent.auditId, intent.outcome, intent.detail, nowUs))
            return tl::unexpected(audit.error());
    }
    const QString person = qEnvironmentVariable("SUDO_USER"); // the person who runs this as the agent's user
    return audit.accept(person.isEmpty() ? file.owner()
                                         : QStringLiteral("%1 as %2").arg(person, file.owner()),
                        reason, nowUs);
}

} // namespace lockkeeper::agent::journal
