// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace lockkeeper::stores::discover {

/** How a value looks; the names are stable (shapeName()). */
enum class Shape : quint8 {
    Unknown = 0, ///< not read, or none of the following
    Uuid,        ///< also followed by a thread: "uuid:17"
    Hex,         ///< 16 to 128 hex digits, not all decimal
    Token,       ///< other random text of 16 to 128 characters
    Process,     ///< a host and a process: "web-3:4711", "4711@web-3", "10.0.0.7:51342:12"
    Name,        ///< a short word: "worker-1"
    Time,        ///< seconds, milliseconds or microseconds since the epoch, near now
    Flag,        ///< "1", "true", "locked", "OK", empty
    Number,
    LockJson,   ///< an object of owner and state
    HolderJson, ///< an object with an owner, a host or a process
    Json,       ///< another object or list
    Data,       ///< long, binary, markup, serialised
};

/** `now`: seconds since the epoch; it is used to recognise Time. */
Shape shapeOf(QByteArrayView value, qint64 now);

QByteArrayView shapeName(Shape shape);

/** True for values that can distinguish one holder from another. */
bool namesHolder(Shape shape);

/** "8-4-4-4-12" hex digits. */
bool isUuid(QByteArrayView text);
/** 16 to 128 hex digits, at least one of them a letter. */
bool isHex(QByteArrayView text);

} // namespace lockkeeper::stores::discover
