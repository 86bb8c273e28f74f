// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/checksum.h"

#include <QtEndian>

#include <algorithm>
#include <array>
#include <utility>
#include <zlib.h>

namespace lockkeeper::agent::journal {

namespace {

quint32 summed(quint32 crc, const char *data, size_t size)
{
    return quint32(crc32_z(crc, reinterpret_cast<const Bytef *>(data), size));
}

} // namespace

void Checksum::feed(const char *data, size_t size)
{
    if (m_count + size > m_held.size()) {
        m_crc = summed(m_crc, m_held.data(), std::exchange(m_count, 0));
        if (size > m_held.size()) {
            m_crc = summed(m_crc, data, size);
            return;
        }
    }
    std::copy_n(data, size, m_held.data() + m_count);
    m_count += size;
}

qint64 Checksum::value() const
{
    return qint32(summed(m_crc, m_held.data(), m_count));
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
    feed(bytes.data(), size_t(bytes.size()));
    return *this;
}

Checksum &Checksum::addBytes(const std::optional<QByteArray> &bytes)
{
    if (bytes)
        return addBytes(*bytes);
    feed("n", 1);
    return *this;
}

tl::unexpected<base::Error> damagedRow(const char *table, qint64 row)
{
    return base::failure(
        base::ErrorCode::Corrupt,
        QStringLiteral("row %1 of the journal's table %2 is damaged").arg(row).arg(QLatin1String(table)),
        QStringLiteral("Check the disk, and restore the journal from a backup"));
}

} // namespace lockkeeper::agent::journal
