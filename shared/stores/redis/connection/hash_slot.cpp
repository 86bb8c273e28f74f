// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/hash_slot.h"

#include <array>

namespace lockkeeper::stores::redis {

namespace {

constexpr std::array<quint16, 256> makeTable()
{
    std::array<quint16, 256> table{};
    for (quint32 i = 0; i < 256; ++i) {
        quint32 crc = i << 8;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
        table[i] = quint16(crc);
    }
    return table;
}

constexpr std::array<quint16, 256> kTable = makeTable();

} // namespace

quint16 hashSlotOf(QByteArrayView key)
{
    const qsizetype open = key.indexOf('{');
    if (open >= 0) {
        const qsizetype close = key.indexOf('}', open + 1);
        if (close > open + 1)
            key = key.sliced(open + 1, close - open - 1);
    }
    quint16 crc = 0;
    for (const char c : key)
        crc = quint16((crc << 8) ^ kTable[((crc >> 8) ^ quint8(c)) & 0xFF]);
    return crc % kHashSlots;
}

} // namespace lockkeeper::stores::redis
