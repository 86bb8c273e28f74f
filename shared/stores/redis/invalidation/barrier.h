// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <functional>
#include <map>
#include <utility>

namespace lockkeeper::stores::redis::push {

inline constexpr qint64 kSetBackUs = 100'000; ///< a clock that goes back by less: two answers that overlap

/**
 * The watermark: up to which time of the store's clock all notifications have come.
 *
 * Notifications come by one connection, times by another, and nothing in Redis' documentation puts the two in
 * order. The server's event loop does (server.c, beforeSleep(); tracking.c,
 * trackingBroadcastInvalidationMessages()): the server announces changed keys to every subscriber at the end
 * of the turn of the loop in which they changed. A TIME was answered T in some turn. A PING that the
 * subscriber sends after that answer runs in a later turn, with one exception. If the answer went out before
 * the end of its turn (a client whose output was left over; threads of Redis 8), the PING may run in the same
 * turn. A second PING, sent after the first one's answer, can't run in that turn any more, as a connection is
 * read once a turn. So any change announced behind the second answer happened after T.
 *
 * One proof at a time; a TIME that is answered meanwhile is proven by the next one. Pure: commands go through
 * `Line`, answers come by its callbacks and ponged().
 */
class Barrier
{
public:
    struct BarrierCalls
    {
        /** TIME on the connection that reads; the callback may never come. */
        std::function<void(std::function<void(qint64)>)> askTime;
        std::function<void()> ping; ///< on the subscribed one; ponged() follows
        std::function<void(qint64)> proven;
    };

    explicit Barrier(BarrierCalls line) : m_line(std::move(line)) {}

    /** Starts over; every change announced from now on happened after `us`. */
    void begin(qint64 us);
    /** No proof will come any more: all waiting callbacks are called. */
    void end();

    /** A TIME was answered by the connection that reads. */
    void timeRead(qint64 us);
    void ponged();
    /** Asks for the time, unless a proof is under way. */
    void renew();

    /** Calls `then` once all up to `us` is proven; `us` is a time that was read. At once after end(). */
    void whenProven(qint64 us, std::function<void()> then);

    /** Calls `then` once all up to this moment is proven. */
    void whenProvenNow(std::function<void()> then);

    /** 0 after the store's clock was set back, until there is a new proof. */
    qint64 provenUs() const { return m_provenUs; }
    bool isUnderWay() const { return m_pings > 0; }

private:
    void start();
    void callDue();

    BarrierCalls m_line;
    std::multimap<qint64, std::function<void()>> m_waiting;
    qint64 m_provenUs = 0;
    qint64 m_candidateUs = 0;
    qint64 m_nextUs = 0;
    int m_pings = 0; ///< still to be answered
    bool m_on = false;
};

} // namespace lockkeeper::stores::redis::push
