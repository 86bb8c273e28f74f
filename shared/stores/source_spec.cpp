// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/source_spec.h"

#include "shared/base/text.h"
#include "shared/stores/host_list.h"

namespace lockkeeper::stores {

using base::ErrorCode;
using base::failure;

base::Result<QByteArray> storeKind(const QUrl &url)
{
    const QString scheme = url.scheme();
    if (isRedlock(url))
        return QByteArray("redis");
    if (scheme == QLatin1String("redis") || scheme == QLatin1String("rediss") ||
        scheme == QLatin1String("redis+unix") || scheme == QLatin1String("redis+sentinel") ||
        scheme == QLatin1String("redis+cluster"))
        return QByteArray("redis");
    if (scheme == QLatin1String("mysql") || scheme == QLatin1String("mysql+unix"))
        return QByteArray("mysql");
    if (scheme == QLatin1String("mongodb") || scheme == QLatin1String("mongodb+srv"))
        return QByteArray("mongodb");
    if (scheme == QLatin1String("etcd") || scheme == QLatin1String("etcds"))
        return QByteArray("etcd");
    if (scheme == QLatin1String("zookeeper") || scheme == QLatin1String("zookeepers"))
        return QByteArray("zookeeper"); // the latter is rejected, with the reason
    if (scheme == QLatin1String("postgresql") || scheme == QLatin1String("sqlite"))
        return scheme.toLatin1();
    return failure(ErrorCode::Usage,
                   QStringLiteral("\"%1\" is not a kind of store known here").arg(base::displayText(scheme)),
                   QStringLiteral("Use redis://, rediss://, redis+unix://, mysql://, mysql+unix://, "
                                  "postgresql://, mongodb://, etcd://, zookeeper:// or sqlite:."));
}

bool isRedlock(const QUrl &url)
{
    return url.scheme() == QLatin1String("redlock");
}

std::optional<Permits> permitsNamed(QByteArrayView word)
{
    static const QHash<QByteArrayView, Permits> kWords{{"refreshed", Permits::RedisSemaphore},
                                                       {"deadline", Permits::Redisson},
                                                       {"symfony", Permits::Symfony},
                                                       {"sidekiq", Permits::Sidekiq},
                                                       {"huey", Permits::Huey}};
    const auto at = kWords.constFind(word);
    return at == kWords.constEnd() ? std::nullopt : std::optional(*at);
}

QString displayAddress(const QUrl &url)
{
    return base::displayText(textOf(url));
}

} // namespace lockkeeper::stores
