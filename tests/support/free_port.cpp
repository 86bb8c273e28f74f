// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/free_port.h"

#include <QHostAddress>
#include <QRandomGenerator>
#include <QTcpServer>

namespace lockkeeper::tests {

namespace {
constexpr int kFirst = 12'000;
constexpr int kEnd = 32'768; ///< where Linux begins to take them for outgoing connections
constexpr int kAttempts = 100;
} // namespace

quint16 freePort()
{
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        QTcpServer probe;
        if (probe.listen(QHostAddress::LocalHost, quint16(QRandomGenerator::system()->bounded(kFirst, kEnd))))
            return probe.serverPort();
    }
    return 0;
}

} // namespace lockkeeper::tests
