// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/store_address.h"

#include "shared/stores/host_list.h"

#include <QRegularExpression>
#include <QUrlQuery>

namespace lockkeeper::app::views {

namespace {

constexpr int kMySqlPort = 3306;
constexpr int kPostgreSqlPort = 5432;
constexpr int kRedisPort = 6379;
constexpr int kEtcdPort = 2379;
constexpr int kMongodbPort = 27017;
constexpr int kZookeeperPort = 2181;
constexpr QLatin1String kPostgreSql("postgresql");
constexpr QLatin1String kSentinel("redis+sentinel");
constexpr QLatin1String kEtcd("etcd");
constexpr QLatin1String kMongodb("mongodb");
constexpr QLatin1String kZookeeper("zookeeper");
constexpr QLatin1String kReplicaSet("replicaSet");

bool isKind(const QString &kind)
{
    return QStringList{QStringLiteral("mysql"),          QStringLiteral("postgresql"),
                       QStringLiteral("redis"),          QStringLiteral("sqlite"),
                       QStringLiteral("redis+sentinel"), QStringLiteral("redis+cluster"),
                       QStringLiteral("redlock"),        QStringLiteral("etcd"),
                       QStringLiteral("mongodb"),        kZookeeper}
        .contains(kind);
}

QString option(const QUrl &url, const char *key)
{
    return QUrlQuery(url).queryItemValue(QLatin1String(key), QUrl::FullyDecoded);
}

QString encoded(const QString &text, const char *kept = "")
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text, kept));
}

/** Keeps the two slashes of a store's URL even with an empty host, except for "sqlite:". */
QUrl withSlashes(QUrl url)
{
    url.setHost(QString(), QUrl::DecodedMode);
    return QUrl(
        url.toString(QUrl::FullyEncoded)
            .replace(QRegularExpression(QStringLiteral("^([a-z+]+):/(?!/)")), QStringLiteral("\\1:///")));
}

} // namespace

bool StoreAddress::isFile() const
{
    return kind == QLatin1String("sqlite");
}

bool StoreAddress::hasSeveral() const
{
    return kind.startsWith(QLatin1String("redis+")) || kind == QLatin1String("redlock") || kind == kEtcd ||
           kind == kMongodb || kind == kZookeeper;
}

bool StoreAddress::hasDatabase() const
{
    return !isFile() && kind != QLatin1String("redis+cluster") && kind != kEtcd;
}

bool StoreAddress::hasKeys() const
{
    return kind == QLatin1String("redis") || (hasSeveral() && kind != kMongodb);
}

bool StoreAddress::isSocket() const
{
    return !isFile() && !hasSeveral() && host.startsWith(QLatin1Char('/'));
}

int StoreAddress::usualPort() const
{
    if (kind == kEtcd)
        return kEtcdPort;
    if (kind == kMongodb)
        return kMongodbPort;
    if (kind == kZookeeper)
        return kZookeeperPort;
    if (hasKeys())
        return kRedisPort;
    return kind == kPostgreSql ? kPostgreSqlPort : kMySqlPort;
}

QUrl StoreAddress::url() const
{
    if (hasSeveral())
        return urlOfSeveral();
    if (isSocket())
        return urlOfSocket();
    QUrl url;
    url.setScheme(kind == QLatin1String("redis") && tls ? QStringLiteral("rediss") : kind);
    if (isFile()) {
        url.setPath(file);
        return url;
    }
    url.setHost(host);
    url.setPort(port);
    if (!user.isEmpty())
        url.setUserName(user);
    url.setPath(QLatin1Char('/') + database);
    return url;
}

