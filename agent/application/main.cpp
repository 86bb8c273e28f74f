// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/agent.h"
#include "agent/application/check.h"
#include "agent/application/logging.h"
#include "agent/application/options.h"
#include "agent/application/signals.h"
#include "agent/application/stop.h"
#include "agent/journal/write/rebuild.h"
#include "shared/stores/factory.h"

#include <QCoreApplication>
#include <QFile>

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace lockkeeper;
using namespace lockkeeper::agent;

void complain(const QString &line)
{
    std::fprintf(stderr, "%s\n", qPrintable(line));
}

int runCheck(const config::Config &config)
{
    QFile file(config.file);
    const QByteArray toml = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    QTextStream out(stdout);
    application::Check check(config, toml, &stores::makeStore, out);
    QObject::connect(&check, &application::Check::finished, qApp, &QCoreApplication::exit,
                     Qt::QueuedConnection);
    QMetaObject::invokeMethod(&check, &application::Check::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

int runAgent(const config::Config &config, application::UnixSignals &signals)
{
    const base::SystemClock clock;
    application::Agent agent(config, clock, &stores::makeStore);
    if (const auto started = agent.start(); !started) {
        complain(QStringLiteral("lockkeeper-agent: ") + started.error().line());
        return 1;
    }
    QObject::connect(&signals, &application::UnixSignals::terminate, &agent, &application::Agent::shutDown);
    QObject::connect(&signals, &application::UnixSignals::hangUp, &agent, &application::Agent::reload);
    QObject::connect(&agent, &application::Agent::finished, qApp, &QCoreApplication::quit);
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    int status = 0;
    const auto options = application::readOptions(argc, argv, status);
    if (!options)
        return status;
    if (options->exitWithParent) {
        const pid_t parent = ::getppid();
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent)
            return 1; // it ended before we asked
    }
    ::umask(077);
    application::installLogging(options->logLevel);
    qputenv("QT_NO_GLIB", "1"); // Qt's own event loop: half the system calls for each message
    const QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeper-agent"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
    const config::Outcome config = config::read(options->config);
    if (!config) {
        for (const config::Problem &problem : config.error())
            complain(problem.text());
        return 1;
    }
    if (options->check)
        return runCheck(*config);
    if (options->rebuildRollups) {
        const auto rebuilt = journal::rebuildRollups(config->journalPath, base::SystemClock().wallUs());
        if (!rebuilt)
            complain(QStringLiteral("lockkeeper-agent: ") + rebuilt.error().line());
        return rebuilt ? 0 : 1;
    }
    if (options->stop) {
        const auto stopped = application::stopRunning(*config);
        if (!stopped)
            complain(QStringLiteral("lockkeeper-agent: ") + stopped.error().line());
        return stopped ? 0 : 1;
    }
    application::UnixSignals signals;
    return runAgent(*config, signals);
}
