// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/peer_user.h"

#ifdef Q_OS_LINUX
#include <grp.h>
#include <optional>
#include <pwd.h>
#include <sys/socket.h>
#include <vector>
#endif

namespace lockkeeper::transport {

#ifdef Q_OS_LINUX
namespace {

constexpr size_t kEntryBytes = 64 * 1024;

std::optional<ucred> credentialsOf(qintptr socketDescriptor)
{
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (socketDescriptor < 0 ||
        ::getsockopt(int(socketDescriptor), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
        return std::nullopt;
    return credentials;
}

/** Empty for a user without a name. */
QByteArray nameOfUser(uid_t id)
{
    std::vector<char> buffer(kEntryBytes);
    passwd entry{};
    passwd *found = nullptr;
    if (::getpwuid_r(id, &entry, buffer.data(), buffer.size(), &found) == 0 && found)
        return found->pw_name;
    return {};
}

} // namespace

QString peerUserOf(qintptr socketDescriptor)
{
    const auto credentials = credentialsOf(socketDescriptor);
    if (!credentials)
        return {};
    const QByteArray name = nameOfUser(credentials->uid);
    return name.isEmpty() ? QStringLiteral("uid:%1").arg(credentials->uid) : QString::fromLocal8Bit(name);
}

QStringList peerGroupsOf(qintptr socketDescriptor)
{
    const auto credentials = credentialsOf(socketDescriptor);
    if (!credentials)
        return {};
    std::vector<gid_t> ids{credentials->gid};
    if (const QByteArray name = nameOfUser(credentials->uid); !name.isEmpty()) {
        int count = 64;
        ids.resize(size_t(count));
        while (::getgrouplist(name.constData(), credentials->gid, ids.data(), &count) < 0)
            ids.resize(size_t(count));
        ids.resize(size_t(count));
    }
    QStringList names;
    std::vector<char> buffer(kEntryBytes);
    for (const gid_t id : ids) {
        group entry{};
        group *found = nullptr;
        if (::getgrgid_r(id, &entry, buffer.data(), buffer.size(), &found) == 0 && found)
            names.append(QString::fromLocal8Bit(found->gr_name));
    }
    return names;
}
#else
QString peerUserOf(qintptr)
{
    return {};
}

QStringList peerGroupsOf(qintptr)
{
    return {};
}
#endif

} // namespace lockkeeper::transport
