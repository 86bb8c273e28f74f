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
    QString group;    ///< redis+sentinel: what the sentinels call the primary; mongodb: the replica set
    QString database; ///< zookeeper: the chroot
    QString user;
    QString file; ///< sqlite
    bool tls = false;
    QString options; ///< mongodb: what else its URL says, "authSource=admin"

    bool isFile() const;
    bool hasDatabase() const; ///< one of several, by its name or number
    bool hasKeys() const;     ///< the store keeps keys, not tables
    bool hasSeveral() const;  ///< several servers, each with its port
    bool isSocket() const;
    /** Of a server of this kind, unless told. */
    int usualPort() const;
    /** Not valid where the hosts aren't any. Never with a password. */
    QUrl url() const;

    /** Empty where it is no store of a kind that is looked through. */
    static std::optional<StoreAddress> of(const QUrl &url);

private:
    QUrl urlOfSocket() const;
    QUrl urlOfSeveral() const;
    static StoreAddress ofSeveral(const QUrl &url);
};

} // namespace lockkeeper::app::views
