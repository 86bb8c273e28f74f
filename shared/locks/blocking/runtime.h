// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <memory>

class QCoreApplication;

namespace lockkeeper::locks {

class EventThread;

/**
 * The event loop that locks need, for programs that have none: a thread, and Qt's application object where
 * the program has made none before. Make it first and in one thread with its end, at best in main(); a
 * program may have several, one after the other or at once. Managers and locks that are still there when it
 * ends are lost: end them before it.
 *
 * A forked child has none of it: its calls fail, its handles aren't held, and nothing is given back twice.
 */
class Runtime final
{
public:
    Runtime();
    ~Runtime();
    Q_DISABLE_COPY_MOVE(Runtime)

private:
    friend class BlockingLockManager;

    std::unique_ptr<QCoreApplication> m_application; ///< null: the program has its own
    std::shared_ptr<EventThread> m_thread;
};

} // namespace lockkeeper::locks
