// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/connection/endpoints.h"

#include "shared/stores/host_list.h"

namespace lockkeeper::stores::etcd {

namespace {

constexpr int kPort = 2379;

} // namespace

base::Result<Endpoints> endpointsOf(const SourceSpec &spec)
{
    const QList<Host> hosts = hostsOf(spec.url);
    const QString path = spec.url.path();
    const bool tls = spec.url.scheme() == QLatin1String("etcds");
    if (!(tls || spec.url.scheme() == QLatin1String("etcd")) || hosts.isEmpty() ||
        !(path.isEmpty() || path == QLatin1String("/")))
        return base::failure(base::ErrorCode::Usage,
                             QStringLiteral("\"%1\" is not an etcd URL").arg(displayAddress(spec.url)),
                             QStringLiteral("Write etcd://HOST:2379,HOST:2379, or etcds:// for TLS."));
    Endpoints endpoints;
    endpoints.user = spec.url.userName(QUrl::FullyDecoded).toUtf8();
    for (const Host &host : hosts) {
        QUrl member;
        member.setScheme(tls ? QStringLiteral("https") : QStringLiteral("http"));
        member.setHost(host.name);
        member.setPort(host.port == 0 ? kPort : host.port);
        endpoints.members.append(member);
    }
    if (tls)
        endpoints.tls = tlsOf(spec);
    return endpoints;
}

} // namespace lockkeeper::stores::etcd
