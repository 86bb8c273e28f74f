// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/commands/prober.h"

#include "shared/base/text.h"

#include <QPointer>

#include <utility>

namespace lockkeeper::agent::commands {

using base::ErrorCode;
using domain::Outcome;

namespace {

constexpr qsizetype kMaxProbeReason = 4096;
constexpr qint64 kLongestUs = 10'000'000;
constexpr qint64 kMostCommands = 10'000'000;
constexpr qsizetype kMostNames = 4 << 20; ///< bytes of names in one answer: it must fit into a frame

/** An error without cause and with the code Unknown: none. */
bool isSet(const base::Error &error)
{
    return error.code != ErrorCode::Unknown || !error.cause.isEmpty();
}

Outcome outcomeOf(const stores::ProbeReport &report)
{
    if (!report.error)
        return Outcome::Probed;
    switch (report.error->code) {
    case ErrorCode::PermissionDenied:
    case ErrorCode::Unsupported:
    case ErrorCode::Authentication:
    case ErrorCode::Busy:
        return Outcome::Refused;
    default:
        // It may have listened for a while before the link was lost.
        return report.commands > 0 ? Outcome::Unknown : Outcome::Unreachable;
    }
}

} // namespace

struct Prober::Job
{
    protocol::ProbeRequest request;
    Done done;
    protocol::ProbeResult result;
    Outcome outcome = Outcome::Refused;
    QString detail;
    bool running = false;
};

Prober::Prober(SourceDirectory &sources, AuditLog &audit, const base::Clock &clock, QObject *parent)
    : QObject(parent), m_sources(sources), m_audit(audit), m_clock(clock), m_outcomes(audit)
{
}

Prober::~Prober() = default;

base::Error Prober::refusalOf(const protocol::ProbeRequest &request) const
{
    if (request.forUs < 1'000 || request.forUs > kLongestUs)
        return {ErrorCode::Usage, QStringLiteral("a probe lasts at most 10 s"), {}};
    if (request.mostCommands < 1 || request.mostCommands > kMostCommands)
        return {ErrorCode::Usage, QStringLiteral("a probe looks at 1 to 10,000,000 commands"), {}};
    const SourcePort *port = m_sources.source(request.source);
    const QString name = base::displayText(request.source);
    if (!port)
        return {ErrorCode::NotFound, QStringLiteral("no source is named \"%1\"").arg(name), {}};
    if (!port->spec().probe)
        return {ErrorCode::PermissionDenied,
                QStringLiteral("the configuration doesn't allow probes of %1").arg(name),
                QStringLiteral("Set probe = true in its [[source]]: contention.md tells what a probe costs")};
    if (m_running.contains(request.source))
        return {ErrorCode::Busy, QStringLiteral("%1 is being probed already").arg(name),
                QStringLiteral("Try again in some seconds")};
    if (port->link() == 0)
        return {ErrorCode::Unreachable, QStringLiteral("%1 can't be reached").arg(name), {}};
    return {};
}

void Prober::probe(const protocol::ProbeRequest &request, const Asker &asker, Done done)
{
    deny(request, asker, refusalOf(request), std::move(done));
}

void Prober::deny(const protocol::ProbeRequest &request, const Asker &asker, const base::Error &error,
                  Done done)
{
    const auto job = std::make_shared<Job>();
    job->request = request;
    job->done = std::move(done);
    job->result.id = request.id;
    job->result.command = request.command;
    job->result.error = error;
    if (!isCommandId(request.command)) {
        job->result.error = {
            ErrorCode::Usage, QStringLiteral("a command id is 32 lower-case hex digits"), {}};
        answer(job); // neither done nor audited: a repeat couldn't be told from a second one
        return;
    }
    job->running = !isSet(error);
    if (job->running)
        m_running.insert(request.source);
    else if (error.code == ErrorCode::Unreachable)
        job->outcome = Outcome::Unreachable;
    domain::AuditEntry entry;
    entry.timeUs = m_clock.wallUs();
    entry.who = asker.user;
    entry.role = roleName(asker.role);
    entry.key.source = request.source;
    entry.key.scheme = domain::AuditEntry::kProbe;
    entry.reason = request.reason.left(kMaxProbeReason);
    entry.command = request.command;
    m_audit.begin(entry, [self = QPointer(this), job](const base::Result<AuditLog::Intent> &intent) {
        if (self)
            self->begun(job, intent);
    });
}

void Prober::begun(const JobPtr &job, const base::Result<AuditLog::Intent> &intent)
{
    SourcePort *port = m_sources.source(job->request.source);
    if (!intent) {
        job->result.error = intent.error(); // no audit, no probe
        answer(job);
        return;
    }
    job->result.auditId = intent->auditId;
    if (intent->recorded) {
        job->result.error = {ErrorCode::Usage, QStringLiteral("this command was carried out already"),
                             QStringLiteral("Ask for a new probe")};
        answer(job);
    } else if (isSet(job->result.error)) {
        writeOutcome(job);
    } else if (!port) {
        job->outcome = Outcome::Unreachable;
        job->result.error = {ErrorCode::Cancelled, QStringLiteral("the source is no longer observed"), {}};
        writeOutcome(job);
    } else {
        port->probe({job->request.forUs, job->request.mostCommands},
                    [self = QPointer(this), job](const stores::ProbeReport &report) {
                        if (self)
                            self->reported(job, report);
                    });
    }
}

void Prober::reported(const JobPtr &job, const stores::ProbeReport &report)
{
    protocol::ProbeResult &result = job->result;
    job->outcome = outcomeOf(report);
    result.beganUs = report.beganUs;
    result.endedUs = report.endedUs;
    result.commands = report.commands;
    result.unreadable = report.unreadable;
    result.end = report.end;
    result.error = report.error.value_or(result.error);
    if (!report.error)
        job->detail = QStringLiteral("%1 commands in %2 ms, ended by %3")
                          .arg(report.commands)
                          .arg((report.endedUs - report.beganUs) / 1000)
                          .arg(QString::fromLatin1(domain::probeEndName(report.end).toByteArray()));
    result.leftOut = report.leftOut;
    qsizetype bytes = 0;
    for (const domain::ProbeCount &count : report.counts) {
        bytes += count.lock.size() + count.client.size();
        if (bytes > kMostNames)
            ++result.leftOut;
        else
            result.counts.append(count);
    }
    writeOutcome(job);
}

void Prober::writeOutcome(const JobPtr &job)
{
    if (isSet(job->result.error))
        job->detail = job->result.error.line();
    m_outcomes.write(job->result.auditId, job->outcome, job->detail,
                     [this, job](const base::Result<void> &) { answer(job); });
}

void Prober::answer(const JobPtr &job)
{
    if (job->running)
        m_running.remove(job->request.source);
    job->done(job->result);
}

} // namespace lockkeeper::agent::commands
