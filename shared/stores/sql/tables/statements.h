// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/tables/dialect_sql.h"

#include <QSet>

namespace lockkeeper::stores::sql {

/**
 * Fills a file of statements (resources/sql/store) for one table and its dialect. Pure: text in, text out.
 * Only identifiers of a resolved Table, quoted, and types, character sets and collations of the catalogue
 * ever become part of the SQL; every value is a `?`. KEY is a mapping's key. A line that ends in `-- ?KEY` is
 * used only where the table has that column, a line that ends in `-- !KEY` only where it hasn't.
 *
 * - `{table}`, `{col:KEY}`: identifiers. `{include:NAME}`: another statement of the file.
 * - `{bind:VALUE}`: a value.
 * - `{key:KEY:VALUE}`, `{typed:KEY:VALUE}`: a value of the column's type. The former also has the column's
 *   character set and collation, so that its index serves the comparison.
 * - `{bytes:KEY}`, `{text:KEY}`: the column, or a time's text, as bytes: compared without any collation.
 * - `{shown:KEY}`: the same bytes, where nothing is compared with them.
 * - `{same:KEY:VALUE}`: the column's bytes or the time's text equals the value; NULL equals NULL.
 * - `{raw:KEY}`: a time as RawTime::raw. `{odd:KEY}`: a comma and RawTime::odd, for kinds that have it.
 * - `{now_us}`: the store's clock.
 * - `{now:KEY}`, `{now_truncated:KEY}`: the clock in the column's form. The latter is cut to the column's
 *   precision, and never rounded up into the future.
 * - `{later:KEY}`: the clock plus the value `ttl_us`.
 * - `{moment:KEY}`: the clock when the server examines the row, after any wait for it, instead of the
 *   statement's beginning.
 * - These times of columns without a zone also take the value `offset_us`.
 * - `{row}`: the columns of RowLayout. `{order}`: the columns that order a scan.
 * - `{after}`: the row is past the key `after`, `after1`, …
 * - `{this}`: the row of the name `name`, `name1`, …, found through its index and compared byte for byte.
 * - `{like}`: the name is LIKE the value `prefix`. `{locks}`: the row is a lock at all.
 * - `{by_expiry}`: right behind the table; makes MySQL read the table by the index of its deadlines.
 * - `{guard}`: every column of the mapping equals the value of its key, and the clock isn't before the value
 *   `expired_at_us`.
 * - `{writes}`: the assignments of a break, with the values `write_KEY`.
 * - The placeholders of ClientSql, for the statements of a lock client.
 */
class Statements
{
public:
    /**
     * `withoutTerms` omits guard terms ("-- @holder" in the file, or a key of `{guard}`, or "name" of
     * `{this}`). Only tests do this, to prove that each term is needed. An error means that the file itself
     * is wrong.
     */
    static base::Result<Statements> build(const QByteArray &file, const ResolvedTable &table,
                                          const QSet<QByteArray> &withoutTerms = {});

    /** Empty for a name that the file doesn't have. */
    Statement statement(QByteArrayView name) const { return m_statements.value(name.toByteArray()); }
    QList<QByteArray> names() const { return m_statements.keys(); }

private:
    QHash<QByteArray, Statement> m_statements;
};

/** The name of the value for a key's `i`th column: "name", "name1", … */
QByteArray partName(const char *name, qsizetype i);

} // namespace lockkeeper::stores::sql
