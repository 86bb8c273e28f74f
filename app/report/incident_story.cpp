// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/incident_story.h"

#include "app/words/durations.h"
#include "app/words/event_words.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/java_text.h"

#include <QLocale>

#include <algorithm>

namespace lockkeeper::app::report {

using words::Durations;

namespace {

QString holderName(const protocol::Hold &hold)
{
    return base::displayText(base::withoutJavaHeader(hold.owner));
}

bool isKnown(const protocol::Hold &hold)
{
    return hold.ownerKnown && !hold.owner.isEmpty();
}

} // namespace

QString IncidentStory::moment(qint64 us, qint64 windowUs) const
{
    const QString time = QStringLiteral("%1 %2").arg(m_times.fineDateTime(us), m_times.zoneText(us));
    return windowUs > 0
               ? tr("%1 (or up to %2 earlier)", "time, duration").arg(time, Durations::inSentence(windowUs))
               : time;
}

QString IncidentStory::whoReleased(const QByteArray &command) const
{
    if (command.isEmpty())
        return {};
    for (const domain::AuditEntry &entry : m_evidence.audit) {
        if (entry.command == command)
            return words::EventWords::by(entry.role, entry.who, entry.reason);
    }
    return {};
}

QString IncidentStory::approverOf(const QByteArray &command) const
{
    for (const domain::AuditEntry &entry : m_evidence.audit) {
        if (!command.isEmpty() && entry.command == command)
            return base::displayText(entry.approver);
    }
    return {};
}

QString IncidentStory::observedShare() const
{
    if (!m_facts.knowsObserved)
        return tr("not known", "share of observed time");
    const qint64 lengthUs = std::max<qint64>(1, m_evidence.range.lengthUs());
    // Rounded down: 99.99 % of observed time mustn't read as all of it.
    const qint64 permille = (lengthUs - m_facts.unobservedUs()) * 1000 / lengthUs;
    const QString share =
        QStringLiteral("%1 %").arg(QLocale(QLocale::C).toString(double(permille) / 10, 'f', 1));
    return m_facts.onlyPartly ? tr("at least %1", "share").arg(share) : share;
}

QString IncidentStory::observed() const
{
    if (!m_facts.knowsObserved)
        return tr("The times of observation couldn't be read. Nothing in this report proves that something "
                  "did not happen.");
    if (m_facts.unobserved.isEmpty())
        return tr("The lock was observed during the whole time.");
    return tr("The lock was observed for %1 of this time. For %2 it was not observed: whatever happened then "
              "is not in this report.",
              "share, duration")
        .arg(observedShare(), Durations::inSentence(m_facts.unobservedUs()));
}

QString IncidentStory::held() const
{
    if (!m_evidence.hasRead(EvidencePart::Holds))
        return tr("When the lock was held couldn't be read.");
    if (m_facts.holds.isEmpty())
        return tr("The lock was not seen held in this time.");
    const QString times =
        m_evidence.holdsCut
            ? tr("The lock was seen held at least %Ln time(s)", nullptr, int(m_facts.holds.size()))
            : tr("The lock was seen held %Ln time(s)", nullptr, int(m_facts.holds.size()));
    if (m_facts.holders == 0)
        return tr("%1; its holders are not known.", "how often").arg(times);
    return tr("%1, by %2.", "how often, by how many")
        .arg(times, tr("%Ln different holder(s)", nullptr, m_facts.holders));
}

QString IncidentStory::waited() const
{
    if (!m_evidence.hasRead(EvidencePart::Timeline))
        return tr("The waits for it couldn't be read.");
    if (m_facts.waitsSummed)
        return tr("Others waited for it %Ln time(s), %1 together. There were too many waits to list them.",
                  nullptr, int(m_facts.waitCount))
            .arg(Durations::inSentence(m_facts.waitedUs));
    if (m_facts.waits.isEmpty())
        return tr("No client was seen waiting for it. Some stores don't show their waiters.");
    return tr("%Ln session(s) waited for it, %1 together; the longest wait lasted %2.", nullptr,
              m_facts.waiters)
        .arg(Durations::inSentence(m_facts.waitedUs), Durations::inSentence(m_facts.longestWaitUs));
}

QString IncidentStory::rootName() const
{
    if (!m_facts.root)
        return {};
    return m_facts.root->session.id.isEmpty()
               ? base::displayText(base::withoutJavaHeader(m_facts.root->holder))
               : words::LockText::session(m_facts.root->session);
}

QString IncidentStory::root() const
{
    if (m_facts.peak.waiters == 0)
        return {};
    const QString when = moment(m_facts.peak.us, 0);
    const QString many = tr("%Ln session(s) waited at the same time", nullptr, m_facts.peak.waiters);
    if (!m_facts.root)
        return tr("At the worst moment, %1, %2. Their blocker is not known.", "time, how many waited")
            .arg(when, many);
    const QString holder = rootName();
    if (m_facts.root->deadlock)
        return tr("At the worst moment, %1, %2. They waited for each other in a circle, with %3 in it: a "
                  "deadlock, which no waiting resolves.",
                  "time, how many waited, session")
            .arg(when, many, holder);
    return tr("At the worst moment, %1, %2. At the head of the chain was %3, which did not wait.",
              "time, how many waited, holder")
        .arg(when, many, holder);
}

QString IncidentStory::mainHold() const
{
    if (m_facts.mainHold < 0)
        return {};
    const protocol::Hold &hold = m_facts.holds.at(m_facts.mainHold);
    const QString holder = isKnown(hold) ? holderName(hold) : tr("an unknown holder");
    const QString since =
        hold.startSeen ? tr("since %1", "time").arg(moment(hold.fromUs, hold.fromWindowUs))
                       : tr("since before %1, when it was first seen", "time").arg(moment(hold.fromUs, 0));
    const QString length =
        Durations::inSentence(hold.toUs.value_or(std::max(m_facts.seenUntilUs, hold.fromUs)) - hold.fromUs);
    const bool atLeast = !hold.startSeen || !hold.toUs || hold.end == "gap";
    const QString lasted = atLeast ? tr("at least %1", "duration").arg(length)
                           : hold.fromWindowUs + hold.toWindowUs > 0 ? tr("about %1", "duration").arg(length)
                                                                     : length;
    if (m_facts.waitedBehindUs > 0)
        return tr("Most of the waiting was behind one hold: %1 held the lock %2, for %3. Others waited %4 "
                  "together behind it.",
                  "holder, since when, duration, duration")
            .arg(holder, since, lasted, Durations::inSentence(m_facts.waitedBehindUs));
    return tr("The longest hold: %1 held the lock %2, for %3.", "holder, since when, duration")
        .arg(holder, since, lasted);
}

QString IncidentStory::brokenBy(const protocol::Hold &hold) const
{
    const QString when = moment(*hold.toUs, hold.toWindowUs);
    QString who = whoReleased(hold.command);
    if (const QString approver = approverOf(hold.command); !who.isEmpty() && !approver.isEmpty())
        return tr("It was ended by a forced release at %1, by %2. Approved by %3.",
                  "time, who and why, a second person")
            .arg(when, who, approver);
    if (who.isEmpty() && !hold.by.isEmpty())
        who = words::EventWords::by(hold.role, hold.by, hold.reason);
    return who.isEmpty()
               ? tr("It was ended by a forced release at %1. The audit entry of that release wasn't found.")
                     .arg(when)
               : tr("It was ended by a forced release at %1, by %2.", "time, who and why").arg(when, who);
}

QString IncidentStory::provenEnd(const protocol::Hold &hold) const
{
    const QString when = moment(*hold.toUs, hold.toWindowUs);
    if (hold.end == "released")
        return tr("Its holder released it at %1.").arg(when);
    if (hold.end == "expired")
        return tr("Its lease ended at %1, and the holder had not renewed it.").arg(when);
    if (hold.end == "taken_over")
        return tr("Another holder had the lock at %1; no release of the earlier holder was seen.").arg(when);
    if (hold.end == "force_released")
        return brokenBy(hold);
    if (hold.end == "lost")
        return tr("The store came back without the lock at %1, after a restart or a failover. Whether its "
                  "holder had released it before is not known.")
            .arg(when);
    if (hold.end == "gap")
        return tr("Its end was not observed: it was last seen held before %1.").arg(when);
    return tr("It ended at %1: %2.", "time, how").arg(when, words::Words::holdEnd(hold.end));
}

QString IncidentStory::end() const
{
    if (m_facts.mainHold < 0)
        return {};
    const protocol::Hold &hold = m_facts.holds.at(m_facts.mainHold);
    if (!hold.toUs)
        return tr("It had not ended when the lock was last observed, at %1.")
            .arg(moment(m_facts.seenUntilUs, 0));
    if (*hold.toUs >= m_evidence.range.toUs)
        return tr("It ended after the time of this report.");
    if (hold.mayBe.isEmpty())
        return provenEnd(hold);
    return provenEnd(hold) + QLatin1Char(' ') + words::EventWords::maybeGivenBack(!hold.command.isEmpty());
}

QString IncidentStory::attempts() const
{
    if (!m_evidence.hasRead(EvidencePart::Audit))
        return tr("Whether somebody tried to release the lock by force couldn't be read.");
    if (m_evidence.audit.isEmpty())
        return m_evidence.auditCut ? QString()
                                   : tr("This agent's audit has no attempt to release it by force.");
    const auto released = std::count_if(
        m_evidence.audit.cbegin(), m_evidence.audit.cend(),
        [](const domain::AuditEntry &entry) { return entry.outcome == domain::Outcome::Released; });
    return tr("The audit that was read has %Ln attempt(s) to release it by force; %1 of them released the "
              "lock.",
              nullptr, int(m_evidence.audit.size()))
        .arg(released);
}

QString IncidentStory::gapCause(const events::Interval &gap) const
{
    QStringList causes;
    const auto add = [&causes](const QString &cause) {
        if (!cause.isEmpty() && !causes.contains(cause))
            causes.append(cause);
    };
    if (const qint64 firstUs = m_evidence.timeline.firstUs; firstUs == 0 || gap.fromUs < firstUs)
        add(tr("the agent's journal doesn't reach back so far"));
    for (const protocol::TimelineGap &one : m_evidence.timeline.gaps) {
        if (one.source != m_evidence.key.source || one.fromUs >= gap.toUs ||
            one.toUs.value_or(gap.toUs) <= gap.fromUs)
            continue;
        const QString cause = words::EventWords::causeText(events::causeFromName(one.cause));
        add(one.part.isEmpty()
                ? cause
                : tr("only a part of it, %1", "part of a source").arg(base::displayText(one.part)));
        if (!one.part.isEmpty())
            add(cause);
    }
    if (gap.toUs > m_facts.seenUntilUs)
        add(tr("it was not observed since"));
    return causes.join(QStringLiteral("; "));
}

QStringList IncidentStory::sentences() const
{
    QStringList list{held(), waited(), root(), mainHold(), end(), attempts(), observed()};
    list.removeAll(QString());
    return list;
}

} // namespace lockkeeper::app::report
