// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/query_lexer.h"

#include <algorithm>

namespace lockkeeper::app::filter {

namespace {

/** The operator in ASCII, also where an input method for Chinese wrote its full-width form; 0: none. */
char16_t operatorOf(QChar c)
{
    switch (c.unicode()) {
    case u':':
    case u'\uFF1A':
        return u':';
    case u'<':
    case u'\uFF1C':
        return u'<';
    case u'>':
    case u'\uFF1E':
        return u'>';
    default:
        return 0;
    }
}

bool isComma(QChar c)
{
    return c == u',' || c == u'\uFF0C';
}

/** The character that closes a quotation opened by `c`; null: `c` opens none. */
QChar closingOf(QChar c)
{
    return c == u'"' ? c : c == u'\u201C' ? QChar(u'\u201D') : QChar();
}

/** Reads one word after another; the only state is the place in the text. */
class Lexer
{
public:
    explicit Lexer(QStringView text) : m_text(text) {}

    LexedQuery run()
    {
        LexedQuery result;
        bool comma = false;
        for (;;) {
            while (m_at < m_text.size() && (m_text[m_at].isSpace() || isComma(m_text[m_at]))) {
                comma = comma || isComma(m_text[m_at]);
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
        while (m_at < m_text.size() && !m_text[m_at].isSpace() && !isComma(m_text[m_at])) {
            if (!closingOf(m_text[m_at]).isNull())
                readQuoted(word);
            else if (!word.hasField && endsField(word))
                takeField(word);
            else
                readCharacter(word);
        }
        word.length = m_at - word.position;
        return word;
    }

    /** In ASCII an operator ends the field whatever stands before it. The full-width form may belong to a
     * name: it ends only what can be a field. */
    bool endsField(const QueryWord &word) const
    {
        const QChar c = m_text[m_at];
        if (operatorOf(c) == 0)
            return false;
        const QStringView before = m_text.mid(word.fieldPosition, m_at - word.fieldPosition);
        return c.unicode() < 0x80 ||
               (!before.isEmpty() && std::all_of(before.begin(), before.end(), [](QChar letter) {
                   return letter.toLower() >= u'a' && letter.toLower() <= u'z';
               }));
    }

    void takeField(QueryWord &word)
    {
        word.hasField = true;
        word.field = m_text.mid(word.fieldPosition, m_at - word.fieldPosition).toString();
        const QChar sign = operatorOf(m_text[m_at++]);
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
        const qsizetype end = m_text.indexOf(closingOf(m_text[begin]), m_at);
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

LexedQuery lexQuery(QStringView text)
{
    return Lexer(text).run();
}

} // namespace lockkeeper::app::filter
