// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/blocking/event_thread.h"

#include <QCoreApplication>
#include <QMutexLocker>

#include <utility>

namespace lockkeeper::locks {

using base::ErrorCode;
using base::failure;

EventThread::EventThread()
    : m_process(QCoreApplication::applicationPid()),
      m_thread(std::make_unique<QThread>()),
      m_root(new QObject)
{
    m_root->moveToThread(m_thread.get());
    QObject::connect(m_thread.get(), &QThread::finished, m_root, &QObject::deleteLater);
    m_thread->start();
}

EventThread::~EventThread()
{
    end();
    if (!isHere())
        m_thread.release(); // it runs in the parent process
}

bool EventThread::isHere() const
{
    return QCoreApplication::applicationPid() == m_process;
}

void EventThread::end()
{
    if (!isHere())
        return;
    {
        const QMutexLocker lock(&m_mutex);
        if (std::exchange(m_ended, true))
            return;
    }
    QMetaObject::invokeMethod(
        m_root,
        [this] {
            const QObjectList children = m_root->children();
            qDeleteAll(children);
            // Quit only after the messages that the children have sent to their handles.
            QMetaObject::invokeMethod(
                m_root, [this] { m_thread->quit(); }, Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
    m_thread->wait();
}

base::Result<void> EventThread::post(std::function<void()> call)
{
    if (!isHere())
        return failure(ErrorCode::Shutdown,
                       QStringLiteral("this process was forked from the one that has the locks"),
                       QStringLiteral("Create a separate Runtime in the child."));
    if (QThread::currentThread() == m_thread.get())
        return failure(ErrorCode::Usage, QStringLiteral("this would wait for its own thread"),
                       QStringLiteral("A stop callback may only notify other threads."));
    const QMutexLocker lock(&m_mutex);
    if (m_ended)
        return tl::unexpected(ended());
    QMetaObject::invokeMethod(m_root, std::move(call), Qt::QueuedConnection);
    return {};
}

base::Error EventThread::ended()
{
    return {ErrorCode::Shutdown, QStringLiteral("the Runtime that this belongs to has ended"), {}};
}

} // namespace lockkeeper::locks
