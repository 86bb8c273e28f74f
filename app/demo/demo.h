// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/private_agent/private_agent.h"

#include <QDir>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

namespace lockkeeper::app::demo {

/** The program that the demo lacks on this machine. */
enum class Lack : quint8 { Nothing = 0, Agent, Workload, Redis };

/**
 * Made-up locks to look at: the machine's redis-server on a socket in a temporary folder, the workload that
 * uses it, and an agent that watches it. All of it ends with this object, and also with this program. Lives
 * on the event loop of one thread; only the destructor may wait, for a few seconds.
 */
class Demo : public QObject
{
    Q_OBJECT

public:
    explicit Demo(QObject *parent = nullptr);
    ~Demo() override;

    static Lack lack();
    /** The program: beside this one, or where the packages install it; empty: not installed. */
    static QString findWorkload();
    void setPrograms(const QString &workload, const QString &agent);

    void start();
    bool isRunning() const { return m_workload.state() != QProcess::NotRunning; }
    /** The address of the agent, also before it serves. */
    QString address() const { return m_agent.files().address(); }

Q_SIGNALS:
    /** The agent serves on this address. */
    void ready(const QString &address);
    /** It doesn't run, or not any more. `output` is that of the program that failed, as plain text. */
    void failed(const QString &output);

private:
    QString socket() const { return m_folder.filePath(QStringLiteral("redis.sock")); }
    void knock();

    QTemporaryDir m_folder{QDir::tempPath() + QStringLiteral("/lockkeeper-own-demo-XXXXXX")};
    QString m_program = findWorkload();
    QProcess m_workload;
    private_agent::PrivateAgent m_agent;
    QTimer m_again; ///< until the server's socket exists
    int m_left = 0; ///< attempts
};

} // namespace lockkeeper::app::demo
