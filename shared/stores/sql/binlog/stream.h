// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/sql/binlog/position.h"

#include <QList>

#include <mutex>

struct st_mysql;
struct st_mariadb_rpl;

namespace lockkeeper::stores::sql::binlog {

/**
 * A connection of libmariadb's own, as a replica has it: some questions first, then the stream of events,
 * which ends only with it. Blocking: one thread uses it; interrupt() may be called from any.
 */
class Stream
{
public:
    using Row = QList<QByteArray>; ///< null: NULL

    Stream();
    ~Stream();
    Q_DISABLE_COPY_MOVE(Stream)

    base::Result<void> open(const SourceSpec &spec);
    base::Result<QList<Row>> query(const QByteArray &sql);
    QByteArray quoted(const QByteArray &text) const;
    /** Begins the stream: no question can be asked any more. */
    base::Result<void> dump(const LogPlace &from, quint32 serverId);
    /** Waits for the next event; valid until the next call. At most 15 s: the server sends a heartbeat each 5
     * s. */
    base::Result<QByteArrayView> next();
    void close();
    /** Makes a call that waits in the other thread end soon, and every later one. */
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
