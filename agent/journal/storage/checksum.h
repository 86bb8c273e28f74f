// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>

#include <array>
#include <optional>

namespace lockkeeper::agent::journal {

/**
 * CRC-32 (IEEE 802.3) of a row's content: every value with its type and length before it, so that no two
 * different rows have the same bytes. It finds every single flipped bit. It isn't a defence against people:
 * the audit is chained by SHA-256 for that.
 */
class Checksum
{
public:
    Checksum &add(qint64 value);
    Checksum &add(const std::optional<qint64> &value);
    /** Bytes; an empty optional is NULL and differs from empty bytes. */
    Checksum &addBytes(const QByteArray &bytes);
    Checksum &addBytes(const std::optional<QByteArray> &bytes);
    /** As a signed number of 32 bits: SQLite keeps it in four bytes. */
    qint64 value() const;

private:
    void feed(const char *data, size_t size);
    quint32 m_crc = 0;
    std::array<char, 256> m_held; ///< not in it yet: zlib is slow with a few bytes at a time
    size_t m_count = 0;
};

/** Of a row whose checksum, or a value of it, doesn't fit. */
tl::unexpected<base::Error> damagedRow(const char *table, qint64 row);

} // namespace lockkeeper::agent::journal
