// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/cells.h"

#include "shared/base/clock.h"
#include "shared/stores/sql/tables/long_values.h"

#include <QDate>

#include <algorithm>
#include <array>

namespace lockkeeper::stores::sql::binlog {

using base::kSecondUs;

namespace {
constexpr qint64 kEpochJulianDay = 2'440'588;

/** enum_field_types of the servers. The reader decodes only some, but must know the size of all. */
enum FieldType : quint8 {
    Tiny = 1,
    Short = 2,
    Long = 3,
    Float = 4,
    Double = 5,
    Null = 6,
    Timestamp = 7,
    LongLong = 8,
    Int24 = 9,
    Date = 10,
    Time = 11,
    DateTime = 12,
    Year = 13,
    NewDate = 14,
    VarChar = 15,
    Bit = 16,
    Timestamp2 = 17,
    DateTime2 = 18,
    Time2 = 19,
    BlobCompressed = 140, // MariaDB
    VarCharCompressed = 141,
    Vector = 242,
    Json = 245,
    NewDecimal = 246,
    Enum = 247,
    Set = 248,
    TinyBlob = 249,
    MediumBlob = 250,
    LongBlob = 251,
    Blob = 252,
    VarString = 253,
    String = 254,
    Geometry = 255,
};

qint64 signExtended(quint64 value, int bytes)
{
    const int shift = 64 - 8 * bytes;
    return qint64(value << shift) >> shift;
}

Cell integerCell(ByteReader &reader, int size, const BinlogColumn &facts)
{
    Cell cell;
    cell.kind = Cell::CellType::Integer;
    cell.isUnsigned = facts.isUnsigned;
    const quint64 value = reader.little(size);
    cell.integer = facts.isUnsigned ? qint64(value) : signExtended(value, size);
    return cell;
}

Cell timeCell(const RawTime &time)
{
    Cell cell;
    cell.kind = Cell::CellType::Time;
    cell.time = time;
    return cell;
}

qint64 fraction(ByteReader &reader, quint32 digits)
{
    static constexpr std::array<qint64, 4> kUnit{0, 10'000, 100, 1};
    const quint32 bytes = std::min<quint32>((digits + 1) / 2, 3);
    return qint64(reader.big(bytes)) * kUnit[bytes];
}

struct Calendar
{
    int year = 0;
    int month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    qint64 us = 0;
};

/** The count of TIMESTAMPDIFF(), or the text of a zero or partial date, which the server can't count. */
RawTime calendarTime(const Calendar &at, quint32 digits)
{
    const QDate date(at.year, at.month, at.day);
    if (at.year > 0 && date.isValid())
        return {
            ((date.toJulianDay() - kEpochJulianDay) * 86'400 + at.hour * 3'600 + at.minute * 60 + at.second) *
                    kSecondUs +
                at.us,
            {}};
    const auto padded = [](qint64 number, int width) {
        return QByteArray::number(number).rightJustified(width, '0');
    };
    QByteArray text = padded(at.year, 4) + '-' + padded(at.month, 2) + '-' + padded(at.day, 2) + ' ' +
                      padded(at.hour, 2) + ':' + padded(at.minute, 2) + ':' + padded(at.second, 2);
    if (digits > 0)
        text += '.' + padded(at.us, 6).first(std::min<quint32>(digits, 6));
    return {std::nullopt, text};
}

RawTime dateTime2(ByteReader &reader, quint32 digits)
{
    const qint64 packed = qint64(reader.big(5)) - 0x8000000000LL;
    const qint64 us = fraction(reader, digits);
    const qint64 ymd = packed >> 17;
    const qint64 hms = packed & 0x1FFFF;
    const qint64 months = ymd >> 5;
    return calendarTime({int(months / 13), int(months % 13), int(ymd & 31), int(hms >> 12),
                         int(hms >> 6 & 63), int(hms & 63), us},
                        digits);
}

RawTime oldDateTime(ByteReader &reader)
{
    const quint64 packed = reader.little(8);
    const quint64 date = packed / 1'000'000;
    const quint64 time = packed % 1'000'000;
    return calendarTime({int(date / 10'000), int(date / 100 % 100), int(date % 100), int(time / 10'000),
                         int(time / 100 % 100), int(time % 100), 0},
                        0);
}

Cell bytesCell(ByteReader &reader, qsizetype lengthBytes, const BinlogColumn &facts)
{
    const QByteArrayView bytes = reader.take(reader.little(lengthBytes));
    Cell cell;
    if (!facts.wanted)
        return cell;
    cell.kind = Cell::CellType::Bytes;
    cell.bytes = bytes.isEmpty() ? QByteArrayLiteral("")
                                 : bytes.first(std::min(bytes.size(), kReadOfLongValue)).toByteArray();
    if (cell.bytes.size() < facts.paddedTo)
        cell.bytes.append(facts.paddedTo - cell.bytes.size(), '\0');
    return cell;
}

quint64 decimalSize(quint32 meta)
{
    static constexpr std::array<quint32, 10> kBytes{0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    const quint32 precision = meta & 0xFF;
    const quint32 scale = std::min(meta >> 8, precision);
    const quint32 whole = precision - scale;
    return whole / 9 * 4 + kBytes[whole % 9] + scale / 9 * 4 + kBytes[scale % 9];
}

Cell skipped(ByteReader &reader, quint64 size)
{
    reader.skip(size);
    Cell cell;
    cell.kind = Cell::CellType::Unread;
    return cell;
}
} // namespace

QByteArray Cell::text() const
{
    if (kind == CellType::Bytes)
        return bytes;
    if (kind == CellType::Integer)
        return isUnsigned ? QByteArray::number(quint64(integer)) : QByteArray::number(integer);
    return {};
}

RawTime Cell::rawTime() const
{
    if (kind == CellType::Integer)
        return {integer, {}};
    return kind == CellType::Time ? time : RawTime();
}

ColumnFormat readFormat(quint8 type, ByteReader &meta)
{
    switch (type) {
    case Float:
    case Double:
    case Timestamp2:
    case DateTime2:
    case Time2:
    case BlobCompressed:
    case TinyBlob:
    case MediumBlob:
    case LongBlob:
    case Blob:
    case Json:
    case Geometry:
    case Vector:
        return {type, quint32(meta.little(1))};
    case VarChar:
    case VarCharCompressed:
    case VarString:
    case Bit:
    case NewDecimal:
        return {type, quint32(meta.little(2))};
    case String: {
        const auto first = quint32(meta.little(1));
        const auto second = quint32(meta.little(1));
        // Two bits of a length over 255 are hidden, inverted, in the real type.
        if ((first & 0x30) != 0x30)
            return {quint8(first | 0x30), second | ((first & 0x30) ^ 0x30) << 4};
        return {quint8(first), second};
    }
    case Enum:
    case Set:
        return {type, quint32(meta.little(2)) >> 8};
    default:
        return {type, 0};
    }
}

Cell readCell(const ColumnFormat &format, const BinlogColumn &facts, ByteReader &reader)
{
    switch (format.type) {
    case Tiny:
        return integerCell(reader, 1, facts);
    case Short:
        return integerCell(reader, 2, facts);
    case Int24:
        return integerCell(reader, 3, facts);
    case Long:
        return integerCell(reader, 4, facts);
    case LongLong:
        return integerCell(reader, 8, facts);
    case Timestamp:
        return timeCell({qint64(reader.little(4)) * kSecondUs, {}});
    case Timestamp2: {
        const auto seconds = qint64(reader.big(4));
        return timeCell({seconds * kSecondUs + fraction(reader, format.meta), {}});
    }
    case DateTime:
        return timeCell(oldDateTime(reader));
    case DateTime2:
        return timeCell(dateTime2(reader, format.meta));
    case VarChar:
    case VarString:
    case String:
        return bytesCell(reader, format.meta < 256 ? 1 : 2, facts);
    case TinyBlob:
    case MediumBlob:
    case LongBlob:
    case Blob:
        return bytesCell(reader, std::min<quint32>(format.meta, 8), facts);
    case Bit: {
        Cell cell;
        cell.kind = Cell::CellType::Integer;
        cell.isUnsigned = true;
        cell.integer =
            qint64(reader.big(std::min<quint32>((format.meta >> 8) + ((format.meta & 0xFF) != 0), 8)));
        return cell;
    }
    case Json:
    case Geometry:
    case Vector:
    case BlobCompressed:
        return skipped(reader, reader.little(std::min<quint32>(format.meta, 8)));
    case VarCharCompressed:
        return skipped(reader, reader.little(format.meta < 256 ? 1 : 2));
    case Float:
        return skipped(reader, 4);
    case Double:
        return skipped(reader, 8);
    case Date:
    case NewDate:
    case Time:
        return skipped(reader, 3);
    case Time2:
        return skipped(reader, 3 + (format.meta + 1) / 2);
    case Year:
        return skipped(reader, 1);
    case NewDecimal:
        return skipped(reader, decimalSize(format.meta));
    case Enum:
    case Set:
        return skipped(reader, format.meta & 0xFF);
    case Null:
        return skipped(reader, 0);
    default:
        return skipped(reader, ~quint64(0)); // of no known size
    }
}

bool isJson(const ColumnFormat &format)
{
    return format.type == Json;
}

bool isReadable(QStringView dataType)
{
    static constexpr std::array<quint8, 13> kTypes{Tiny,      Short,      Int24,    Long,      LongLong,
                                                   Timestamp, Timestamp2, DateTime, DateTime2, VarChar,
                                                   String,    Blob,       Bit};
    return std::any_of(kTypes.begin(), kTypes.end(), [&](quint8 type) { return canBe(dataType, {type, 0}); });
}

bool canBe(QStringView dataType, const ColumnFormat &format)
{
    const auto is = [&](std::initializer_list<QLatin1String> names) {
        return std::find(names.begin(), names.end(), dataType) != names.end();
    };
    switch (format.type) {
    case Tiny:
        return is({QLatin1String("tinyint")});
    case Short:
        return is({QLatin1String("smallint")});
    case Int24:
        return is({QLatin1String("mediumint")});
    case Long:
        return is({QLatin1String("int")});
    case LongLong:
        return is({QLatin1String("bigint")});
    case Timestamp:
    case Timestamp2:
        return is({QLatin1String("timestamp")});
    case DateTime:
    case DateTime2:
        return is({QLatin1String("datetime")});
    case VarChar:
    case VarString:
        return is({QLatin1String("varchar"), QLatin1String("varbinary")});
    case String:
        return is({QLatin1String("char"), QLatin1String("binary")});
    case TinyBlob:
    case MediumBlob:
    case LongBlob:
    case Blob:
        return dataType.endsWith(QLatin1String("text")) || dataType.endsWith(QLatin1String("blob"));
    case Bit:
        return is({QLatin1String("bit")});
    default:
        return false;
    }
}

} // namespace lockkeeper::stores::sql::binlog
