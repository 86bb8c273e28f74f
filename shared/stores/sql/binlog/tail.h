// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/change_feed.h"
#include "shared/stores/sql/binlog/log_source.h"

#include <QObject>

#include <atomic>
#include <condition_variable>

namespace lockkeeper::stores::sql::binlog {

/**
 * Follows a server's binary log. run() blocks in this object's own thread, which emits the signals; any
 * thread may call all other functions. Changes come in pieces of at most 200, and no more than 64 pieces are
 * in flight: the server keeps the rest.
 */
class Tail final : public QObject
{
    Q_OBJECT

public:
    /** `instance`: the server that the store's other connection reads (ServerFacts). */
    Tail(SourceSpec spec, QList<WatchedSet> sets, std::shared_ptr<ClockBound> clock, QByteArray instance,
         QByteArray resumeAfter);

    void run();
    void stop();
    /** The receiver has taken a piece. */
    void taken();
    /** True where every change up to `place` was sent already; otherwise reached() follows once it was. */
    bool await(const LogPlace &place);

Q_SIGNALS:
    /** The log is being read. `resumed`: from the place where reading had stopped, so that no change is
     * missed. Otherwise `why` has the reason. */
    void began(bool resumed, const lockkeeper::base::Error &why);
    void pushed(const lockkeeper::stores::Push &push);
    /** Changes may be missing between the last and the next push. */
    void blind(const lockkeeper::base::Error &why);
    /** The columns that are read have changed: the connection must resolve its tables again. */
    void altered(const lockkeeper::base::Error &why);
    void reached(const lockkeeper::stores::sql::binlog::LogPlace &place);
    void ended(const lockkeeper::base::Error &why);

private:
    base::Result<void> follow();
    base::Result<void> begin(const BinlogPosition &from);
    base::Result<void> loop();
    base::Result<void> handle(LogItem item, const LogPlace &before, qint64 receivedUs);
    base::Result<void> described();
    base::Result<void> readAgain(const Fed &fed);
    void deliver(Fed fed);
    void send(QList<Change> changes, const LogPlace &place, quint32 skip);
    void keepPlace();
    bool waitForRoom();
    bool isStopped() const { return m_stopped; }

    const SourceSpec m_spec;
    const QList<WatchedSet> m_sets;
    const std::shared_ptr<ClockBound> m_clock;
    const QByteArray m_instance;
    const QByteArray m_resumeAfter;
    BinlogStream m_stream;
    Shapes m_shapes;
    BinlogPosition m_position; ///< server and tables of the present reading
    std::unique_ptr<LogReader> m_reader;
    std::unique_ptr<ChangeFeed> m_feed;
    bool m_resuming = false;
    bool m_began = false;
    quint32 m_expectedStamp = 0;
    quint32 m_skip = 0;
    base::Error m_why;
    qint64 m_keptUs = 0;

    std::atomic<bool> m_stopped{false};
    std::mutex m_mutex; ///< of all below
    std::condition_variable m_room;
    BinlogStream *m_aside = nullptr;
    int m_underWay = 0;
    LogPlace m_reached;
    std::optional<LogPlace> m_awaited;
};

} // namespace lockkeeper::stores::sql::binlog
