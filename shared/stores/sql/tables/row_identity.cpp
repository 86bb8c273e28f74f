// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/row_identity.h"

#include <QtEndian>

#include <algorithm>

namespace lockkeeper::stores::sql {

void appendValue(QByteArray &out, QByteArrayView key, QByteArrayView value)
{
    const qsizetype start = out.size();
    // In one go: this runs for a million rows.
    out.resize(start + 1 + key.size() + 1 + qsizetype(sizeof(quint32)) + value.size());
    char *at = out.data() + start;
    *at++ = char(key.size());
    at = std::copy(key.begin(), key.end(), at);
    *at++ = char(value.isNull() ? 1 : 0);
    qToBigEndian(quint32(value.size()), at);
    std::copy(value.begin(), value.end(), at + sizeof(quint32));
}

QByteArray encodedValues(const QList<SeenValue> &values)
{
    QByteArray out;
    for (const SeenValue &seen : values)
        appendValue(out, seen.key, seen.value);
    return out;
}

std::optional<QList<SeenValue>> decodedValues(const QByteArray &bytes)
{
    QList<SeenValue> values;
    qsizetype at = 0;
    const auto left = [&] { return bytes.size() - at; };
    while (left() > 0) {
        const qsizetype keyLength = uchar(bytes.at(at++));
        constexpr qsizetype head = 1 + qsizetype(sizeof(quint32));
        if (keyLength > left() - head)
            return std::nullopt;
        SeenValue seen{bytes.sliced(at, keyLength), {}};
        at += keyLength;
        const char null = bytes.at(at++);
        const auto length = qsizetype(qFromBigEndian<quint32>(bytes.constData() + at));
        at += qsizetype(sizeof(quint32));
        if (length > left() || null < 0 || null > 1 || (null == 1 && length > 0))
            return std::nullopt;
        if (null == 0) {
            seen.value = bytes.sliced(at, length);
            if (seen.value.isNull())
                seen.value = QByteArrayLiteral("");
        }
        at += length;
        values.append(seen);
    }
    return values;
}

namespace {
constexpr QByteArrayView kNull("NULL");
} // namespace

QByteArray joinedName(const QList<QByteArray> &parts)
{
    if (parts.size() == 1)
        return parts.first();
    QByteArray name;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (i > 0)
            name += '/';
        appendPart(name, parts.at(i));
    }
    return name;
}

void appendPart(QByteArray &name, QByteArrayView part)
{
    if (part.isNull() || part == kNull) {
        name += part.isNull() ? "NULL" : "\\NULL";
        return;
    }
    const auto isMark = [](char c) { return c == '\\' || c == '/'; };
    const qsizetype marks = std::count_if(part.begin(), part.end(), isMark);
    const qsizetype start = name.size();
    name.resize(start + part.size() + marks); // in one go: this runs for a million rows
    char *at = name.data() + start;
    if (marks == 0) {
        std::copy(part.begin(), part.end(), at);
        return;
    }
    for (const char c : part) {
        if (isMark(c))
            *at++ = '\\';
        *at++ = c;
    }
}

std::optional<QList<QByteArray>> splitName(const QByteArray &name, qsizetype count)
{
    if (count == 1)
        return QList<QByteArray>{name.isNull() ? QByteArrayLiteral("") : name};
    QList<QByteArray> parts{QByteArrayLiteral("")};
    bool plain = true; // the part has no mark
    const auto end = [&] {
        if (plain && parts.last() == kNull)
            parts.last() = QByteArray();
        plain = true;
    };
    for (qsizetype i = 0; i < name.size(); ++i) {
        if (name.at(i) == '/') {
            end();
            parts.append(QByteArrayLiteral(""));
            continue;
        }
        if (name.at(i) == '\\' && i + 1 < name.size()) {
            plain = false;
            ++i;
        }
        parts.last() += name.at(i);
    }
    end();
    return parts.size() == count ? std::optional(parts) : std::nullopt;
}

} // namespace lockkeeper::stores::sql
