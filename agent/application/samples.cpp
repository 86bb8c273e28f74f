// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/samples.h"

#include <QMap>
#include <QSet>

namespace lockkeeper::agent::application {

namespace {

using metrics::MetricSample;
using Labels = QList<std::pair<QByteArray, QByteArray>>;

constexpr double kSecond = 1e6;

void addLocks(QList<MetricSample> &out, const SourceFigures &source)
{
    for (auto it = source.locks.cbegin(); it != source.locks.cend(); ++it) {
        const domain::Counts &counts = *it;
        const std::pair<const char *, qint64> states[] = {{"held", counts.held},
                                                          {"free", counts.free},
                                                          {"expired", counts.expired},
                                                          {"stuck", counts.stuck},
                                                          {"contended", counts.contended}};
        for (const auto &[state, count] : states) {
            out.append({"lockkeeper_locks",
                        "gauge",
                        "Locks by state; stuck and contended ones are counted as held or expired too",
                        {{"source", source.state.name.toUtf8()}, {"scheme", it.key()}, {"state", state}},
                        double(count)});
        }
    }
}

/** The codes are a label: the agent defines them, and they are few. */
void addFindings(QList<MetricSample> &out, const SourceFigures &source)
{
    QHash<domain::Severity, qint64> counts;
    QSet<QByteArray> told;
    for (const domain::Finding &finding : source.state.findings) {
        ++counts[finding.severity];
        if (told.contains(finding.code))
            continue; // the more severe finding comes first
        told.insert(finding.code);
        out.append({"lockkeeper_source_finding",
                    "gauge",
                    "1 while this endangers the locks of the source, by the finding's code",
                    {{"source", source.state.name.toUtf8()},
                     {"code", finding.code},
                     {"severity", domain::severityName(finding.severity).toByteArray()}},
                    1});
    }
    for (const auto severity :
         {domain::Severity::Notice, domain::Severity::Warning, domain::Severity::Danger}) {
        out.append({"lockkeeper_source_findings",
                    "gauge",
                    "Risks to the locks of the source, counted by severity",
                    {{"source", source.state.name.toUtf8()},
                     {"severity", domain::severityName(severity).toByteArray()}},
                    double(counts.value(severity))});
    }
}

/** Adds one sample per source: the figure that `read` returns. */
template <typename Read>
void addEach(QList<MetricSample> &out, const Figures &figures, const char *name, const char *type,
             const char *help, Read read)
{
    for (const SourceFigures &source : figures.sources)
        out.append({name, type, help, {{"source", source.state.name.toUtf8()}}, double(read(source))});
}

void addSources(QList<MetricSample> &out, const Figures &figures)
{
    addEach(out, figures, "lockkeeper_source_up", "gauge", "1 while the source is being observed",
            [](const SourceFigures &s) { return s.state.link == domain::Link::Up ? 1 : 0; });
    addEach(out, figures, "lockkeeper_source_blind", "gauge",
            "1 while a gap is open: the source, or a part of it, isn't seen", [](const SourceFigures &s) {
                const bool isAway = s.state.link != domain::Link::Up && s.state.link != domain::Link::Standby;
                return isAway || s.state.gapSinceUs ? 1 : 0;
            });
    addEach(out, figures, "lockkeeper_oldest_hold_seconds", "gauge",
            "How long the lock that is held longest has been held; 0: none is",
            [](const SourceFigures &s) { return double(s.ages.holdUs) / kSecond; });
    addEach(out, figures, "lockkeeper_longest_wait_seconds", "gauge",
            "The longest current wait, where waiters are visible; 0: no waiters",
            [](const SourceFigures &s) { return double(s.ages.waitUs) / kSecond; });
    addEach(out, figures, "lockkeeper_deadlocks", "gauge",
            "Cycles of connections that wait for each other, in the last scan",
            [](const SourceFigures &s) { return s.deadlocks; });
    addEach(out, figures, "lockkeeper_source_last_seen_seconds", "gauge",
            "Seconds since the last whole observation; -1 before the first", [](const SourceFigures &s) {
                return s.state.lastSeenWallUs ? double(s.wallUs - *s.state.lastSeenWallUs) / kSecond : -1.0;
            });
    addEach(out, figures, "lockkeeper_pass_duration_seconds", "gauge", "Duration of the last full scan",
            [](const SourceFigures &s) { return double(s.state.passUs) / kSecond; });
    addEach(out, figures, "lockkeeper_clock_offset_seconds", "gauge", "The store's clock minus the agent's",
            [](const SourceFigures &s) { return double(s.state.clockOffsetUs) / kSecond; });
    addEach(out, figures, "lockkeeper_events_total", "counter", "Events observed since the agent's start",
            [](const SourceFigures &s) { return s.events; });
    addEach(out, figures, "lockkeeper_source_pushing", "gauge", "1 while the store pushes its changes",
            [](const SourceFigures &s) { return s.state.mode == domain::ObservationMode::Push ? 1 : 0; });
    addEach(out, figures, "lockkeeper_push_missed_total", "counter",
            "Changes that only a scan found although they should have been pushed",
            [](const SourceFigures &s) { return s.missedPushes; });
    addEach(out, figures, "lockkeeper_push_unread_total", "counter",
            "Notifications about a lock that was free before and after; no hold is reported",
            [](const SourceFigures &s) { return s.unreadPushes; });
    addEach(out, figures, "lockkeeper_lock_table_bytes", "gauge", "Memory that the lock table uses",
            [](const SourceFigures &s) { return s.tableBytes; });
    addEach(out, figures, "lockkeeper_reaper_released_total", "counter", "Locks that the reaper released",
            [](const SourceFigures &s) { return s.reaper.reaped; });
    addEach(out, figures, "lockkeeper_reaper_would_release_total", "counter",
            "Locks that the reaper would have released but for its dry run",
            [](const SourceFigures &s) { return s.reaper.wouldReap; });
    addEach(out, figures, "lockkeeper_reaper_refused_total", "counter",
            "Locks that the reaper left alone: changed meanwhile, refused, or the outcome unknown",
            [](const SourceFigures &s) { return s.reaper.refused; });
}

void addAlerts(QList<MetricSample> &out, const requests::AlertCenter::AlertTotals &alerts)
{
    for (const auto severity :
         {domain::AlertSeverity::Info, domain::AlertSeverity::Warning, domain::AlertSeverity::Critical}) {
        out.append({"lockkeeper_alerts_active",
                    "gauge",
                    "Alerts that are not over, acknowledged and snoozed ones included",
                    {{"severity", domain::alertSeverityName(severity).toByteArray()}},
                    double(alerts.active.value(severity))});
    }
    out.append({"lockkeeper_alerts_fired_total",
                "counter",
                "Alerts fired since the agent's start",
                {},
                double(alerts.fired)});
    out.append({"lockkeeper_alert_receivers_failing",
                "gauge",
                "Receivers of alerts that can't be reached",
                {},
                double(alerts.receiversFailing)});
    out.append({"lockkeeper_alert_deliveries_waiting",
                "gauge",
                "Alerts that still have to be delivered, counted by receiver",
                {},
                double(alerts.waiting)});
}

void addForwards(QList<MetricSample> &out, const QList<forward::ForwardState> &forwards)
{
    for (const forward::ForwardState &forward : forwards) {
        const auto one = [&](const char *name, const char *type, const char *help, double value) {
            out.append({name, type, help, {{"forward", forward.name.toUtf8()}}, value});
        };
        one("lockkeeper_forward_failing", "gauge", "1 while the hub can't be reached or refuses the events",
            forward.error == base::Error() ? 0 : 1);
        if (forward.watermark)
            one("lockkeeper_forward_last_seq", "gauge", "The newest event that the hub has",
                double(forward.watermark->lastSeq));
        one("lockkeeper_forward_waiting_events", "gauge",
            "Events that the hub doesn't have; all, until it was reached once", double(forward.unforwarded));
        one("lockkeeper_forward_behind_seconds", "gauge",
            "Age of the oldest event that the hub doesn't have; 0: it has all",
            double(forward.behindUs) / kSecond);
        one("lockkeeper_forward_failures_total", "counter", "Failed attempts since the agent's start",
            double(forward.failures));
    }
}

} // namespace

QList<MetricSample> samplesOf(const Figures &figures)
{
    QList<MetricSample> out;
    for (const SourceFigures &source : figures.sources) {
        addLocks(out, source);
        addFindings(out, source);
    }
    addSources(out, figures);
    addAlerts(out, figures.alerts);
    addForwards(out, figures.forwards);
    const auto one = [&out](const char *name, const char *help, double value) {
        out.append({name, "gauge", help, {}, value});
    };
    one("lockkeeper_journal_last_seq", "Sequence number of the newest published event",
        double(figures.lastSeq));
    one("lockkeeper_journal_bytes", "Size of the journal's files", double(figures.journalBytes));
    one("lockkeeper_journal_queued_events", "Events that wait to be made durable",
        double(figures.queuedEvents));
    one("lockkeeper_journal_failing", "1 while the journal can't write", figures.journalFailing ? 1 : 0);
    one("lockkeeper_reload_failed", "1 while the newest configuration isn't fully applied",
        figures.reloadFailed ? 1 : 0);
    one("lockkeeper_sessions", "Connected clients", double(figures.sessions));
    one("lockkeeper_session_queue_bytes", "Bytes that wait to be sent to clients",
        double(figures.sessionBytes));
    if (figures.election) {
        out.append({"lockkeeper_active",
                    "gauge",
                    "1 while this agent is the elected one, 0 while it is standby",
                    {{"election", figures.electionName}},
                    figures.election->active ? 1.0 : 0.0});
        one("lockkeeper_election_failing", "1 while the election's lock can't be requested",
            figures.election->error == base::Error() ? 0 : 1);
    }
    // Show the outcomes of a store's releases from the start: if a counter first appears as 1, Prometheus
    // sees no increase.
    QMap<domain::Outcome, qint64> releases;
    for (auto outcome = int(domain::Outcome::Released); outcome <= int(domain::Outcome::Unknown); ++outcome)
        releases.insert(domain::Outcome(outcome), 0);
    for (auto it = figures.releases.cbegin(); it != figures.releases.cend(); ++it)
        releases.insert(it.key(), it.value());
    for (auto it = releases.cbegin(); it != releases.cend(); ++it) {
        out.append({"lockkeeper_releases_total",
                    "counter",
                    "Force-releases by outcome",
                    {{"outcome", domain::outcomeName(it.key()).toByteArray()}},
                    double(it.value())});
    }
    return out;
}

} // namespace lockkeeper::agent::application
