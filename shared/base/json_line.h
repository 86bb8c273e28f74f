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
 * The same document with the characters escaped that displayText() escapes. Names are whatever a client
 * wrote, and a file is also read in a terminal: some terminals obey U+0080 to U+009F, and U+202E makes one
 * name look like another.
 */
QByteArray safeJson(const QByteArray &json);

/** On one line, as safeJson(). */
QByteArray compactJson(const QJsonDocument &document);

/**
 * Appends one JSON object as a line: the bytes that compactJson() gives where the members come in the order
 * of their names, without the objects in between. For listings of many lines.
 * Bytes that aren't UTF-8 are written as textOf() writes them. Ends the line when it goes.
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
    /** Anything else; objects and lists too. */
    void value(QByteArrayView name, const QJsonValue &value);
    /** What follows, up to end(), belongs to an object of this name. */
    void begin(QByteArrayView name);
    void end();

private:
    void member(QByteArrayView name);
    void null(QByteArrayView name);
    void escaped(const QJsonValue &value);

    QByteArray &m_out;
    std::string m_line; ///< so far: of many short pieces a QByteArray takes each for a piece of itself first
    bool m_first = true;
};

} // namespace lockkeeper::base
