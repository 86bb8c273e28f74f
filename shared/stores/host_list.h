// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QUrl>

namespace lockkeeper::stores {

/** The query item in which a QUrl keeps all hosts of "h1:p1,h2:p2" but the first. */
inline constexpr QLatin1String kOtherHosts("hosts");

/** One of the servers that a URL names. */
struct Host
{
    QString name; ///< a name or an address, IPv6 without brackets
    int port = 0; ///< 0: not given

    /** "name:port", IPv6 in brackets; no ":port" where none is given. */
    QString text() const;
    bool operator==(const Host &) const = default;
};

/**
 * Reads a URL that may name several servers: `redlock://[user@]h1:p1,h2:p2,h3:p3[/db][?query]`, and likewise
 * for other schemes. A QUrl holds one host: the first stands in its place, the others are kept in the query
 * item "hosts". With a single host it is just QUrl(text, StrictMode). Not valid where the text is no URL.
 */
QUrl urlOf(const QString &text);

/** Every server that the URL names, in order; empty where one of them isn't a host. */
QList<Host> hostsOf(const QUrl &url);

/** The same URL with this one server, its scheme replaced. */
QUrl urlOfHost(const QUrl &url, const QString &scheme, const Host &host);

/** The inverse of urlOf(), without a password. */
QString textOf(const QUrl &url);

} // namespace lockkeeper::stores
