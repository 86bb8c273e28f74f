// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/text.h"

namespace lockkeeper::base {

/** Bytes before the text that Java's serialisation writes of a string (Spring's RedisTemplate by default):
 * a mark of five, and the text's length in two. */
constexpr qsizetype kJavaHeader = 7;
inline constexpr QByteArrayView kJavaMark("\xac\xed\x00\x05t", 5);

/** The text within; `bytes` themselves where they are no such string. */
inline QByteArrayView withoutJavaHeader(QByteArrayView bytes)
{
    if (bytes.size() < kJavaHeader || !bytes.startsWith(kJavaMark))
        return bytes;
    const qsizetype length = uchar(bytes[5]) * 256 + uchar(bytes[6]);
    return length == bytes.size() - kJavaHeader ? bytes.sliced(kJavaHeader) : bytes;
}

/** `text` as Java's serialisation wraps it; it has less than 64 KiB. */
inline QByteArray javaName(const QByteArray &text)
{
    return kJavaMark.toByteArray() + char(text.size() >> 8) + char(text.size()) + text;
}

/** The glob that such strings fit whose text fits `glob`. */
inline QByteArray javaGlob(const QByteArray &glob)
{
    return kJavaMark.toByteArray() + "??" + glob;
}

/** Whether a lock's name fits a glob that people write: the name itself, or the text in it. */
inline bool nameFits(QByteArrayView glob, QByteArrayView name)
{
    return globMatches(glob, name) ||
           (name.startsWith(kJavaMark) && globMatches(glob, withoutJavaHeader(name)));
}

} // namespace lockkeeper::base
