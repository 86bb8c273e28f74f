// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <memory>

class QCoreApplication;

namespace lockkeeper::locks {

class EventThread;

/**
 * The event loop that locks need, for programs without one: a thread, and Qt's application object unless the
 * program has made one before. Construct it first, and destroy it in the same thread, ideally in main(). A
 * program may have several, one after another or at once. Managers and locks that still exist when it is
 * destroyed are lost: destroy them before it.
 *
 * A forked child can't use it: calls fail, handles aren't held, and nothing is released twice.
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
