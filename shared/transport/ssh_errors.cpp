// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/ssh_errors.h"

#include "shared/base/text.h"

#include <QList>

#include <array>

namespace lockkeeper::transport {

using base::Error;
using base::ErrorCode;

namespace {

constexpr int kNoSuchProgram = 127;
constexpr int kUsage = 2; ///< lockkeeperctl's exit statuses
constexpr int kUnreachable = 3;

struct Saying
{
    QByteArrayView words; ///< part of an OpenSSH message; unchanged for many years
    ErrorCode code;
    const char *cause;
    const char *remedy;
};

constexpr std::array kSayings{
    Saying{"REMOTE HOST IDENTIFICATION HAS CHANGED", ErrorCode::Authentication,
           "the host key of '%1' isn't the one that is known",
           "Ask that machine's administrator whether its key was changed, and only then: ssh-keygen -R %1"},
    Saying{"Host key verification failed", ErrorCode::Authentication, "the host key of '%1' isn't known yet",
           "Run 'ssh %1' once in a terminal, and compare the key's fingerprint before you accept it"},
    Saying{"Could not resolve hostname", ErrorCode::Unreachable, "there is no host named '%1'",
           "Check the name; ssh's own configuration may define aliases"},
    Saying{"Permission denied", ErrorCode::Authentication, "'%1' rejected this user",
           "Try 'ssh %1' in a terminal; load the key with ssh-add"},
    Saying{"Too many authentication failures", ErrorCode::Authentication, "'%1' rejected this user",
           "Try 'ssh %1' in a terminal; name the right key in ssh's configuration"},
};

/** The last line of `said`, without its full stop. */
QString lastLine(const QByteArray &said)
{
    QByteArray line = said.trimmed().split('\n').last().trimmed();
    if (line.endsWith('.'))
        line.chop(1);
    return base::singleLine(QString::fromUtf8(line));
}

QString target(const Address &address)
{
    return address.user.isEmpty() ? address.host : address.user + QLatin1Char('@') + address.host;
}

} // namespace

Error sshFailure(const Address &address, int status, const QByteArray &said)
{
    const QString name = target(address);
    const QString last = lastLine(said);
    if (status == kNoSuchProgram)
        return {ErrorCode::NotFound, QStringLiteral("'%1' has no lockkeeperctl: %2").arg(name, last),
                QStringLiteral("Install Lockkeeper there, in the PATH of commands over ssh")};
    if (status == kUsage)
        return {ErrorCode::Unsupported,
                QStringLiteral("the lockkeeperctl on '%1' is too old for ssh: %2").arg(name, last),
                QStringLiteral("Install a newer Lockkeeper there")};
    if (status == kUnreachable)
        return {ErrorCode::Unreachable, QStringLiteral("on '%1': %2").arg(name, last),
                QStringLiteral("Start lockkeeper-agent there, or add its socket's path to the address")};
    if (status == kSshsOwnFault) {
        for (const Saying &saying : kSayings) {
            if (said.contains(saying.words))
                return {saying.code, QString::fromLatin1(saying.cause).arg(name),
                        QString::fromLatin1(saying.remedy).replace(QLatin1String("%1"), address.host)};
        }
        return {ErrorCode::Unreachable, QStringLiteral("ssh can't reach '%1': %2").arg(name, last),
                QStringLiteral("Try 'ssh %1' in a terminal").arg(name)};
    }
    return {ErrorCode::Unreachable,
            QStringLiteral("the connection to '%1' ended (status %2): %3").arg(name).arg(status).arg(last),
            QStringLiteral("Try 'ssh %1 lockkeeperctl status' in a terminal").arg(name)};
}

Error sshLoss(const Address &address, const QByteArray &said)
{
    const QString last = lastLine(said);
    QString cause = QStringLiteral("the connection over ssh to '%1' ended").arg(target(address));
    if (!last.isEmpty())
        cause += QStringLiteral(": ") + last;
    return {ErrorCode::ConnectionLost, cause, {}};
}

} // namespace lockkeeper::transport
