// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/queue_presets.h"

#include <QMap>

namespace lockkeeper::stores {

namespace {

const QMap<QString, QByteArray> kSchemes{
    {QStringLiteral("curator"), "zookeeper.sequence"},
    {QStringLiteral("curator-read"), "zookeeper.sequence"},
    {QStringLiteral("curator-semaphore"), "zookeeper.sequence"},
    {QStringLiteral("curator-write"), "zookeeper.sequence"},
    {QStringLiteral("etcd-key"), "etcd.lease"},
    {QStringLiteral("kazoo-read"), "zookeeper.sequence"},
    {QStringLiteral("zookeeper-recipe"), "zookeeper.sequence"},
};

} // namespace

QStringList queuePresetIds()
{
    return kSchemes.keys();
}

QByteArray queuePresetScheme(const QString &id)
{
    return kSchemes.value(id);
}

} // namespace lockkeeper::stores