QUrl StoreAddress::urlOfSocket() const
{
    QUrl url;
    QUrlQuery query;
    if (kind == kPostgreSql) {
        url.setScheme(kind);
        url.setPath(QLatin1Char('/') + database);
        query.addQueryItem(QStringLiteral("host"), encoded(host, "/"));
        if (port != usualPort())
            query.addQueryItem(QStringLiteral("port"), QString::number(port));
    } else {
        url.setScheme(kind + QStringLiteral("+unix"));
        url.setPath(host);
        if (!database.isEmpty())
            query.addQueryItem(QStringLiteral("db"), encoded(database));
    }
    if (!user.isEmpty())
        query.addQueryItem(QStringLiteral("user"), encoded(user));
    url.setQuery(query);
    return withSlashes(url);
}

QUrl StoreAddress::urlOfSeveral() const
{
    QStringList hosts;
    for (const QString &one : host.split(QLatin1Char(','), Qt::SkipEmptyParts))
        hosts.append(one.trimmed());
    QString text = (kind == kEtcd && tls ? QStringLiteral("etcds") : kind) + QStringLiteral("://");
    if (!user.isEmpty())
        text += encoded(user) + QLatin1Char('@');
    text += hosts.join(QLatin1Char(','));
    if (kind == kSentinel)
        text += QLatin1Char('/') + encoded(group);
    if (kind == kZookeeper && !database.isEmpty())
        text += (database.startsWith(QLatin1Char('/')) ? QString() : QStringLiteral("/")) +
                encoded(database, "/");
    else if (!database.isEmpty() && hasDatabase())
        text += QLatin1Char('/') + encoded(database);
    QUrlQuery query(kind == kMongodb ? options : QString());
    if (kind == kMongodb && !group.isEmpty())
        query.addQueryItem(kReplicaSet, encoded(group));
    if (!query.isEmpty())
        text += QLatin1Char('?') + query.toString(QUrl::FullyEncoded);
    return stores::urlOf(text);
}

StoreAddress StoreAddress::ofSeveral(const QUrl &url)
{
    StoreAddress address;
    address.tls = url.scheme() == QLatin1String("etcds");
    address.kind = address.tls ? QString(kEtcd) : url.scheme();
    QStringList hosts;
    for (const stores::Host &host : stores::hostsOf(url))
        hosts.append(host.text());
    address.host = hosts.join(QStringLiteral(", "));
    const QString path = url.path(QUrl::FullyDecoded);
    const bool sentinel = address.kind == kSentinel;
    address.group = sentinel ? path.section(QLatin1Char('/'), 1, 1) : QString();
    address.database = path.section(QLatin1Char('/'), sentinel ? 2 : 1);
    if (address.kind == kMongodb) {
        QUrlQuery query(url);
        address.group = query.queryItemValue(kReplicaSet, QUrl::FullyDecoded);
        for (const QLatin1String item : {kReplicaSet, stores::kOtherHosts})
            query.removeAllQueryItems(item);
        address.options = query.toString(QUrl::FullyEncoded);
    }
    address.user = url.userName(QUrl::FullyDecoded);
    return address;
}

std::optional<StoreAddress> StoreAddress::of(const QUrl &url)
{
    const bool path = url.scheme().endsWith(QLatin1String("+unix"));
    StoreAddress address;
    address.tls = url.scheme() == QLatin1String("rediss") || url.scheme() == QLatin1String("etcds");
    address.kind = path ? url.scheme().chopped(5) : address.tls ? url.scheme().chopped(1) : url.scheme();
    if (!url.isValid() || !isKind(address.kind))
        return std::nullopt;
    if (address.hasSeveral())
        return ofSeveral(url);
    if (address.isFile()) {
        address.file = url.path(QUrl::FullyDecoded);
        return address;
    }
    const bool socket = path || (address.kind == kPostgreSql && url.host().isEmpty());
    const QString port = socket ? option(url, "port") : QString();
    address.host = path ? url.path(QUrl::FullyDecoded) : socket ? option(url, "host") : url.host();
    address.port = port.isEmpty() ? url.port(address.usualPort()) : port.toInt();
    address.database = path ? option(url, "db") : url.path(QUrl::FullyDecoded).mid(1);
    address.user = socket ? option(url, "user") : url.userName(QUrl::FullyDecoded);
    return address;
}

} // namespace lockkeeper::app::views
