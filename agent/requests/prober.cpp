// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/prober.h"

#include "shared/base/random_id.h"
#include "shared/base/text.h"

#include <QPointer>

#include <utility>

namespace lockkeeper::agent::requests {

using base::ErrorCode;
using domain::Outcome;

namespace {

constexpr qint64 kLongestUs = 10'000'000;
constexpr qint64 kMostCommands = 10'000'000;
constexpr qsizetype kMostNames = 4 << 20; ///< bytes of names in one answer, which must fit into a frame

} // namespace

struct Prober::ProbeJob
{
    Done done;
    QString user;
    protocol::ProbeResult result;
    QString source;
    stores::ProbeOrder order;
    std::optional<base::Error> refusal; ///< empty: the source is reserved for this job
};

Prober::Prober(release::SourceDirectory &sources, journal::AuditLog &audit, const base::Clock &clock,
               release::AuditLimit &limit, QObject *parent)
    : QObject(parent), m_sources(sources), m_audit(audit), m_clock(clock), m_limit(limit)
{
}

std::optional<base::Error> Prober::refusalOf(const protocol::ProbeRequest &request,
                                             const release::Asker &asker) const
{
    if (request.forUs < 1'000 || request.forUs > kLongestUs)
        return base::Error{ErrorCode::Usage, QStringLiteral("a probe lasts at most 10 s"), {}};
    if (request.mostCommands < 1 || request.mostCommands > kMostCommands)
        return base::Error{ErrorCode::Usage, QStringLiteral("a probe reads 1 to 10,000,000 commands"), {}};
    const release::SourcePort *port = m_sources.source(request.source);
    const QString name = base::displayText(request.source);
    if (!port)
        return base::Error{ErrorCode::NotFound, QStringLiteral("no source is named \"%1\"").arg(name), {}};
    if (!port->spec().probe)
        return base::Error{
            ErrorCode::PermissionDenied,
            QStringLiteral("the configuration doesn't allow probes of %1").arg(name),
            QStringLiteral(
                "Set probe = true in its [[source]]: contention.md describes the cost of a probe")};
    if (m_running.contains(request.source))
        return base::Error{ErrorCode::Busy, QStringLiteral("a probe of %1 is already running").arg(name),
                           QStringLiteral("Try again in a few seconds")};
    if (port->link() == 0) {
        const base::Error down = port->state().error; // a rejected login, for example
        return down.cause.isEmpty()
                   ? base::Error{ErrorCode::Unreachable, QStringLiteral("%1 can't be reached").arg(name), {}}
                   : down;
    }
    return m_limit.beginRefusal(release::intentOf(asker, {}, {}, {}, 0));
}

void Prober::probe(const protocol::ProbeRequest &request, const release::Asker &asker, Done done)
{
    deny(request, asker, refusalOf(request, asker), std::move(done));
}

void Prober::deny(const protocol::ProbeRequest &request, const release::Asker &asker,
                  const std::optional<base::Error> &refusal, Done done)
{
    const auto job = std::make_shared<ProbeJob>();
    job->done = std::move(done);
    job->user = asker.user();
    job->source = request.source;
    job->order = {request.forUs, request.mostCommands};
    job->refusal = refusal;
    job->result.id = request.id;
    job->result.command = request.command;
    const auto badId = release::checkCommandId(request.command);
    if (badId)
        job->refusal = badId;
    if (job->refusal &&
        !m_limit.take(release::intentOf(asker, {}, {}, {}, 0), release::outcomeOf(*job->refusal, false))) {
        job->result.error = *job->refusal;
        job->done(job->result);
        return;
    }
    if (!job->refusal)
        m_running.insert(request.source);
    domain::AuditEntry entry =
        release::intentOf(asker, domain::AuditEntry::kProbe, request.reason,
                          badId ? base::randomId() : request.command, m_clock.wallUs());
    entry.key.source = request.source;
    m_audit.writeIntent(entry,
                        [self = QPointer(this), job](const base::Result<journal::ReleaseIntent> &intent) {
                            if (self)
                                self->begun(job, intent);
                        });
}

void Prober::begun(const JobPtr &job, const base::Result<journal::ReleaseIntent> &intent)
{
    // Reveal nothing about another user's command.
    const bool isTheirs = intent && intent->recorded && intent->recorded->who != job->user;
    job->result.auditId = intent && !isTheirs ? intent->auditId : 0;
    if (!intent || intent->recorded) {
        job->result.error = {ErrorCode::Usage, QStringLiteral("this command was already executed"),
                             QStringLiteral("Ask for a new probe")};
        if (!intent)
            job->result.error = intent.error(); // no audit, no probe
        answer(job);
        return;
    }
    release::SourcePort *port = m_sources.source(job->source);
    stores::ProbeReport report;
    report.error = job->refusal;
    if (!report.error && !port)
        report.error = {ErrorCode::NotFound, QStringLiteral("the source is no longer observed"), {}};
    if (report.error) {
        reported(job, report);
        return;
    }
    port->probe(job->order, [self = QPointer(this), job](const stores::ProbeReport &told) {
        if (self)
            self->reported(job, told);
    });
}

void Prober::reported(const JobPtr &job, const stores::ProbeReport &report)
{
    protocol::ProbeResult &result = job->result;
    result.beganUs = report.beganUs;
    result.endedUs = report.endedUs;
    result.commands = report.commands;
    result.unreadable = report.unreadable;
    result.end = report.end;
    result.error = report.error.value_or(base::Error());
    result.leftOut = report.leftOut;
    qsizetype bytes = 0;
    for (const domain::ProbeCount &count : report.counts) {
        bytes += count.lock.size() + count.client.size();
        if (bytes > kMostNames)
            ++result.leftOut;
        else
            result.counts.append(count);
    }
    const QString heard = QStringLiteral("%1 commands in %2 ms, ended by %3")
                              .arg(report.commands)
                              .arg((report.endedUs - report.beganUs) / 1000)
                              .arg(QString::fromLatin1(domain::probeEndName(report.end).toByteArray()));
    const ErrorCode code = result.error.code;
    // The probe may have read for a while before the link was lost. A probe that was cut off here has no
    // report.
    const bool mayHaveRead =
        !job->refusal && (report.commands > 0 || code == ErrorCode::Cancelled || code == ErrorCode::Timeout);
    const Outcome outcome = report.error ? release::outcomeOf(*report.error, mayHaveRead) : Outcome::Probed;
    m_audit.writeOutcome(result.auditId, outcome, report.error ? report.error->line() : heard,
                         [self = QPointer(this), job](const base::Result<void> &) {
                             if (self)
                                 self->answer(job);
                         });
}

void Prober::answer(const JobPtr &job)
{
    if (!job->refusal)
        m_running.remove(job->source);
    job->done(job->result);
}

} // namespace lockkeeper::agent::requests
