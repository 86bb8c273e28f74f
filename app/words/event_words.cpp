// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/event_words.h"

#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/text.h"

namespace lockkeeper::app::words {

QString EventWords::title(const events::LockEvent &event)
{
    if (event.detail.mayBeReleased)
        return tr("%1 (perhaps)", "an event").arg(Words::event(event.kind));
    if (event.detail.unseen)
        return tr("%1 (unseen)", "an event").arg(Words::event(event.kind));
    return Words::event(event.kind);
}

QString EventWords::by(const QString &role, const QString &who, const QString &reason)
{
    const QString name = role == QLatin1String("policy") ? tr("the reaper") : base::displayText(who);
    return reason.isEmpty() ? name : tr("%1: %2", "who, why").arg(name, base::displayText(reason));
}

QString EventWords::maybeGivenBack(bool forced)
{
    return forced ? tr("The command's answer was lost: probably by this command, or its holder gave it "
                       "back at that time.")
                  : tr("It may have been released at its deadline.");
}

QString EventWords::waitSentence(const events::LockEvent &event)
{
    const QString waiter = base::displayText(*event.waiter);
    const QString name = LockText::name(event.key);
    const QString holder =
        event.ownerKnown && !event.owner.isEmpty() ? base::displayText(event.owner) : Durations::unknown();
    if (event.kind == events::EventKind::WaitStart)
        return tr("%1 began to wait for %2, which %3 holds.", "waiter, lock, holder")
            .arg(waiter, name, holder);
    const QString time = event.detail.sinceUs
                             ? Durations::text(std::max<qint64>(0, event.timeUs - *event.detail.sinceUs))
                             : Durations::unknown();
    if (event.detail.outcome == events::WaitOutcome::Acquired)
        return tr("%1 waited %2 for %3, and holds it now.", "waiter, duration, lock").arg(waiter, time, name);
    if (event.detail.outcome == events::WaitOutcome::LockGone)
        return tr("%1 waited %2 for %3, which is no longer listed.", "waiter, duration, lock")
            .arg(waiter, time, name);
    return tr("%1 waited %2 for %3 and waits no longer.", "waiter, duration, lock").arg(waiter, time, name);
}

QString EventWords::releaseSentence(const events::LockEvent &event, const QString &who)
{
    const QString holder =
        event.ownerKnown && !event.owner.isEmpty() ? base::displayText(event.owner) : Durations::unknown();
    const QString command = event.command.isEmpty() ? QString() : base::displayText(event.command);
    if (command.isEmpty())
        return tr("Force-released; it was held by %1.").arg(holder);
    if (who.isEmpty())
        return tr("Force-released by command %1; it was held by %2.").arg(command, holder);
    return tr("Force-released by %1 (command %2); it was held by %3.", "who and why, command, holder")
        .arg(who, command, holder);
}

QString EventWords::changeSentence(const events::LockEvent &event)
{
    using events::TableState;
    switch (event.detail.state.value_or(TableState::Unknown)) {
    case TableState::Gone:
        return tr("Its row or key no longer exists.");
    case TableState::Free:
    case TableState::Optimistic:
        return tr("It isn't held now.");
    case TableState::Expired:
        return tr("Its lease has expired, and its row still exists.");
    case TableState::Held:
        return tr("The same holder has it: its deadline was changed, or it can be read again.");
    case TableState::Unknown:
        break;
    }
    return tr("From then on its row can't be understood: whether it is held isn't known.");
}

QString EventWords::sentence(const events::LockEvent &event, const TimeFormat &times, const QString &who)
{
    QStringList lines;
    const bool wait = event.kind == events::EventKind::WaitStart || event.kind == events::EventKind::WaitEnd;
    if (event.kind == events::EventKind::GapOpened || event.kind == events::EventKind::GapClosed)
        lines.append(gapSentence(event, times));
    else if (wait && event.waiter)
        lines.append(waitSentence(event));
    else if (event.kind == events::EventKind::ForceReleased)
        lines.append(releaseSentence(event, who));
    else if (event.kind == events::EventKind::Changed)
        lines.append(changeSentence(event));
    else
        lines.append(title(event));
    if (const QString rests = doubts(event); !rests.isEmpty())
        lines.append(rests);
    return lines.join(QLatin1Char('\n'));
}

QString EventWords::doubts(const events::LockEvent &event)
{
    QStringList lines;
    if (event.detail.firstSeen)
        lines.append(tr("It began earlier: it already existed when it was first seen."));
    if (event.detail.unseen)
        lines.append(tr("It was taken and released between two reads; its holder is unknown."));
    if (event.detail.mayBeReleased)
        lines.append(maybeGivenBack(event.kind == events::EventKind::ForceReleased));
    if (const qint64 more = event.detail.coalesced; more > 0)
        lines.append(tr("Further changes between two reads: %1").arg(more));
    if (event.detail.missed)
        lines.append(tr("Found by a full scan; the store should have sent a notification."));
    return lines.join(QLatin1Char('\n'));
}

QString EventWords::gapSentence(const events::LockEvent &event, const TimeFormat &times,
                                const events::LockEvent *opened)
{
    const QString part = gapPart(event);
    const QString zone = times.zoneText(event.timeUs);
    const QString why = gapCause(event.kind == events::EventKind::GapOpened || !opened ? event : *opened);
    if (event.kind == events::EventKind::GapOpened) {
        if (why.isEmpty())
            return tr("%1 not observed from %2 %3 on").arg(part, times.dateTime(event.timeUs), zone);
        return tr("%1 not observed from %2 %3 on: %4").arg(part, times.dateTime(event.timeUs), zone, why);
    }
    const qint64 from = opened ? opened->timeUs : event.detail.sinceUs.value_or(event.timeUs);
    if (from >= event.timeUs)
        return tr("%1 observed again from %2 %3 on").arg(part, times.dateTime(event.timeUs), zone);
    const QString to = times.nearTime(event.timeUs, from);
    const QString length = Durations::text(event.timeUs - from);
    if (why.isEmpty())
        return tr("%1 observed again; not observed %2–%3 %4, for %5")
            .arg(part, times.dateTime(from), to, zone, length);
    return tr("%1 observed again; not observed %2–%3 %4, for %5: %6")
        .arg(part, times.dateTime(from), to, zone, length, why);
}

QString EventWords::gapPart(const events::LockEvent &event)
{
    const QString source = base::displayText(event.key.source);
    const QString node = base::displayText(event.detail.node);
    const QString ranges = base::displayText(event.detail.slotRanges);
    if (!event.detail.partial)
        return source;
    if (event.detail.cause == events::EventCause::SetUnread)
        return tr("Locks at %1 in %2").arg(node, source);
    if (ranges.isEmpty())
        return tr("Node %1 of %2").arg(node, source);
    return tr("Slots %1 of %2 (node %3)").arg(ranges, source, node);
}

QString EventWords::gapCause(const events::LockEvent &event)
{
    const QString message = base::displayText(event.detail.message);
    return message.isEmpty() ? causeText(event.detail.cause) : message;
}

QString EventWords::causeText(events::EventCause cause)
{
    using events::EventCause;
    switch (cause) {
    case EventCause::AgentRestarted:
        return tr("the agent wasn't running");
    case EventCause::Standby:
        return tr("the agent was standby");
    case EventCause::SourceDown:
        return tr("no connection to it");
    case EventCause::PushLost:
        return tr("its notifications were lost");
    case EventCause::SlotsMoving:
        return tr("these slots were moving");
    case EventCause::SetUnread:
        return tr("they couldn't be read");
    case EventCause::ScansFailed:
        return tr("its locks couldn't be read");
    case EventCause::AgentStalled:
        return tr("the agent was suspended");
    case EventCause::WentBack:
        return tr("the store was restored to an earlier state");
    case EventCause::NotPermitted:
        return tr("the agent may not read it");
    case EventCause::NotConfigured:
        return tr("it wasn't configured");
    case EventCause::Reloaded:
        return tr("it was configured otherwise");
    case EventCause::Journal:
        return tr("the agent's journal couldn't be written");
    case EventCause::None:
    case EventCause::Gap:
    case EventCause::Failover:
    case EventCause::Restart:
    case EventCause::ServerRestarted:
    case EventCause::LostInFailover:
        break;
    }
    return {};
}

bool EventWords::opens(const events::LockEvent &event, const events::LockEvent &closed)
{
    return event.kind == events::EventKind::GapOpened && event.key.source == closed.key.source &&
           event.timeUs <= closed.timeUs && event.detail.node == closed.detail.node &&
           event.detail.slotRanges == closed.detail.slotRanges;
}

} // namespace lockkeeper::app::words
