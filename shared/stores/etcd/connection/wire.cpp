// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/connection/wire.h"

#include <QJsonArray>

#include <algorithm>
#include <utility>

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

namespace {

void set(KeyValue &kv, QByteArrayView field, QByteArrayView text)
{
    const auto bytes = [text] {
        return QByteArray::fromBase64(QByteArray::fromRawData(text.data(), text.size()));
    };
    if (field == "key")
        kv.key = bytes();
    else if (field == "value")
        kv.value = bytes();
    else if (field == "create_revision")
        kv.create = text.toLongLong();
    else if (field == "mod_revision")
        kv.mod = text.toLongLong();
    else if (field == "lease")
        kv.lease = text.toLongLong();
}

} // namespace

// Every field of a key is a string, of base64 or digits: nothing in it is escaped.
QList<KeyValue> takeKeys(QByteArray &range)
{
    constexpr QByteArrayView kOpening("\"kvs\":[{");
    const QByteArrayView all(range);
    const auto is = [all](qsizetype at, QByteArrayView text) {
        return at <= all.size() && all.sliced(at).startsWith(text);
    };
    const qsizetype begin = all.indexOf(kOpening);
    qsizetype at = begin + kOpening.size();
    QList<KeyValue> keys;
    KeyValue kv;
    while (begin >= 0 && is(at, "\"")) {
        const qsizetype named = all.indexOf('"', at + 1);
        const qsizetype ended = named < 0 || !is(named, "\":\"") ? -1 : all.indexOf('"', named + 3);
        if (ended < 0 || all.sliced(named, ended - named).contains('\\'))
            return {};
        set(kv, all.sliced(at + 1, named - at - 1), all.sliced(named + 3, ended - named - 3));
        at = ended + 2;
        if (is(at - 1, ","))
            continue;
        keys.append(std::exchange(kv, {}));
        if (is(at - 1, "}]")) {
            range.remove(begin + kOpening.size() - 1, at - begin - kOpening.size() + 1);
            return keys;
        }
        if (!is(at - 1, "},{"))
            return {};
        at += 2;
    }
    return {};
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

qint64 revisionOf(const QJsonObject &answer)
{
    return int64Of(answer.value(QLatin1String("header")).toObject().value(QLatin1String("revision")));
}

QByteArray startOf(const QByteArray &prefix)
{
    return prefix.isEmpty() ? QByteArray(1, '\0') : prefix;
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
