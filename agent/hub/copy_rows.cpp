// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/hub/copy_rows.h"

#include <QtEndian>

#include <algorithm>
#include <array>

namespace lockkeeper::agent::hub {

namespace {

constexpr char kSignature[] = "PGCOPY\n\377\r\n";    // its closing NUL belongs to it
constexpr qint64 kYear2000Us = 946'684'800'000'000;  // PostgreSQL's times count from there
constexpr qint64 kFirstUs = -62'135'596'800'000'000; // the years 1 to 9999
constexpr qint64 kLastUs = 253'402'300'799'999'999;
constexpr qint32 kNull = -1;
// From numeric.c: digits to the base 10,000, the highest first.
constexpr quint64 kNumericBase = 10'000;
constexpr quint16 kNegative = 0x4000;
constexpr quint16 kNotANumber = 0xC000;

} // namespace

CopyRows::CopyRows()
{
    m_data.reserve(1 << 20);
    m_data.append(kSignature, sizeof kSignature);
    put(qint32(0)); // no flags
    put(qint32(0)); // no extension
}

template <typename T> void CopyRows::put(T value)
{
    const T big = qToBigEndian(value);
    m_data.append(reinterpret_cast<const char *>(&big), sizeof big);
}

void CopyRows::begin(qint16 columns)
{
    ++m_rows;
    put(columns);
}

template <typename T> CopyRows &CopyRows::putSized(T value)
{
    put(qint32(sizeof value));
    put(value);
    return *this;
}

CopyRows &CopyRows::character(qint8 value)
{
    return putSized(value);
}

CopyRows &CopyRows::smallint(qint16 value)
{
    return putSized(value);
}

CopyRows &CopyRows::integer(qint32 value)
{
    return putSized(value);
}

CopyRows &CopyRows::bigint(qint64 value)
{
    return putSized(value);
}

CopyRows &CopyRows::time(qint64 us)
{
    return bigint(std::clamp(us, kFirstUs, kLastUs) - kYear2000Us);
}

CopyRows &CopyRows::time(const std::optional<qint64> &us)
{
    return us ? time(*us) : null();
}

CopyRows &CopyRows::numeric(const std::optional<qint64> &value)
{
    if (!value)
        return null();
    std::array<qint16, 5> digits{}; // the lowest first; 10,000^5 exceeds 2^63
    qint16 count = 0;
    for (quint64 rest = *value < 0 ? 0 - quint64(*value) : quint64(*value); rest > 0; rest /= kNumericBase)
        digits.at(size_t(count++)) = qint16(rest % kNumericBase);
    qint16 zeros = 0;
    while (zeros < count && digits.at(size_t(zeros)) == 0)
        ++zeros; // zeros at the end aren't stored
    put(qint32(sizeof(qint16) * size_t(4 + count - zeros)));
    put(qint16(count - zeros));
    put(qint16(count > 0 ? count - 1 : 0)); // the weight of the first digit
    put(quint16(*value < 0 ? kNegative : 0));
    put(qint16(0)); // no digits behind the point
    for (qint16 i = count; i > zeros; --i)
        put(digits.at(size_t(i - 1)));
    return *this;
}

CopyRows &CopyRows::notANumber()
{
    put(qint32(4 * sizeof(qint16)));
    put(qint16(0)); // no digits
    put(qint16(0));
    put(kNotANumber);
    put(qint16(0));
    return *this;
}

CopyRows &CopyRows::amount(qint64 value)
{
    return value == 0 ? null() : numeric(value);
}

CopyRows &CopyRows::bytes(const QByteArray &value)
{
    put(qint32(value.size()));
    m_data.append(value);
    return *this;
}

CopyRows &CopyRows::bytes(const std::optional<QByteArray> &value)
{
    return value ? bytes(*value) : null();
}

CopyRows &CopyRows::null()
{
    put(kNull);
    return *this;
}

QByteArray CopyRows::finished() const
{
    QByteArray data = m_data;
    data.append("\377\377", 2);
    return data;
}

} // namespace lockkeeper::agent::hub
