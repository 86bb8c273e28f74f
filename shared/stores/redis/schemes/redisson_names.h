// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace lockkeeper::stores::redis {

/**
 * The key that Redisson (3.x, RedissonObject.prefixName) makes of an object's name. Redisson puts braces
 * around the name, so that all of its keys share a hash slot, unless the name has braces already.
 */
QByteArray redissonPrefixed(QByteArrayView prefix, QByteArrayView name);

/** The names that Redisson's suffixName may have made `key` of, the likelier first; none: it didn't. */
QList<QByteArray> redissonUnsuffixed(QByteArrayView key, QByteArrayView suffix);

} // namespace lockkeeper::stores::redis
