// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/json_fields.h"

#include <QSet>
#include <QString>

#include <algorithm>

namespace lockkeeper::stores::redis {

namespace {

constexpr int kDeepest = 32;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::optional<char16_t> hexUnit(QByteArrayView digits)
{
    bool ok = false;
    const auto isHex = [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
    const ushort unit = digits.toByteArray().toUShort(&ok, 16);
    if (digits.size() != 4 || !std::all_of(digits.begin(), digits.end(), isHex) || !ok)
        return std::nullopt;
    return char16_t(unit);
}

/** Walks over a text by the grammar; every step is false where the text doesn't follow it. */
class JsonScanner
{
public:
    explicit JsonScanner(QByteArrayView text) : m_text(text) {}

    bool atEnd()
    {
        skipBlank();
        return m_at == m_text.size();
    }

    bool take(char c)
    {
        skipBlank();
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    bool string(QByteArray &out)
    {
        if (!take('"'))
            return false;
        out.clear();
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '"') {
                ++m_at;
                return true;
            }
            if (quint8(c) < 0x20)
                return false;
            if (c != '\\')
                out += c;
            else if (!escape(out))
                return false;
        }
        return false;
    }

    bool value(JsonField &field, int depth)
    {
        skipBlank();
        const char c = m_at < m_text.size() ? m_text[m_at] : '\0';
        field = {};
        switch (c) {
        case '"':
            field.kind = JsonField::Text;
            return string(field.text);
        case '{':
        case '[':
            field.kind = JsonField::Nested;
            return nested(c, depth + 1);
        default:
            return scalar(field);
        }
    }

private:
    void skipBlank()
    {
        while (m_at < m_text.size() && QByteArrayView(" \t\r\n").contains(m_text[m_at]))
            ++m_at;
    }

    /** At a backslash; ends at the escape's last byte. */
    bool escape(QByteArray &out)
    {
        static constexpr QByteArrayView kFrom("\"\\/bfnrt");
        static constexpr QByteArrayView kTo("\"\\/\b\f\n\r\t");
        if (++m_at >= m_text.size())
            return false;
        if (m_text[m_at] == 'u')
            return codePoint(out);
        const qsizetype which = kFrom.indexOf(m_text[m_at]);
        if (which < 0)
            return false;
        out += kTo[which];
        return true;
    }

    bool codePoint(QByteArray &out)
    {
        const auto high = unit();
        if (!high || QChar::isLowSurrogate(*high))
            return false;
        QString text(QChar{*high});
        if (QChar::isHighSurrogate(*high)) {
            const bool more = m_at + 2 < m_text.size() && m_text[m_at + 1] == '\\' && m_text[m_at + 2] == 'u';
            m_at += 2;
            const auto low = more ? unit() : std::nullopt;
            if (!low || !QChar::isLowSurrogate(*low))
                return false;
            text += QChar{*low};
        }
        out += text.toUtf8();
        return true;
    }

    /** At the `u` of an escape; ends at its last digit. */
    std::optional<char16_t> unit()
    {
        if (m_at + 4 >= m_text.size())
            return std::nullopt;
        const auto found = hexUnit(m_text.sliced(m_at + 1, 4));
        m_at += 4;
        return found;
    }

    bool nested(char open, int depth)
    {
        if (depth > kDeepest || !take(open))
            return false;
        const char close = open == '{' ? '}' : ']';
        if (take(close))
            return true;
        do {
            JsonField field;
            QByteArray name;
            if (open == '{' && !(string(name) && take(':')))
                return false;
            if (!value(field, depth))
                return false;
        } while (take(','));
        return take(close);
    }

    bool scalar(JsonField &field)
    {
        for (const QByteArrayView word :
             {QByteArrayView("true"), QByteArrayView("false"), QByteArrayView("null")}) {
            if (!m_text.sliced(m_at).startsWith(word))
                continue;
            m_at += word.size();
            field.kind = word == "null" ? JsonField::Null : JsonField::Scalar;
            if (field.kind == JsonField::Scalar)
                field.text = word.toByteArray();
            return true;
        }
        field.kind = JsonField::Scalar;
        const qsizetype from = m_at;
        const bool whole = number();
        field.text = m_text.sliced(from, m_at - from).toByteArray();
        return whole;
    }

    bool digits()
    {
        const qsizetype from = m_at;
        while (m_at < m_text.size() && isDigit(m_text[m_at]))
            ++m_at;
        return m_at > from;
    }

    bool next(QByteArrayView any)
    {
        if (m_at >= m_text.size() || !any.contains(m_text[m_at]))
            return false;
        ++m_at;
        return true;
    }

    bool number()
    {
        next("-");
        const bool zero = next("0");
        if (zero ? m_at < m_text.size() && isDigit(m_text[m_at]) : !digits())
            return false;
        if (next(".") && !digits())
            return false;
        if (!next("eE"))
            return true;
        next("+-");
        return digits();
    }

    QByteArrayView m_text;
    qsizetype m_at = 0;
};

} // namespace

std::optional<QList<JsonField>> readJsonFields(QByteArrayView json, const QList<QByteArray> &names)
{
    QList<JsonField> fields(names.size());
    JsonScanner scanner(json);
    if (!json.isValidUtf8() || !scanner.take('{'))
        return std::nullopt;
    QSet<QByteArray> seen;
    bool more = !scanner.take('}');
    while (more) {
        QByteArray name;
        JsonField field;
        if (!scanner.string(name) || !scanner.take(':') || !scanner.value(field, 1) || seen.contains(name))
            return std::nullopt;
        seen.insert(name);
        for (qsizetype i = 0; i < names.size(); ++i) {
            if (names.at(i) == name)
                fields[i] = field;
        }
        more = scanner.take(',');
        if (!more && !scanner.take('}'))
            return std::nullopt;
    }
    return scanner.atEnd() ? std::optional(fields) : std::nullopt;
}

} // namespace lockkeeper::stores::redis
