// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <compare>
#include <optional>

namespace lockkeeper::stores::sql::binlog {

/** A place between two events of a server's binary log. */
struct LogPlace
{
    QByteArray file; ///< "binlog.000012"
    quint64 offset = 0;

    bool isNull() const { return file.isEmpty(); }
    /** The number at the end of the file's name orders the files of one server. */
    quint64 fileNumber() const;
    bool isAtLeast(const LogPlace &other) const;
    bool operator==(const LogPlace &) const = default;
};

/**
 * Where to go on reading, and what has to be the same as then: the server, the file (its first event's time:
 * after RESET MASTER the names begin anew) and the columns of the tables. `skip`: so many changes of the
 * transaction that begins at the place are done already.
 */
struct Position
{
    QByteArray server;
    QByteArray tables; ///< a digest of what is read and how
    quint32 fileStamp = 0;
    quint32 skip = 0;
    LogPlace place;

    QByteArray encoded() const;
    /** Empty where `bytes` weren't made by encoded(). */
    static std::optional<Position> decoded(const QByteArray &bytes);
    bool operator==(const Position &) const = default;
};

} // namespace lockkeeper::stores::sql::binlog
