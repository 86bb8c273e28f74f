// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lockkeeper::stores::sql::binlog {

/**
 * The possible effects of a statement in the binary log on a table. The statement is never parsed in full:
 * in doubt, the answer is the one after which the table is read again.
 */
class StatementText
{
public:
    explicit StatementText(const QByteArray &text);

    /** True where the statement has the name as a word, whatever its case. */
    bool mentions(const QByteArray &table) const;
    bool dropsDatabase(const QByteArray &database) const;
    /** INSERT, UPDATE and the like. */
    bool changesRows() const;
    /** GRANT and the like: neither rows nor columns change. */
    bool isHarmless() const;
    /** A DDL statement after which the table may have other rows: all but a plain ALTER TABLE. */
    bool mayChangeRows() const;
    /** XA COMMIT or XA ROLLBACK. */
    bool endsPrepared() const { return m_text.startsWith("XA COMMIT") || m_text.startsWith("XA ROLLBACK"); }
    bool commitsPrepared() const { return m_text.startsWith("XA COMMIT"); }
    QByteArray preparedXid() const;

private:
    QByteArray m_text; ///< upper case, without leading comments
    QByteArray m_verb;
};

/** An XA transaction's name in one spelling: X'61',X'',1 */
QByteArray plainXid(const QByteArray &xid);

} // namespace lockkeeper::stores::sql::binlog
