// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/incident_report.h"

#include "app/report/incident_story.h"
#include "app/words/advice_formatter.h"
#include "app/words/alert_description.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/event_words.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/java_text.h"

#include <QLocale>

#include <algorithm>

namespace lockkeeper::app::report {

using words::Durations;
using words::LockText;

namespace {

constexpr qsizetype kMostRows = 500; ///< of one table: nobody reads more on paper

/** Makes the sections of a report. */
class ReportWriter
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::report::ReportWriter)

public:
    ReportWriter(const IncidentEvidence &evidence, const words::TimeFormat &times)
        : m_evidence(evidence),
          m_facts(factsOf(evidence)),
          m_times(times),
          m_story(m_evidence, m_facts, m_times)
    {
    }

    IncidentReport report() const;

private:
    ReportSection story() const;
    ReportSection keyFacts() const;
    ReportSection attempts() const;
    ReportSection course() const;
    ReportSection holds() const;
    ReportSection gaps() const;
    ReportSection alerts() const;
    ReportSection advice() const;
    ReportSection basis() const;
    ReportSection glossary() const;

    /** Without its zone if that is the report's. */
    QString time(qint64 us) const;
    QString zone() const { return m_times.zoneText(m_evidence.range.toUs); }
    static QString partName(EvidencePart part);
    void addUnread(ReportSection &section, EvidencePart part) const;
    /** Keeps the last rows, and notes the cut. */
    void bound(ReportSection &section) const;

    const IncidentEvidence &m_evidence;
    IncidentFacts m_facts;
    const words::TimeFormat &m_times;
    IncidentStory m_story;
};

QString ReportWriter::time(qint64 us) const
{
    const QString own = m_times.zoneText(us);
    return own == zone() ? m_times.fineDateTime(us) : m_times.fineDateTime(us) + QLatin1Char(' ') + own;
}

QString ReportWriter::partName(EvidencePart part)
{
    switch (part) {
    case EvidencePart::Status:
        return tr("the state of the source");
    case EvidencePart::Timeline:
        return tr("the waits and the gaps in the observation");
    case EvidencePart::Holds:
        return tr("the holds of the lock");
    case EvidencePart::Events:
        return tr("the events of the lock");
    case EvidencePart::Audit:
        return tr("the audit of forced releases");
    case EvidencePart::Alerts:
        return tr("the alerts");
    case EvidencePart::Advice:
        return tr("the advice");
    case EvidencePart::Chains:
        break;
    }
    return tr("the chain of sessions at the worst moment");
}

void ReportWriter::addUnread(ReportSection &section, EvidencePart part) const
{
    for (const Unread &one : m_evidence.unread) {
        if (one.part == part)
            section.notes.append(
                tr("Not read: %1. %2", "what, why").arg(partName(part), words::ErrorWords::line(one.error)));
    }
}

void ReportWriter::bound(ReportSection &section) const
{
    const qsizetype tooMany = section.table.rows.size() - kMostRows;
    if (tooMany <= 0)
        return;
    section.table.rows.remove(0, tooMany);
    section.notes.append(
        tr("Only the last %1 rows are shown; %2 earlier rows are left out.").arg(kMostRows).arg(tooMany));
}

ReportSection ReportWriter::story() const
{
    ReportSection section{tr("What happened"), m_story.sentences(), {}, {}, {}};
    if (!m_evidence.leftOutAgents.isEmpty())
        section.notes.append(
            tr("These agents didn't answer, and may know more about this lock: %1.")
                .arg(base::displayText(m_evidence.leftOutAgents.join(QStringLiteral(", ")))));
    return section;
}

