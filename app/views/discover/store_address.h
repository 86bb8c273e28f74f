// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUrl>

#include <optional>

namespace lockkeeper::app::views {

/** A store's URL taken apart into what a form asks for. A plain value. */
struct StoreAddress
{
    /** The scheme without "+unix" and without its TLS: "mysql", "postgresql", "redis", "redis+sentinel",
     * "redis+cluster", "redlock", "etcd", "mongodb", "zookeeper" or "sqlite". */
    QString kind;
    QString host; ///< a name, an absolute path of a socket or its folder, or "h1:p1, h2:p2" (hasSeveral())
    int port = 0;
    QString group;    ///< redis+sentinel: the sentinels' name for the primary; mongodb: the replica set
    QString database; ///< zookeeper: the chroot
    QString user;
    QString file; ///< sqlite
    bool tls = false;
    QString options; ///< mongodb: the other options of its URL, "authSource=admin"

    bool isFile() const;
    bool hasDatabase() const; ///< one of several, by its name or number
    bool hasKeys() const;     ///< the store keeps keys, not tables
    bool hasSeveral() const;  ///< several servers, each with its port
    bool isSocket() const;
    /** The default port of a server of this kind. */
    int usualPort() const;
    /** Invalid if the hosts are invalid. Never contains a password. */
    QUrl url() const;

    /** Empty if `url` isn't a store of a kind that discovery supports. */
    static std::optional<StoreAddress> of(const QUrl &url);

private:
    QUrl urlOfSocket() const;
    QUrl urlOfSeveral() const;
    static StoreAddress ofSeveral(const QUrl &url);
};

} // namespace lockkeeper::app::views
