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
    if (event.detail.contains(QLatin1String("may_be")))
        return tr("%1 (perhaps)", "an event").arg(Words::event(event.kind));
    if (event.detail.contains(QLatin1String("unseen")))
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
    const QString outcome = event.detail.value(QLatin1String("outcome")).toString();
    const QJsonValue since = event.detail.value(QLatin1String("since_us"));
    const QString time = since.isDouble()
                             ? Durations::text(std::max<qint64>(0, event.timeUs - since.toInteger()))
                             : Durations::unknown();
    if (outcome == QLatin1String("acquired"))
        return tr("%1 waited %2 for %3, and holds it now.", "waiter, duration, lock").arg(waiter, time, name);
    if (outcome == QLatin1String("lock_gone"))
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
    const QString state = event.detail.value(QLatin1String("state")).toString();
    if (state == QLatin1String("gone"))
        return tr("Its row or key no longer exists.");
    if (state == QLatin1String("free") || state == QLatin1String("optimistic"))
        return tr("It isn't held now.");
    if (state == QLatin1String("expired"))
        return tr("Its lease has expired, and its row still exists.");
    if (state == QLatin1String("held"))
        return tr("The same holder has it: its deadline was changed, or it can be read again.");
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
    if (event.detail.value(QLatin1String("first_seen")).toBool())
        lines.append(tr("It began earlier: it already existed when it was first seen."));
    if (event.detail.contains(QLatin1String("unseen")))
        lines.append(tr("It was taken and released between two reads; its holder is unknown."));
    if (event.detail.value(QLatin1String("may_be")).toString() == QLatin1String("released"))
        lines.append(maybeGivenBack(event.kind == events::EventKind::ForceReleased));
    if (const qint64 more = event.detail.value(QLatin1String("coalesced")).toInteger(); more > 0)
        lines.append(tr("Further changes between two reads: %1").arg(more));
    if (event.detail.contains(QLatin1String("missed")))
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
    const qint64 from =
        opened ? opened->timeUs : event.detail.value(QLatin1String("since_us")).toInteger(event.timeUs);
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
    const QString node = base::displayText(event.detail.value(QLatin1String("node")).toString());
    const QString ranges = base::displayText(event.detail.value(QLatin1String("slots")).toString());
    if (!event.detail.value(QLatin1String("partial")).toBool())
        return source;
    if (event.detail.value(QLatin1String("cause")).toString() == QLatin1String("set_unread"))
        return tr("Locks at %1 in %2").arg(node, source);
    if (ranges.isEmpty())
        return tr("Node %1 of %2").arg(node, source);
    return tr("Slots %1 of %2 (node %3)").arg(ranges, source, node);
}

QString EventWords::gapCause(const events::LockEvent &event)
{
    const QString message = base::displayText(event.detail.value(QLatin1String("message")).toString());
    return message.isEmpty() ? causeText(event.detail.value(QLatin1String("cause")).toString()) : message;
}

QString EventWords::causeText(const QString &cause)
{
    if (cause == QLatin1String("agent_restarted"))
        return tr("the agent wasn't running");
    if (cause == QLatin1String("standby"))
        return tr("the agent was standby");
    if (cause == QLatin1String("source_down"))
        return tr("no connection to it");
    if (cause == QLatin1String("push_lost"))
        return tr("its notifications were lost");
    if (cause == QLatin1String("slots_moving"))
        return tr("these slots were moving");
    if (cause == QLatin1String("set_unread"))
        return tr("they couldn't be read");
    if (cause == QLatin1String("scans_failed"))
        return tr("its locks couldn't be read");
    if (cause == QLatin1String("agent_stalled"))
        return tr("the agent was suspended");
    if (cause == QLatin1String("went_back"))
        return tr("the store was restored to an earlier state");
    if (cause == QLatin1String("not_permitted"))
        return tr("the agent may not read it");
    if (cause == QLatin1String("not_configured"))
        return tr("it wasn't configured");
    if (cause == QLatin1String("reloaded"))
        return tr("it was configured otherwise");
    if (cause == QLatin1String("journal"))
        return tr("the agent's journal couldn't be written");
    return {};
}

bool EventWords::opens(const events::LockEvent &event, const events::LockEvent &closed)
{
    const auto same = [&](QLatin1String name) {
        return event.detail.value(name).toString() == closed.detail.value(name).toString();
    };
    return event.kind == events::EventKind::GapOpened && event.key.source == closed.key.source &&
           event.timeUs <= closed.timeUs && same(QLatin1String("node")) && same(QLatin1String("slots"));
}

} // namespace lockkeeper::app::words
