// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/socket_audience.h"

#include <QFile>
#include <QFileInfo>
#include <QLoggingCategory>

#ifdef Q_OS_UNIX
#include <grp.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#endif

namespace lockkeeper::transport {

Q_DECLARE_LOGGING_CATEGORY(lcTransport)

#ifdef Q_OS_UNIX
namespace {

std::optional<gid_t> idOfGroup(const QString &name)
{
    std::vector<char> buffer(64 * 1024);
    struct group entry
    {
    };
    struct group *found = nullptr;
    if (::getgrnam_r(name.toLocal8Bit().constData(), &entry, buffer.data(), buffer.size(), &found) != 0 ||
        !found)
        return std::nullopt;
    return found->gr_gid;
}

} // namespace

void admit(const QString &socket, const SocketAudience &audience)
{
    using Who = SocketAudience::Who;
    const QByteArray path = QFile::encodeName(socket);
    Who who = audience.who;
    if (who == Who::Group) {
        const auto group = idOfGroup(audience.group);
        if (!group || ::chown(path.constData(), uid_t(-1), *group) != 0) {
            qCInfo(lcTransport,
                   "can't set the socket's group to %s: any local user can connect; [[access]] still applies",
                   qUtf8Printable(audience.group));
            who = Who::Everyone;
        }
    }
    const mode_t mode = who == Who::Owner ? 0600 : who == Who::Group ? 0660 : 0666;
    if (::chmod(path.constData(), mode) != 0)
        qCWarning(lcTransport, "the mode of %s can't be set", path.constData());
}

QString folderInTheWay(const QString &path, const SocketAudience &audience)
{
    if (audience.who == SocketAudience::Who::Owner)
        return {};
    const auto group = audience.who == SocketAudience::Who::Group ? idOfGroup(audience.group) : std::nullopt;
    QString found;
    for (QString folder = QFileInfo(path).absolutePath();; folder = QFileInfo(folder).path()) {
        struct stat status
        {
        };
        const bool known = ::stat(QFile::encodeName(folder).constData(), &status) == 0;
        const bool byGroup = group && status.st_gid == *group && (status.st_mode & S_IXGRP) != 0;
        if (known && (status.st_mode & S_IXOTH) == 0 && !byGroup)
            found = folder; // keep the outermost: it comes first on the way
        if (folder == QLatin1String("/") || folder == QFileInfo(folder).path())
            return found;
    }
}
#else
void admit(const QString &, const SocketAudience &) {} // the system's default protection applies

QString folderInTheWay(const QString &, const SocketAudience &)
{
    return {};
}
#endif

} // namespace lockkeeper::transport
