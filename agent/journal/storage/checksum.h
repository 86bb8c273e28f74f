// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>

#include <array>
#include <optional>

namespace lockkeeper::agent::journal {

/**
 * CRC-32 (IEEE 802.3) of a row's content. The type and length precede each value, so that two different rows
 * never have the same bytes. It detects every single flipped bit. It doesn't protect against people: the
 * SHA-256 chain of the audit does that.
 */
class Checksum
{
public:
    Checksum &add(qint64 value);
    Checksum &add(const std::optional<qint64> &value);
    /** Bytes; an empty optional is NULL and differs from empty bytes. */
    Checksum &addBytes(const QByteArray &bytes);
    Checksum &addBytes(const std::optional<QByteArray> &bytes);
    /** The checksum as a signed 32-bit number, which SQLite stores in four bytes. */
    qint64 value() const;

private:
    void feed(const char *data, size_t size);
    quint32 m_crc = 0;
    std::array<char, 256> m_held; ///< bytes not added yet, because zlib is slow with a few bytes at a time
    size_t m_count = 0;
};

/** The error for a row with a wrong checksum or a wrong value. */
tl::unexpected<base::Error> damagedRow(const char *table, qint64 row);

} // namespace lockkeeper::agent::journal
