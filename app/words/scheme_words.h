// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/release.h"

#include <QByteArrayView>
#include <QString>

namespace lockkeeper::app::words {

/**
 * The texts about a scheme, by its id ("redis.token"), in the current language. A scheme that this build
 * doesn't know gets general texts. Plain text, never markup.
 */
class SchemeWords
{
public:
    /** How a lock of the scheme is stored; the id itself if the scheme is unknown. */
    static QString layout(QByteArrayView scheme);
    /** The values that a guarded release compares: "guarded: token and expiry". */
    static QString guard(QByteArrayView scheme);
    /** How and when a live holder notices a force-release; empty if that is unknown. */
    static QString noticed(QByteArrayView scheme);
    /** Other things that remain on the holder's lease; empty if there are none. */
    static QString companions(const domain::Companions &companions);
    /** The reason why waiters aren't shown. */
    static QString hiddenWaiters(QByteArrayView scheme);
    /** False if a holder without an expiry never writes again: its silence proves nothing. */
    static bool showsLife(QByteArrayView scheme);
    /** True if other things may depend on a holder's lease. */
    static bool sharesLease(QByteArrayView scheme);
    /** True if a lock's name is a row's key, and its place ends with the table and the index. */
    static bool isRowLock(QByteArrayView scheme);
};

} // namespace lockkeeper::app::words
