// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/attempts/probe_counter.h"
#include "shared/stores/redis/connection/connection.h"

#include <QElapsedTimer>
#include <QTimer>

namespace lockkeeper::stores::redis {

/**
 * One MONITOR on a connection of its own, for a bounded time, number of commands and number of bytes; it ends
 * by closing the connection, also when this object goes. It ends as well when lines come late by half a
 * second: a server keeps for a client that reads too slowly whatever it hasn't read. `done` is called once,
 * from the event loop, unless the object is destroyed first; it deletes itself then. With an order for 0 µs
 * it only finds out whether it may.
 */
class ProbeRun : public QObject
{
    Q_OBJECT

public:
    /** Begins to listen to what concerns the locks of `source`, as a client of `endpoint`; `runId` as of
     * shakeHands(). */
    ProbeRun(const Endpoint &endpoint, const SourceSpec &source, const QByteArray &runId,
             const ProbeOrder &order, Store::Probed done, QObject *parent);

    /** Ends it as failed, unless it has ended. */
    void fail(const base::Error &error) { end(ProbeEnd::Time, error); }
    bool isOver() const { return m_over; }

private:
    void listen();
    void take(const redisReply *line);
    void end(ProbeEnd why, const std::optional<base::Error> &error = {});

    ProbeOrder m_order;
    ProbeCounter m_counter;
    Store::Probed m_done;
    Connection m_connection;
    QTimer m_timer;
    QElapsedTimer m_clock; ///< since MONITOR was granted; not valid before
    qint64 m_leastDelayUs; ///< arrival − the server's time, in clocks that don't agree
    qint64 m_bytes = 0;
    bool m_over = false;
};

} // namespace lockkeeper::stores::redis
