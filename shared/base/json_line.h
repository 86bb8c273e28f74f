// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonValue>

#include <optional>
#include <string>

class QJsonDocument;

namespace lockkeeper::base {

/**
 * Escapes in a JSON document the characters that displayText() escapes. Clients can write any name, and users
 * also read such files in a terminal. Some terminals interpret U+0080 to U+009F, and U+202E makes one name
 * look like another.
 */
QByteArray safeJson(const QByteArray &json);

/** The document on one line, escaped as by safeJson(). */
QByteArray compactJson(const QJsonDocument &document);

/**
 * Appends one JSON object as a line, without building QJson objects. For listings of many lines. The bytes
 * are those of compactJson() if the caller adds the members in the order of their names. Bytes that aren't
 * UTF-8 are escaped as by textOf(). The destructor ends the line.
 */
class JsonLine
{
public:
    explicit JsonLine(QByteArray &out);
    ~JsonLine();
    Q_DISABLE_COPY_MOVE(JsonLine)

    void text(QByteArrayView name, QByteArrayView bytes);
    void textOrNull(QByteArrayView name, QByteArrayView bytes, bool is);
    void number(QByteArrayView name, qint64 value);
    void number(QByteArrayView name, const std::optional<qint64> &value);
    void boolean(QByteArrayView name, bool value);
    /** A member of any other type, including objects and lists. */
    void value(QByteArrayView name, const QJsonValue &value);
    /** Begins a nested object of this name. The members that follow belong to it, until end(). */
    void begin(QByteArrayView name);
    void end();

private:
    void member(QByteArrayView name);
    void null(QByteArrayView name);
    void escaped(const QJsonValue &value);

    QByteArray &m_out;
    std::string m_line; ///< the line so far; QByteArray would check each short piece for overlap with itself
    bool m_first = true;
};

} // namespace lockkeeper::base
