// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/private_agent/watch_files.h"

#include <QLocalSocket>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <functional>
#include <memory>

namespace lockkeeper::app::private_agent {

/**
 * An agent for this user only: a child process with its own folder and local socket. It ends with the
 * console, even if the console crashes, or outlives it on request and is found again at the next start. Lives
 * on the event loop of one thread. Only the destructor may wait, at most three seconds for a child to end.
 */
class PrivateAgent : public QObject
{
    Q_OBJECT

public:
    enum class LaunchState : quint8 {
        Off = 0,
        Checking, ///< the agent checks its configuration and its stores (--check)
        Stopping, ///< a running agent is ended first
        Starting,
        Running,
    };

    explicit PrivateAgent(const QString &folder, QObject *parent = nullptr);
    ~PrivateAgent() override;

    /** The program: beside this one, otherwise in PATH; empty: not installed. */
    static QString findProgram();
    void setProgram(const QString &program) { m_program = program; }

    const WatchFiles &files() const { return m_files; }
    LaunchState state() const { return m_state; }

    /** Adds a store: checks it, then (re)starts the agent. `keep`: the agent outlives this program. */
    void watch(const Watch &watch, bool keep);
    /** Starts the agent with its stores, or finds a kept agent. */
    void resume(bool keep);
    /** Ends the agent, even a kept one; stopped() follows. */
    void stop();

Q_SIGNALS:
    void stateChanged();
    /** The agent serves on this address. */
    void ready(const QString &address);
    /** The agent doesn't run. `output` is its unchanged output, as plain text. */
    void failed(const lockkeeper::base::Error &error, const QString &output);
    void stopped();

private:
    void setState(LaunchState state);
    void fail(base::ErrorCode code, const QString &cause, const QString &remedy, const QString &output = {});
    bool findsProgram();
    WatchFiles trial() const;
    Watch endTrial();
    void take(const Watch &watch);
    void check();
    void restart();
    void launch();
    void endChild(std::function<void()> then);
    void endKept(std::function<void()> then);
    void knock();
    QString logTail() const;

    WatchFiles m_files;
    QString m_program;
    LaunchState m_state = LaunchState::Off;
    bool m_keep = false;
    Watch m_asked;                      ///< while it is checked
    std::unique_ptr<QProcess> m_agent;  ///< the child; null if the agent is kept or off
    std::unique_ptr<QProcess> m_helper; ///< --check or --stop
    std::unique_ptr<QLocalSocket> m_knock;
    QTimer m_again;
    QTimer m_limit;
};

} // namespace lockkeeper::app::private_agent
