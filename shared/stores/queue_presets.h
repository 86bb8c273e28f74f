// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>

namespace lockkeeper::stores {

/**
 * How other clients of etcd and ZooKeeper name what stands for a holder, for the lock library, which has to
 * do the same where it shares locks with them, with the scheme that each belongs to. Who observes knows them
 * all without being told.
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
