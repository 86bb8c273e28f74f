// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/monitor/probe_counter.h"

#include <QElapsedTimer>
#include <QTimer>

namespace lockkeeper::stores::redis {

/**
 * Runs one MONITOR on a separate connection, limited in time, in commands and in bytes. The run ends by
 * closing the connection, also when this object is destroyed. It ends as well when lines come late by half a
 * second: a server buffers whatever a slow client hasn't read. `done` is called once, from the event loop,
 * and the object then deletes itself. Neither happens if the object is destroyed first. With an order for
 * 0 µs the run only checks whether MONITOR is permitted.
 */
class ProbeRun : public QObject
{
    Q_OBJECT

public:
    /** Begins to listen for attempts on the locks of `source`, as a client of `endpoint`; `runId` as of
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
    RedisConnection m_connection;
    QTimer m_timer;
    QElapsedTimer m_clock; ///< since MONITOR was granted; not valid before
    qint64 m_leastDelayUs; ///< arrival − the server's time, in clocks that don't agree
    qint64 m_bytes = 0;
    bool m_over = false;
};

} // namespace lockkeeper::stores::redis
