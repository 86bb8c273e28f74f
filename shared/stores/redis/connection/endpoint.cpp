// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/endpoint.h"

#include "shared/base/text.h"

#include <QUrlQuery>

namespace lockkeeper::stores::redis {

using base::ErrorCode;
using base::failure;

namespace {

constexpr int kLargestDatabase = 1'000'000;

base::Result<int> databaseOf(const QString &text)
{
    if (text.isEmpty())
        return 0;
    bool ok = false;
    const int number = text.toInt(&ok);
    if (ok && number >= 0 && number <= kLargestDatabase)
        return number;
    return failure(
        ErrorCode::Usage,
        QStringLiteral("\"%1\" is not the number of a Redis database").arg(base::displayText(text)),
        QStringLiteral("Write redis://HOST:PORT/0 or redis+unix:///PATH?db=0."));
}

base::Result<Endpoint> unixEndpoint(const QUrl &url)
{
    const QUrlQuery query(url);
    const auto database = databaseOf(query.queryItemValue(QStringLiteral("db")));
    if (!database)
        return tl::unexpected(database.error());
    if (!url.host().isEmpty() || !url.path().startsWith(QLatin1Char('/')))
        return failure(ErrorCode::Usage, QStringLiteral("a unix socket needs an absolute path"),
                       QStringLiteral("Write redis+unix:///PATH?db=0, with three slashes."));
    Endpoint endpoint;
    endpoint.path = url.path(QUrl::FullyDecoded);
    endpoint.database = *database;
    endpoint.user = query.queryItemValue(QStringLiteral("user"), QUrl::FullyDecoded).toUtf8();
    return endpoint;
}

base::Result<Endpoint> tcpEndpoint(const QUrl &url)
{
    const auto database = databaseOf(url.path().mid(1));
    if (!database)
        return tl::unexpected(database.error());
    Endpoint endpoint;
    endpoint.host = url.host().isEmpty() ? QStringLiteral("127.0.0.1") : url.host();
    endpoint.port = quint16(url.port(6379));
    endpoint.database = *database;
    endpoint.user = url.userName(QUrl::FullyDecoded).toUtf8();
    return endpoint;
}

} // namespace

QString Endpoint::address() const
{
    if (isUnix())
        return base::displayText(path);
    return base::displayText(host) + QLatin1Char(':') + QString::number(port);
}

base::Result<Endpoint> endpointOf(const SourceSpec &spec)
{
    auto endpoint = endpointOf(spec.url);
    if (endpoint && endpoint->tls)
        endpoint->tls = tlsOf(spec);
    return endpoint;
}

base::Result<Endpoint> endpointOf(const QUrl &url)
{
    if (url.isValid() && url.scheme() == QLatin1String("rediss")) {
        auto endpoint = tcpEndpoint(url);
        if (endpoint)
            endpoint->tls.emplace();
        return endpoint;
    }
    if (url.isValid() && url.scheme() == QLatin1String("redis"))
        return tcpEndpoint(url);
    if (url.isValid() && url.scheme() == QLatin1String("redis+unix"))
        return unixEndpoint(url);
    return failure(ErrorCode::Usage,
                   QStringLiteral("\"%1\" is not a Redis URL")
                       .arg(base::displayText(url.toString(QUrl::RemovePassword))),
                   QStringLiteral("Use redis://, rediss:// or redis+unix://."));
}

} // namespace lockkeeper::stores::redis
