// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/private_agent/private_agent.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLoggingCategory>
#include <QStandardPaths>

#include <utility>

namespace lockkeeper::app::private_agent {

using base::ErrorCode;

namespace {

Q_LOGGING_CATEGORY(lcPrivateAgent, "lockkeeper.private_agent")

constexpr int kKnockMs = 50;         ///< between two checks if it serves
constexpr int kStartMs = 20'000;     ///< limit for the start
constexpr int kEndMs = 3'000;        ///< limit for the end
constexpr qint64 kTailBytes = 4'096; ///< of its log

QString programName()
{
#ifdef Q_OS_WIN
    return QStringLiteral("lockkeeper-agent.exe");
#else
    return QStringLiteral("lockkeeper-agent");
#endif
}

} // namespace

PrivateAgent::PrivateAgent(const QString &folder, QObject *parent)
    : QObject(parent), m_files(folder), m_program(findProgram())
{
    m_again.setSingleShot(true);
    m_again.setInterval(kKnockMs);
    connect(&m_again, &QTimer::timeout, this, &PrivateAgent::knock);
    m_limit.setSingleShot(true);
}

PrivateAgent::~PrivateAgent()
{
    if (m_helper) {
        m_helper->disconnect(this);
        m_helper->kill();
        m_helper->waitForFinished(kEndMs);
        endTrial();
    }
    if (!m_agent)
        return;
    m_agent->disconnect(this);
    m_agent->terminate();
    if (!m_agent->waitForFinished(kEndMs))
        m_agent->kill();
}

QString PrivateAgent::findProgram()
{
    const QFileInfo beside(QCoreApplication::applicationDirPath() + QLatin1Char('/') + programName());
    return beside.isExecutable() ? beside.absoluteFilePath() : QStandardPaths::findExecutable(programName());
}

void PrivateAgent::setState(LaunchState state)
{
    if (m_state == state)
        return;
    m_state = state;
    Q_EMIT stateChanged();
}

void PrivateAgent::fail(ErrorCode code, const QString &cause, const QString &remedy, const QString &output)
{
    m_again.stop();
    m_limit.stop();
    m_knock.reset();
    setState(m_agent && m_agent->state() == QProcess::Running ? LaunchState::Running : LaunchState::Off);
    Q_EMIT failed({code, cause, remedy}, output);
}

bool PrivateAgent::findsProgram()
{
    if (!m_program.isEmpty() && QFileInfo(m_program).isExecutable())
        return true;
    fail(ErrorCode::NotFound, QStringLiteral("lockkeeper-agent isn't installed here"),
         QStringLiteral("Install the agent beside this program or in PATH."));
    return false;
}

void PrivateAgent::watch(const Watch &watch, bool keep)
{
    if (!findsProgram())
        return;
    m_keep = keep;
    endTrial();
    m_asked = watch;
    // Checks the new store alone and separately: the stores watched so far are unaffected and needn't be
    // reachable now.
    if (const auto written = trial().add(watch); !written)
        return fail(written.error().code, written.error().cause, written.error().remedy);
    check();
}

WatchFiles PrivateAgent::trial() const
{
    return WatchFiles(m_files.folder() + QStringLiteral("/trial"));
}

/** Removes all files of the trial. */
Watch PrivateAgent::endTrial()
{
    QDir(trial().folder()).removeRecursively();
    return std::exchange(m_asked, {});
}

void PrivateAgent::take(const Watch &watch)
{
    if (const auto written = m_files.add(watch); !written)
        return fail(written.error().code, written.error().cause, written.error().remedy);
    restart();
}

void PrivateAgent::resume(bool keep)
{
    if (!findsProgram())
        return;
    m_keep = keep;
    if (!m_files.isConfigured())
        return fail(ErrorCode::NotFound, QStringLiteral("the private agent watches nothing yet"), {});
    setState(LaunchState::Starting);
    // A kept agent serves already; otherwise the agent is started.
    m_knock = std::make_unique<QLocalSocket>();
    connect(m_knock.get(), &QLocalSocket::connected, this, [this] {
        m_knock.release()->deleteLater();
        setState(LaunchState::Running);
        Q_EMIT ready(m_files.address());
    });
    connect(m_knock.get(), &QLocalSocket::errorOccurred, this, [this] {
        m_knock.release()->deleteLater();
        launch();
    });
    m_knock->connectToServer(m_files.socketPath());
}

void PrivateAgent::check()
{
    setState(LaunchState::Checking);
    m_helper = std::make_unique<QProcess>();
    m_helper->setProcessChannelMode(QProcess::MergedChannels);
    connect(m_helper.get(), &QProcess::finished, this, [this](int status, QProcess::ExitStatus how) {
        const QString output = QString::fromUtf8(m_helper->readAll());
        m_helper.release()->deleteLater();
        const Watch asked = endTrial();
        if (status == 0 && how == QProcess::NormalExit)
            return take(asked);
        fail(ErrorCode::Usage, QStringLiteral("the agent didn't accept the configuration"), {}, output);
    });
    connect(m_helper.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            m_helper.release()->deleteLater();
            endTrial();
            fail(ErrorCode::NotFound, QStringLiteral("lockkeeper-agent can't be run"), {});
        }
    });
    m_helper->start(m_program, {QStringLiteral("--config"), trial().configFile(), QStringLiteral("--check")});
}

