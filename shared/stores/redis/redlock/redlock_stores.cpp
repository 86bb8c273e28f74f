// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/redlock_stores.h"

#include "shared/base/text.h"
#include "shared/stores/host_list.h"
#include "shared/stores/redis/connection/endpoint.h"
#include "shared/stores/redis/redlock/redlock_store.h"
#include "shared/stores/redis/store/redis_store.h"

#include <algorithm>

namespace lockkeeper::stores::redis {

using base::ErrorCode;
using base::failure;

namespace {

/** A node that is silent for so long counts as away: no question waits for it longer. */
constexpr qint64 kNodeSilenceMs = 1'000;

QString ownServer()
{
    return QStringLiteral("Each node of a Redlock must be a separate server.");
}

} // namespace

SourceSpec nodeSpec(const SourceSpec &spec, const QUrl &url)
{
    SourceSpec node = spec;
    node.url = url;
    node.statementTimeoutMs = std::min(spec.statementTimeoutMs, kNodeSilenceMs);
    node.connectTimeoutMs = std::min(spec.connectTimeoutMs, 2 * kNodeSilenceMs);
    for (LockSet &set : node.locks)
        set.scheme = QByteArrayLiteral("redis.token");
    return node;
}

base::Result<QList<QUrl>> nodeUrlsOf(const QUrl &url, bool tls)
{
    const QString scheme = tls ? QStringLiteral("rediss") : QStringLiteral("redis");
    const QList<Host> hosts = hostsOf(url);
    if (hosts.isEmpty() || hosts.size() > kMostNodes)
        return failure(ErrorCode::Usage,
                       QStringLiteral("a redlock:// URL names 1 to %1 nodes").arg(kMostNodes),
                       QStringLiteral("Write redlock://HOST:PORT,HOST:PORT,HOST:PORT."));
    QList<QUrl> urls;
    for (const Host &host : hosts) {
        Host full = host;
        full.port = host.port == 0 ? 6379 : host.port;
        const QUrl one = urlOfHost(url, scheme, full);
        if (urls.contains(one))
            return failure(ErrorCode::Usage,
                           QStringLiteral("the node %1 is listed twice").arg(base::displayText(full.text())),
                           ownServer());
        urls.append(one);
    }
    return urls;
}

base::Error sameServerError(const QString &one, const QString &other)
{
    return {
        ErrorCode::Usage,
        QStringLiteral("%1 and %2 are the same server").arg(base::displayText(one), base::displayText(other)),
        ownServer()};
}

base::Result<std::unique_ptr<Store>> makeRedlockStore(const SourceSpec &spec,
                                                      const std::optional<Script> &release)
{
    const auto urls = nodeUrlsOf(spec.url, !spec.tls.isEmpty());
    if (!urls)
        return tl::unexpected(urls.error());
    std::vector<std::unique_ptr<Node>> nodes;
    QByteArray place;
    for (const QUrl &url : *urls) {
        const SourceSpec own = nodeSpec(spec, url);
        auto endpoint = endpointOf(own);
        if (!endpoint)
            return tl::unexpected(endpoint.error());
        place = endpoint->place();
        const QByteArray address = Host{url.host(), url.port()}.text().toUtf8();
        auto store = std::make_unique<RedisStore>(own, std::move(*endpoint), release);
        nodes.push_back(std::make_unique<Node>(address, std::move(store)));
    }
    return std::make_unique<RedlockStore>(spec, place, std::move(nodes));
}

} // namespace lockkeeper::stores::redis
