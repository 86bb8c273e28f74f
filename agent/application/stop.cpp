// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/stop.h"

#include "shared/base/text.h"
#include "shared/transport/address.h"

#include <QLocalSocket>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lockkeeper::agent::application {

using base::ErrorCode;
using base::failure;

namespace {

constexpr int kConnectMs = 2'000;
constexpr int kEndMs = 15'000;

tl::unexpected<base::Error> cantEnd(int error)
{
    return failure(
        error == EPERM ? ErrorCode::PermissionDenied : ErrorCode::Unknown,
        QStringLiteral("can't stop the agent: %1").arg(QString::fromLocal8Bit(std::strerror(error))),
        QStringLiteral("Run this as the user that the agent runs as."));
}

/** Ends the process and waits until it has ended. A pidfd never refers to another process, unlike a PID. */
base::Result<void> end(pid_t pid)
{
    const int fd = int(::syscall(SYS_pidfd_open, pid, 0));
    if (fd < 0)
        return errno == ESRCH ? base::Result<void>() : cantEnd(errno);
    base::Result<void> result;
    if (::syscall(SYS_pidfd_send_signal, fd, SIGTERM, nullptr, 0) != 0 && errno != ESRCH) {
        result = cantEnd(errno);
    } else {
        pollfd ended{fd, POLLIN, 0};
        if (::poll(&ended, 1, kEndMs) != 1)
            result = failure(ErrorCode::Timeout, QStringLiteral("the agent didn't stop within 15 s"),
                             QStringLiteral("Check its log."));
    }
    ::close(fd);
    return result;
}

} // namespace

base::Result<void> stopRunning(const config::Config &config)
{
    const auto local = std::find_if(config.listen.cbegin(), config.listen.cend(), [](const QString &one) {
        return one.startsWith(QLatin1String("local:"));
    });
    if (local == config.listen.cend())
        return failure(ErrorCode::Unsupported, QStringLiteral("can't find the agent: it has no local socket"),
                       QStringLiteral("Add \"local:lockkeeper.sock\" to listen, or send it SIGTERM."));
    const auto address = transport::parseAddress(*local, config.dataDir);
    if (!address)
        return tl::unexpected(address.error());
    QLocalSocket socket;
    socket.connectToServer(address->path);
    if (!socket.waitForConnected(kConnectMs))
        return failure(ErrorCode::NotFound,
                       QStringLiteral("no agent serves on %1").arg(base::displayText(address->path)));
    ucred listener{};
    socklen_t size = sizeof listener;
    if (::getsockopt(int(socket.socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &listener, &size) != 0)
        return cantEnd(errno);
    return end(listener.pid);
}

} // namespace lockkeeper::agent::application
