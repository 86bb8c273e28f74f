// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/server/batches.h"
#include "shared/transport/channel.h"

#include <QObject>
#include <QTimer>

#include <chrono>

namespace lockkeeper::agent::server {

/** The time for which the channel lets a peer stay silent. */
inline constexpr std::chrono::milliseconds kPagePatience = std::chrono::seconds(15);
/** Bytes that a peer must take in that time, because others wait for their table meanwhile. */
inline constexpr qint64 kPageHeadway = 256 * 1024;
/** Bytes of a session that may wait in the kernel and Qt; further frames wait in the session's queue. */
inline constexpr qint64 kChannelHigh = 1024 * 1024;

/**
 * Sends a snapshot as pages, one per turn of the event loop and only while the peer takes them, so that
 * neither a large table nor a slow peer delays others. A peer is stalled if it takes less than kPageHeadway
 * bytes, of any kind, within `patience`: the writer then drops the snapshot.
 */
class PageWriter : public QObject
{
    Q_OBJECT

public:
    PageWriter(transport::Channel &channel, quint64 id, SnapshotPtr snapshot,
               std::chrono::milliseconds patience = kPagePatience, QObject *parent = nullptr);
    ~PageWriter() override;

    void start();
    /** Stops writing and drops the snapshot. */
    void cancel();

Q_SIGNALS:
    void finished();
    void stalled();

private:
    void writeSome();
    void writePage();
    void taken();
    void writeLastPage();

    transport::Channel &m_channel;
    quint64 m_id;
    SnapshotPtr m_snapshot;
    bool m_done = false;
    QTimer m_turn;
    QTimer m_stall;    ///< restarted at each headway
    qint64 m_goal = 0; ///< the total of taken bytes that counts as headway
};

} // namespace lockkeeper::agent::server
