// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/state/query_lexer.h"

namespace lockkeeper::app::state {

namespace {

bool isOperator(QChar c)
{
    return c == u':' || c == u'<' || c == u'>';
}

/** Reads one word after another; the only state is the place in the text. */
class Lexer
{
public:
    explicit Lexer(QStringView text) : m_text(text) {}

    QueryWords run()
    {
        QueryWords result;
        bool comma = false;
        for (;;) {
            while (m_at < m_text.size() && (m_text[m_at].isSpace() || m_text[m_at] == u',')) {
                comma = comma || m_text[m_at] == u',';
                ++m_at;
            }
            if (m_at == m_text.size())
                break;
            QueryWord word = readWord();
            word.afterComma = comma && !result.words.isEmpty();
            comma = false;
            result.words.append(word);
        }
        result.openQuote = m_openQuote;
        result.commaAtEnd = comma && !result.words.isEmpty();
        return result;
    }

private:
    QueryWord readWord()
    {
        QueryWord word;
        word.position = m_at;
        if (m_text[m_at] == u'-' && m_at + 1 < m_text.size() && !m_text[m_at + 1].isSpace()) {
            word.negated = true;
            ++m_at;
        }
        word.fieldPosition = word.valuePosition = m_at;
        while (m_at < m_text.size() && !m_text[m_at].isSpace() && m_text[m_at] != u',') {
            if (m_text[m_at] == u'"')
                readQuoted(word);
            else if (!word.hasField && isOperator(m_text[m_at]))
                takeField(word);
            else
                readCharacter(word);
        }
        word.length = m_at - word.position;
        return word;
    }

    void takeField(QueryWord &word)
    {
        word.hasField = true;
        word.field = m_text.mid(word.fieldPosition, m_at - word.fieldPosition).toString();
        const QChar sign = m_text[m_at++];
        const bool orEqual = sign != u':' && m_at < m_text.size() && m_text[m_at] == u'=';
        if (orEqual)
            ++m_at;
        const bool whole = sign == u':' && m_at < m_text.size() && m_text[m_at] == u'=';
        if (whole)
            ++m_at;
        if (sign == u'<')
            word.op = orEqual ? QueryOperator::LessEqual : QueryOperator::Less;
        else if (sign == u'>')
            word.op = orEqual ? QueryOperator::GreaterEqual : QueryOperator::Greater;
        word.value = {};
        word.value.whole = whole;
        word.quoted = false;
        word.valuePosition = m_at;
    }

    void readQuoted(QueryWord &word)
    {
        const qsizetype begin = m_at++;
        const qsizetype end = m_text.indexOf(u'"', m_at);
        if (end < 0) {
            m_openQuote = begin;
            word.value.text += m_text.mid(m_at).toUtf8();
            m_at = m_text.size();
        } else {
            word.value.text += m_text.mid(m_at, end - m_at).toUtf8();
            m_at = end + 1;
        }
        word.quoted = true;
    }

    void readCharacter(QueryWord &word)
    {
        const QChar c = m_text[m_at];
        qsizetype length = 1;
        if (c.isHighSurrogate() && m_at + 1 < m_text.size() && m_text[m_at + 1].isLowSurrogate())
            length = 2;
        if (c == u'*' || c == u'?') {
            word.value.text += c == u'*' ? QueryValue::kAnyText : QueryValue::kAnyOne;
            word.value.pattern = true;
        } else {
            word.value.text += m_text.mid(m_at, length).toUtf8();
        }
        m_at += length;
    }

    QStringView m_text;
    qsizetype m_at = 0;
    qsizetype m_openQuote = -1;
};

} // namespace

QueryWords lexQuery(QStringView text)
{
    return Lexer(text).run();
}

} // namespace lockkeeper::app::state
