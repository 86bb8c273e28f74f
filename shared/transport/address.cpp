// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/address.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace lockkeeper::transport {

using base::ErrorCode;
using base::failure;

namespace {

/** sun_path of a Unix socket's address holds 108 bytes with the closing NUL. */
constexpr qsizetype kLongestPath = 107;

base::Result<Address> localAddress(const QString &given, const QString &baseDir)
{
    if (given.isEmpty() || given.contains(QChar(u'\0')))
        return failure(ErrorCode::Usage, QStringLiteral("the address 'local:%1' names no path").arg(given),
                       QStringLiteral("Give the path of the socket, e.g. local:lockkeeper.sock"));
    const QString path = QDir::cleanPath(QDir(baseDir).absoluteFilePath(given));
    const qsizetype size = QFile::encodeName(path).size();
    if (size > kLongestPath)
        return failure(ErrorCode::TooLarge,
                       QStringLiteral("the socket's path '%1' takes %2 bytes, the system allows %3")
                           .arg(path)
                           .arg(size)
                           .arg(kLongestPath),
                       QStringLiteral("Use a shorter path, e.g. below /run or /tmp"));
    return Address{path};
}

} // namespace

base::Result<Address> parseAddress(const QString &text, const QString &baseDir)
{
    const qsizetype colon = text.indexOf(QLatin1Char(':'));
    const QString scheme = colon < 0 ? QString() : text.left(colon);
    if (scheme == QLatin1String("local"))
        return localAddress(text.mid(colon + 1), baseDir);
    if (scheme == QLatin1String("tcp"))
        return failure(
            ErrorCode::Unsupported,
            QStringLiteral("'%1' is refused: Lockkeeper never listens on or connects to an unprotected "
                           "network socket")
                .arg(text),
            QStringLiteral("Use local:PATH, if need be through an SSH tunnel to the socket"));
    if (scheme == QLatin1String("tls"))
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("'%1': TLS isn't available yet in this version").arg(text),
                       QStringLiteral("Use local:PATH, if need be through an SSH tunnel to the socket"));
    return failure(ErrorCode::Usage, QStringLiteral("'%1' isn't an address of an agent").arg(text),
                   QStringLiteral("Give local:PATH"));
}

QString defaultAddress()
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const QString own = runtime + QStringLiteral("/lockkeeper/lockkeeper.sock");
    if (!runtime.isEmpty() && QFileInfo::exists(own))
        return QStringLiteral("local:") + own;
    return QStringLiteral("local:/var/lib/lockkeeper/lockkeeper.sock");
}

} // namespace lockkeeper::transport
