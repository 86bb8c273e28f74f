// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/event_formatter.h"

#include "app/models/events_model.h"
#include "app/models/history_model.h"
#include "app/presentation/column_titles.h"
#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <array>

namespace lockkeeper::app::presentation {

namespace {

const events::LockEvent *eventOf(const QModelIndex &index)
{
    if (const auto *tail = qobject_cast<const models::EventsModel *>(index.model()))
        return tail->at(index.row());
    if (const auto *history = qobject_cast<const models::HistoryModel *>(index.model()))
        return history->at(index.row());
    return nullptr;
}

QString bytesOrNothing(const QByteArray &bytes)
{
    return bytes.isEmpty() ? QString() : base::displayText(bytes);
}

} // namespace

QVariant EventFormatter::header(int column, int role) const
{
    static constexpr std::array<ColumnTitle, models::EventColumnCount> kTitles{{
        {QT_TR_NOOP("Time (%1)"), Qt::AlignLeft, true},
        {"±", Qt::AlignRight},
        {QT_TR_NOOP("Event")},
        {QT_TR_NOOP("Lock")},
        {QT_TR_NOOP("Holder")},
        {QT_TR_NOOP("Waiter")},
        {QT_TR_NOOP("TTL"), Qt::AlignRight},
        {QT_TR_NOOP("Source")},
        {QT_TR_NOOP("Seq"), Qt::AlignRight},
        {QT_TR_NOOP("Command")},
        {QT_TR_NOOP("User and reason")},
    }};
    return titleOf(kTitles, column, role == Qt::ToolTipRole ? int(Qt::DisplayRole) : role, tr, m_times);
}

QVariant EventFormatter::cell(const QModelIndex &index, int role) const
{
    const events::LockEvent *event = eventOf(index);
    if (!event)
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(*event, index.column());
    case models::kWholeRole:
        if (index.column() == models::EventWaiterColumn && event->waiter)
            return words::LockText::wholeHolder(*event->waiter, true);
        return index.column() == models::EventHolderColumn
                   ? words::LockText::wholeHolder(event->owner, event->ownerKnown)
                   : QVariant();
    case Qt::ToolTipRole:
        if (index.column() == models::WindowColumn &&
            event->detail.value(QLatin1String("first_seen")).toBool())
            return doubts(*event);
        if (index.column() == models::TimeColumn || index.column() == models::WindowColumn)
            return tr("%1, %2", "exact time, window")
                .arg(m_times->exact(event->timeUs), words::Durations::window(event->windowUs));
        if (index.column() == models::EventKindColumn || index.column() == models::EventByColumn)
            return sentence(*event);
        if (index.column() == models::EventHolderColumn)
            return bytesOrNothing(event->owner);
        return text(*event, index.column());
    case Qt::TextAlignmentRole:
        return header(index.column(), role);
    default:
        return {};
    }
}

QString EventFormatter::text(const events::LockEvent &event, int column) const
{
    switch (column) {
    case models::TimeColumn:
        return m_times->fineDateTime(event.timeUs) + m_times->zoneBeside(event.timeUs);
    case models::WindowColumn:
        if (event.detail.value(QLatin1String("first_seen")).toBool())
            return QStringLiteral("≥");
        return event.windowUs > 0 ? words::Durations::shortText(event.windowUs) : QString();
    case models::EventKindColumn:
        if (event.detail.contains(QLatin1String("may_be")))
            return tr("%1 (perhaps)", "an event").arg(words::Words::event(event.kind));
        if (event.detail.contains(QLatin1String("unseen")))
            return tr("%1 (unseen)", "an event").arg(words::Words::event(event.kind));
        return words::Words::event(event.kind);
    case models::EventLockColumn:
        return event.key.name.isEmpty() ? QString() : words::LockText::name(event.key);
    case models::EventHolderColumn:
        return event.isSourceEvent() ? QString() : words::LockText::holder(event);
    case models::EventWaiterColumn:
        return event.waiter ? words::LockText::holder(*event.waiter, true) : QString();
    case models::EventTtlColumn:
        return event.ttlMs ? words::Durations::text(*event.ttlMs * 1000) : QString();
    case models::EventSourceColumn:
        return base::displayText(event.key.source);
    case models::SeqColumn:
        return event.seq > 0 ? QString::number(event.seq) : QString();
    case models::EventCommandColumn:
        return bytesOrNothing(event.command);
    case models::EventByColumn:
        return by(event);
    default:
        return {};
    }
}

QString EventFormatter::by(const events::LockEvent &event) const
{
    if (event.kind != events::EventKind::ForceReleased || !m_releases)
        return {};
    const domain::AuditEntry *entry = m_releases->find(event.command);
    return entry ? by(entry->role, entry->who, entry->reason) : QString();
}

QString EventFormatter::by(const QString &role, const QString &who, const QString &reason)
{
    const QString name = role == QLatin1String("policy") ? tr("the reaper") : base::displayText(who);
    return reason.isEmpty() ? name : tr("%1: %2", "who, why").arg(name, base::displayText(reason));
}

QString EventFormatter::maybeGivenBack(bool forced)
{
    return forced ? tr("The command's answer was lost: probably by this command, or its holder gave it "
                       "back at that time.")
                  : tr("It may have been released at its deadline.");
}

