// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/redisson_names.h"

namespace lockkeeper::stores::redis {

QByteArray redissonPrefixed(QByteArrayView prefix, QByteArrayView name)
{
    const bool isBraced = name.contains('{');
    return prefix.toByteArray() + ':' + (isBraced ? name.toByteArray() : '{' + name.toByteArray() + '}');
}

QList<QByteArray> redissonUnsuffixed(QByteArrayView key, QByteArrayView suffix)
{
    const QByteArray end = ':' + suffix.toByteArray();
    if (!key.endsWith(end) || !key.contains('{'))
        return {};
    const QByteArray name = key.chopped(end.size()).toByteArray();
    const QByteArray inner = name.sliced(1, qMax<qsizetype>(0, name.size() - 2));
    const bool put = name.startsWith('{') && name.endsWith('}') && !inner.contains('{');
    return put ? QList<QByteArray>{inner, name} : QList<QByteArray>{name};
}

} // namespace lockkeeper::stores::redis
