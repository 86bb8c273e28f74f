// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/catalogue.h"
#include "shared/stores/sql/connection/statement.h"

namespace lockkeeper::stores::sql {

/**
 * The expressions in which the dialects differ, for one table. Pure; appends to a Statement. Identifiers are
 * those of the resolved table, quoted; types, character sets and collations are the catalogue's; every
 * value is a `?`.
 */
class DialectSql
{
public:
    DialectSql(const ResolvedTable &table, Statement &out) : m_table(table), m_out(out) {}

    void add(const QByteArray &sql) { m_out.sql += sql; }
    void bind(const QByteArray &value);

    QByteArray table() const;
    QByteArray name(const Column &column) const;
    /** A value of this column's own type and collation, so that its index serves a comparison. */
    void key(const Column &column, const QByteArray &value);
    /** The column equals the value, by key(), or both are NULL. */
    void isKey(const Column &column, const QByteArray &value);
    /**
     * The column as bytes: compared without any collation. MySQL converts a text in another character set to
     * UTF-8, unless the conversion back gives other bytes: then it uses the text's own bytes.
     */
    QByteArray bytes(const Column &column) const;
    /** The same for display: of a column with long texts at most kReadOfLongValue bytes (in PostgreSQL,
     * characters). */
    QByteArray shown(const Column &column) const;
    /** The text of a time as TimeColumn::text() gives it. */
    QByteArray timeText(const Column &column) const;
    /** A time as RawTime::raw. */
    QByteArray rawTime(const Column &column) const;
    /** A time as RawTime::odd; empty for kinds that have no odd times. */
    QByteArray oddTime(const Column &column) const;
    /** `left`, made by bytes() or timeText(), equals the value; NULL equals NULL. */
    void same(const QByteArray &left, const QByteArray &value);

    /** The clock in the column's form, truncated to `precision` digits of a second; plus the value `later`,
     * if any. */
    void now(const Column &column, int precision, const QByteArray &later = {});
    /** The clock when the server examines the row, after any wait for it. */
    void moment(const Column &column);
    /** The clock in the form of `column`, or `base`, a column of the same kind, plus the value `later`, if
     * that is ahead. */
    void laterOf(const Column &column, const Column &base, const QByteArray &later);
    /** The value that a break writes. */
    void write(const Column &column, const ColumnWrite &write, const QByteArray &value);
    /** A value in the column's own type. */
    void typed(const Column &column, const QByteArray &value);

private:
    /** `bytes` of a column; of a long column, only enough of them to recognise a long value. */
    QByteArray cut(const Column &column, const QByteArray &bytes) const;
    void nowMySql(const Column &column, int precision, const QByteArray &later);
    void nowPostgreSql(const Column &column, int precision, const QByteArray &later);
    void nowSqlite(const Column &column, const QByteArray &later);
    void shift(const QByteArray &value);
    /** A value from bytes(), converted to the character set of a column that isn't in UTF-8. */
    void converted(const Column &column, const QByteArray &value);
    void epochNow(const Column &column, const QByteArray &nowUs, const QByteArray &later);

    const ResolvedTable &m_table;
    Statement &m_out;
};

} // namespace lockkeeper::stores::sql
