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

constexpr qsizetype kUsualSize = 512; ///< of a line

bool isPlain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

} // namespace

JsonLine::JsonLine(QByteArray &out) : m_out(out)
{
    if (m_out.capacity() - m_out.size() < kUsualSize)
        m_out.reserve(std::max(2 * m_out.capacity(), m_out.size() + kUsualSize));
    m_out += '{';
}

JsonLine::~JsonLine()
{
    m_out.append("}\n", 2);
}

void JsonLine::text(QByteArrayView name, QByteArrayView bytes)
{
    member(name);
    if (std::all_of(bytes.cbegin(), bytes.cend(), isPlain))
        m_out.append('"').append(bytes.data(), bytes.size()).append('"');
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
    m_out.append(digits, end - digits);
}

void JsonLine::number(QByteArrayView name, const std::optional<qint64> &value)
{
    value ? number(name, *value) : null(name);
}

void JsonLine::boolean(QByteArrayView name, bool value)
{
    member(name);
    m_out.append(value ? "true" : "false");
}

void JsonLine::value(QByteArrayView name, const QJsonValue &value)
{
    member(name);
    if (value.isNull())
        m_out.append("null", 4);
    else if (value.isObject() && value.toObject().isEmpty())
        m_out.append("{}", 2);
    else if (value.isArray() && value.toArray().isEmpty())
        m_out.append("[]", 2);
    else
        escaped(value);
}

void JsonLine::begin(QByteArrayView name)
{
    member(name);
    m_out += '{';
    m_first = true;
}

void JsonLine::end()
{
    m_out += '}';
    m_first = false;
}

void JsonLine::member(QByteArrayView name)
{
    m_out.append(m_first ? "\"" : ",\"").append(name.data(), name.size()).append("\":", 2);
    m_first = false;
}

void JsonLine::null(QByteArrayView name)
{
    member(name);
    m_out.append("null", 4);
}

void JsonLine::escaped(const QJsonValue &value)
{
    const QByteArray list = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    m_out.append(list.constData() + 1, list.size() - 2);
}

} // namespace lockkeeper::base
