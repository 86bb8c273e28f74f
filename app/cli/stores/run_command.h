// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/stores/child_process.h"
#include "shared/locks/lock_manager.h"

#include <QTimer>

#include <functional>

namespace lockkeeper::app::cli {

/**
 * Holds a lock while a command runs, without any agent. Ends with the command's status; with NotObtained if
 * the lock wasn't acquired in time; and with LockLost once the command and its group have ended after running
 * without the lock. Writes nothing to standard output, which belongs to the command.
 */
class RunCommand final : public Command
{
    Q_OBJECT

public:
    RunCommand(RunOptions options, Context &context);
    ~RunCommand() override;

    void start() override;

private:
    enum class State : quint8 { Waiting, Running, Ended };

    void tried(const base::Result<bool> &result);
    void waited(const base::Result<bool> &result);
    void launch();
    void onLost(const base::Error &why);
    void onEnded(int status);
    void awaitGroup();
    void giveBack(int status);
    void leave(std::function<void()> then);
    void onInterrupted(int status);
    void refuse(const base::Error &error);
    QString lockText() const;

    RunOptions m_options;
    ChildProcess m_child; ///< made before any connection, so that the command inherits none
    std::unique_ptr<locks::LockManager> m_manager;
    std::unique_ptr<locks::Lock> m_lock;
    State m_state = State::Waiting;
    int m_status = 0; ///< of the command, once it has ended
    bool m_lost = false;
    bool m_killed = false;
    int m_looks = 0; ///< whether the group has ended since it was killed
    QTimer m_killer;
    QTimer m_look;
};

} // namespace lockkeeper::app::cli
