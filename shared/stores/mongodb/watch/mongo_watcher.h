// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/answer_times.h"
#include "shared/stores/mongodb/watch/change_stream.h"

#include <QObject>
#include <QSemaphore>
#include <QThread>
#include <QTimer>

#include <atomic>
#include <functional>

namespace lockkeeper::stores::mongodb {

/** The blocking half of a Watcher: follows the stream in a separate thread until it is asked to stop. */
class StreamWorker final : public QObject
{
    Q_OBJECT

public:
    StreamWorker(const SourceSpec &spec, const QList<Layout> &layouts) : m_stream(spec, layouts) {}

    /** Returns once `run` isn't the present one any more, or the stream has ended. */
    void follow(quint64 run, const QByteArray &position);

    std::atomic<quint64> present{0}; ///< run; from any thread
    QSemaphore room{kMostAhead};     ///< for reports not yet received; the receiver releases it

Q_SIGNALS:
    void begun(quint64 run, bool resumed, const lockkeeper::stores::Standing &standing);
    void told(quint64 run, const lockkeeper::stores::mongodb::StreamAnswer &told);
    void ended(quint64 run, const lockkeeper::base::Error &why);

private:
    static constexpr int kMostAhead = 16;
    bool isPresent(quint64 run) const { return present.load() == run; }
    base::Result<void> followFrom(quint64 run, const QByteArray &position);

    ChangeStream m_stream;
};

/**
 * Follows a ChangeStream beside the store's other requests. When its connection ends, it resumes the stream
 * where it was, or reports that this is impossible. Lives in the store's thread and answers there.
 */
class MongoWatcher final : public QObject
{
    Q_OBJECT

public:
    /** `times` records how late changes arrive. */
    MongoWatcher(const SourceSpec &spec, const QList<Layout> &layouts, AnswerTimes &times,
                 QObject *parent = nullptr);
    /** Waits briefly for its thread. */
    ~MongoWatcher() override;

    void open(const QByteArray &position);
    /** No more signals follow; pending whenTold() callbacks are called. */
    void close();
    /** Calls `then` once every change up to this time of the store was reported; at once while it doesn't
     * follow. */
    void whenTold(qint64 us, std::function<void()> then);

Q_SIGNALS:
    void stateChanged(const lockkeeper::stores::PushState &state);
    void pushed(const lockkeeper::stores::Push &push);
    /** At the beginning of each connection, before anything else. */
    void standingRead(const lockkeeper::stores::Standing &standing);
    /** All changes up to this time were reported. */
    void seen(qint64 us);

private:
    void follow();
    void onBegun(bool resumed, const Standing &standing);
    void onTold(const StreamAnswer &told);
    void onEnded(const base::Error &why);
    void free(qint64 us);

    QThread *m_thread; ///< deletes itself and the worker when it has ended
    StreamWorker *m_worker;
    AnswerTimes &m_times;
    QTimer m_retry;
    QByteArray m_position;
    base::Error m_why; ///< why everything starts over
    std::vector<std::pair<qint64, std::function<void()>>> m_waiting;
    quint64 m_run = 0;
    qint64 m_toldUs = 0;
    int m_failures = 0;
    bool m_on = false;
    bool m_off = false; ///< reported that nothing is followed
};

} // namespace lockkeeper::stores::mongodb
