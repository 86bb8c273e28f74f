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
 * An agent of this user alone: a child process with its own folder and local socket. It ends with the console
 * (also when that crashes), or, where asked for, outlives it and is found again at the next start. Lives on
 * the event loop of one thread; only the destructor may wait, for a child to end, three seconds at most.
 */
class PrivateAgent : public QObject
{
    Q_OBJECT

public:
    enum class State : quint8 {
        Off = 0,
        Checking, ///< the agent looks at its configuration and its stores (--check)
        Stopping, ///< one that runs already is ended first
        Starting,
        Running,
    };

    explicit PrivateAgent(const QString &folder, QObject *parent = nullptr);
    ~PrivateAgent() override;

    /** The program: beside this one, else in PATH; empty: not installed. */
    static QString findProgram();
    void setProgram(const QString &program) { m_program = program; }

    const WatchFiles &files() const { return m_files; }
    State state() const { return m_state; }

    /** Adds a store to what it watches: check, then (re)start. `keep`: it outlives this program. */
    void watch(const Watch &watch, bool keep);
    /** Starts it on what it watches already, or finds one that was kept. */
    void resume(bool keep);
    /** Ends it, a kept one as well; stopped() follows. */
    void stop();

Q_SIGNALS:
    void stateChanged();
    /** It serves on this address. */
    void ready(const QString &address);
    /** It doesn't run. `output` is what it said, in its own words, as plain text. */
    void failed(const lockkeeper::base::Error &error, const QString &output);
    void stopped();

private:
    void setState(State state);
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
    State m_state = State::Off;
    bool m_keep = false;
    Watch m_asked;                      ///< while it is checked
    std::unique_ptr<QProcess> m_agent;  ///< the child; null where it is kept or off
    std::unique_ptr<QProcess> m_helper; ///< --check or --stop
    std::unique_ptr<QLocalSocket> m_knock;
    QTimer m_again;
    QTimer m_limit;
};

} // namespace lockkeeper::app::private_agent
