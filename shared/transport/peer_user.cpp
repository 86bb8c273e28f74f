// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/peer_user.h"

#ifdef Q_OS_LINUX
#include <array>
#include <pwd.h>
#include <sys/socket.h>
#endif

namespace lockkeeper::transport {

#ifdef Q_OS_LINUX
QString peerUserOf(qintptr socketDescriptor)
{
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (socketDescriptor < 0 ||
        ::getsockopt(int(socketDescriptor), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
        return {};
    std::array<char, 16384> buffer;
    passwd entry{};
    passwd *found = nullptr;
    if (::getpwuid_r(credentials.uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found)
        return QString::fromLocal8Bit(found->pw_name);
    return QStringLiteral("uid:%1").arg(credentials.uid);
}
#else
QString peerUserOf(qintptr)
{
    return {};
}
#endif

} // namespace lockkeeper::transport
