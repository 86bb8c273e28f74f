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
 * Keeps a Tail going for a Store whose other connection is up: begins it, begins it again where it breaks,
 * and says how that stands. A break that a new connection mends soon, from where the old one was, isn't
 * told: nothing is missed. Lives in the Store's thread.
 */
class PushLink final : public QObject
{
    Q_OBJECT

public:
    explicit PushLink(const SourceSpec &spec);
    ~PushLink() override;

    /** For the next open(). */
    void resumeAfter(const QByteArray &position) { m_resume = position; }
    /** Answers stateChanged(), on or off. `instance`: of the server that the other connection reads; a stream
     * of another one is none. */
    void open(const QList<WatchedSet> &sets, const QByteArray &instance);
    void close();
    bool isOn() const { return m_state.on; }
    const PushState &state() const { return m_state; }
    ClockBound &clock() { return *m_clock; }

    /** Calls `then` once every change up to `place` was told; at once while push is off. */
    void whenReached(const LogPlace &place, std::function<void()> then);
    /** The changes of a pushed() were passed on. */
    void taken();

Q_SIGNALS:
    void pushed(const lockkeeper::stores::Push &push);
    void stateChanged(const lockkeeper::stores::PushState &state);
    void altered(const lockkeeper::base::Error &why);
    /** It is being mended: the Store's other connection may be gone, too. */
    void broken();

private:
    struct Waiting
    {
        LogPlace place;
        std::function<void()> then;
    };

    void start(const QByteArray &resumeAfter);
    void end();
    /** For what a tail says: it may come after that one has ended. */
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
    QThread *m_thread = nullptr; ///< with m_tail; both delete themselves when it has ended
    Tail *m_tail = nullptr;
    quint64 m_run = 0; ///< counts the tails
    QTimer m_retry;
    QByteArray m_resume;
    QByteArray m_last; ///< the position of the last push
    PushState m_state;
    std::deque<Waiting> m_waiting;
    int m_failures = 0;
    int m_mends = 0;        ///< in a row, none of which brought the place on
    QElapsedTimer m_mended; ///< since the last began
    bool m_mending = false; ///< a new tail goes on where the last one broke, and nobody knows
};

} // namespace lockkeeper::stores::sql::binlog