ReportSection ReportWriter::keyFacts() const
{
    ReportSection section{tr("In figures"), {}, {}, {}, {}};
    const auto add = [&section](const QString &name, const QString &value) {
        section.facts.append({name, value});
    };
    const auto count = [](bool known, qint64 number) {
        return known ? QString::number(number) : tr("not known");
    };
    // A store may hide its waiters: no waits seen doesn't mean that no client waited.
    const bool knowsWaits = m_evidence.hasRead(EvidencePart::Timeline);
    const bool lists = knowsWaits && !m_facts.waitsSummed;
    const auto seen = [this](bool known, const QString &text) {
        return !known ? tr("not known") : m_facts.waitCount == 0 ? tr("none seen") : text;
    };
    add(tr("Lock"), LockText::name(m_evidence.key));
    add(tr("Where it is kept"), LockText::sourceAndPlace(m_evidence.key));
    add(tr("Time of the report"), m_times.wholeRange(m_evidence.range.fromUs, m_evidence.range.toUs));
    add(tr("Observed share of it"), m_story.observedShare());
    add(tr("First seen in it"), m_facts.firstSeenUs ? time(*m_facts.firstSeenUs) : tr("not seen"));
    add(tr("Last seen in it"), m_facts.lastSeenUs ? time(*m_facts.lastSeenUs) : tr("not seen"));
    add(tr("Root holder at the worst moment"), m_facts.root ? m_story.rootName() : tr("none known"));
    add(tr("Length of the chain"),
        m_facts.root ? tr("%Ln session(s), the root included", nullptr, m_facts.root->length)
                     : tr("not known"));
    add(tr("Sessions blocked at the worst moment"),
        seen(lists, QString::number(m_facts.root ? m_facts.root->behind : m_facts.peak.waiters)));
    add(tr("Sessions that waited"), seen(lists, QString::number(m_facts.waiters)));
    add(tr("Waiting, all sessions together"), seen(knowsWaits, Durations::inSentence(m_facts.waitedUs)));
    add(tr("Longest wait"), seen(lists, Durations::inSentence(m_facts.longestWaitUs)));
    add(tr("Holds"), m_evidence.holdsCut
                         ? tr("at least %1", "number").arg(m_facts.holds.size())
                         : count(m_evidence.hasRead(EvidencePart::Holds), m_facts.holds.size()));
    add(tr("Attempts to release it by force"),
        m_evidence.auditCut ? tr("at least %1", "number").arg(m_evidence.audit.size())
                            : count(m_evidence.hasRead(EvidencePart::Audit), m_evidence.audit.size()));
    addUnread(section, EvidencePart::Chains);
    if (m_facts.peak.waiters > 0 && !domain::isConnectionScheme(m_evidence.key.scheme))
        section.notes.append(tr("The holder counts as the root: the store doesn't show whether it waited for "
                                "another lock."));
    return section;
}

