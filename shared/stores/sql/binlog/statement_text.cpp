// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/statement_text.h"

#include <QList>

namespace lockkeeper::stores::sql::binlog {

namespace {
/** Works on bytes, as names may be in any character set: changes ASCII letters only. */
QByteArray upper(QByteArray text)
{
    for (char &c : text) {
        if (c >= 'a' && c <= 'z')
            c = char(c - 'a' + 'A');
    }
    return text;
}

QByteArray withoutComments(QByteArray text)
{
    for (;;) {
        text = text.trimmed();
        qsizetype end = -1;
        if (text.startsWith("/*") && !text.startsWith("/*!") && !text.startsWith("/*M!"))
            end = text.indexOf("*/") + 2;
        else if (text.startsWith("-- ") || text.startsWith('#'))
            end = text.indexOf('\n') + 1;
        if (end < 2)
            return text;
        text = text.mid(end);
    }
}

bool isWordByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || quint8(c) >= 0x80;
}
} // namespace

StatementText::StatementText(const QByteArray &text) : m_text(upper(withoutComments(text)))
{
    qsizetype end = 0;
    while (end < m_text.size() && isWordByte(m_text.at(end)))
        ++end;
    m_verb = m_text.first(end);
}

bool StatementText::mentions(const QByteArray &table) const
{
    const QByteArray word = upper(table);
    for (qsizetype at = m_text.indexOf(word); at >= 0; at = m_text.indexOf(word, at + 1)) {
        const qsizetype end = at + word.size();
        if ((at == 0 || !isWordByte(m_text.at(at - 1))) &&
            (end == m_text.size() || !isWordByte(m_text.at(end))))
            return true;
    }
    return false;
}

bool StatementText::dropsDatabase(const QByteArray &database) const
{
    return (m_text.startsWith("DROP DATABASE") || m_text.startsWith("DROP SCHEMA")) && mentions(database);
}

bool StatementText::changesRows() const
{
    static const QList<QByteArray> verbs{"INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD",
                                         "WITH",   "CALL",   "DO",     "SELECT"};
    return verbs.contains(m_verb);
}

bool StatementText::isHarmless() const
{
    static const QList<QByteArray> verbs{"GRANT", "REVOKE", "ANALYZE", "OPTIMIZE", "REPAIR", "FLUSH", "SET"};
    // MariaDB's SET STATEMENT prefixes another statement of any kind.
    return (verbs.contains(m_verb) && !(m_verb == "SET" && mentions("STATEMENT"))) ||
           m_text.startsWith("CREATE USER");
}

bool StatementText::mayChangeRows() const
{
    return m_verb != "ALTER" || mentions("PARTITION") || mentions("RENAME") || mentions("TABLESPACE");
}

QByteArray StatementText::preparedXid() const
{
    QByteArray xid = m_text.mid(m_text.indexOf(' ', 3));
    if (const qsizetype onePhase = xid.indexOf("ONE PHASE"); onePhase >= 0)
        xid.truncate(onePhase);
    return plainXid(xid);
}

QByteArray plainXid(const QByteArray &xid)
{
    QByteArray plain = upper(xid);
    plain.replace(' ', "");
    return plain;
}

} // namespace lockkeeper::stores::sql::binlog
