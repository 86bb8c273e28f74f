// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>
#include <vector>

class QSqlQuery;

namespace lockkeeper::stores::sql {

/** The value of one column of a row that is being read: bytes, or a number, or NULL. Owns nothing. */
struct RowCell
{
    const char *data = nullptr; ///< never null for bytes, however few; they live until the next row is read
    qsizetype size = 0;
    std::optional<qint64> number;

    bool isNull() const { return data == nullptr && !number; }
    /** As bytes, without a copy: valid until the next row is read. Null for NULL. */
    QByteArray view() const { return data == nullptr ? ofNumber() : QByteArray::fromRawData(data, size); }
    /** The same as a copy. */
    QByteArray bytes() const { return data == nullptr ? ofNumber() : QByteArray(data, size); }
    /** 0 for NULL and for bytes that are no number. */
    qint64 toNumber() const { return number ? *number : data == nullptr ? 0 : view().toLongLong(); }

private:
    QByteArray ofNumber() const { return number ? QByteArray::number(*number) : QByteArray(); }
};

/** The cells of a row, in the order of the statement. */
using RowCells = std::vector<RowCell>;

/** Reads the rows of a QSqlQuery into cells, and keeps the cells' bytes. */
class QueryCells
{
public:
    /** Reads the first `columns` columns of the current row of `rows`; valid until the next call. */
    const RowCells &read(const QSqlQuery &rows, int columns) { return read(rows, columns, columns); }
    /** The same, but the columns after the first `usual` ones are NULL, unless one of the first is NULL. */
    const RowCells &read(const QSqlQuery &rows, int columns, int usual);
    const RowCells &cells() const { return m_cells; }

private:
    std::vector<QByteArray> m_bytes; ///< of the values that are no numbers
    RowCells m_cells;
};

} // namespace lockkeeper::stores::sql
