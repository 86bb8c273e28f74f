// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::base {

/** What went wrong, as a code that programs act on and consoles put into words. */
enum class ErrorCode : quint8 {
    Unknown = 0,
    Usage,            ///< a malformed request, option or configuration value
    NotFound,         ///< the lock, source, table or file doesn't exist
    Ambiguous,        ///< a name fits more than one lock
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
    SchemaMismatch,   ///< a table or column isn't what the configuration says
    Busy,             ///< lock wait time-out or deadlock: nothing was done
    Storage,          ///< the journal's disk: full, read-only or failing
    Corrupt,          ///< stored data failed its check
    Cancelled,        ///< the asker took the question back
    Shutdown,         ///< the program is ending
};

/** True where trying again later may help without anybody changing anything. */
bool isTransient(ErrorCode code);

/** The code's stable name as used on the wire and in JSON, e.g. "permission_denied". */
QByteArrayView errorName(ErrorCode code);

/** The inverse of errorName(); Unknown for a name that isn't one. */
ErrorCode errorFromName(QByteArrayView name);

/**
 * An error with its cause and remedy. `cause` is one line (a server's own message is kept verbatim);
 * `remedy` is what to do, where that is known: a statement to run, an option to set.
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
