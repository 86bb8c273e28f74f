// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agent_part.h"
#include "app/cli/exit_status.h"
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

/** The dependencies of every command; outlives the command. */
struct Context
{
    Output &out;
    const base::Clock &clock;
    Terminal terminal;
    bool json = false;
    transport::Address agent;
    Prompt prompt; ///< empty: not interactive
    transport::TlsOptions tls = {};
    QString user = {};        ///< over TLS
    QByteArray password = {}; ///< empty: asked for, if interactive
    std::function<base::Result<QByteArray>(const QString &)> askPassword = {};
    /** Stores the trusted fingerprint of the agent; called once connected. */
    std::function<base::Result<void>()> remember = {};
    AgentPart *part = nullptr; ///< null: only one agent is queried
};

/** A text of the program, translatable. */
QString tr(const char *text);

/**
 * One run of lockkeeperctl. Lives on the event loop of one thread. Only writing to the standard streams
 * blocks, and long output is written in another thread.
 */
class Task : public QObject
{
    Q_OBJECT

public:
    /** finished() follows, never from within this call. */
    virtual void start() = 0;

Q_SIGNALS:
    void finished(int status);

protected:
    /**
     * Writes in a separate thread, in call order, and then calls `then`. A blocked pager mustn't block the
     * event loop: an agent disconnects a client that doesn't answer its pings. `out` outlives this object.
     */
    void write(Output &out, const QByteArray &bytes, const std::function<void()> &then = {});
    /** finished() follows, never from within this call, and only after all output is written. */
    void tellFinished(int status);

private:
    std::unique_ptr<QThreadPool> m_writer; ///< a single thread, created at the first write
};

/** Connects to an agent, sends a request, prints the answer, and ends with a status. */
class Command : public Task
{
    Q_OBJECT

public:
    explicit Command(Context &context);

    void start() override;
    /** Ends the command as done unless it has already ended. */
    void end() { finish(Exit::Done); }

protected:
    /** Overridden by commands that query an agent; the others never connect. */
    virtual void connected(const protocol::Welcome &) {}
    virtual void received(const protocol::Message &) {}
    /** A request failed as a whole. Prints the error and ends the command unless overridden. */
    virtual void refused(const protocol::Failed &failed);
    /** The link broke or was never established. Prints the error and ends the command unless overridden. */
    virtual void lost(const base::Error &error);

    void send(const protocol::Message &message) { m_client.send(message); }
    void write(const QByteArray &bytes, const std::function<void()> &then = {})
    {
        Task::write(m_context.out, bytes, then);
    }
    void reopen();
    void finish(Exit status);
    /** Prints the error in one line and ends the command with its status. */
    void fail(const base::Error &error);
    Context &context() { return m_context; }
    const Context &context() const { return m_context; }
    /** The agent's name, or its label among several agents; set once connected. */
    QString agent() const { return m_agent; }

private:
    void admitted(const protocol::Welcome &welcome);
    void disconnected(const base::Error &error);

    Context &m_context;
    transport::Client m_client;
    QString m_agent;
    bool m_waits = false; ///< connected, waiting for other agents
    bool m_finished = false;
};

} // namespace lockkeeper::app::cli
