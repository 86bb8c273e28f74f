// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QList>

namespace lockkeeper::stores::etcd {

/** One key as a range shows it. Revisions and leases are int64 and come as text in JSON. */
struct KeyValue
{
    QByteArray key;
    QByteArray value;
    qint64 create = 0; ///< the revision that created it: no other key's life has the same
    qint64 mod = 0;    ///< the revision that wrote it last
    qint64 lease = 0;  ///< 0: none

    bool operator==(const KeyValue &) const = default;
};

/** An int64 of the gateway: a string, or absent where it is 0. */
qint64 int64Of(const QJsonValue &value);
QJsonValue jsonOf(qint64 value);
QByteArray bytesOf(const QJsonValue &base64);
QJsonValue jsonOf(const QByteArray &bytes);

KeyValue keyValueOf(const QJsonObject &kv);
/** The keys of an answer to a range. */
QList<KeyValue> keysOf(const QJsonObject &range);
/** Moves the keys out of a range's answer that has etcd's format; the rest is then parsed quickly. Empty
 * where the format is different; `range` is then unchanged. */
QList<KeyValue> takeKeys(QByteArray &range);
/** The keys in an answer to "lease/timetolive", in their order. */
QList<QByteArray> leaseKeysOf(const QJsonObject &lease);

/** The revision of the store that an answer is as of. */
qint64 revisionOf(const QJsonObject &answer);

/** The smallest key that begins with `prefix`: no key is empty. */
QByteArray startOf(const QByteArray &prefix);
/** The smallest key after all keys that begin with `prefix`; a single NUL: there is no end. */
QByteArray endOf(const QByteArray &prefix);

/** A lease as the concurrency package writes it into a key. */
QByteArray leaseHex(qint64 lease);

} // namespace lockkeeper::stores::etcd
