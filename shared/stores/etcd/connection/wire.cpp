// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/connection/wire.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::stores::etcd {

qint64 int64Of(const QJsonValue &value)
{
    return value.isString() ? value.toString().toLongLong() : value.toInteger();
}

QJsonValue jsonOf(qint64 value)
{
    return QString::number(value);
}

QByteArray bytesOf(const QJsonValue &base64)
{
    return QByteArray::fromBase64(base64.toString().toLatin1());
}

QJsonValue jsonOf(const QByteArray &bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

KeyValue keyValueOf(const QJsonObject &kv)
{
    return {bytesOf(kv.value(QLatin1String("key"))), bytesOf(kv.value(QLatin1String("value"))),
            int64Of(kv.value(QLatin1String("create_revision"))),
            int64Of(kv.value(QLatin1String("mod_revision"))), int64Of(kv.value(QLatin1String("lease")))};
}

QList<KeyValue> keysOf(const QJsonObject &range)
{
    const QJsonArray all = range.value(QLatin1String("kvs")).toArray();
    QList<KeyValue> keys;
    keys.reserve(all.size());
    for (const QJsonValue &value : all)
        keys.append(keyValueOf(value.toObject()));
    return keys;
}

QList<QByteArray> leaseKeysOf(const QJsonObject &lease)
{
    QList<QByteArray> keys;
    for (const QJsonValue &key : lease.value(QLatin1String("keys")).toArray())
        keys.append(QByteArray::fromBase64(key.toString().toLatin1()));
    std::sort(keys.begin(), keys.end());
    return keys;
}

QByteArray endOf(const QByteArray &prefix)
{
    QByteArray end = prefix;
    while (end.endsWith('\xff'))
        end.chop(1);
    if (end.isEmpty())
        return QByteArray(1, '\0');
    end.back() = char(end.back() + 1);
    return end;
}

QByteArray leaseHex(qint64 lease)
{
    return QByteArray::number(quint64(lease), 16);
}

} // namespace lockkeeper::stores::etcd
