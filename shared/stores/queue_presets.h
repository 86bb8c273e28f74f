// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>

namespace lockkeeper::stores {

/**
 * The naming conventions of other etcd and ZooKeeper clients for the entry that stands for a holder, each
 * with its scheme. The lock library must use the same names where it shares locks with these clients. An
 * observer recognises all of them without configuration.
 */
inline const QMap<QString, QByteArray> kQueuePresets{
    {QStringLiteral("curator"), "zookeeper.sequence"},
    {QStringLiteral("curator-read"), "zookeeper.sequence"},
    {QStringLiteral("curator-semaphore"), "zookeeper.sequence"},
    {QStringLiteral("curator-write"), "zookeeper.sequence"},
    {QStringLiteral("etcd-key"), "etcd.lease"},
    {QStringLiteral("kazoo-read"), "zookeeper.sequence"},
    {QStringLiteral("zookeeper-recipe"), "zookeeper.sequence"},
};

} // namespace lockkeeper::stores
