// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/store/mongo_session.h"
#include "shared/stores/mongodb/watch/mongo_watcher.h"
#include "shared/stores/passed_sets.h"

#include <QMap>
#include <QThread>

#include <functional>

namespace lockkeeper::stores::mongodb {

/** The blocking half: runs its jobs in its thread, one after the other. */
class MongoWorker final : public QObject
{
    Q_OBJECT

public:
    MongoWorker(const SourceSpec &spec, const QList<Layout> &layouts, WriteTerm leftOut)
        : m_session(spec, layouts, leftOut)
    {
    }
    MongoSession &session() { return m_session; }

Q_SIGNALS:
    /** To be called in the store's thread. */
    void answered(const std::function<void()> &answer);
    void lost(quint64 opening, const lockkeeper::base::Error &error);

private:
    MongoSession m_session;
};

/**
 * Scheme mongodb.ttl in one database: polled, and optionally also followed by a change stream. libmongoc
 * blocks, so it runs in a separate thread. A scan requests each page only after the previous page has
 * arrived, so a release waits for one page at most.
 */
class MongoStore final : public Store
{
    Q_OBJECT

public:
    MongoStore(const SourceSpec &spec, const QList<Layout> &layouts, WriteTerm leftOut = WriteTerm::None);
    /** Waits briefly for the worker; a worker that is stuck in a dead link ends within its time limits. */
    ~MongoStore() override;

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override;
    void release(const ReleaseOrder &order, Released done) override;
    void setPaused(bool paused) override;
    void resumeAfter(const QByteArray &position) override { m_resumeAfter = position; }

private:
    struct MongoRequest
    {
        std::shared_ptr<JobStage> stage;
        std::function<void(bool neverSent)> undone;
    };
    struct MongoScan
    {
        PageTaken page;
        ScanEnded done;
        ScanEnd end;
        quint16 set = 0;
        quint64 number = 0;
        bool waits = false; ///< for setPaused(false)
    };

    /** Runs `work` in the worker's thread, then `done` with its answer in this thread. If the store is closed
     * first, `undone` runs instead of `done`. */
    template <typename Work, typename Done>
    void ask(Work work, Done done, std::function<void(bool neverSent)> undone);
    void readPart();
    void takePart(PartRead &part);
    void breakOff(const base::Error &why);
    void noteStanding(const Standing &standing);
    void endScan();

    QThread *m_thread; ///< deletes itself and the worker when it has ended
    MongoWorker *m_worker;
    MongoWatcher *m_watcher = nullptr; ///< where changes are asked for; a child
    AnswerTimes m_times;
    QByteArray m_resumeAfter;
    Standing m_standing;
    SourceSpec m_spec;
    QMap<quint64, MongoRequest> m_questions;
    quint64 m_lastTicket = 0;
    quint64 m_opening = 0; ///< counts open()
    bool m_open = false;
    bool m_paused = false;
    std::optional<MongoScan> m_scan;
    PassedSets m_passed;
    QList<QByteArray> m_places; ///< by lock set
};

} // namespace lockkeeper::stores::mongodb
