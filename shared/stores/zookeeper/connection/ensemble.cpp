// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/connection/ensemble.h"

#include "shared/base/text.h"

#include <QUrlQuery>

#include <utility>

namespace lockkeeper::stores::zookeeper {

using base::ErrorCode;
using base::failure;

namespace {

constexpr int kPort = 2181;

/** The bits of "cdrwa"; 0 where there is another letter. */
int rightsOf(const QByteArray &letters)
{
    constexpr QByteArrayView kLetters("rwcda");
    int rights = 0;
    for (const char letter : letters) {
        const qsizetype bit = kLetters.indexOf(letter);
        if (bit < 0)
            return 0;
        rights |= 1 << bit;
    }
    return rights;
}

} // namespace

base::Result<QList<ZnodeGrant>> grantsOf(const QString &text)
{
    QList<ZnodeGrant> grants;
    for (const QByteArray &entry : text.toUtf8().split(',')) {
        const qsizetype first = entry.indexOf(':');
        const qsizetype last = entry.lastIndexOf(':');
        ZnodeGrant grant;
        if (first > 0 && last > first + 1)
            grant = {entry.first(first), entry.sliced(first + 1, last - first - 1),
                     rightsOf(entry.sliced(last + 1))};
        if (grant.rights == 0)
            return failure(ErrorCode::Usage,
                           QStringLiteral("\"%1\" grants nothing").arg(base::displayText(entry)),
                           QStringLiteral("Write SCHEME:ID:RIGHTS, rights of \"cdrwa\", as in "
                                          "world:anyone:r, and a comma between several."));
        grants.append(grant);
    }
    return grants;
}

base::Result<Ensemble> ensembleOf(const SourceSpec &spec)
{
    const QString scheme = spec.url.scheme();
    if (scheme == QLatin1String("zookeepers") || !spec.tls.isEmpty())
        return failure(
            ErrorCode::Unsupported,
            QStringLiteral("ZooKeeper can't be reached over TLS: its client library is built without it"),
            QStringLiteral(
                "Write zookeeper:// without keys that begin with tls_, and use a tunnel (stunnel, a VPN)."));
    QByteArray chroot = spec.url.path(QUrl::FullyDecoded).toUtf8();
    while (chroot.endsWith('/'))
        chroot.chop(1);
    Ensemble ensemble;
    ensemble.servers = hostsOf(spec.url);
    if (scheme != QLatin1String("zookeeper") || ensemble.servers.isEmpty() || chroot.contains("//"))
        return failure(
            ErrorCode::Usage, QStringLiteral("\"%1\" is not a ZooKeeper URL").arg(displayAddress(spec.url)),
            QStringLiteral("Write zookeeper://HOST:2181,HOST:2181, followed by /CHROOT if needed."));
    for (Host &host : ensemble.servers)
        host.port = host.port == 0 ? kPort : host.port;
    ensemble.chroot = chroot;
    const QByteArray user = spec.url.userName(QUrl::FullyDecoded).toUtf8();
    if (!user.isEmpty())
        ensemble.login = user + ':' + spec.password;
    if (const QUrlQuery query(spec.url); query.hasQueryItem(QStringLiteral("acl"))) {
        auto grants = grantsOf(query.queryItemValue(QStringLiteral("acl"), QUrl::FullyDecoded));
        if (!grants)
            return tl::unexpected(grants.error());
        if (ensemble.login.isEmpty())
            return failure(
                ErrorCode::Usage,
                QStringLiteral(
                    "without a login every client may change the znodes, so grants have no effect"),
                QStringLiteral("Write zookeeper://USER@HOST, or leave the grants out."));
        ensemble.grants = *std::move(grants);
    }
    ensemble.connectTimeoutMs = spec.connectTimeoutMs;
    ensemble.answerTimeoutMs = spec.statementTimeoutMs;
    return ensemble;
}

} // namespace lockkeeper::stores::zookeeper
