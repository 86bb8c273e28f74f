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

constexpr size_t kUsualSize = 1024; ///< of a line

bool isPlain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

} // namespace

QByteArray compactJson(const QJsonDocument &document)
{
    QByteArray json = document.toJson(QJsonDocument::Compact);
    for (qsizetype at = json.indexOf('\xc2'); at >= 0; at = json.indexOf('\xc2', at + 1)) {
        // Such a byte begins the characters from U+0080 to U+00BF, and none else.
        const auto low = uchar(json.at(at + 1));
        if (low < 0xa0)
            json.replace(at, 2, "\\u00" + QByteArray::number(low, 16));
    }
    return json;
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
