// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockkeeper::stores::redis {

inline constexpr int kHashSlots = 16'384;

/**
 * The slot of a key in a Redis Cluster: CRC-16 (XMODEM) of the key, modulo 16,384. If the part between the
 * key's first '{' and the next '}' isn't empty, only that part counts (redis.io, "Redis cluster
 * specification").
 */
quint16 hashSlotOf(QByteArrayView key);

} // namespace lockkeeper::stores::redis
