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
 * The pending questions, by id. Each ends exactly once, later and never from within a call, unless its
 * context is gone or it was cancelled. It knows nothing of links: the session reports when a link breaks.
 */
class Questions : public QObject
{
    Q_OBJECT

public:
    /** Gets the answer or the error. The handler itself checks that the message is the right answer. */
    using Handler = std::function<void(base::Result<protocol::Message>)>;

    explicit Questions(QObject *parent = nullptr);

    void setTimeoutMs(int ms) { m_timeoutMs = ms; }
    quint64 nextId() { return ++m_lastId; }
    /** An action (not `cancellable`) can't be cancelled once sent. */
    void add(quint64 id, QObject *context, Handler handler, bool cancellable = true);
    /**
     * Removes the time limit of a question: it ends by its answer, by the loss of the link, or by cancel().
     */
    void setEndless(quint64 id);
    /** Passes an answer to the pending question; false if no question has this id. */
    bool answer(quint64 id, const protocol::Message &message);
    void fail(quint64 id, const base::Error &error);
    void failAll(const base::Error &error);
    /** Cancels a question: it ends as Cancelled. False if it isn't pending or is an action. */
    bool cancel(quint64 id);

private:
    struct PendingQuestion
    {
        QPointer<QObject> context;
        Handler handler;
        qint64 deadlineMs = 0;
        bool cancellable = true;
    };
    void finish(quint64 id, base::Result<protocol::Message> result);
    void expire();
    void schedule();

    std::map<quint64, PendingQuestion> m_waiting;
    QElapsedTimer m_clock;
    QTimer m_timer;
    quint64 m_lastId = 0;
    int m_timeoutMs = 30'000;
};

} // namespace lockkeeper::app::session
