// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"
#include "fake_agent.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSemaphore>

#include <atomic>

namespace lockkeeper::tests {

/** Parses arguments that are text. */
inline std::variant<app::cli::CommandLine, app::cli::Stop> parse(const QStringList &arguments, qint64 nowUs)
{
    QByteArrayList bytes;
    for (const QString &argument : arguments)
        bytes.append(argument.toUtf8());
    return app::cli::parseCommandLine(bytes, nowUs, app::cli::allCommands());
}

/** Keeps what a command writes. */
class KeptOutput final : public app::cli::Output
{
public:
    void write(const QByteArray &bytes) override
    {
        if (gate) {
            waits = true;
            late = !gate->tryAcquire(1, 10'000) || late;
        }
        out += bytes;
    }
    void note(const QString &line) override { err += line.toUtf8() + '\n'; }
    QByteArray out;
    QByteArray err;
    QSemaphore *gate = nullptr;      ///< each write takes one of these, as with a full pipe
    std::atomic<bool> waits = false; ///< a write has begun
    std::atomic<bool> late = false;  ///< a write waited too long and continued without the gate
};

/** An agent's name as the user types it, and its address. */
struct CalledAgent
{
    QString name;
    transport::Address address;
};

/** A run of a command line in this process, against one or several fake agents. */
class Run : public QObject
{
    Q_OBJECT

public:
    Run(const transport::Address &agent, const QStringList &arguments, const QString &typed = {})
        : Run(QList<CalledAgent>{{QStringLiteral("the agent"), agent}}, arguments, typed)
    {
    }
    Run(const QList<CalledAgent> &agents, const QStringList &arguments, const QString &typed = {})
        : Run(agents, arguments, std::make_unique<base::SystemClock>(), kWidth, typed)
    {
    }
    Run(const QList<CalledAgent> &agents, const QStringList &arguments, std::unique_ptr<base::Clock> clock,
        int width = kWidth, const QString &typed = {});

    /** −1 until it has ended. */
    int status() const { return m_status; }
    QByteArray out() const { return m_output.out; }
    QByteArray err() const { return m_output.err; }
    QList<QJsonObject> objects() const;
    KeptOutput &output() { return m_output; }

private:
    static constexpr int kWidth = 120; ///< of the terminal

    KeptOutput m_output;
    std::unique_ptr<base::Clock> m_clock;
    app::cli::CommandLine m_line;
    std::vector<app::cli::NamedAgent> m_agents;
    std::unique_ptr<app::cli::Task> m_task;
    int m_status = -1;
};

} // namespace lockkeeper::tests
