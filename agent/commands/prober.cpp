// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/commands/prober.h"

#include "shared/base/text.h"

#include <QLoggingCategory>
#include <QPointer>

#include <utility>

namespace lockkeeper::agent::commands {

Q_LOGGING_CATEGORY(lcProbe, "lockkeeper.commands.probe")

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

QString detailOf(const stores::ProbeReport &report)
{
    return QStringLiteral("%1 commands in %2 ms, ended by %3")
        .arg(report.commands)
        .arg((report.endedUs - report.beganUs) / 1000)
        .arg(QString::fromLatin1(domain::probeEndName(report.end).toByteArray()));
}

void addCounts(protocol::ProbeResult &result, const stores::ProbeReport &report)
{
    result.leftOut = report.leftOut;
    qsizetype bytes = 0;
    for (const domain::ProbeCount &count : report.counts) {
        bytes += count.lock.size() + count.client.size();
        if (bytes > kMostNames)
            ++result.leftOut;
        else
            result.counts.append(count);
    }
}

} // namespace

struct Prober::Job
{
    protocol::ProbeRequest request;
    Asker asker;
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
    job->asker = asker;
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
    if (!isSet(error)) {
        job->running = true;
        m_running.insert(request.source);
    } else if (error.code == ErrorCode::Unreachable) {
        job->outcome = Outcome::Unreachable;
    }
    begin(job);
}

void Prober::begin(const JobPtr &job)
{
    domain::AuditEntry entry;
    entry.timeUs = m_clock.wallUs();
    entry.who = job->asker.user;
    entry.role = roleName(job->asker.role);
    entry.key.source = job->request.source;
    entry.key.scheme = domain::AuditEntry::kProbe;
    entry.reason = job->request.reason.left(kMaxProbeReason);
    entry.command = job->request.command;
    QPointer<Prober> self(this);
    m_audit.begin(entry, [self, job](const base::Result<AuditLog::Intent> &intent) {
        if (self)
            self->begun(job, intent);
    });
}

void Prober::begun(const JobPtr &job, const base::Result<AuditLog::Intent> &intent)
{
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
    } else {
        send(job);
    }
}

void Prober::send(const JobPtr &job)
{
    SourcePort *port = m_sources.source(job->request.source);
    if (!port) {
        job->outcome = Outcome::Unreachable;
        job->result.error = {ErrorCode::Cancelled, QStringLiteral("the source is no longer observed"), {}};
        writeOutcome(job);
        return;
    }
    stores::ProbeOrder order;
    order.forUs = job->request.forUs;
    order.mostCommands = job->request.mostCommands;
    QPointer<Prober> self(this);
    port->probe(order, [self, job](const stores::ProbeReport &report) {
        if (self)
            self->reported(job, report);
    });
}

void Prober::reported(const JobPtr &job, const stores::ProbeReport &report)
{
    job->outcome = outcomeOf(report);
    job->result.beganUs = report.beganUs;
    job->result.endedUs = report.endedUs;
    job->result.commands = report.commands;
    job->result.unreadable = report.unreadable;
    job->result.end = report.end;
    if (report.error)
        job->result.error = *report.error;
    else
        job->detail = detailOf(report);
    addCounts(job->result, report);
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
    if (std::exchange(job->running, false))
        m_running.remove(job->request.source);
    qCInfo(lcProbe).noquote() << "probe of" << base::displayText(job->request.source) << "by"
                              << base::singleLine(job->asker.user) << "ended:"
                              << QString::fromLatin1(domain::outcomeName(job->outcome).toByteArray())
                              << job->detail;
    std::exchange(job->done, {})(job->result);
}

} // namespace lockkeeper::agent::commands
