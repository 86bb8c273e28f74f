// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/checksum.h"

#include <QtEndian>

#include <array>

namespace lockkeeper::agent::journal {

namespace {

using Table = std::array<std::array<quint32, 256>, 8>;

constexpr Table makeTable()
{
    Table table{};
    for (quint32 i = 0; i < 256; ++i) {
        quint32 crc = i;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 1u) ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
        table[0][i] = crc;
    }
    for (size_t slice = 1; slice < 8; ++slice) {
        for (size_t i = 0; i < 256; ++i)
            table[slice][i] = (table[slice - 1][i] >> 8) ^ table[0][table[slice - 1][i] & 0xFFu];
    }
    return table;
}

constexpr Table kTable = makeTable();

} // namespace

void Checksum::feed(const char *data, qsizetype size)
{
    quint32 crc = m_crc;
    // Eight bytes at a time ("slicing by 8"): a row is a few hundred bytes, and this is on the hot path.
    for (; size >= 8; size -= 8, data += 8) {
        const quint32 low = qFromLittleEndian<quint32>(data) ^ crc;
        const quint32 high = qFromLittleEndian<quint32>(data + 4);
        crc = kTable[7][low & 0xFFu] ^ kTable[6][(low >> 8) & 0xFFu] ^ kTable[5][(low >> 16) & 0xFFu] ^
              kTable[4][low >> 24] ^ kTable[3][high & 0xFFu] ^ kTable[2][(high >> 8) & 0xFFu] ^
              kTable[1][(high >> 16) & 0xFFu] ^ kTable[0][high >> 24];
    }
    for (; size > 0; --size, ++data)
        crc = (crc >> 8) ^ kTable[0][(crc ^ quint32(uchar(*data))) & 0xFFu];
    m_crc = crc;
}

Checksum &Checksum::add(qint64 value)
{
    std::array<char, 9> bytes{'i'};
    qToLittleEndian(value, bytes.data() + 1);
    feed(bytes.data(), bytes.size());
    return *this;
}

Checksum &Checksum::add(const std::optional<qint64> &value)
{
    if (value)
        return add(*value);
    feed("n", 1);
    return *this;
}

Checksum &Checksum::addBytes(const QByteArray &bytes)
{
    std::array<char, 9> head{'b'};
    qToLittleEndian(qint64(bytes.size()), head.data() + 1);
    feed(head.data(), head.size());
    feed(bytes.data(), bytes.size());
    return *this;
}

Checksum &Checksum::addBytes(const std::optional<QByteArray> &bytes)
{
    if (bytes)
        return addBytes(*bytes);
    feed("n", 1);
    return *this;
}

} // namespace lockkeeper::agent::journal
