// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/event_formatter.h"

#include "app/models/events_model.h"
#include "app/models/history_model.h"
#include "app/presentation/durations.h"
#include "app/presentation/lock_text.h"
#include "app/presentation/words.h"
#include "shared/base/text.h"

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

bool EventFormatter::isRightAligned(int column)
{
    return column == models::WindowColumn || column == models::EventTtlColumn || column == models::SeqColumn;
}

QString EventFormatter::columnTitle(int column, qint64 nowUs) const
{
    switch (column) {
    case models::TimeColumn:
        return tr("Time (%1)").arg(m_times->zoneText(nowUs));
    case models::WindowColumn:
        return QStringLiteral("±");
    case models::EventKindColumn:
        return tr("Event");
    case models::EventLockColumn:
        return tr("Lock");
    case models::EventHolderColumn:
        return tr("Holder");
    case models::EventWaiterColumn:
        return tr("Waiter");
    case models::EventTtlColumn:
        return tr("TTL");
    case models::EventSourceColumn:
        return tr("Source");
    case models::SeqColumn:
        return tr("Seq");
    case models::EventCommandColumn:
        return tr("Command");
    default:
        return {};
    }
}

QVariant EventFormatter::header(int column, int role) const
{
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return columnTitle(column, QDateTime::currentMSecsSinceEpoch() * 1000);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (isRightAligned(column) ? Qt::AlignRight : Qt::AlignLeft));
    return {};
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
    case Qt::ToolTipRole:
        if (index.column() == models::TimeColumn || index.column() == models::WindowColumn)
            return tr("%1, %2", "exact time, window")
                .arg(m_times->exact(event->timeUs), Durations::window(event->windowUs));
        if (const QString doubts = EventFormatter::doubts(*event);
            index.column() == models::EventKindColumn && !doubts.isEmpty())
            return QString(text(*event, index.column()) + QLatin1Char('\n') + doubts);
        if (index.column() == models::EventHolderColumn)
            return bytesOrNothing(event->owner);
        return text(*event, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (isRightAligned(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

QString EventFormatter::text(const events::LockEvent &event, int column) const
{
    switch (column) {
    case models::TimeColumn:
        return m_times->dateTime(event.timeUs);
    case models::WindowColumn:
        return event.windowUs > 0 ? Durations::shortText(event.windowUs) : QString();
    case models::EventKindColumn:
        if (event.detail.contains(QLatin1String("may_be")))
            return tr("%1 (perhaps)", "an event").arg(Words::event(event.kind));
        if (event.detail.contains(QLatin1String("unseen")))
            return tr("%1 (unseen)", "an event").arg(Words::event(event.kind));
        return Words::event(event.kind);
    case models::EventLockColumn:
        return event.key.name.isEmpty() ? QString() : LockText::brief(event.key);
    case models::EventHolderColumn:
        return event.isSourceEvent() ? QString() : LockText::holder(event);
    case models::EventWaiterColumn:
        return event.waiter ? LockText::holder(*event.waiter, true) : QString();
    case models::EventTtlColumn:
        return event.ttlMs ? Durations::text(*event.ttlMs * 1000) : QString();
    case models::EventSourceColumn:
        return base::displayText(event.key.source);
    case models::SeqColumn:
        return event.seq > 0 ? QString::number(event.seq) : QString();
    case models::EventCommandColumn:
        return bytesOrNothing(event.command);
    default:
        return {};
    }
}

QString EventFormatter::doubts(const events::LockEvent &event)
{
    QStringList lines;
    if (event.detail.contains(QLatin1String("unseen")))
        lines.append(tr("It came and went before anybody could read it: nobody knows the holder."));
    if (event.detail.value(QLatin1String("may_be")).toString() == QLatin1String("released"))
        lines.append(tr("It may have been given back at its deadline."));
    if (const qint64 more = event.detail.value(QLatin1String("coalesced")).toInteger(); more > 0)
        lines.append(tr("Further changes that nobody could read: %1").arg(more));
    if (event.detail.contains(QLatin1String("missed")))
        lines.append(tr("It was found by reading everything; the store should have told of it."));
    return lines.join(QLatin1Char('\n'));
}

QString EventFormatter::gapSentence(const events::LockEvent &event) const
{
    const QString source = base::displayText(event.key.source);
    const QString zone = m_times->zoneText(event.timeUs);
    if (event.kind == events::Kind::GapOpened)
        return tr("%1 not observed from %2 %3 on").arg(source, m_times->dateTime(event.timeUs), zone);
    const qint64 from = event.timeUs - event.windowUs;
    if (event.windowUs > 0)
        return tr("%1 observed again; not observed %2–%3 %4")
            .arg(source, m_times->dateTime(from), m_times->time(event.timeUs), zone);
    return tr("%1 observed again from %2 %3 on").arg(source, m_times->dateTime(event.timeUs), zone);
}

} // namespace lockkeeper::app::presentation
