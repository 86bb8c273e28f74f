// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/byte_reader.h"
#include "shared/stores/sql/catalogue/time_columns.h"

namespace lockkeeper::stores::sql::binlog {

/** One value of a row as the binary log has it. */
struct Cell
{
    enum class CellType : quint8 {
        Absent = 0, ///< not in the row's image, or not asked for
        Null,
        Integer, ///< also bits; signed or not by `isUnsigned`
        Bytes,   ///< texts in the column's own character set
        Time,
        Unread, ///< of a type that no lock column has
    };
    CellType kind = CellType::Absent;
    bool isUnsigned = false;
    qint64 integer = 0;
    RawTime time;
    QByteArray bytes;

    /** Integers and texts as CAST(column AS BINARY) returns them; null for NULL. */
    QByteArray text() const;
    /** A time column as scans read it: times, and unchanged integers. */
    RawTime rawTime() const;
    bool operator==(const Cell &) const = default;
};

/** A column's type and metadata from a table map event. */
struct ColumnFormat
{
    quint8 type = 0; ///< MYSQL_TYPE_…
    quint32 meta = 0;
};

/** Column properties that only the catalogue knows (binlog_row_metadata is NO_LOG or MINIMAL by default). */
struct BinlogColumn
{
    bool wanted = false;
    bool isUnsigned = false;
    int paddedTo = 0; ///< BINARY(n): the log omits trailing zeros

    bool operator==(const BinlogColumn &) const = default;
};

/** Reads the metadata of one column of a table map event. */
ColumnFormat readFormat(quint8 type, ByteReader &meta);

/** True for MySQL's JSON type. A whole value and a partial update both begin with their length in bytes. */
bool isJson(const ColumnFormat &format);

/** True where a column of information_schema's data_type can be logged with this format. */
bool canBe(QStringView dataType, const ColumnFormat &format);

/** True where values of information_schema's data_type can be read at all. */
bool isReadable(QStringView dataType);

/** Reads one value that isn't NULL. reader.ok() is false where the value's size is unknown. */
Cell readCell(const ColumnFormat &format, const BinlogColumn &facts, ByteReader &reader);

} // namespace lockkeeper::stores::sql::binlog