void PrivateAgent::restart()
{
    setState(LaunchState::Stopping);
    endChild([this] { endKept([this] { launch(); }); });
}

void PrivateAgent::stop()
{
    setState(LaunchState::Stopping);
    endChild([this] {
        endKept([this] {
            setState(LaunchState::Off);
            Q_EMIT stopped();
        });
    });
}

/** Ends the child, if any, and continues with `then`. */
void PrivateAgent::endChild(std::function<void()> then)
{
    if (!m_agent)
        return then();
    m_agent->disconnect(this);
    connect(m_agent.get(), &QProcess::finished, this, [this, then = std::move(then)] {
        m_limit.stop();
        m_agent.release()->deleteLater();
        then();
    });
    m_limit.disconnect(this);
    connect(&m_limit, &QTimer::timeout, m_agent.get(), &QProcess::kill);
    m_limit.start(kEndMs);
    m_agent->terminate();
}

/** Requests a kept agent to end with --stop, which finds the agent's process itself. */
void PrivateAgent::endKept(std::function<void()> then)
{
    if (!QFileInfo::exists(m_files.socketPath()) || !m_files.isConfigured() || m_program.isEmpty())
        return then();
    m_helper = std::make_unique<QProcess>();
    connect(m_helper.get(), &QProcess::finished, this, [this, then = std::move(then)] {
        m_helper.release()->deleteLater();
        then();
    });
    m_helper->start(m_program, {QStringLiteral("--config"), m_files.configFile(), QStringLiteral("--stop")});
}

void PrivateAgent::launch()
{
    setState(LaunchState::Starting);
    auto process = std::make_unique<QProcess>();
    process->setProgram(m_program);
    QStringList arguments{QStringLiteral("--config"), m_files.configFile()};
    if (!m_keep)
        arguments.append(QStringLiteral("--exit-with-parent"));
    process->setArguments(arguments);
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setStandardErrorFile(m_files.logFile());
    process->setStandardInputFile(QProcess::nullDevice());
    if (m_keep) {
        if (!process->startDetached())
            return fail(ErrorCode::NotFound, QStringLiteral("lockkeeper-agent can't be run"), {});
    } else {
        m_agent = std::move(process);
        connect(m_agent.get(), &QProcess::finished, this, [this] {
            m_agent.release()->deleteLater();
            fail(ErrorCode::Shutdown, QStringLiteral("the private agent ended"), {}, logTail());
        });
        connect(m_agent.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error != QProcess::FailedToStart)
                return;
            m_agent.release()->deleteLater();
            fail(ErrorCode::NotFound, QStringLiteral("lockkeeper-agent can't be run"), {});
        });
        m_agent->start();
    }
    m_limit.disconnect(this);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        fail(ErrorCode::Timeout, QStringLiteral("the private agent doesn't serve"), {}, logTail());
    });
    m_limit.start(kStartMs);
    m_again.start();
}

void PrivateAgent::knock()
{
    m_knock = std::make_unique<QLocalSocket>();
    connect(m_knock.get(), &QLocalSocket::connected, this, [this] {
        m_limit.stop();
        m_knock.release()->deleteLater();
        qCInfo(lcPrivateAgent).noquote() << "the private agent serves on" << m_files.address();
        setState(LaunchState::Running);
        Q_EMIT ready(m_files.address());
    });
    connect(m_knock.get(), &QLocalSocket::errorOccurred, this, [this] {
        m_knock.release()->deleteLater();
        if (m_limit.isActive())
            m_again.start();
    });
    m_knock->connectToServer(m_files.socketPath());
}

QString PrivateAgent::logTail() const
{
    QFile file(m_files.logFile());
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.seek(std::max<qint64>(0, file.size() - kTailBytes));
    return QString::fromUtf8(file.readAll());
}

} // namespace lockkeeper::app::private_agent
