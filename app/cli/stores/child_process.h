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

/** A variable of the command's environment; a null value takes it out. */
struct Variable
{
    QByteArray name;
    QByteArray value;
};

/**
 * The command that `lockkeeperctl run` starts, and the signals that are meant for it: the only file of `run`
 * that asks the operating system about processes. The command gets standard streams, the terminal and what
 * else was open when this was made, nothing that was opened since, and a process group of its own, so that
 * all of it can be ended without ending who stands beside us in a pipeline. One at a time in a process.
 *
 * Signals that come to us go to the group, but those that were ignored when we came: they stay ignored. The
 * command has the terminal where we had it, and we stop when the command is stopped from there (Ctrl-Z).
 */
class ChildProcess final : public QObject
{
    Q_OBJECT

public:
    /** What the system does to the command (not to what it has started) when this process is gone. */
    enum class Orphan : quint8 { Stays, Terminated, Killed };
    Q_ENUM(Orphan)

    ChildProcess();
    ~ChildProcess() override;

    /** By its name in PATH, without a shell. An error: NotFound, or why it can't be executed. */
    base::Result<void> start(const QByteArrayList &command, const QList<Variable> &environment,
                             Orphan orphan);
    /** SIGTERM to the whole group, which is woken for it. */
    void terminate();
    /** SIGKILL to the whole group. */
    void kill();
    bool isRunning() const { return m_group > 0 && !m_ended; }
    /** Nothing of the group is left. */
    bool isGroupGone() const;
    /** Where Ctrl-C has ended the command alone, though it was typed for all of us: ends us by it as well. */
    void passInterruptOn();

Q_SIGNALS:
    /** A signal that would have ended us, while there is no command, as the status that shells show for it.
     */
    void interrupted(int status);
    /** We were stopped and go on; the command does so after this. */
    void continued();
    /** The status that shells show: its own, or 128 and the signal's number. */
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
