// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"
#include "shared/stores/redis/cluster/cluster_store.h"

namespace lockkeeper::stores::redis {

using base::ErrorCode;
using base::failure;

base::Result<QList<Endpoint>> clusterSeedsOf(const SourceSpec &spec)
{
    const QList<Host> hosts = hostsOf(spec.url);
    const QString path = spec.url.path();
    if (hosts.isEmpty() || !(path.isEmpty() || path == QLatin1String("/") || path == QLatin1String("/0")))
        return failure(ErrorCode::Usage, QStringLiteral("a cluster's URL names hosts, and only database 0"),
                       QStringLiteral("Write redis+cluster://HOST:PORT,HOST:PORT."));
    QList<Endpoint> seeds;
    for (const Host &host : hosts) {
        auto seed = endpointOf(urlOfHost(spec.url, QStringLiteral("redis"), host));
        if (!seed)
            return tl::unexpected(seed.error());
        if (!spec.tls.isEmpty())
            seed->tls = tlsOf(spec);
        seeds.append(*seed);
    }
    return seeds;
}

} // namespace lockkeeper::stores::redis
