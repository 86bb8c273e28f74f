// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "resources/demo/own_redis.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace lockkeeper::demo {

namespace {
constexpr int kStepMs = 50;
constexpr int kSteps = 200; ///< 10 s
constexpr int kEndMs = 2'000;
} // namespace

OwnRedis::OwnRedis(const QString &socket) : m_socket(socket), m_input(STDIN_FILENO, QSocketNotifier::Read)
{
    QObject::connect(&m_input, &QSocketNotifier::activated, qApp, [this] {
        char byte = 0;
        if (::read(STDIN_FILENO, &byte, 1) > 0)
            return;
        m_input.setEnabled(false);
        QCoreApplication::quit();
    });
    m_server.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_server.setStandardOutputFile(QProcess::nullDevice());
}

OwnRedis::~OwnRedis()
{
    m_server.terminate();
    if (!m_server.waitForFinished(kEndMs))
        m_server.kill();
}

bool OwnRedis::start(const QString &program)
{
    m_server.start(program, {QStringLiteral("--port"), QStringLiteral("0"), QStringLiteral("--unixsocket"),
                             m_socket, QStringLiteral("--unixsocketperm"), QStringLiteral("700"),
                             QStringLiteral("--save"), QString(), QStringLiteral("--appendonly"),
                             QStringLiteral("no"), QStringLiteral("--dir"), QFileInfo(m_socket).path()});
    for (int step = 0; step < kSteps && !QFileInfo::exists(m_socket); ++step) {
        if (m_server.waitForFinished(kStepMs) || m_server.state() == QProcess::NotRunning)
            return false;
    }
    return QFileInfo::exists(m_socket);
}

} // namespace lockkeeper::demo
