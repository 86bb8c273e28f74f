// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace lockkeeper::stores::redis {

/**
 * What Redisson (3.x, RedissonObject.prefixName) makes of an object's name: braces are put around it, so that
 * all of its keys share a hash slot, unless it has some of its own.
 */
QByteArray redissonPrefixed(QByteArrayView prefix, QByteArrayView name);

/** The names that Redisson's suffixName may have made `key` of, the likelier first; none: it didn't. */
QList<QByteArray> redissonUnsuffixed(QByteArrayView key, QByteArrayView suffix);

} // namespace lockkeeper::stores::redis
