// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>

namespace lockkeeper::stores {

/**
 * Deletes a thread that was asked to end, once it has ended. A thread whose driver still waits for a server
 * is left behind after 500 ms: it ends within the driver's own time limit and then deletes itself.
 */
inline void awaitThread(QThread *thread)
{
    if (thread->wait(500))
        delete thread;
    else
        QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
}

/** Ends a thread that runs an event loop, and deletes it. */
inline void endThread(QThread *thread)
{
    thread->quit();
    awaitThread(thread);
}

} // namespace lockkeeper::stores
