// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/ssh_stream.h"

#include "shared/transport/ssh_errors.h"

#include <QTimer>

namespace lockkeeper::transport {

using base::Error;
using base::ErrorCode;

namespace {

constexpr qsizetype kSaidKept = 8 * 1024;
/** If a login shell prints more bytes than this without the greeting, it doesn't run the bridge. */
constexpr qint64 kMostNoise = 64 * 1024;

/** Quotes `word` as one word for a POSIX shell. */
QString quoted(QString word)
{
    return QLatin1Char('\'') + word.replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

} // namespace

QStringList SshStream::argumentsFor(const Address &address)
{
    QStringList arguments{QStringLiteral("-T"), QStringLiteral("-oConnectTimeout=10"),
                          QStringLiteral("-oClearAllForwardings=yes")};
    if (address.port > 0)
        arguments += {QStringLiteral("-p"), QString::number(address.port)};
    if (!address.user.isEmpty())
        arguments += {QStringLiteral("-l"), address.user};
    QString command = QStringLiteral("exec lockkeeperctl ");
    if (!address.path.isEmpty())
        command +=
            QStringLiteral("--agent ") + quoted(QStringLiteral("local:") + address.path) + QLatin1Char(' ');
    return arguments + QStringList{QStringLiteral("--"), address.host, command + QStringLiteral("bridge")};
}

SshStream::SshStream(Address address) : m_address(std::move(address))
{
    m_ssh.setProgram(QStringLiteral("ssh"));
    m_ssh.setArguments(argumentsFor(m_address));
    connect(&m_ssh, &QProcess::readyReadStandardError, this, &SshStream::listen);
    connect(&m_ssh, &QProcess::readyReadStandardOutput, this, &SshStream::awaitGreeting);
    connect(&m_ssh, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            endOpening({ErrorCode::NotFound, QStringLiteral("there is no program named ssh here"),
                        QStringLiteral("Install the OpenSSH client")});
    });
    connect(&m_ssh, &QProcess::finished, this, [this] {
        listen();
        if (m_open) {
            Q_EMIT ended();
            return;
        }
        if (!m_failed && m_ssh.exitStatus() == QProcess::NormalExit && m_ssh.exitCode() != kSshsOwnFault)
            Q_EMIT entered();
        endOpening(sshFailure(m_address, m_ssh.exitCode(), m_said));
    });
}

SshStream::~SshStream()
{
    m_ssh.disconnect(this);
    if (m_ssh.state() != QProcess::NotRunning) {
        m_ssh.kill();
        m_ssh.waitForFinished(); // short: a killed ssh ends at once
    }
}

void SshStream::start()
{
    // QProcess::start() may report errors before it returns.
    QTimer::singleShot(0, this, [this] { m_ssh.start(); });
}

bool SshStream::isOpen() const
{
    return m_open && m_ssh.state() == QProcess::Running;
}

void SshStream::finish()
{
    m_ssh.closeWriteChannel();
}

void SshStream::abort()
{
    m_ssh.kill();
}

std::optional<Error> SshStream::reason() const
{
    if (m_ssh.exitStatus() != QProcess::NormalExit || m_ssh.exitCode() == 0)
        return std::nullopt;
    return sshLoss(m_address, m_said);
}

void SshStream::listen()
{
    m_said += m_ssh.readAllStandardError();
    if (m_said.size() > kSaidKept)
        m_said = m_said.last(kSaidKept);
}

void SshStream::awaitGreeting()
{
    if (m_open || m_failed)
        return;
    const QByteArray heard = m_ssh.peek(kMostNoise);
    const qsizetype greeting = heard.indexOf(kBridgeGreeting);
    if (greeting >= 0) {
        m_ssh.skip(greeting + kBridgeGreeting.size());
        m_open = true;
        Q_EMIT entered();
        Q_EMIT opened();
    } else if (heard.size() >= kMostNoise) {
        endOpening({ErrorCode::Protocol, QStringLiteral("'%1' didn't answer as a bridge").arg(m_address.host),
                    QStringLiteral("Make its login shell silent for commands over ssh")});
    }
}

/** Emits failed() only once: the child that it kills reports its end later. */
void SshStream::endOpening(const Error &error)
{
    if (m_failed)
        return;
    m_failed = true;
    m_ssh.kill();
    Q_EMIT failed(error);
}

} // namespace lockkeeper::transport
