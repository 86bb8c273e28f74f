// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/address.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

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
                       QStringLiteral("Specify the path of the socket, e.g. local:lockkeeper.sock"));
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

tl::unexpected<base::Error> badSshAddress(const QString &cause)
{
    return failure(ErrorCode::Usage, cause, QStringLiteral("Use ssh://[USER@]HOST[:PORT][/SOCKET]"));
}

/** True for a word that is safe as a separate ssh argument: neither ssh nor a shell can misread it. */
bool isPlainWord(const QString &word)
{
    return !word.isEmpty() && !word.startsWith(QLatin1Char('-')) &&
           std::none_of(word.begin(), word.end(), [](QChar c) {
               return c.isSpace() || c.category() == QChar::Other_Control ||
                      QStringView(u"'\"\\`$;&|<>(){}*?!#,").contains(c);
           });
}

/** Reads "HOST", "HOST:PORT", "[IPv6]" or "[IPv6]:PORT" into the address; false: `text` is none of these. */
bool readHost(QStringView text, Address &address)
{
    QStringView port;
    if (text.startsWith(QLatin1Char('['))) {
        const qsizetype end = text.indexOf(QLatin1Char(']'));
        if (end < 0)
            return false;
        address.host = text.sliced(1, end - 1).toString();
        port = text.sliced(end + 1);
    } else {
        const qsizetype colon = text.indexOf(QLatin1Char(':'));
        address.host = text.first(colon < 0 ? text.size() : colon).toString();
        port = text.sliced(address.host.size());
    }
    if (port.isEmpty())
        return true;
    bool isNumber = false;
    address.port = port.sliced(1).toInt(&isNumber);
    return port.startsWith(QLatin1Char(':')) && isNumber && address.port > 0 && address.port < 65536;
}

base::Result<Address> sshAddress(const QString &text)
{
    const QStringView given = QStringView(text).sliced(QStringLiteral("ssh://").size());
    const qsizetype slash = given.indexOf(QLatin1Char('/'));
    QStringView authority = given.first(slash < 0 ? given.size() : slash);
    Address address;
    if (slash >= 0 && slash + 1 < given.size())
        address.path = QDir::cleanPath(given.sliced(slash).toString());
    const qsizetype at = authority.lastIndexOf(QLatin1Char('@'));
    if (at >= 0) {
        address.user = authority.first(at).toString();
        authority = authority.sliced(at + 1);
        if (address.user.contains(QLatin1Char(':')))
            return failure(ErrorCode::Usage, QStringLiteral("an address of an agent contains a password"),
                           QStringLiteral("Remove it: ssh asks for it, or uses a key"));
        if (!isPlainWord(address.user))
            return badSshAddress(QStringLiteral("'%1' names no user").arg(text));
    }
    if (!readHost(authority, address) || !isPlainWord(address.host))
        return badSshAddress(QStringLiteral("'%1' names no host, or no port").arg(text));
    if (std::any_of(address.path.begin(), address.path.end(),
                    [](QChar c) { return c.category() == QChar::Other_Control; }))
        return badSshAddress(QStringLiteral("the socket's path has a control character"));
    return address;
}

base::Result<Address> tlsAddress(const QString &text)
{
    Address address;
    address.port = kTlsPort;
    address.isTls = true;
    QStringView given = QStringView(text).sliced(QStringLiteral("tls://").size());
    if (given.endsWith(QLatin1Char('/')))
        given.chop(1);
    if (given.contains(QLatin1Char('@')))
        return failure(ErrorCode::Usage,
                       QStringLiteral("an address over TLS names no user and has no password"),
                       QStringLiteral("Remove it, and log in with --user and --password"));
    if (!readHost(given, address) || !isPlainWord(address.host) || address.host.contains(QLatin1Char('/')))
        return failure(ErrorCode::Usage, QStringLiteral("'%1' names no host, or no port").arg(text),
                       QStringLiteral("Use tls://HOST[:PORT], with an IPv6 address in brackets"));
    return address;
}

} // namespace

QString Address::text() const
{
    if (isLocal())
        return QStringLiteral("local:") + path;
    const QString name = host.contains(QLatin1Char(':')) ? QLatin1Char('[') + host + QLatin1Char(']') : host;
    if (isTls)
        return QStringLiteral("tls://%1:%2").arg(name).arg(port);
    return QStringLiteral("ssh://") + (user.isEmpty() ? QString() : user + QLatin1Char('@')) + name +
           (port == 0 ? QString() : QLatin1Char(':') + QString::number(port)) + path;
}

base::Result<Address> parseAddress(const QString &text, const QString &baseDir)
{
    const qsizetype colon = text.indexOf(QLatin1Char(':'));
    const QString scheme = colon < 0 ? QString() : text.left(colon);
    if (scheme == QLatin1String("local"))
        return localAddress(text.mid(colon + 1), baseDir);
    if (text.startsWith(QLatin1String("ssh://")))
        return sshAddress(text);
    if (text.startsWith(QLatin1String("tls://")))
        return tlsAddress(text);
    if (scheme == QLatin1String("tcp"))
        return failure(
            ErrorCode::Unsupported,
            QStringLiteral("'%1' is refused: Lockkeeper never listens on or connects to an unprotected "
                           "network socket")
                .arg(text),
            QStringLiteral("Use local:PATH, or ssh://HOST or tls://HOST for another machine"));
    return failure(ErrorCode::Usage, QStringLiteral("'%1' isn't an address of an agent").arg(text),
                   QStringLiteral("Use local:PATH, ssh://HOST or tls://HOST"));
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
