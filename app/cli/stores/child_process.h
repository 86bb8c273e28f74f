// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/terminal.h"
#include "shared/base/result.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QList>
#include <QObject>

namespace lockkeeper::app::cli {

/** A variable of the command's environment; a null value removes it. */
struct Variable
{
    QByteArray name;
    QByteArray value;
};

/**
 * The command that `lockkeeperctl run` starts, and the signals meant for it. This is the only file of `run`
 * that calls the operating system's process functions. The command inherits the standard streams, the
 * terminal and the other files that were open when this object was made, but nothing opened later. It has a
 * separate process group, so that all its processes can be ended without ending our neighbours in a pipeline.
 * Only one may exist in a process.
 *
 * Signals sent to us are forwarded to the group, except those that were ignored when we started: they stay
 * ignored. The command gets the terminal if we had it, and we stop when the command is stopped from the
 * terminal (Ctrl-Z).
 */
class ChildProcess final : public QObject
{
    Q_OBJECT

public:
    /**
     * How the system treats the command (not the processes that the command started) when this process ends.
     */
    enum class Orphan : quint8 { Stays, Terminated, Killed };
    Q_ENUM(Orphan)

    ChildProcess();
    ~ChildProcess() override;

    /**
     * Searches the command in PATH, without a shell. Errors: NotFound, or the reason why it can't be
     * executed.
     */
    base::Result<void> start(const QByteArrayList &command, const QList<Variable> &environment,
                             Orphan orphan);
    /** Sends SIGTERM to the whole group, which is continued for it. */
    void terminate();
    /** Sends SIGKILL to the whole group. */
    void kill();
    bool isRunning() const { return m_group > 0 && !m_ended; }
    /** True if no process of the group is left. */
    bool isGroupGone() const;
    /** If Ctrl-C ended only the command, although it was meant for us too, ends us by the same signal. */
    void passInterruptOn();

Q_SIGNALS:
    /**
     * While no command is running, we got a signal that would have ended us; `status` is the status that
     * shells show for it.
     */
    void interrupted(int status);
    /** We were stopped and continue; the command continues after this. */
    void continued();
    /** `status` as shells show it: the command's status, or 128 plus the signal's number. */
    void ended(int status);

private:
    void onSignal(int number);
    void reap();
    void onStopped(int number);
    void goOn();
    void giveTerminal();
    void takeTerminal();
    void signalGroup(int number) const;

    SystemSignals m_signals;
    QList<int> m_inherited; ///< file descriptors above the standard streams
    int m_terminal = -1;    ///< the controlling one
    qint64 m_group = 0;
    bool m_ended = false;
    bool m_byInterrupt = false;
};

} // namespace lockkeeper::app::cli
