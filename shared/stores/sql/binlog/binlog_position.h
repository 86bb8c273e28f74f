// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <compare>
#include <optional>

namespace lockkeeper::stores::sql::binlog {

/** A position between two events of a server's binary log. */
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
 * A place at which reading can resume, and the facts that must not have changed since: the server, the file
 * and the columns of the tables. The time of its first event identifies a file: after RESET MASTER the names
 * start over. `skip`: number of changes of the transaction at the place that are done already.
 */
struct BinlogPosition
{
    QByteArray server;
    QByteArray tables; ///< digest of the tables that are read and how
    quint32 fileStamp = 0;
    quint32 skip = 0;
    LogPlace place;

    QByteArray encoded() const;
    /** Empty where `bytes` weren't made by encoded(). */
    static std::optional<BinlogPosition> decoded(const QByteArray &bytes);
    bool operator==(const BinlogPosition &) const = default;
};

} // namespace lockkeeper::stores::sql::binlog