QString EventFormatter::waitSentence(const events::LockEvent &event) const
{
    const QString waiter = base::displayText(*event.waiter);
    const QString name = words::LockText::name(event.key);
    const QString holder = event.ownerKnown && !event.owner.isEmpty() ? base::displayText(event.owner)
                                                                      : words::Durations::unknown();
    if (event.kind == events::EventKind::WaitStart)
        return tr("%1 began to wait for %2, which %3 holds.", "waiter, lock, holder")
            .arg(waiter, name, holder);
    const QString outcome = event.detail.value(QLatin1String("outcome")).toString();
    const QJsonValue since = event.detail.value(QLatin1String("since_us"));
    const QString time = since.isDouble()
                             ? words::Durations::text(std::max<qint64>(0, event.timeUs - since.toInteger()))
                             : words::Durations::unknown();
    if (outcome == QLatin1String("acquired"))
        return tr("%1 waited %2 for %3, and holds it now.", "waiter, duration, lock").arg(waiter, time, name);
    if (outcome == QLatin1String("lock_gone"))
        return tr("%1 waited %2 for %3, which is no longer listed.", "waiter, duration, lock")
            .arg(waiter, time, name);
    return tr("%1 waited %2 for %3 and waits no longer.", "waiter, duration, lock").arg(waiter, time, name);
}

QString EventFormatter::releaseSentence(const events::LockEvent &event) const
{
    const QString holder = event.ownerKnown && !event.owner.isEmpty() ? base::displayText(event.owner)
                                                                      : words::Durations::unknown();
    const QString who = by(event);
    const QString command = bytesOrNothing(event.command);
    if (command.isEmpty())
        return tr("Force-released; it was held by %1.").arg(holder);
    if (who.isEmpty())
        return tr("Force-released by command %1; it was held by %2.").arg(command, holder);
    return tr("Force-released by %1 (command %2); it was held by %3.", "who and why, command, holder")
        .arg(who, command, holder);
}

QString EventFormatter::changeSentence(const events::LockEvent &event)
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

QString EventFormatter::sentence(const events::LockEvent &event) const
{
    QStringList lines;
    const bool wait = event.kind == events::EventKind::WaitStart || event.kind == events::EventKind::WaitEnd;
    if (models::isGap(event))
        lines.append(gapSentence(event));
    else if (wait && event.waiter)
        lines.append(waitSentence(event));
    else if (event.kind == events::EventKind::ForceReleased)
        lines.append(releaseSentence(event));
    else if (event.kind == events::EventKind::Changed)
        lines.append(changeSentence(event));
    else
        lines.append(text(event, models::EventKindColumn));
    if (const QString rests = doubts(event); !rests.isEmpty())
        lines.append(rests);
    return lines.join(QLatin1Char('\n'));
}

QString EventFormatter::doubts(const events::LockEvent &event)
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

QString EventFormatter::gapSentence(const events::LockEvent &event, const events::LockEvent *opened) const
{
    const QString part = gapPart(event);
    const QString zone = m_times->zoneText(event.timeUs);
    const QString why = gapCause(event.kind == events::EventKind::GapOpened || !opened ? event : *opened);
    if (event.kind == events::EventKind::GapOpened) {
        if (why.isEmpty())
            return tr("%1 not observed from %2 %3 on").arg(part, m_times->dateTime(event.timeUs), zone);
        return tr("%1 not observed from %2 %3 on: %4").arg(part, m_times->dateTime(event.timeUs), zone, why);
    }
    const qint64 from =
        opened ? opened->timeUs : event.detail.value(QLatin1String("since_us")).toInteger(event.timeUs);
    if (from >= event.timeUs)
        return tr("%1 observed again from %2 %3 on").arg(part, m_times->dateTime(event.timeUs), zone);
    const QString to = m_times->nearTime(event.timeUs, from);
    const QString length = words::Durations::text(event.timeUs - from);
    if (why.isEmpty())
        return tr("%1 observed again; not observed %2–%3 %4, for %5")
            .arg(part, m_times->dateTime(from), to, zone, length);
    return tr("%1 observed again; not observed %2–%3 %4, for %5: %6")
        .arg(part, m_times->dateTime(from), to, zone, length, why);
}

QString EventFormatter::gapPart(const events::LockEvent &event)
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

QString EventFormatter::gapCause(const events::LockEvent &event)
{
    const QString message = base::displayText(event.detail.value(QLatin1String("message")).toString());
    return message.isEmpty() ? causeText(event.detail.value(QLatin1String("cause")).toString()) : message;
}

QString EventFormatter::causeText(const QString &cause)
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

bool EventFormatter::opens(const events::LockEvent &event, const events::LockEvent &closed)
{
    const auto same = [&](QLatin1String name) {
        return event.detail.value(name).toString() == closed.detail.value(name).toString();
    };
    return event.kind == events::EventKind::GapOpened && event.key.source == closed.key.source &&
           event.timeUs <= closed.timeUs && same(QLatin1String("node")) && same(QLatin1String("slots"));
}

} // namespace lockkeeper::app::presentation
