// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/attempts/probe_counter.h"
#include "shared/stores/redis/connection/connection.h"
#include "shared/stores/redis/connection/handshake.h"

#include <QElapsedTimer>

#include <limits>

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
    using Done = std::function<void(const ProbeReport &)>;
    static constexpr qsizetype kMostCounts = 10'000; ///< of one report
    static constexpr qint64 kMostBytes = 64 << 20;
    static constexpr qint64 kLongestUs = 10'000'000;

    /** Of the locks of `source`, as a client of `endpoint`. */
    ProbeRun(const Endpoint &endpoint, const SourceSpec &source, const ProbeOrder &order, Done done,
             QObject *parent);

    /** The most attempts first, and no more than that. */
    static void keepMost(ProbeReport &report);

    void start();
    /** Ends it as failed. */
    void fail(const base::Error &error);
    bool isOver() const { return m_over; }

private:
    void loggedIn(const base::Result<ServerFacts> &facts);
    void accepted(const redisReply *reply);
    void take(const redisReply *line);
    bool isLate();
    void end(ProbeEnd why);
    void conclude();

    const SourceSpec &m_source;
    Endpoint m_endpoint;
    ProbeOrder m_order;
    ProbeCounter m_counter;
    Done m_done;
    Connection m_connection;
    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_leastDelayUs =
        std::numeric_limits<qint64>::max(); ///< arrival − the server's time, in clocks that don't agree
    qint64 m_bytes = 0;
    ProbeReport m_report;
    bool m_listening = false;
    bool m_over = false;
};

} // namespace lockkeeper::stores::redis
