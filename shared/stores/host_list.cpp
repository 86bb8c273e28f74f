// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/host_list.h"

#include <QUrlQuery>

#include <algorithm>

namespace lockkeeper::stores {

namespace {

std::optional<Host> hostOf(const QString &text)
{
    const QUrl url(QStringLiteral("x://") + text, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty() ||
        url.authority(QUrl::FullyEncoded).contains(QLatin1Char('@')) || !url.path().isEmpty() ||
        url.hasQuery() || url.hasFragment())
        return std::nullopt;
    return Host{url.host(), url.port(0)};
}

/** The rest of the list, unchanged. */
QString othersOf(const QUrl &url)
{
    return QUrlQuery(url).queryItemValue(kOtherHosts, QUrl::FullyDecoded);
}

QUrl withoutItem(QUrl url)
{
    QUrlQuery query(url);
    query.removeAllQueryItems(kOtherHosts);
    url.setQuery(query.isEmpty() ? QString() : query.toString(QUrl::FullyEncoded));
    return url;
}

} // namespace

QString Host::text() const
{
    const QString plain = name.contains(QLatin1Char(':')) ? QLatin1Char('[') + name + QLatin1Char(']') : name;
    return port == 0 ? plain : plain + QLatin1Char(':') + QString::number(port);
}

QUrl urlOf(const QString &text)
{
    const qsizetype from = text.indexOf(QLatin1String("://")) + 3;
    const auto isEnd = [](QChar c) {
        return c == QLatin1Char('/') || c == QLatin1Char('?') || c == QLatin1Char('#');
    };
    const auto end = std::find_if(text.cbegin() + (from < 3 ? text.size() : from), text.cend(), isEnd);
    const QString authority = from < 3 ? QString() : text.mid(from, end - text.cbegin() - from);
    const qsizetype comma = authority.indexOf(QLatin1Char(','), authority.lastIndexOf(QLatin1Char('@')) + 1);
    if (comma < 0)
        return QUrl(text, QUrl::StrictMode);
    const QStringList others = authority.mid(comma + 1).split(QLatin1Char(','));
    if (!std::all_of(others.cbegin(), others.cend(), [](const QString &host) { return hostOf(host); }))
        return {};
    QUrl url(text.left(from) + authority.left(comma) + text.mid(end - text.cbegin()), QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty())
        return {};
    QUrlQuery query(url);
    query.addQueryItem(kOtherHosts, others.join(QLatin1Char(',')));
    url.setQuery(query);
    return url;
}

QList<Host> hostsOf(const QUrl &url)
{
    if (!url.isValid() || url.host().isEmpty())
        return {};
    QList<Host> hosts{{url.host(), url.port(0)}};
    const QString others = othersOf(url);
    if (others.isEmpty())
        return hosts;
    for (const QString &text : others.split(QLatin1Char(','))) {
        const auto host = hostOf(text);
        if (!host)
            return {};
        hosts.append(*host);
    }
    return hosts;
}

QUrl urlOfHost(const QUrl &url, const QString &scheme, const Host &host)
{
    QUrl one = withoutItem(url);
    one.setScheme(scheme);
    one.setHost(host.name);
    one.setPort(host.port == 0 ? -1 : host.port);
    return one;
}

QString textOf(const QUrl &url)
{
    const QString others = othersOf(url);
    if (others.isEmpty() || url.host().isEmpty())
        return url.toString(QUrl::RemovePassword);
    QUrl one = withoutItem(url);
    one.setPassword(QString());
    const QString rest = one.toString(QUrl::RemoveScheme | QUrl::RemoveAuthority);
    return one.scheme() + QLatin1String("://") + one.authority() + QLatin1Char(',') + others + rest;
}

} // namespace lockkeeper::stores
