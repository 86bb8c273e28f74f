// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace lockkeeper::base {

/**
 * Bytes of a store as text for JSON. Valid UTF-8 is kept, including control characters, which JSON
 * escapes. Every byte that isn't part of valid UTF-8 becomes `\xNN`. Overlong forms, surrogates and code
 * points past U+10FFFF are not valid.
 */
QString textOf(QByteArrayView bytes);

/**
 * Bytes of a store as text for users: like textOf(), but with visible escapes (`\x1b`, `\u202e`) for NUL, C0
 * and C1 controls, line and paragraph separators, zero-width and bidirectional controls, and unassigned
 * characters. So a name can neither move the cursor nor pose as another name.
 */
QString displayText(QByteArrayView bytes);
inline QString displayText(const QByteArray &bytes)
{
    return displayText(QByteArrayView(bytes));
}

/** The same for a text that is already decoded. */
QString displayText(const QString &text);

/** Characters that displayText() escapes: controls, invisible formats, line separators, unassigned ones. */
bool isEscaped(char32_t ucs);

/** A text for one line of a log or of standard error, escaped as by displayText(). */
QString singleLine(const QString &text);

/** How the characters of a glob are compared. */
enum class GlobRules : quint8 {
    Bytes = 0, ///< byte by byte
    Text,      ///< ASCII letters in any case; `?` matches a whole character of UTF-8
};

/** True if `name` matches the glob `pattern` (`*`, `?`, `[a-z]`; `\` quotes). */
bool globMatches(QByteArrayView pattern, QByteArrayView name, GlobRules rules = GlobRules::Bytes);

/** A glob that matches `name`, and under GlobRules::Bytes nothing else. */
QByteArray literalGlob(QByteArrayView name);

/** A duration (`500ms`, `30s`, `10m`, `2h`, `7d`) in microseconds. */
Result<qint64> parseDuration(QStringView text);

/** The shortest exact form that parseDuration() reads back: 1500000 µs is "1500ms". */
QString formatDuration(qint64 us);

} // namespace lockkeeper::base
