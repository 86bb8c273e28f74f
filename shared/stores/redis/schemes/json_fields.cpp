// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/json_fields.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

namespace lockkeeper::stores::redis {

namespace {

/** Where the token at `at` of well-formed JSON ends: a string, a scalar, or a container with all in it. */
qsizetype tokenEnd(QByteArrayView json, qsizetype at)
{
    int depth = 0;
    bool quoted = false;
    for (; at < json.size(); ++at) {
        const char c = json[at];
        if (quoted && c == '\\')
            ++at;
        else if (c == '"')
            quoted = !quoted;
        else if (quoted)
            continue;
        else if (c == '{' || c == '[')
            ++depth;
        else if (depth == 0 && QByteArrayView(",:}] \t\r\n").contains(c))
            return at;
        else if (c == '}' || c == ']')
            --depth;
    }
    return json.size();
}

/** The text of a string in its quotes; empty where the text can't be UTF-8. */
std::optional<QByteArray> textOf(QByteArrayView quoted)
{
    const QString text = QJsonDocument::fromJson('[' + quoted.toByteArray() + ']').array().at(0).toString();
    return text.isValidUtf16() ? std::optional(text.toUtf8()) : std::nullopt;
}

std::optional<JsonField> fieldOf(QByteArrayView token)
{
    if (token.startsWith('"')) {
        const auto text = textOf(token);
        return text ? std::optional(JsonField{JsonField::Text, *text}) : std::nullopt;
    }
    if (token.startsWith('{') || token.startsWith('['))
        return JsonField{JsonField::Nested, {}};
    return token == "null" ? JsonField{JsonField::Null, {}}
                           : JsonField{JsonField::Scalar, token.toByteArray()};
}

} // namespace

std::optional<QList<JsonField>> readJsonFields(QByteArrayView json, const QList<QByteArray> &names)
{
    // Qt judges the text. Its values hide a name that comes twice, and lose the digits of long numbers.
    if (!json.isValidUtf8() || !QJsonDocument::fromJson(json.toByteArray()).isObject())
        return std::nullopt;
    QList<JsonField> fields(names.size());
    QSet<QByteArray> seen;
    qsizetype at = json.indexOf('{') + 1;
    const auto next = [&json, &at] {
        while (QByteArrayView(",: \t\r\n").contains(json[at]))
            ++at;
        const qsizetype from = std::exchange(at, tokenEnd(json, at));
        return json.sliced(from, at - from);
    };
    for (QByteArrayView token = next(); !token.isEmpty(); token = next()) {
        const auto name = textOf(token);
        const auto field = fieldOf(next());
        if (!name || !field || seen.contains(*name))
            return std::nullopt;
        seen.insert(*name);
        for (qsizetype i = 0; i < names.size(); ++i) {
            if (names.at(i) == *name)
                fields[i] = *field;
        }
    }
    return fields;
}

} // namespace lockkeeper::stores::redis