ReportSection ReportWriter::attempts() const
{
    ReportSection section{tr("Attempts to end it"), {}, {}, {}, {}};
    section.table.header = {tr("Time (%1)").arg(zone()), tr("By"), tr("Approved by"), tr("Reason"),
                            tr("Outcome")};
    for (auto it = m_evidence.audit.crbegin(); it != m_evidence.audit.crend(); ++it) {
        const QString outcome = words::Words::outcomeSentence(it->outcome);
        section.table.rows.append(
            {time(it->timeUs), words::EventWords::by(it->role, it->who, {}),
             it->approver.isEmpty() ? Durations::notApplicable() : base::displayText(it->approver),
             it->reason.isEmpty() ? Durations::notApplicable() : base::displayText(it->reason),
             it->detail.isEmpty()
                 ? outcome
                 : tr("%1 (%2)", "outcome, cause").arg(outcome, base::displayText(it->detail))});
    }
    if (m_evidence.hasRead(EvidencePart::Audit) && m_evidence.audit.isEmpty())
        section.sentences.append(tr(
            "No forced release of this lock is in the part of the agent's audit that was read. Somebody may "
            "have changed the store directly."));
    if (m_evidence.auditCut)
        section.notes.append(tr("Only the newest %1 entries of the audit were read: earlier attempts may be "
                                "missing.")
                                 .arg(QLocale().toString(10'000)));
    addUnread(section, EvidencePart::Audit);
    bound(section);
    return section;
}

ReportSection ReportWriter::course() const
{
    ReportSection section{tr("Course of events"), {}, {}, {}, {}};
    section.table.header = {tr("Time (%1)").arg(zone()), tr("At most earlier by"), tr("Event"), tr("Holder"),
                            tr("Details")};
    qsizetype renewals = 0;
    for (const events::LockEvent &event : m_evidence.events) {
        if (event.kind == events::EventKind::Renewed) {
            ++renewals;
            continue;
        }
        const QString title = words::EventWords::title(event);
        QString details = words::EventWords::sentence(event, m_times, m_story.whoReleased(event.command));
        if (details.startsWith(words::Words::event(event.kind) + QLatin1Char('\n')))
            details = words::EventWords::doubts(event);
        else if (details == title)
            details.clear();
        const bool isFirst = event.detail.firstSeen;
        section.table.rows.append({time(event.timeUs),
                                   isFirst              ? tr("unknown", "window of a time")
                                   : event.windowUs > 0 ? Durations::inSentence(event.windowUs)
                                                        : tr("exact", "window of a time"),
                                   title, LockText::holder(event), details});
    }
    if (m_evidence.hasRead(EvidencePart::Events) && section.table.rows.isEmpty())
        section.sentences.append(tr("No event of this lock was seen."));
    if (renewals > 0)
        section.notes.append(tr("%Ln renewal(s) left out.", nullptr, int(renewals)));
    if (m_evidence.eventsCut)
        section.notes.append(tr("There were too many events: the oldest of this time weren't read."));
    addUnread(section, EvidencePart::Events);
    bound(section);
    return section;
}

ReportSection ReportWriter::holds() const
{
    ReportSection section{tr("Holds of the lock"), {}, {}, {}, {}};
    section.table.header = {tr("From (%1)").arg(zone()), tr("To"), tr("Held for"), tr("Holder"), tr("End")};
    for (const protocol::Hold &hold : m_facts.holds) {
        const words::Mark mark = !hold.startSeen                           ? words::Mark::AtLeast
                                 : hold.fromWindowUs + hold.toWindowUs > 0 ? words::Mark::About
                                                                           : words::Mark::None;
        const QString from = hold.startSeen ? m_story.moment(hold.fromUs, hold.fromWindowUs)
                                            : tr("before %1").arg(time(hold.fromUs));
        const QString end =
            hold.mayBe.isEmpty()
                ? words::Words::holdEnd(hold.end)
                : tr("%1 (not proven)", "how a hold ended").arg(words::Words::holdEnd(hold.end));
        section.table.rows.append(
            {from, hold.toUs ? m_story.moment(*hold.toUs, hold.toWindowUs) : Durations::notApplicable(),
             hold.toUs ? Durations::text(*hold.toUs - hold.fromUs, mark) : Durations::notApplicable(),
             hold.ownerKnown && !hold.owner.isEmpty() ? base::displayText(base::withoutJavaHeader(hold.owner))
                                                      : tr("not known"),
             end});
    }
    if (m_evidence.hasRead(EvidencePart::Holds) && m_facts.holds.isEmpty())
        section.sentences.append(tr("The lock was not seen held in this time."));
    if (m_evidence.holdsCut)
        section.notes.append(tr("There were too many holds: the oldest of this time weren't read."));
    addUnread(section, EvidencePart::Holds);
    bound(section);
    return section;
}

ReportSection ReportWriter::gaps() const
{
    ReportSection section{tr("Times not observed"), {}, {}, {}, {}};
    section.table.header = {tr("From (%1)").arg(zone()), tr("To"), tr("Length"), tr("Cause")};
    for (const events::Interval &gap : m_facts.unobserved) {
        const QString cause = m_story.gapCause(gap);
        section.table.rows.append({time(gap.fromUs), time(gap.toUs),
                                   Durations::inSentence(gap.toUs - gap.fromUs),
                                   cause.isEmpty() ? tr("not known") : cause});
    }
    section.sentences.append(m_story.observed());
    addUnread(section, EvidencePart::Timeline);
    bound(section);
    return section;
}

ReportSection ReportWriter::alerts() const
{
    ReportSection section{tr("Alerts"), {}, {}, {}, {}};
    section.table.header = {tr("Fired (%1)").arg(zone()), tr("Severity"), tr("Alert"), tr("Over since"),
                            tr("Acknowledged by")};
    QList<domain::Alert> alerts = m_evidence.alerts;
    std::sort(alerts.begin(), alerts.end(),
              [](const domain::Alert &a, const domain::Alert &b) { return a.firedUs < b.firedUs; });
    for (const domain::Alert &alert : std::as_const(alerts))
        section.table.rows.append({time(alert.firedUs), words::AlertDescription::severity(alert.severity),
                                   words::AlertDescription::sentence(alert, m_evidence.agent),
                                   alert.resolvedUs ? time(*alert.resolvedUs) : tr("not over", "alert"),
                                   alert.acknowledgedBy.isEmpty() ? tr("nobody", "acknowledged the alert")
                                                                  : base::displayText(alert.acknowledgedBy)});
    if (m_evidence.hasRead(EvidencePart::Alerts) && alerts.isEmpty())
        section.sentences.append(tr("The agent has no alert about this lock or its source in this time."));
    section.notes.append(
        tr("Agents keep an alert for a day after its end. Alerts that ended earlier are missing here."));
    addUnread(section, EvidencePart::Alerts);
    return section;
}

ReportSection ReportWriter::advice() const
{
    ReportSection section{tr("Advice"), {}, {}, {}, {}};
    const protocol::AdvicePage &page = m_evidence.advice;
    section.table.header = {tr("Fault"), tr("Confidence"), tr("Evidence"), tr("Change to make")};
    for (const domain::Advice &advice : page.advice)
        section.table.rows.append({words::AdviceFormatter::title(advice.code),
                                   words::AdviceFormatter::confidence(advice.confidence),
                                   words::AdviceFormatter::evidence(advice),
                                   words::AdviceFormatter::change(advice)});
    if (m_evidence.hasRead(EvidencePart::Advice)) {
        if (page.advice.isEmpty())
            section.sentences.append(tr("The evidence supports no advice about this lock."));
        section.notes.append(tr("The advice rests on the evidence of %1.", "range of time")
                                 .arg(m_times.wholeRange(page.fromUs, page.toUs)));
        if (page.more)
            section.notes.append(
                tr("There was more evidence than the agent reads: further advice is possible."));
    }
    addUnread(section, EvidencePart::Advice);
    return section;
}

ReportSection ReportWriter::basis() const
{
    ReportSection section{tr("Basis of this report"), {}, {}, {}, {}};
    const auto add = [&section](const QString &name, const QString &value) {
        section.facts.append({name, value.isEmpty() ? tr("not known") : value});
    };
    add(tr("Observed by agent"), base::displayText(m_evidence.agent));
    add(tr("Version of the agent"), base::displayText(m_evidence.agentVersion));
    add(tr("Store"), m_evidence.source ? base::displayText(m_evidence.source->address) : QString());
    add(tr("Version of the store's server, now"),
        m_evidence.source ? base::displayText(m_evidence.source->server) : QString());
    add(tr("Kind of lock"), base::displayText(m_evidence.key.scheme));
    add(tr("Beginning of the agent's journal"),
        m_evidence.timeline.firstUs > 0 ? time(m_evidence.timeline.firstUs) : QString());
    section.notes.append(tr("Times of the lock are by the store's clock. Times of alerts and of attempts to "
                            "release it are by the agent's clock."));
    addUnread(section, EvidencePart::Status);
    return section;
}

ReportSection ReportWriter::glossary() const
{
    ReportSection section{tr("Words in this report"), {}, {}, {}, {}};
    section.facts = {
        {tr("Lock"), tr("A mark in a database or cache. Programs use it to agree that only one of them does "
                        "a piece of work at a time.")},
        {tr("Holder"), tr("The program or session that has the lock now. Others that need the lock wait.")},
        {tr("Lease"),
         tr("A time limit of a lock. The holder renews it while it works; if the holder dies, the "
            "lease ends, and the lock becomes free.")},
        {tr("Chain"),
         tr("Sessions that wait for each other in a row. The root holder is at its head and does not wait.")},
        {tr("Forced release"),
         tr("An operator takes the lock away from its holder. The agent first checks that "
            "it is still the hold that the operator saw.")},
        {tr("Not observed"),
         tr("The agent couldn't read the store. Changes at that time may have left no record.")}};
    return section;
}

IncidentReport ReportWriter::report() const
{
    IncidentReport report;
    report.title = tr("Incident report: lock %1").arg(LockText::name(m_evidence.key));
    report.subtitle = tr("%1 · %2", "source and place, range of time")
                          .arg(LockText::sourceAndPlace(m_evidence.key),
                               m_times.wholeRange(m_evidence.range.fromUs, m_evidence.range.toUs));
    report.made =
        tr("Made by %1 at %2.", "program, time")
            .arg(m_evidence.program, QStringLiteral("%1 %2").arg(m_times.dateTime(m_evidence.madeUs),
                                                                 m_times.zoneText(m_evidence.madeUs)));
    report.language = tr("en", "the language of this catalogue, as in HTML: zh-CN");
    report.sections = {story(), keyFacts(), attempts(), course(), holds(),
                       gaps(),  alerts(),   advice(),   basis(),  glossary()};
    report.picture = PictureMaker::pictureOf(m_evidence, m_facts, m_times);
    report.legend = {tr("held"), tr("held or not: the exact time isn't known"), tr("ended by force"),
                     tr("clients that waited"), tr("not observed")};
    return report;
}

} // namespace

IncidentReport reportOf(const IncidentEvidence &evidence, const words::TimeFormat &times)
{
    return ReportWriter(evidence, times).report();
}

} // namespace lockkeeper::app::report
