// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/byte_reader.h"

namespace lockkeeper::stores::sql::binlog {

quint64 ByteReader::little(qsizetype size)
{
    const QByteArrayView bytes = take(quint64(size));
    quint64 value = 0;
    for (qsizetype i = bytes.size() - 1; i >= 0; --i)
        value = value << 8 | quint8(bytes[i]);
    return value;
}

quint64 ByteReader::big(qsizetype size)
{
    quint64 value = 0;
    for (const char byte : take(quint64(size)))
        value = value << 8 | quint8(byte);
    return value;
}

quint64 ByteReader::packed()
{
    const quint64 first = little(1);
    switch (first) {
    case 0xFC:
        return little(2);
    case 0xFD:
        return little(3);
    case 0xFE:
        return little(8);
    case 0xFB: // NULL, which no length of the binary log may be
    case 0xFF:
        m_ok = false;
        return 0;
    default:
        return first;
    }
}

QByteArrayView ByteReader::take(quint64 size)
{
    if (size > quint64(m_bytes.size())) {
        m_ok = false;
        m_bytes = {};
        return {};
    }
    const QByteArrayView taken = m_bytes.first(qsizetype(size));
    m_bytes = m_bytes.sliced(qsizetype(size));
    return taken;
}

} // namespace lockkeeper::stores::sql::binlog
