// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::base {

/** The kind of an error. Programs act on the code; consoles turn it into words. */
enum class ErrorCode : quint8 {
    Unknown = 0,
    Usage,            ///< a malformed request, option or configuration value
    NotFound,         ///< the lock, source, table or file doesn't exist
    Ambiguous,        ///< a name matches more than one lock
    Unreachable,      ///< refused, reset, timed out, no such host or socket
    Authentication,   ///< the credentials were rejected
    PermissionDenied, ///< logged in, but a grant or ACL rule is missing
    ReadOnly,         ///< a replica, or a server switched to read-only
    Loading,          ///< the server is starting and will answer soon
    Timeout,          ///< no answer within the limit; the effect, if any, is unknown
    ConnectionLost,   ///< the link broke while a request was under way
    Protocol,         ///< the peer sent bytes that break the protocol
    TooLarge,         ///< above a stated limit
    Unsupported,      ///< this server or build can't do it
    SchemaMismatch,   ///< a table or column isn't as configured
    Busy,             ///< lock wait time-out or deadlock: nothing was done
    Storage,          ///< the journal's disk: full, read-only or failing
    Corrupt,          ///< stored data failed its check
    Cancelled,        ///< the caller cancelled the request
    Shutdown,         ///< the program is ending
};

/** True if a later retry may succeed although nobody has changed anything. */
bool isTransient(ErrorCode code);

/** The code's stable name as used on the wire and in JSON, e.g. "permission_denied". */
QByteArrayView errorName(ErrorCode code);

/** The inverse of errorName(); Unknown if there is no such name. */
ErrorCode errorFromName(QByteArrayView name);

/**
 * An error with its cause and remedy. `cause` is one line; a server's message is kept verbatim. `remedy` is
 * an instruction for the user, if known: a statement to run, an option to set.
 */
struct Error
{
    ErrorCode code = ErrorCode::Unknown;
    QString cause;
    QString remedy;

    /** "cause. remedy" in one line, control characters escaped, for logs and standard error. */
    QString line() const;
    bool operator==(const Error &) const = default;
};

} // namespace lockkeeper::base
