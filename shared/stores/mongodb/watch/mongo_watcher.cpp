// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/mongodb/watch/mongo_watcher.h"

#include "shared/stores/end_thread.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockkeeper::stores::mongodb {

namespace {
constexpr int kFirstRetryMs = 100;
constexpr int kLongestRetryMs = 30'000;
constexpr int kMostTries = 5; ///< before it reports that nothing is followed
constexpr int kRoomMs = 100;
} // namespace

base::Result<void> StreamWorker::followFrom(quint64 run, const QByteArray &position)
{
    const auto resumed = m_stream.open(position);
    if (!resumed)
        return tl::unexpected(resumed.error());
    Q_EMIT begun(run, *resumed, m_stream.standing());
    while (isPresent(run)) {
        auto next = m_stream.next();
        if (!next)
            return tl::unexpected(next.error());
        while (!room.tryAcquire(1, kRoomMs)) {
            if (!isPresent(run))
                return {};
        }
        Q_EMIT told(run, *next);
        if (next->broken)
            return {};
    }
    return {};
}

void StreamWorker::follow(quint64 run, const QByteArray &position)
{
    QByteArray from = position;
    while (isPresent(run)) {
        if (const auto followed = followFrom(run, std::exchange(from, {})); !followed) {
            m_stream.close();
            Q_EMIT ended(run, followed.error());
            return;
        }
    }
    m_stream.close();
}

MongoWatcher::MongoWatcher(const SourceSpec &spec, const QList<Layout> &layouts, AnswerTimes &times,
                           QObject *parent)
    : QObject(parent), m_thread(new QThread), m_worker(new StreamWorker(spec, layouts)), m_times(times)
{
    m_thread->setObjectName(QStringLiteral("mongodb push ") + spec.name);
    m_worker->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &StreamWorker::begun, this,
            [this](quint64 run, bool resumed, const Standing &standing) {
                if (run == m_run)
                    onBegun(resumed, standing);
            });
    connect(m_worker, &StreamWorker::told, this, [this](quint64 run, const StreamAnswer &told) {
        m_worker->room.release();
        if (run == m_run)
            onTold(told);
    });
    connect(m_worker, &StreamWorker::ended, this, [this](quint64 run, const base::Error &why) {
        if (run == m_run)
            onEnded(why);
    });
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &MongoWatcher::follow);
    m_thread->start();
}

MongoWatcher::~MongoWatcher()
{
    m_worker->present.store(0);
    m_worker->disconnect(this);
    endThread(m_thread);
}

void MongoWatcher::open(const QByteArray &position)
{
    close();
    m_position = position;
    m_why = {};
    m_failures = 0;
    m_off = false;
    m_toldUs = 0;
    follow();
}

void MongoWatcher::close()
{
    m_worker->present.store(0);
    ++m_run;
    m_retry.stop();
    m_on = false;
    free(std::numeric_limits<qint64>::max());
}

void MongoWatcher::follow()
{
    m_worker->present.store(++m_run);
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, run = m_run, position = m_position] { worker->follow(run, position); },
        Qt::QueuedConnection);
}

void MongoWatcher::onBegun(bool resumed, const Standing &standing)
{
    const quint64 begun = m_run;
    Q_EMIT standingRead(standing);
    if (begun != m_run)
        return;
    m_failures = 0;
    m_off = false;
    const bool wasOn = std::exchange(m_on, true);
    const quint64 run = m_run;
    if (!wasOn || !resumed)
        Q_EMIT stateChanged({true, !resumed, std::exchange(m_why, {}), wasOn ? m_toldUs : 0});
    if (resumed || run != m_run)
        return;
    m_position.clear(); // if it worked later, it would repeat changes that scans have shown by then
    Push before;        // a scan that is under way may have read before the stream began
    before.everything = true;
    before.sinceUs = m_toldUs;
    Q_EMIT pushed(before);
}

void MongoWatcher::onTold(const StreamAnswer &told)
{
    const quint64 run = m_run;
    m_times.waited(told.lateUs, told.nowUs);
    if (!told.push.position.isEmpty()) {
        m_position = told.push.position;
        Q_EMIT pushed(told.push);
    }
    if (run != m_run)
        return;
    if (told.broken) {
        m_position.clear();
        m_why = *told.broken;
    }
    if (told.untilUs <= m_toldUs)
        return;
    m_toldUs = told.untilUs;
    free(m_toldUs);
    if (run == m_run)
        Q_EMIT seen(m_toldUs);
}

void MongoWatcher::onEnded(const base::Error &why)
{
    const bool waiting = base::isTransient(why.code);
    ++m_failures;
    if ((!waiting || m_failures >= kMostTries) && !std::exchange(m_off, true)) {
        const bool wasOn = std::exchange(m_on, false);
        free(std::numeric_limits<qint64>::max());
        Q_EMIT stateChanged({false, wasOn, why, m_toldUs});
    }
    m_retry.start(waiting ? std::min(kLongestRetryMs, kFirstRetryMs << std::min(m_failures - 1, 10))
                          : kLongestRetryMs);
}

void MongoWatcher::whenTold(qint64 us, std::function<void()> then)
{
    if (!m_on || us <= m_toldUs)
        then();
    else
        m_waiting.emplace_back(us, std::move(then));
}

void MongoWatcher::free(qint64 us)
{
    const auto ready = std::stable_partition(m_waiting.begin(), m_waiting.end(),
                                             [us](const auto &waiting) { return waiting.first > us; });
    std::vector<std::pair<qint64, std::function<void()>>> due(std::make_move_iterator(ready),
                                                              std::make_move_iterator(m_waiting.end()));
    m_waiting.erase(ready, m_waiting.end());
    for (const auto &[at, then] : due)
        then();
}

} // namespace lockkeeper::stores::mongodb
