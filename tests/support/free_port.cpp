// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/free_port.h"

#include <QHostAddress>
#include <QRandomGenerator>
#include <QTcpServer>

#include <algorithm>
#include <cstddef>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockkeeper::tests {

namespace {
constexpr int kFirst = 12'000;
constexpr int kEnd = 32'768; ///< where Linux begins to take them for outgoing connections
constexpr int kAttempts = 100;

/** Until this process ends no other test is given the port: a name that the kernel keeps (unix(7), abstract).
 */
bool reserve(quint16 port)
{
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const QByteArray name = "lockkeeper-test-port-" + QByteArray::number(port);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy(name.cbegin(), name.cend(), address.sun_path + 1);
    const auto size = socklen_t(offsetof(sockaddr_un, sun_path) + 1 + size_t(name.size()));
    if (fd >= 0 && ::bind(fd, reinterpret_cast<const sockaddr *>(&address), size) == 0)
        return true;
    ::close(fd);
    return false;
}
} // namespace

quint16 freePort()
{
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        QTcpServer probe;
        const auto port = quint16(QRandomGenerator::system()->bounded(kFirst, kEnd));
        if (reserve(port) && probe.listen(QHostAddress::LocalHost, port))
            return probe.serverPort();
    }
    return 0;
}

} // namespace lockkeeper::tests
