// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lockkeeper::stores::sql {

/** The key of an advisory lock of PostgreSQL: one number of 64 bits, or two of 32. */
struct AdvisoryKey
{
    bool isPair = false;
    qint64 number = 0; ///< for a pair, the upper half is the first number

    qint32 first() const { return qint32(number >> 32); }
    qint32 second() const { return qint32(number & 0xffffffff); }
    /** "-5", or "1,-5": signed, as in the lock functions. */
    QByteArray text() const
    {
        return isPair ? QByteArray::number(first()) + ',' + QByteArray::number(second())
                      : QByteArray::number(number);
    }
};

/** The key that `name` spells, in any notation ("007", "1, -5"); empty: neither a number nor a pair. */
std::optional<AdvisoryKey> advisoryKey(const QByteArray &name);

} // namespace lockkeeper::stores::sql
