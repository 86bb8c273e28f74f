// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agent_part.h"
#include "app/cli/exit_status.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "shared/base/clock.h"
#include "shared/transport/client.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>

namespace lockkeeper::app::cli {

/** Asks the person at the terminal and calls back with what they typed. */
using Prompt = std::function<void(std::function<void(const QString &)>)>;

/** What every command needs; outlives it. */
struct Context
{
    Output &out;
    const base::Clock &clock;
    Terminal terminal;
    bool json = false;
    transport::Address agent;
    Prompt prompt; ///< empty: nobody can be asked
    transport::TlsOptions tls = {};
    QString user = {};        ///< over TLS
    QByteArray password = {}; ///< empty: asked for, where somebody can be
    std::function<base::Result<QByteArray>(const QString &)> askPassword = {};
    /** Remembers that the agent is trusted by this fingerprint; called once it has been connected to. */
    std::function<base::Result<void>()> remember = {};
    AgentPart *part = nullptr; ///< null: no other agent is asked
};

/** A text of the program, translatable. */
QString tr(const char *text);

/**
 * One run of lockkeeperctl. Lives on the event loop of one thread; nothing blocks but writing to the standard
 * streams, and what may be long is written beside it.
 */
class Task : public QObject
{
    Q_OBJECT

public:
    /** finished() follows, never from within. */
    virtual void start() = 0;

Q_SIGNALS:
    void finished(int status);

protected:
    /**
     * Writes in a thread beside the event loop, one after the other, and then calls `then`: an agent hangs up
     * on who answers no pings because nobody scrolls the pager. `out` outlives this.
     */
    void write(Output &out, const QByteArray &bytes, const std::function<void()> &then = {});
    /** finished() follows, never from within: it has ended only once all is written. */
    void tellFinished(int status);

private:
    std::unique_ptr<QThreadPool> m_writer; ///< one thread, once there was something to write
};

/** Connects to an agent, asks, prints, and ends with a status. */
class Command : public Task
{
    Q_OBJECT

public:
    explicit Command(Context &context, QStringList features = {});

    void start() override;
    /** Ends it as done, where it hasn't ended yet. */
    void end() { finish(Exit::Done); }

protected:
    /** Of commands that ask an agent: the others never connect. */
    virtual void connected(const protocol::Welcome &) {}
    virtual void received(const protocol::Message &) {}
    /** The link is gone, or was never there. Prints and ends unless overridden. */
    virtual void lost(const base::Error &error);

    void send(const protocol::Message &message) { m_client.send(message); }
    void write(const QByteArray &bytes, const std::function<void()> &then = {})
    {
        Task::write(m_context.out, bytes, then);
    }
    void reopen();
    /** False, and it has ended, where the agent doesn't know the feature; `lack` says what it can't do. */
    bool demand(const protocol::Welcome &welcome, const char *feature, const QString &lack);
    void finish(Exit status);
    /** Prints the error in one line and ends with its status. */
    void fail(const base::Error &error);
    Context &context() { return m_context; }
    const Context &context() const { return m_context; }
    /** The agent's name, or how it is told from others, once connected. */
    QString agent() const { return m_agent; }

private:
    void admitted(const protocol::Welcome &welcome);
    void disconnected(const base::Error &error);

    Context &m_context;
    transport::Client m_client;
    QString m_agent;
    bool m_waits = false; ///< connected, and waits for other agents
    bool m_finished = false;
};

/** The command that the options ask for. */
std::unique_ptr<Command> makeCommand(const CommandOptions &options, Context &context);

} // namespace lockkeeper::app::cli
