// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/release.h"

#include <QByteArrayView>
#include <QString>

namespace lockkeeper::app::schemes {

/**
 * What is said about a scheme, by its id ("redis.token"), in the language of the moment. A scheme that this
 * build doesn't know gets the general words. Plain text, never markup.
 */
class SchemeWords
{
public:
    /** How a lock of the scheme is kept; the id itself where the scheme isn't known. */
    static QString layout(QByteArrayView scheme);
    /** What a guarded release compares: "guarded: token and expiry". */
    static QString guard(QByteArrayView scheme);
    /** What a holder that is alive notices of a force-release, and when; empty where nothing can be said. */
    static QString noticed(QByteArrayView scheme);
    /** What else stays on the holder's lease; empty where nothing does. */
    static QString companions(const domain::Companions &companions);
    /** Why nobody is shown who waits. */
    static QString hiddenWaiters(QByteArrayView scheme);
    /** False where a holder without an expiry never writes again: its silence says nothing. */
    static bool showsLife(QByteArrayView scheme);
    /** True where other things may hang on a holder's lease. */
    static bool sharesLease(QByteArrayView scheme);
    /** True where a lock's name is a row's key, and its place ends with the table and the index. */
    static bool isRowLock(QByteArrayView scheme);
};

} // namespace lockkeeper::app::schemes
