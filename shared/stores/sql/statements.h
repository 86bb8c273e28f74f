// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue.h"
#include "shared/stores/sql/dialect.h"

#include <QSet>

namespace lockkeeper::stores::sql {

/** The store's clock at the beginning of a statement, in microseconds since the epoch. */
QByteArray nowUsSql(Dialect dialect);

/** A statement with `?` for its values, and their names in order. */
struct Statement
{
    QByteArray sql;
    QList<QByteArray> binds;

    bool operator==(const Statement &) const = default;
};

/**
 * Fills a file of statements (resources/sql/store) for one table. Pure: text in, text out. Only
 * identifiers of a resolved Table, quoted, and character sets and collations of the catalogue ever
 * become part of the SQL; every value is a `?`. The placeholders, KEY being a mapping's key:
 *
 * - `{table}`, `{col:KEY}`: identifiers; `{include:NAME}`: another statement of the file;
 * - `{bind:VALUE}`: a value; `{key:KEY:VALUE}`: a value with the column's character set and collation, so
 *   that its index serves the comparison;
 * - `{bytes:KEY}`, `{text:KEY}`: the column, and its text, as bytes: compared without any collation;
 * - `{raw:KEY}`: a time as RawTime has it; `{odd:KEY}`: a comma and its `odd`, for kinds that have any;
 * - `{now_us}`: the store's clock; `{now:KEY}`, `{now_truncated:KEY}`: that as the column has it, the latter
 * cut to its precision (never rounded up into the future); `{later:KEY}`: that much later (value `ttl_us`).
 *   `{moment:KEY}` is the clock when the row is looked at, after any wait for it, instead of the statement's
 * beginning. Columns without a zone of their own take the value `offset_us` as well.
 */
class Statements
{
public:
    /**
     * `withoutTerms` leaves guard terms out ("-- @holder" in the file), which only tests do, to prove that
     * each is needed. An error means that the file itself is wrong.
     */
    static base::Result<Statements> build(const QByteArray &file, const Table &table,
                                          const QSet<QByteArray> &withoutTerms = {});

    /** Empty for a name that the file doesn't have. */
    Statement statement(QByteArrayView name) const { return m_statements.value(name.toByteArray()); }
    QList<QByteArray> names() const { return m_statements.keys(); }

private:
    QHash<QByteArray, Statement> m_statements;
};

} // namespace lockkeeper::stores::sql
