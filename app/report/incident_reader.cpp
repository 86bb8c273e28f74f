// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/incident_reader.h"

#include "app/replica/past_chains.h"
#include "app/report/incident_facts.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QPointer>

#include <algorithm>

namespace lockkeeper::app::report {

namespace {

constexpr int kPage = 1000;
constexpr qint64 kAdviceBeforeUs = 24 * base::kHourUs; ///< a short incident alone supports no advice
/** The audit is dated by the agent's clock, the range by the store's. */
constexpr qint64 kClockSlackUs = 60'000'000;

} // namespace

IncidentReader::IncidentReader(IncidentEvidence evidence, Ask ask, QObject *parent)
    : QObject(parent), m_evidence(std::move(evidence)), m_ask(std::move(ask))
{
}

void IncidentReader::start()
{
    askNext();
}

/** Asks; `then` gets the page, and asks for the next one or calls askNext(). */
template <typename Page, typename Then>
void IncidentReader::ask(EvidencePart part, const protocol::Message &request, Then then)
{
    m_ask(request,
          [self = QPointer<IncidentReader>(this), part, then](const base::Result<protocol::Message> &answer) {
              if (!self)
                  return;
              if (!answer) {
                  self->m_evidence.unread.append({part, answer.error()});
                  return self->askNext();
              }
              if (const auto *page = std::get_if<Page>(&*answer))
                  then(*page);
          });
}

void IncidentReader::askNext()
{
    const auto part = EvidencePart(m_next++);
    switch (part) {
    case EvidencePart::Status:
        return ask<protocol::Status>(part, protocol::StatusQuery{}, [this](const protocol::Status &status) {
            m_evidence.agent = m_evidence.agent.isEmpty() ? status.agent : m_evidence.agent;
            m_evidence.agentVersion = status.version;
            for (const domain::SourceState &source : status.sources) {
                if (source.name == m_evidence.key.source)
                    m_evidence.source = source;
            }
            askNext();
        });
    case EvidencePart::Timeline:
        return askTimeline();
    case EvidencePart::Holds:
        return askHolds();
    case EvidencePart::Events:
        return askEvents({});
    case EvidencePart::Audit:
        return askAudit({});
    case EvidencePart::Alerts:
        return askAlerts();
    case EvidencePart::Advice:
        return askAdvice();
    case EvidencePart::Chains:
        return askChains();
    }
    Q_EMIT finished();
}

void IncidentReader::askTimeline()
{
    protocol::TimelineQuery query;
    query.source = m_evidence.key.source;
    query.keys = {m_evidence.key};
    query.fromUs = m_evidence.range.fromUs;
    query.toUs = m_evidence.range.toUs;
    query.sliceUs = std::max<qint64>(1, m_evidence.range.lengthUs() / kPage);
    query.lanes = 1;
    query.bars = 10'000;
    ask<protocol::TimelinePage>(EvidencePart::Timeline, query, [this](const protocol::TimelinePage &page) {
        m_evidence.timeline = page;
        m_evidence.timeline.lanes.removeIf(
            [this](const protocol::TimelineLane &lane) { return lane.key != m_evidence.key; });
        askNext();
    });
}

void IncidentReader::askHolds()
{
    protocol::HoldsQuery query;
    query.source = m_evidence.key.source;
    query.key = m_evidence.key;
    query.fromUs = m_evidence.range.fromUs;
    query.toUs = m_evidence.range.toUs;
    query.limit = kPage;
    ask<protocol::HoldPage>(EvidencePart::Holds, query, [this](const protocol::HoldPage &page) {
        m_evidence.holds = page.holds;
        m_evidence.holds.removeIf([this](const protocol::Hold &hold) { return hold.key != m_evidence.key; });
        m_evidence.holdsCut = page.more;
        askNext();
    });
}

void IncidentReader::askEvents(std::optional<quint64> beforeSeq)
{
    protocol::HistoryQuery query;
    query.source = m_evidence.key.source;
    query.lockGlob = base::literalGlob(m_evidence.key.name);
    query.fromUs = m_evidence.range.fromUs;
    query.toUs = m_evidence.range.toUs;
    query.beforeSeq = beforeSeq;
    query.limit = kPage;
    query.descending = true;
    ask<protocol::EventPage>(EvidencePart::Events, query, [this](const protocol::EventPage &page) {
        for (const events::LockEvent &event : page.events) {
            if (event.key == m_evidence.key)
                m_evidence.events.prepend(event);
        }
        const std::optional<quint64> next = page.goOnFrom();
        if (next && m_evidence.events.size() < kMostEvents)
            return askEvents(next);
        m_evidence.eventsCut = next.has_value();
        askNext();
    });
}

void IncidentReader::askAudit(std::optional<qint64> beforeId)
{
    protocol::AuditQuery query;
    query.beforeId = beforeId;
    query.limit = kPage;
    ask<protocol::AuditPage>(EvidencePart::Audit, query,
                             [this](const protocol::AuditPage &page) { takeAudit(page); });
}

void IncidentReader::takeAudit(const protocol::AuditPage &page)
{
    const qint64 fromUs = m_evidence.range.fromUs - kClockSlackUs;
    const qint64 toUs = m_evidence.range.toUs + kClockSlackUs;
    bool reached = false;
    for (const domain::AuditEntry &entry : page.entries) {
        reached = reached || (entry.timeUs > 0 && entry.timeUs < fromUs);
        if (entry.isRelease() && entry.key == m_evidence.key && entry.timeUs >= fromUs && entry.timeUs < toUs)
            m_evidence.audit.append(entry);
    }
    m_auditRead += int(page.entries.size());
    const bool more = page.more && !page.entries.isEmpty() && !reached;
    if (more && m_auditRead < kMostAudit)
        return askAudit(page.entries.constLast().id);
    m_evidence.auditCut = more;
    askNext();
}

void IncidentReader::askAlerts()
{
    ask<protocol::AlertsPage>(
        EvidencePart::Alerts, protocol::AlertsQuery{}, [this](const protocol::AlertsPage &page) {
            for (const domain::Alert &alert : page.alerts) {
                const bool ofLock = alert.lock == m_evidence.key;
                const bool ofSource = !alert.isOfLock() && alert.source == m_evidence.key.source;
                if ((ofLock || ofSource) && alert.sinceUs < m_evidence.range.toUs &&
                    alert.resolvedUs.value_or(m_evidence.range.toUs) > m_evidence.range.fromUs)
                    m_evidence.alerts.append(alert);
            }
            askNext();
        });
}

void IncidentReader::askAdvice()
{
    protocol::AdviceQuery query;
    query.source = m_evidence.key.source;
    query.lockGlob = base::literalGlob(m_evidence.key.name);
    query.fromUs = m_evidence.range.fromUs - kAdviceBeforeUs;
    query.toUs = m_evidence.range.toUs;
    ask<protocol::AdvicePage>(EvidencePart::Advice, query, [this](const protocol::AdvicePage &page) {
        m_evidence.advice = page;
        m_evidence.advice.advice.removeIf([this](const domain::Advice &advice) {
            return advice.lock != m_evidence.key && advice.other != m_evidence.key;
        });
        askNext();
    });
}

/** Only locks of connections form chains that the journal can show for a past moment. */
void IncidentReader::askChains()
{
    const WaitPeak peak = factsOf(m_evidence).peak;
    if (peak.waiters == 0 || !domain::isConnectionScheme(m_evidence.key.scheme))
        return askNext();
    m_evidence.graphsAtUs = peak.us;
    ask<protocol::SnapshotPage>(
        EvidencePart::Chains, protocol::LocksQuery{0, m_evidence.key.source, {}, peak.us},
        [this](const protocol::SnapshotPage &page) {
            m_evidence.graphs = replica::pastGraphs(page.locks, *m_evidence.graphsAtUs);
            askNext();
        });
}

} // namespace lockkeeper::app::report
