// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/binlog_position.h"
#include "shared/stores/sql/standing/standing_reader.h"
#include "shared/stores/sql/store/held_reads.h"
#include "shared/stores/sql/store/open_sets.h"

#include <QLoggingCategory>
#include <QObject>

Q_DECLARE_LOGGING_CATEGORY(lcSqlStore)

namespace lockkeeper::stores::sql {

/** One request to the worker. `ticket` is unique in a Store; every answer carries it. */
struct SqlJob
{
    quint64 ticket = 0;
    std::shared_ptr<JobStage> stage = std::make_shared<JobStage>();
};

/**
 * The blocking half of a SQL Store: it lives in its worker thread and receives queued calls. It reads a scan
 * page by page, each in a separate event, so that a release never waits for more than a page.
 */
class SqlWorker final : public QObject
{
    Q_OBJECT

public:
    SqlWorker(SourceSpec spec, ReleaseSeams seams);
    ~SqlWorker() override;

    void open(const SqlJob &job);
    void close();
    void scan(const SqlJob &job);
    /** The caller's thread has taken a page: the worker may read another one, into the same memory if no
     * caller kept it. */
    void pageTaken(const QList<Observation> &locks);
    /** Answers pointsRead(). A page that ends at 0 means failure. */
    void readPoints(const SqlJob &job, const QList<Subject> &subjects);
    void inspect(const SqlJob &job, const Subject &subject);
    void release(const SqlJob &job, const ReleaseOrder &order);
    /** While paused, a scan reads nothing more. It returns pages that it has read, whose time brackets age.
     */
    void setPaused(bool paused);
    /** Set while the binary log is being read: the worker then sends the log's end, by placeRead(), with each
     * pointsRead() and scanEnded(). */
    void setTailed(bool tailed) { m_tailed = tailed; }
    /** The interval of whole readings of a table, where reading its held rows is otherwise enough. */
    void setReconcileMs(qint64 ms);
    /** Answers clockRead(), or nothing while there is no connection. */
    void readClock();

Q_SIGNALS:
    /** Right before opened(), where the source wants the binary log: the sets whose changes are in it. */
    void watchable(quint64 ticket, const QList<lockkeeper::stores::sql::binlog::WatchedSet> &sets);
    void opened(quint64 ticket, const lockkeeper::stores::ServerInfo &info);
    /** After opened(): the connection's findings. */
    void found(quint64 ticket, const QList<lockkeeper::domain::Finding> &findings);
    void standingRead(quint64 ticket, const lockkeeper::stores::Standing &standing);
    /** The link is lost; `ticket` is that of its open(). */
    void failed(quint64 ticket, const lockkeeper::base::Error &error);
    void scanPageRead(quint64 ticket, const lockkeeper::stores::Page &page);
    void pointsRead(quint64 ticket, const lockkeeper::stores::Page &page);
    void scanEnded(quint64 ticket, const lockkeeper::stores::ScanEnd &end);
    void inspected(quint64 ticket, const lockkeeper::stores::Inspection &inspection);
    /** After opened(): a set that can't be read while others are, or that is read again. */
    void setChanged(quint64 ticket, const lockkeeper::stores::ShardState &set);
    /** The wait graph, once a scan, where a set of the source has it. */
    void graphRead(quint64 ticket, const lockkeeper::domain::WaitGraph &graph);
    void released(quint64 ticket, const lockkeeper::stores::ReleaseReport &report);
    /** Right before the answer: every change that the answer shows is in the log before this place. */
    void placeRead(quint64 ticket, const lockkeeper::stores::sql::binlog::LogPlace &place);
    /** The store's clock, and this process's monotonic time at which the worker requested it. Every change
     * until then is in the log before this place. */
    void clockRead(qint64 storeUs, qint64 askedUs, const lockkeeper::stores::sql::binlog::LogPlace &place);

private:
    struct SqlScan
    {
        SqlJob job;
        ScanEnd end;
        size_t set = 0;
        bool inRange = false; ///< locks of the set are read but not handed out yet
        bool begun = false;
        bool setBegun = false;
        int unread = 0; ///< pages sent and not yet taken
        bool scheduled = false;
    };

    base::Result<ServerInfo> openAll();
    /** Reconnects where the server, or a proxy before it, has closed the idle connection. */
    void wake();
    void schedulePage();
    void readPage();
    void readPageOf(SetReader &set);
    /** Begins to read a set, or its next range. */
    base::Result<void> readOn(SetReader &set, const ReadSize &size);
    void noteComplete(ScanEnd &end);
    QList<Observation> takeSpare();
    void endScan(const std::optional<base::Error> &error);
    std::optional<base::Error> beginScan();
    void tellGraph();
    base::Result<SetReader *> setOf(quint16 set) const;
    /** Closes the link and emits failed() where the error means that the link is of no more use. */
    void failIfBroken(const base::Error &error);
    /** The same for an error of one set; the other sets may continue. */
    void setFailed(size_t set, const base::Error &error);
    /** Handles a set that the scan couldn't read. */
    void passOver(size_t set, const base::Error &error);
    void pointReadFailed(const SqlJob &job, const base::Error &error);
    void tellWatchable();
    void tellFindings();
    /** At most once a second. */
    base::Result<void> tellStanding();
    /** The current end of the log; null where the log isn't read. */
    binlog::LogPlace place();
    void tellPlace(quint64 ticket);

    SourceSpec m_spec;
    ReleaseSeams m_seams;
    SqlConnection m_connection;
    ServerFacts m_facts;
    StandingReader m_standing;
    qint64 m_standingReadUs = 0;    ///< monotonic
    OpenSets m_sets;                ///< destroyed before m_connection
    std::vector<HeldReads> m_reads; ///< by lock set
    qint64 m_usedUs = 0;            ///< when the connection was last used, monotonic
    quint64 m_openTicket = 0;
    std::optional<QList<domain::Finding>> m_findings; ///< as last reported; empty: not since open()
    bool m_tailed = false;
    bool m_paused = false;
    std::optional<SqlScan> m_scan;
    QList<QList<Observation>> m_spare; ///< returned pages
};

} // namespace lockkeeper::stores::sql
