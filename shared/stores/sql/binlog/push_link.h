// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/tail.h"

#include <QElapsedTimer>
#include <QThread>
#include <QTimer>

#include <deque>

namespace lockkeeper::stores::sql::binlog {

/**
 * Keeps a Tail running for a Store whose other connection is up: starts it, restarts it after a break, and
 * reports its state. If a new connection soon resumes at the old one's place, the link doesn't report the
 * break: no change is missed. Lives in the Store's thread.
 */
class PushLink final : public QObject
{
    Q_OBJECT

public:
    explicit PushLink(const SourceSpec &spec);
    ~PushLink() override;

    /** Where the next open() resumes. */
    void resumeAfter(const QByteArray &position) { m_resume = position; }
    /** Answers stateChanged(), on or off. `instance`: the server that the other connection reads; the stream
     * of another server is refused. */
    void open(const QList<WatchedSet> &sets, const QByteArray &instance);
    void close();
    bool isOn() const { return m_state.on; }
    const PushState &state() const { return m_state; }
    ClockBound &clock() { return *m_clock; }

    /** Calls `then` once every change up to `place` was passed on; at once while push is off. */
    void whenReached(const LogPlace &place, std::function<void()> then);
    /** The Store has passed on the changes of a pushed(). */
    void taken();

Q_SIGNALS:
    void pushed(const lockkeeper::stores::Push &push);
    void stateChanged(const lockkeeper::stores::PushState &state);
    void altered(const lockkeeper::base::Error &why);
    /** The link is reconnecting: the Store's other connection may be lost, too. */
    void broken();

private:
    struct PlaceWaiter
    {
        LogPlace place;
        std::function<void()> then;
    };

    void start(const QByteArray &resumeAfter);
    void end();
    /** Wraps a handler of the tail's signals: it ignores those that arrive after their tail has ended. */
    template <typename Take> auto ofPresent(Take take)
    {
        return [this, take, run = m_run](const auto &...told) {
            if (run == m_run)
                (this->*take)(told...);
        };
    }
    void onBegan(bool resumed, const base::Error &why);
    void onPushed(const Push &push);
    void onBlind(const base::Error &why) { setState({true, true, why}); }
    void onReached(const LogPlace &place);
    void onEnded(const base::Error &why);
    void setState(const PushState &state);
    void letGo();

    SourceSpec m_spec;
    std::shared_ptr<ClockBound> m_clock = std::make_shared<ClockBound>();
    QList<WatchedSet> m_sets;
    QByteArray m_instance;
    QThread *m_thread = nullptr; ///< runs m_tail; both delete themselves when the thread has ended
    Tail *m_tail = nullptr;
    quint64 m_run = 0; ///< counts the tails
    QTimer m_retry;
    QByteArray m_resume;
    QByteArray m_last; ///< the position of the last push
    PushState m_state;
    std::deque<PlaceWaiter> m_waiting;
    int m_failures = 0;
    int m_mends = 0;        ///< restarts in a row without progress in the log
    QElapsedTimer m_mended; ///< since the last restart began
    bool m_mending = false; ///< a new tail resumes where the last one broke, unreported
};

} // namespace lockkeeper::stores::sql::binlog
