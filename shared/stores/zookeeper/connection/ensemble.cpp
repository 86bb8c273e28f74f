// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/connection/ensemble.h"

namespace lockkeeper::stores::zookeeper {

using base::ErrorCode;
using base::failure;

namespace {

constexpr int kPort = 2181;

} // namespace

base::Result<Ensemble> ensembleOf(const SourceSpec &spec)
{
    const QString scheme = spec.url.scheme();
    if (scheme == QLatin1String("zookeepers") || !spec.tls.isEmpty())
        return failure(
            ErrorCode::Unsupported,
            QStringLiteral("ZooKeeper can't be reached by TLS: its client library is built without"),
            QStringLiteral("Write zookeeper:// without keys that begin with tls_, and lead it "
                           "through a tunnel (stunnel, a VPN)."));
    QByteArray chroot = spec.url.path(QUrl::FullyDecoded).toUtf8();
    while (chroot.endsWith('/'))
        chroot.chop(1);
    Ensemble ensemble;
    ensemble.servers = hostsOf(spec.url);
    if (scheme != QLatin1String("zookeeper") || ensemble.servers.isEmpty() || chroot.contains("//"))
        return failure(
            ErrorCode::Usage, QStringLiteral("\"%1\" is not a ZooKeeper URL").arg(displayAddress(spec.url)),
            QStringLiteral("Write zookeeper://HOST:2181,HOST:2181, with /CHROOT behind it if need be."));
    for (Host &host : ensemble.servers)
        host.port = host.port == 0 ? kPort : host.port;
    ensemble.chroot = chroot;
    const QByteArray user = spec.url.userName(QUrl::FullyDecoded).toUtf8();
    if (!user.isEmpty())
        ensemble.login = user + ':' + spec.password;
    ensemble.connectTimeoutMs = spec.connectTimeoutMs;
    ensemble.answerTimeoutMs = spec.statementTimeoutMs;
    return ensemble;
}

} // namespace lockkeeper::stores::zookeeper
