// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <optional>

namespace lockkeeper::stores::redis {

/** One field of a JSON object. */
struct JsonField
{
    enum JsonType : quint8 {
        Absent = 0,
        Null,
        Text,   ///< `text` is the string's content
        Scalar, ///< a number, true or false: `text` as it is written, no digit lost
        Nested, ///< an object or an array: `text` is empty
    };
    JsonType kind = Absent;
    QByteArray text;

    bool operator==(const JsonField &) const = default;
};

/**
 * The fields `names` of a JSON object's top level (RFC 8259), in that order. The reader is strict, because
 * the fields decide which client holds a lock. The result is empty for anything but one whole object in valid
 * UTF-8. It is empty as well for a name that comes twice at the top level, and for a string there that can't
 * be UTF-8 (a lone surrogate). Otherwise Qt decides which text is well-formed. Pure.
 */
std::optional<QList<JsonField>> readJsonFields(QByteArrayView json, const QList<QByteArray> &names);

} // namespace lockkeeper::stores::redis
