// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/tables/dialect_sql.h"

#include <QSet>

namespace lockkeeper::stores::sql {

/**
 * Fills a file of statements (resources/sql/store) for one table and the dialect that it is in. Pure: text
 * in, text out. Only identifiers of a resolved Table, quoted, and types, character sets and collations of the
 * catalogue ever become part of the SQL; every value is a `?`. A line that ends in `-- ?KEY` stands only
 * where the table has that column, and `-- !KEY` only where it hasn't. The placeholders, KEY being a
 * mapping's key:
 *
 * - `{table}`, `{col:KEY}`: identifiers; `{include:NAME}`: another statement of the file;
 * - `{bind:VALUE}`: a value; `{key:KEY:VALUE}`, `{typed:KEY:VALUE}`: a value of the column's type, the former
 *   with its character set and collation, so that its index serves the comparison;
 * - `{bytes:KEY}`, `{text:KEY}`: the column, and a time's text, as bytes: compared without any collation;
 *   `{shown:KEY}`: the same bytes, where nothing is compared with them;
 *   `{same:KEY:VALUE}`: either of them equals the value, NULL equalling NULL;
 * - `{raw:KEY}`: a time as RawTime has it; `{odd:KEY}`: a comma and its `odd`, for kinds that have any;
 * - `{now_us}`: the store's clock; `{now:KEY}`, `{now_truncated:KEY}`: that as the column has it, the latter
 *   cut to its precision (never rounded up into the future); `{later:KEY}`: that much later (value `ttl_us`).
 *   `{moment:KEY}` is the clock when the row is looked at, after any wait for it, instead of the statement's
 *   beginning. Columns without a zone of their own take the value `offset_us` as well;
 * - `{row}`: what RowLayout describes; `{order}`: the columns that a scan is ordered by; `{after}`: past
 *   the key `after`, `after1`, …; `{this}`: the row of the name `name`, `name1`, …, through its index and
 * byte for byte;
 *   `{like}`: the name is like the value `prefix`; `{locks}`: the row is a lock at all;
 *   `{by_expiry}`: right behind the table, where MySQL is told to read it by the index of its deadlines;
 * - `{guard}`: every column of the mapping equals the value of its key, and the clock isn't before the value
 *   `expired_at_us`; `{writes}`: what a break writes, the values being `write_KEY`;
 * - those of ClientSql, for the statements of a lock client.
 */
class Statements
{
public:
    /**
     * `withoutTerms` leaves guard terms out ("-- @holder" in the file, or a key of `{guard}`, or "name" of
     * `{this}`), which only tests do, to prove that each is needed. An error means that the file itself is
     * wrong.
     */
    static base::Result<Statements> build(const QByteArray &file, const Table &table,
                                          const QSet<QByteArray> &withoutTerms = {});

    /** Empty for a name that the file doesn't have. */
    Statement statement(QByteArrayView name) const { return m_statements.value(name.toByteArray()); }
    QList<QByteArray> names() const { return m_statements.keys(); }

private:
    QHash<QByteArray, Statement> m_statements;
};

/** The value's name of the `i`th column of a key: "name", "name1", … */
QByteArray partName(const char *name, qsizetype i);

} // namespace lockkeeper::stores::sql
