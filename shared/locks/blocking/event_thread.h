// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QMutex>
#include <QObject>
#include <QThread>

#include <functional>
#include <future>
#include <memory>

namespace lockkeeper::locks {

/** A thread with an event loop. Other threads can run a question in it and wait for the answer. */
class EventThread final
{
public:
    EventThread();
    ~EventThread();
    Q_DISABLE_COPY_MOVE(EventThread)

    template <typename T> using Answer = std::function<void(base::Result<T>)>;

    /**
     * Runs `question` in the thread and waits for its answer, which may come at once or later. Fails if no
     * answer can come: the thread has ended or ends meanwhile, the object that has to answer is destroyed, or
     * the caller is a forked child or the thread itself.
     */
    template <typename T> base::Result<T> ask(std::function<void(Answer<T>)> question)
    {
        auto promise = std::make_shared<std::promise<base::Result<T>>>();
        std::future<base::Result<T>> future = promise->get_future();
        const auto posted = post([question = std::move(question), promise = std::move(promise)] {
            question([promise](base::Result<T> result) { promise->set_value(std::move(result)); });
        });
        if (!posted)
            return tl::unexpected(posted.error());
        try {
            return future.get();
        } catch (const std::future_error &) { // the object that had to answer is destroyed
            return tl::unexpected(ended());
        }
    }

    /** The parent of the objects that are destroyed when the thread ends. Use it only in the thread. */
    QObject *root() { return m_root; }
    /** False in a forked child. */
    bool isHere() const;
    /** Destroys the children of root(), and waits for the thread's end. */
    void end();

private:
    base::Result<void> post(std::function<void()> call);
    static base::Error ended();

    qint64 m_process;
    std::unique_ptr<QThread> m_thread;
    QMutex m_mutex; ///< guards m_ended
    bool m_ended = false;
    QObject *m_root;
};

} // namespace lockkeeper::locks
