// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QTemporaryDir>

#include <chrono>
#include <memory>
#include <optional>

namespace lockkeeper::tests {

/** How often a test kills its agent: LOCKKEEPER_KILLS (200 in a recorded run), or `otherwise`. */
int killsOr(int otherwise);

/** A real lockkeeper-agent in its own folder, as a process that ends with this one. */
class AgentProcess
{
public:
    AgentProcess();
    ~AgentProcess();
    Q_DISABLE_COPY_MOVE(AgentProcess)

    /** The sections after [agent], as TOML. `address`: to listen on beside the socket. `name`: its own. */
    void configure(const QByteArray &sources, const QByteArray &address = {},
                   const QByteArray &name = "test");
    /** Starts it and waits until it serves on its socket, and on the address beside it. */
    bool start(const QStringList &options = {});
    /** Runs it to its end, as for --check. The exit status, or -1. */
    int run(const QStringList &options, QByteArray *output, const QByteArray &input = {});
    /** From the next start on, its wall clock is off by `by`. */
    void shiftClock(std::chrono::seconds by) { m_shift = by; }
    /** SIGKILL; waits. */
    void kill();
    /** SIGTERM, unless it has ended already; waits; the exit status, or -1. */
    int terminate();
    void signal(int number);
    /** No file of it may grow past this; empty: no limit. Also while it runs. */
    void limitFileSize(std::optional<quint64> bytes);

    bool isRunning() const;
    qint64 pid() const;
    QString folder() const { return m_folder.path(); }
    QString configFile() const { return m_folder.filePath(QStringLiteral("agent.toml")); }
    QString socket() const { return m_folder.filePath(QStringLiteral("data/lockkeeper.sock")); }
    /** The agent's log since its start. */
    QByteArray log() const;
    /** Resident memory in KiB. */
    qint64 residentKib() const;
    /** Open file descriptors. */
    int openFiles() const;
    quint16 metricsPort() const { return m_metricsPort; }
    /** The answer of its metrics endpoint, with the head. The event loop runs meanwhile. */
    QByteArray httpGet(const QByteArray &path) const;

private:
    std::unique_ptr<QProcess> make() const;
    bool servesAddress() const;

    QTemporaryDir m_folder;
    std::unique_ptr<QProcess> m_process;
    std::optional<quint64> m_fileLimit;
    std::chrono::seconds m_shift{0};
    QByteArray m_address; ///< beside the socket
    quint16 m_metricsPort = 0;
};

} // namespace lockkeeper::tests
