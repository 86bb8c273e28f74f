// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/agent.h"
#include "agent/application/check.h"
#include "agent/application/environment_file.h"
#include "agent/application/logging.h"
#include "agent/application/options.h"
#include "agent/application/stop.h"
#include "agent/application/unix_signals.h"
#include "agent/hub/hub_writer.h"
#include "agent/journal/write/accept_audit.h"
#include "agent/login/certificate_maker.h"
#include "agent/login/server_certificate.h"
#include "agent/login/users_file.h"
#include "shared/stores/factory.h"

#include <QCoreApplication>
#include <QFile>
#include <QSysInfo>

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * jemalloc's settings (http://jemalloc.net/jemalloc.3.html): return freed memory to the system within
 * seconds. After the first scan of a million locks the freed memory exceeds the used memory. Events are
 * allocated in one thread and freed in another; with glibc's allocator the threads would wait for its locks.
 */
extern "C" const char *malloc_conf;
const char *malloc_conf = "background_thread:true,dirty_decay_ms:2000,muzzy_decay_ms:0";

namespace {

using namespace lockkeeper;
using namespace lockkeeper::agent;

void complain(const QString &line)
{
    std::fprintf(stderr, "%s\n", qPrintable(line));
}

int statusOf(const base::Result<void> &result)
{
    if (!result)
        complain(QStringLiteral("lockkeeper-agent: ") + result.error().line());
    return result ? 0 : 1;
}

int runCertificate(const agent::config::Config &config, const application::AgentOptions &options)
{
    const QStringList hosts =
        options.hosts.isEmpty() ? QStringList{QSysInfo::machineHostName()} : options.hosts;
    const auto fingerprint = options.makeCertificate ? login::makeCertificate(config.tls, hosts)
                                                     : login::fingerprintOfServer(config.tls);
    if (!fingerprint)
        return statusOf(tl::unexpected(fingerprint.error()));
    std::printf("%s\n", qPrintable(*fingerprint));
    return 0;
}

int runAcceptance(const agent::config::Config &config, const QString &reason)
{
    const auto accepted =
        journal::acceptAudit(application::journalOptions(config), reason, base::SystemClock().wallUs());
    if (!accepted)
        return statusOf(tl::unexpected(accepted.error()));
    std::printf("accepted: %s\n", qPrintable(accepted->cause));
    return 0;
}

/** Checks the files that [tls] names, if the agent serves over TLS. */
base::Result<void> checkTls(const agent::config::Config &config)
{
    if (!agent::config::servesTls(config))
        return {};
    if (const auto read = login::serverConfiguration(config.tls); !read)
        return tl::unexpected(read.error());
    if (const auto users = login::readUsers(config.tls.users); !users)
        return tl::unexpected(users.error());
    return {};
}

int runCheck(const agent::config::Config &config)
{
    if (const auto good = checkTls(config); !good)
        return statusOf(good);
    QFile file(config.file);
    const QByteArray toml = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    QTextStream out(stdout);
    application::Check check(config, toml, &stores::makeStore, out);
    QObject::connect(&check, &application::Check::finished, qApp, &QCoreApplication::exit,
                     Qt::QueuedConnection);
    QMetaObject::invokeMethod(&check, &application::Check::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

std::unique_ptr<agent::hub::HubSink> makeHubWriter(const agent::config::ForwardSettings &forward)
{
    return std::make_unique<agent::hub::HubWriter>(
        agent::hub::HubTarget{QString::fromUtf8(forward.url), forward.password});
}

int runAgent(const agent::config::Config &config, application::UnixSignals &signals)
{
    const base::SleeplessClock clock; // it counts the machine's sleep, when nothing is observed
    application::Agent agent(config, clock, &stores::makeStore, &makeHubWriter);
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
            return 1; // the parent ended before prctl()
    }
    ::umask(077);
    application::installLogging(options->logLevel);
    qputenv("QT_NO_GLIB", "1"); // Qt's event loop needs half the system calls per message
    const QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeper-agent"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
    if (options->hub) {
        QTextStream out(stdout);
        return statusOf(hub::run(*options->hub, out));
    }
    if (options->isAside()) {
        if (const auto taken = application::takeEnvironmentBeside(options->config); !taken)
            complain(QStringLiteral("lockkeeper-agent: ") + taken.error().line());
    }
    const agent::config::Outcome config = agent::config::read(options->config);
    if (!config) {
        for (const agent::config::Problem &problem : config.error())
            complain(problem.text());
        return 1;
    }
    if (options->check)
        return runCheck(*config);
    if (options->stop)
        return statusOf(application::stopRunning(*config));
    if (options->user) {
        QTextStream out(stdout);
        return statusOf(login::run(*options->user, config->tls.users, out));
    }
    if (options->acceptsAudit)
        return runAcceptance(*config, *options->acceptsAudit);
    if (options->makeCertificate || options->fingerprint)
        return runCertificate(*config, *options);
    application::UnixSignals signals;
    return runAgent(*config, signals);
}
