// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/accept_audit.h"

#include "agent/journal/write/opening.h"

#include <QFileInfo>

#include <unistd.h>

namespace lockkeeper::agent::journal {

base::Result<base::Error> acceptAudit(const Options &options, const QString &reason, qint64 nowUs)
{
    const QFileInfo file(options.path);
    if (!file.exists())
        return base::failure(base::ErrorCode::Usage,
                             QStringLiteral("there is no journal %1").arg(options.path),
                             QStringLiteral("Start the agent first: it makes one"));
    // The agent couldn't open files that root makes here.
    if (file.ownerId() != ::geteuid())
        return base::failure(base::ErrorCode::PermissionDenied,
                             QStringLiteral("%1 belongs to the user '%2'").arg(options.path, file.owner()),
                             QStringLiteral("Run this command as that user: sudo -u %1 …").arg(file.owner()));
    WriterLock lock;
    if (const auto locked = lock.take(options.path); !locked)
        return tl::unexpected(locked.error());
    Connection connection;
    QString setAside;
    if (const auto opened = openDatabase(connection, options.path, nowUs, &setAside); !opened)
        return tl::unexpected(opened.error());
    AuditStore audit(connection, auditFiles(options), options.systemLog);
    int interrupted = 0;
    if (!audit.open(nowUs, &interrupted))
        return tl::unexpected(connection.error());
    const QString person = qEnvironmentVariable("SUDO_USER"); // the person who runs this as the agent's user
    return audit.accept(person.isEmpty() ? file.owner()
                                         : QStringLiteral("%1 as %2").arg(person, file.owner()),
                        reason, nowUs);
}

} // namespace lockkeeper::agent::journal
