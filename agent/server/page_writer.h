// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/server/batches.h"
#include "shared/transport/channel.h"

#include <QObject>
#include <QTimer>

#include <chrono>

namespace lockkeeper::agent::server {

/** As long as the channel lets a peer be silent. */
inline constexpr std::chrono::milliseconds kPagePatience = std::chrono::seconds(15);
/** So much a peer has to take in that time: others wait for their table meanwhile. */
inline constexpr qint64 kPageHeadway = 256 * 1024;
/** Bytes that a session may have with the kernel and Qt before its further frames wait in its own queue. */
inline constexpr qint64 kChannelHigh = 1024 * 1024;

/**
 * Sends a snapshot as pages, one a turn of the event loop and only while the peer takes them, so that neither
 * a large table nor a slow peer delays anybody else. A peer that takes less than kPageHeadway, of whatever it
 * is sent, in `patience` is stalled: the snapshot is let go.
 */
class PageWriter : public QObject
{
    Q_OBJECT

public:
    PageWriter(transport::Channel &channel, quint64 id, SnapshotPtr snapshot,
               std::chrono::milliseconds patience = kPagePatience, QObject *parent = nullptr);
    ~PageWriter() override;

    void start();
    /** Writes nothing any more and lets the snapshot go. */
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
    QTimer m_stall;    ///< started anew by each headway
    qint64 m_goal = 0; ///< who has taken so many bytes in all makes headway
};

} // namespace lockkeeper::agent::server
