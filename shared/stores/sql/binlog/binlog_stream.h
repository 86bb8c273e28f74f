// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/sql/binlog/binlog_position.h"

#include <QList>

#include <mutex>

struct st_mysql;
struct st_mariadb_rpl;

namespace lockkeeper::stores::sql::binlog {

/**
 * A libmariadb connection like a replica's: first some queries, then the stream of events, which ends only
 * with the connection. Blocking: one thread uses it; any thread may call interrupt().
 */
class BinlogStream
{
public:
    using Row = QList<QByteArray>; ///< null: NULL

    BinlogStream();
    ~BinlogStream();
    Q_DISABLE_COPY_MOVE(Stream)

    base::Result<void> open(const SourceSpec &spec);
    base::Result<QList<Row>> query(const QByteArray &sql);
    QByteArray quoted(const QByteArray &text) const;
    /** Begins the stream: no query is possible after that. */
    base::Result<void> dump(const LogPlace &from, quint32 serverId);
    /** Waits for the next event, at most 15 s: the server sends a heartbeat every 5 s. Valid until the next
     * call. */
    base::Result<QByteArrayView> next();
    void close();
    /** Makes the call that blocks in the other thread end soon, and every later call. */
    void interrupt();

private:
    base::Error lastError() const;

    st_mysql *m_mysql = nullptr;
    st_mariadb_rpl *m_replication = nullptr;
    std::mutex m_mutex; ///< of the two below
    int m_socket = -1;
    bool m_interrupted = false;
};

} // namespace lockkeeper::stores::sql::binlog
