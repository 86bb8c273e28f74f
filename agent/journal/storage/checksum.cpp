// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/checksum.h"

#include <QtEndian>

#include <array>
#include <zlib.h>

namespace lockkeeper::agent::journal {

void Checksum::feed(const char *data, qsizetype size)
{
    m_crc = quint32(crc32_z(m_crc, reinterpret_cast<const Bytef *>(data), size_t(size)));
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
