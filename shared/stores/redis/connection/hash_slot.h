// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockkeeper::stores::redis {

inline constexpr int kHashSlots = 16'384;

/**
 * The slot of a key in a Redis Cluster: CRC-16 (XMODEM) of the key, or of what is between its first '{' and
 * the next '}' where that isn't empty, modulo 16,384 (redis.io, "Redis cluster specification").
 */
quint16 hashSlotOf(QByteArrayView key);

} // namespace lockkeeper::stores::redis
