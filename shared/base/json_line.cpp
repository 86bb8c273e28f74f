// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/json_line.h"

#include "shared/base/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <charconv>

namespace lockkeeper::base {

namespace {

constexpr size_t kUsualSize = 1024; ///< typical size of a line

bool isPlain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

} // namespace

QByteArray safeJson(const QByteArray &json)
{
    if (std::all_of(json.cbegin(), json.cend(), [](char c) { return uchar(c) < 0x7f; }))
        return json;
    const QString text = QString::fromUtf8(json);
    QByteArray out;
    qsizetype clean = 0;
    for (qsizetype at = 0; at < text.size();) {
        const bool isPair = text.at(at).isHighSurrogate() && at + 1 < text.size();
        const qsizetype next = at + (isPair ? 2 : 1);
        const QStringView units = QStringView(text).sliced(at, next - at);
        const char32_t ucs = isPair ? QChar::surrogateToUcs4(units[0], units[1]) : units[0].unicode();
        if (ucs >= 0x7f && isEscaped(ucs)) {
            out += QStringView(text).sliced(clean, at - clean).toUtf8();
            for (const QChar unit : units)
                out += "\\u" + QByteArray::number(unit.unicode(), 16).rightJustified(4, '0');
            clean = next;
        }
        at = next;
    }
    return out + QStringView(text).sliced(clean).toUtf8();
}

QByteArray compactJson(const QJsonDocument &document)
{
    return safeJson(document.toJson(QJsonDocument::Compact));
}

JsonLine::JsonLine(QByteArray &out) : m_out(out)
{
    m_line.reserve(kUsualSize);
    m_line += '{';
}

JsonLine::~JsonLine()
{
    m_line.append("}\n", 2);
    m_out.append(m_line.data(), qsizetype(m_line.size()));
}

void JsonLine::text(QByteArrayView name, QByteArrayView bytes)
{
    member(name);
    if (std::all_of(bytes.cbegin(), bytes.cend(), isPlain))
        m_line.append(1, '"').append(bytes.data(), size_t(bytes.size())).append(1, '"');
    else
        escaped(textOf(bytes));
}

void JsonLine::textOrNull(QByteArrayView name, QByteArrayView bytes, bool is)
{
    is ? text(name, bytes) : null(name);
}

void JsonLine::number(QByteArrayView name, qint64 value)
{
    member(name);
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    m_line.append(digits, size_t(end - digits));
}

void JsonLine::number(QByteArrayView name, const std::optional<qint64> &value)
{
    value ? number(name, *value) : null(name);
}

void JsonLine::boolean(QByteArrayView name, bool value)
{
    member(name);
    m_line.append(value ? "true" : "false");
}

void JsonLine::value(QByteArrayView name, const QJsonValue &value)
{
    member(name);
    if (value.isNull())
        m_line.append("null", 4);
    else if (value.isObject() && value.toObject().isEmpty())
        m_line.append("{}", 2);
    else if (value.isArray() && value.toArray().isEmpty())
        m_line.append("[]", 2);
    else
        escaped(value);
}

void JsonLine::begin(QByteArrayView name)
{
    member(name);
    m_line += '{';
    m_first = true;
}

void JsonLine::end()
{
    m_line += '}';
    m_first = false;
}

void JsonLine::member(QByteArrayView name)
{
    m_line.append(m_first ? "\"" : ",\"").append(name.data(), size_t(name.size())).append("\":", 2);
    m_first = false;
}

void JsonLine::null(QByteArrayView name)
{
    member(name);
    m_line.append("null", 4);
}

void JsonLine::escaped(const QJsonValue &value)
{
    const QByteArray list = compactJson(QJsonDocument(QJsonArray{value}));
    m_line.append(list.constData() + 1, size_t(list.size() - 2));
}

} // namespace lockkeeper::base
