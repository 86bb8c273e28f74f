// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/lock_data.h"

#include <algorithm>
#include <optional>

namespace lockkeeper::stores::sql {

namespace {

/** One field, and where the next field begins (after ", "); empty where the text is cut. */
struct LockDataField
{
    QByteArray value;
    qsizetype end = 0;
};

std::optional<LockDataField> quotedField(QByteArrayView data, qsizetype at)
{
    LockDataField field;
    for (qsizetype i = at + 1; i < data.size(); ++i) {
        const char c = data.at(i);
        const char next = i + 1 < data.size() ? data.at(i + 1) : '\0';
        if (c == '\'' && next != '\'') {
            field.end = i + 1;
            return field;
        }
        if (c == '\'' || (c == '\\' && next == '\\'))
            ++i;
        if (c == '\\' && next == '0') {
            ++i;
            field.value += '\0';
        } else {
            field.value += c;
        }
    }
    return std::nullopt;
}

LockDataField plainField(QByteArrayView data, qsizetype at)
{
    qsizetype end = at;
    while (end < data.size() && data.at(end) != ',')
        ++end;
    LockDataField field{data.sliced(at, end - at).toByteArray(), end};
    const bool hex = field.value.startsWith("0x") && field.value.size() > 2 && field.value.size() % 2 == 0 &&
                     std::all_of(field.value.cbegin() + 2, field.value.cend(), [](char c) {
                         return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
                     });
    if (hex)
        field.value = QByteArray::fromHex(field.value.sliced(2));
    return field;
}

/** The rest of `data` after its first `count` fields and the separator. */
QByteArray after(QByteArrayView data, int count)
{
    qsizetype at = 0;
    for (int i = 0; i < count && at < data.size(); ++i) {
        const auto field = data.at(at) == '\'' ? quotedField(data, at) : plainField(data, at);
        if (!field)
            return {};
        at = field->end + 2;
    }
    return at < data.size() ? data.sliced(at).toByteArray() : QByteArray();
}

/**
 * The fields of InnoDB's LOCK_DATA (`'o''rders', 7`): without quotes, with doubled quotes and
 * backslashes undone, `\0` as a NUL, hexadecimal (`0x…`) decoded where it has whole bytes. Empty where the
 * text isn't such a list.
 */
std::optional<QList<QByteArray>> lockDataFields(QByteArrayView data)
{
    if (data.isEmpty() || data == kSupremum)
        return std::nullopt;
    QList<QByteArray> fields;
    for (qsizetype at = 0; at < data.size();) {
        const auto field = data.at(at) == '\'' ? quotedField(data, at) : plainField(data, at);
        if (!field)
            return std::nullopt;
        fields.append(field->value);
        if (field->end == data.size())
            return fields;
        if (data.sliced(field->end).first(std::min<qsizetype>(2, data.size() - field->end)) != ", ")
            return std::nullopt;
        at = field->end + 2;
    }
    return std::nullopt;
}

} // namespace

QByteArray lockName(QByteArrayView data, const IndexShape &index)
{
    const auto fields = lockDataFields(data);
    if (!fields)
        return data.toByteArray();
    const bool keyAlone = index.unique && index.columns > 0;
    const qsizetype count = keyAlone ? std::min<qsizetype>(index.columns, fields->size()) : fields->size();
    return fields->first(count).join('/');
}

QByteArray appendedKey(QByteArrayView data, const IndexShape &index)
{
    return index.columns > 0 ? after(data, index.columns) : QByteArray();
}

QByteArray tablePlace(QByteArrayView lockTable)
{
    QByteArray place;
    bool quoted = false;
    for (qsizetype i = 0; i < lockTable.size(); ++i) {
        const char c = lockTable.at(i);
        if (c == '`') {
            const bool doubled = quoted && i + 1 < lockTable.size() && lockTable.at(i + 1) == '`';
            if (doubled)
                place += lockTable.at(++i);
            else
                quoted = !quoted;
        } else if (!quoted && c == ' ') {
            break; // a partition follows
        } else {
            place += c;
        }
    }
    return place;
}

} // namespace lockkeeper::stores::sql
