// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lockkeeper::agent::hub {

/**
 * Rows in PostgreSQL's binary COPY format (https://www.postgresql.org/docs/current/sql-copy.html). Call
 * begin() for each row and then one function for each of its columns, of the column's type.
 */
class CopyRows
{
public:
    CopyRows();

    void begin(qint16 columns);
    /** A number below 128 of the type "char". */
    CopyRows &character(qint8 value);
    CopyRows &smallint(qint16 value);
    CopyRows &integer(qint32 value);
    CopyRows &bigint(qint64 value);
    /** A time in microseconds since 1970; one outside of the years 1 to 9999 becomes the nearest one inside.
     */
    CopyRows &time(qint64 us);
    /** NULL for an empty value. */
    CopyRows &time(const std::optional<qint64> &us);
    /** A whole number as numeric, which takes few bytes; NULL for an empty value. */
    CopyRows &numeric(const std::optional<qint64> &value);
    /** The same; NULL for zero. */
    CopyRows &amount(qint64 value);
    /** The numeric NaN. */
    CopyRows &notANumber();
    CopyRows &bytes(const QByteArray &value);
    CopyRows &bytes(const std::optional<QByteArray> &value);
    CopyRows &null();

    bool isEmpty() const { return m_rows == 0; }
    /** All rows with the format's header and end. */
    QByteArray finished() const;

private:
    template <typename T> void put(T value);
    /** Appends the value after its length. */
    template <typename T> CopyRows &putSized(T value);

    QByteArray m_data;
    qint64 m_rows = 0;
};

} // namespace lockkeeper::agent::hub
