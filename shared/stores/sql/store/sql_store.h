// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/push_link.h"
#include "shared/stores/sql/store/sql_worker.h"

#include <QMap>
#include <QThread>

#include <functional>
#include <utility>

namespace lockkeeper::stores::sql {

/**
 * The Store of MySQL and MariaDB tables. A SqlWorker on its own thread makes all blocking calls. This half
 * keeps the list of pending requests and answers each request once, also when the worker hangs in a dead
 * link.
 */
class SqlStore final : public Store
{
    Q_OBJECT

public:
    explicit SqlStore(const SourceSpec &spec, const ReleaseSeams &seams = {});
    /** Waits briefly for the worker. A worker that is stuck in a dead link ends by itself, within its time
     * limits. */
    ~SqlStore() override;

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override;
    void release(const ReleaseOrder &order, Released done) override;
    void setPaused(bool paused) override;
    void resumeAfter(const QByteArray &position) override { m_push.resumeAfter(position); }
    void setReconcileMs(qint64 ms) override;

private:
    /** A pending request. The callbacks for its kind of answer are set; `open()` has none. */
    struct SqlRequest
    {
        SqlJob job;
        PageTaken page = {};
        ScanEnded scanned = {};
        PointsRead pointsRead = {};
        Inspected inspected = {};
        Released released = {};
    };

    SqlJob ask(SqlRequest question);
    /** Queues `call` for the worker's thread. */
    template <typename Call> void tell(Call call)
    {
        QMetaObject::invokeMethod(
            m_worker, [worker = m_worker, call = std::move(call)] { std::invoke(call, *worker); },
            Qt::QueuedConnection);
    }
    /** True while the request is pending. */
    bool expects(quint64 ticket) const { return m_questions.contains(ticket); }
    void connectAnswers();
    void answerUndone(const SqlRequest &question);
    void onFailed(quint64 ticket, const base::Error &error);
    // sql_store_push.cpp
    void connectPush();
    void onOpened(quint64 ticket, const ServerInfo &info);
    void onPushState(const PushState &state);
    void onAltered(const base::Error &why);
    /** Answers once the log was read up to the place that the worker sent before the answer. */
    void answerLater(quint64 ticket, std::function<void()> answer);

    QThread *m_thread; ///< deletes itself and the worker when it has ended
    SqlWorker *m_worker;
    QMap<quint64, SqlRequest> m_questions;
    quint64 m_lastTicket = 0;
    quint64 m_openTicket = 0; ///< of the open() that counts; 0: none
    SourceSpec m_spec;
    binlog::PushLink m_push;
    QTimer m_clock;
    QList<binlog::WatchedSet> m_watched;
    std::optional<ServerInfo> m_found; ///< the opened server, until the log is known to be readable or not
    QList<ShardState> m_early;         ///< sets that were set aside before that
    QHash<quint64, binlog::LogPlace> m_places;
};

} // namespace lockkeeper::stores::sql
