// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUrlQuery>

namespace lockkeeper::app::demo {

namespace {

constexpr int kKnockMs = 50;
constexpr int kAttempts = 300; ///< 15 s
constexpr int kEndMs = 3'000;

QString findRedis()
{
    return QStandardPaths::findExecutable(QStringLiteral("redis-server"));
}

/** The agent's source: the sets of locks that the workload takes. */
QString section(const QUrl &url)
{
    return QStringLiteral("[[source]]\n"
                          "name = \"orders-redis\"\n"
                          "url = \"%1\"\n"
                          "poll_ms = 250\n"
                          "push = true\n"
                          "\n"
                          "  [[source.locks]]\n"
                          "  scheme = \"redis.token\"\n"
                          "  match = \"lock:*\"\n"
                          "  no_expiry_after = \"8s\"\n"
                          "\n"
                          "  [[source.locks]]\n"
                          "  scheme = \"redis.json\"\n"
                          "  match = \"sync:*\"\n"
                          "\n"
                          "  [[source.locks]]\n"
                          "  scheme = \"redis.redisson\"\n"
                          "  match = \"printer:*\"\n"
                          "\n"
                          "  [[source.locks]]\n"
                          "  scheme = \"redis.semaphore\"\n"
                          "  match = \"semaphore:*\"\n"
                          "  lease = \"15s\"\n")
        .arg(url.toString());
}

} // namespace

Demo::Demo(QObject *parent) : QObject(parent), m_agent(m_folder.filePath(QStringLiteral("agent")))
{
    m_again.setInterval(kKnockMs);
    connect(&m_again, &QTimer::timeout, this, &Demo::knock);
    m_workload.setProcessChannelMode(QProcess::MergedChannels);
    connect(&m_workload, &QProcess::finished, this, [this] {
        m_again.stop();
        Q_EMIT failed(QString::fromUtf8(m_workload.readAll()));
    });
    connect(&m_workload, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        m_again.stop();
        if (error == QProcess::FailedToStart)
            Q_EMIT failed(m_workload.errorString());
    });
    connect(&m_agent, &private_agent::PrivateAgent::ready, this, &Demo::ready);
    connect(&m_agent, &private_agent::PrivateAgent::failed, this,
            [this](const base::Error &error, const QString &output) {
                Q_EMIT failed(output.isEmpty() ? error.line() : output);
            });
}

Demo::~Demo()
{
    m_agent.disconnect(this);
    m_workload.disconnect(this);
    m_workload.closeWriteChannel(); // it ends with its input, and so its server
    if (isRunning() && !m_workload.waitForFinished(kEndMs))
        m_workload.kill();
}

QString Demo::findWorkload()
{
    const QString folder = QCoreApplication::applicationDirPath();
    for (const char *place : {"/lockkeeper-workload", "/../libexec/lockkeeper/lockkeeper-workload"}) {
        const QFileInfo program(folder + QLatin1String(place));
        if (program.isExecutable())
            return program.canonicalFilePath();
    }
    return {};
}

Lack Demo::lack()
{
    return private_agent::PrivateAgent::findProgram().isEmpty() ? Lack::Agent
           : findWorkload().isEmpty()                           ? Lack::Workload
           : findRedis().isEmpty()                              ? Lack::Redis
                                                                : Lack::Nothing;
}

void Demo::setPrograms(const QString &workload, const QString &agent)
{
    m_program = workload;
    m_agent.setProgram(agent);
}

void Demo::start()
{
    m_workload.start(m_program,
                     {QStringLiteral("--own-redis"), findRedis(), QStringLiteral("--socket"), socket()});
    m_left = kAttempts;
    m_again.start();
}

/** The agent checks its store before it starts. */
void Demo::knock()
{
    if (--m_left <= 0) {
        m_again.stop();
        Q_EMIT failed(QString::fromUtf8(m_workload.readAll()));
        return;
    }
    if (!QFileInfo::exists(socket()))
        return;
    m_again.stop();
    QUrl url;
    url.setScheme(QStringLiteral("redis+unix"));
    url.setPath(socket());
    url.setQuery(QStringLiteral("db=0"));
    m_agent.watch({url, section(url), {}}, false);
}

} // namespace lockkeeper::app::demo
