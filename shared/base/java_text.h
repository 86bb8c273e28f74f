// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/text.h"

namespace lockkeeper::base {

/** Number of bytes that Java's serialisation (the default of Spring's RedisTemplate) writes before the text
 * of a string: a mark of five bytes, and the text's length in two. */
constexpr qsizetype kJavaHeader = 7;
inline constexpr QByteArrayView kJavaMark("\xac\xed\x00\x05t", 5);

/** The text without Java's header; `bytes` unchanged if they aren't such a string. */
inline QByteArrayView withoutJavaHeader(QByteArrayView bytes)
{
    if (bytes.size() < kJavaHeader || !bytes.startsWith(kJavaMark))
        return bytes;
    const qsizetype length = uchar(bytes[5]) * 256 + uchar(bytes[6]);
    return length == bytes.size() - kJavaHeader ? bytes.sliced(kJavaHeader) : bytes;
}

/** `text` as Java's serialisation writes it. It must be shorter than 64 KiB. */
inline QByteArray javaName(const QByteArray &text)
{
    return kJavaMark.toByteArray() + char(text.size() >> 8) + char(text.size()) + text;
}

/** The glob for serialised strings whose text matches `glob`. */
inline QByteArray javaGlob(const QByteArray &glob)
{
    return kJavaMark.toByteArray() + "??" + glob;
}

/** True if a lock's name, or the text in its Java serialisation, matches a glob written by a user. */
inline bool nameFits(QByteArrayView glob, QByteArrayView name)
{
    return globMatches(glob, name) ||
           (name.startsWith(kJavaMark) && globMatches(glob, withoutJavaHeader(name)));
}

} // namespace lockkeeper::base
