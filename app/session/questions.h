// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <map>

namespace lockkeeper::app::session {

/**
 * The questions that wait for an answer, by id. Each ends exactly once, later and never from within a call,
 * unless its context has gone or it was cancelled. Knows nothing of links: the session says when one breaks.
 */
class Questions : public QObject
{
    Q_OBJECT

public:
    /** Gets the answer, or the error. Where the message isn't the right answer it says so itself. */
    using Handler = std::function<void(base::Result<protocol::Message>)>;

    explicit Questions(QObject *parent = nullptr);

    void setTimeoutMs(int ms) { m_timeoutMs = ms; }
    quint64 nextId() { return ++m_lastId; }
    /** An act (not `cancellable`) can't be taken back once it was sent. */
    void add(quint64 id, QObject *context, Handler handler, bool cancellable = true);
    /** One that takes as long as it takes: it ends with its answer, with the link, or by cancel(). */
    void setEndless(quint64 id);
    /** Hands an answer to whoever waits for it; false for an id that nobody waits for. */
    bool answer(quint64 id, const protocol::Message &message);
    void fail(quint64 id, const base::Error &error);
    void failAll(const base::Error &error);
    /** Takes a question back: it ends as Cancelled. False where it isn't under way or is an act. */
    bool cancel(quint64 id);

private:
    struct Question
    {
        QPointer<QObject> context;
        Handler handler;
        qint64 deadlineMs = 0;
        bool cancellable = true;
    };
    void finish(quint64 id, base::Result<protocol::Message> result);
    void expire();
    void schedule();

    std::map<quint64, Question> m_waiting;
    QElapsedTimer m_clock;
    QTimer m_timer;
    quint64 m_lastId = 0;
    int m_timeoutMs = 30'000;
};

} // namespace lockkeeper::app::session
