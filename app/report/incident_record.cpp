// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/incident_record.h"

#include "app/records/alert_records.h"
#include "app/records/records.h"
#include "app/report/incident_facts.h"
#include "shared/base/text.h"

#include <QJsonArray>

namespace lockkeeper::app::report {

namespace {

/** The stable names: scripts read them. */
QString nameOf(EvidencePart part)
{
    switch (part) {
    case EvidencePart::Status:
        return QStringLiteral("status");
    case EvidencePart::Timeline:
        return QStringLiteral("timeline");
    case EvidencePart::Holds:
        return QStringLiteral("holds");
    case EvidencePart::Events:
        return QStringLiteral("events");
    case EvidencePart::Audit:
        return QStringLiteral("audit");
    case EvidencePart::Alerts:
        return QStringLiteral("alerts");
    case EvidencePart::Advice:
        return QStringLiteral("advice");
    case EvidencePart::Chains:
        break;
    }
    return QStringLiteral("chains");
}

QJsonValue numberIf(bool known, qint64 number)
{
    return known ? QJsonValue(number) : QJsonValue(QJsonValue::Null);
}

QJsonArray gapsOf(const IncidentFacts &facts)
{
    QJsonArray gaps;
    for (const events::Interval &gap : facts.unobserved)
        gaps.append(
            QJsonObject{{QStringLiteral("from_us"), gap.fromUs}, {QStringLiteral("to_us"), gap.toUs}});
    return gaps;
}

QJsonArray unreadOf(const IncidentEvidence &evidence)
{
    QJsonArray unread;
    for (const Unread &one : evidence.unread)
        unread.append(QJsonObject{{QStringLiteral("part"), nameOf(one.part)},
                                  {QStringLiteral("error"), records::errorValue(one.error)}});
    return unread;
}

QJsonArray cutsOf(const IncidentEvidence &evidence)
{
    QJsonArray cut;
    for (const auto &[part, isCut] : {std::pair(EvidencePart::Holds, evidence.holdsCut),
                                      std::pair(EvidencePart::Events, evidence.eventsCut),
                                      std::pair(EvidencePart::Audit, evidence.auditCut),
                                      std::pair(EvidencePart::Advice, evidence.advice.more)}) {
        if (isCut)
            cut.append(nameOf(part));
    }
    return cut;
}

void addRows(QJsonObject &object, const IncidentEvidence &evidence, const IncidentFacts &facts)
{
    QJsonArray holds;
    for (const protocol::Hold &hold : facts.holds)
        holds.append(records::holdObject(hold));
    QJsonArray events;
    for (const events::LockEvent &event : evidence.events)
        events.append(events::toJson(event, evidence.agent));
    QJsonArray audit;
    for (const domain::AuditEntry &entry : evidence.audit)
        audit.append(records::auditObject(entry));
    QJsonArray alerts;
    for (const domain::Alert &alert : evidence.alerts)
        alerts.append(
            records::alertObject(alert, domain::alertPhase(alert, evidence.madeUs), evidence.agent));
    QJsonArray advice;
    for (const domain::Advice &one : evidence.advice.advice)
        advice.append(records::adviceObject(one, evidence.advice));
    object.insert(QStringLiteral("holds"), holds);
    object.insert(QStringLiteral("events"), events);
    object.insert(QStringLiteral("audit"), audit);
    object.insert(QStringLiteral("alerts"), alerts);
    object.insert(QStringLiteral("advice"), advice);
}

} // namespace

QJsonObject incidentObject(const IncidentEvidence &evidence)
{
    const IncidentFacts facts = factsOf(evidence);
    const bool knowsWaits = evidence.hasRead(EvidencePart::Timeline);
    QJsonObject object{
        {QStringLiteral("lock"), base::textOf(evidence.key.name)},
        {QStringLiteral("source"), evidence.key.source},
        {QStringLiteral("scheme"), base::textOf(evidence.key.scheme)},
        {QStringLiteral("place"), base::textOf(evidence.key.place)},
        {QStringLiteral("agent"), evidence.agent},
        {QStringLiteral("version"), records::textOrNull(evidence.agentVersion)},
        {QStringLiteral("from_us"), evidence.range.fromUs},
        {QStringLiteral("to_us"), evidence.range.toUs},
        {QStringLiteral("unobserved_us"), numberIf(facts.knowsObserved, facts.unobservedUs())},
        {QStringLiteral("unobserved"), gapsOf(facts)},
        {QStringLiteral("first_seen_us"), records::number(facts.firstSeenUs)},
        {QStringLiteral("last_seen_us"), records::number(facts.lastSeenUs)},
        {QStringLiteral("waiters"), numberIf(knowsWaits && !facts.waitsSummed, facts.waiters)},
        {QStringLiteral("waits"), numberIf(knowsWaits, facts.waitCount)},
        {QStringLiteral("waited_us"), numberIf(knowsWaits, facts.waitedUs)},
        {QStringLiteral("longest_wait_us"), numberIf(knowsWaits && !facts.waitsSummed, facts.longestWaitUs)},
        {QStringLiteral("peak_waiters"), numberIf(knowsWaits && !facts.waitsSummed, facts.peak.waiters)},
        {QStringLiteral("peak_us"), numberIf(facts.peak.waiters > 0, facts.peak.us)},
        {QStringLiteral("unread"), unreadOf(evidence)},
        {QStringLiteral("cut"), cutsOf(evidence)},
        {QStringLiteral("agents_left_out"), QJsonArray::fromStringList(evidence.leftOutAgents)}};
    object.insert(QStringLiteral("root"),
                  facts.root
                      ? QJsonValue(QJsonObject{{QStringLiteral("holder"), base::textOf(facts.root->holder)},
                                               {QStringLiteral("length"), facts.root->length},
                                               {QStringLiteral("behind"), facts.root->behind},
                                               {QStringLiteral("deadlock"), facts.root->deadlock}})
                      : QJsonValue(QJsonValue::Null));
    addRows(object, evidence, facts);
    return object;
}

} // namespace lockkeeper::app::report
