// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/event_formatter.h"

#include "app/models/events_model.h"
#include "app/models/history_model.h"
#include "app/presentation/column_titles.h"
#include "app/words/durations.h"
#include "app/words/event_words.h"
#include "app/words/lock_text.h"
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
        if (index.column() == models::WindowColumn && event->detail.firstSeen)
            return words::EventWords::doubts(*event);
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
        if (event.detail.firstSeen)
            return QStringLiteral("≥");
        return event.windowUs > 0 ? words::Durations::shortText(event.windowUs) : QString();
    case models::EventKindColumn:
        return words::EventWords::title(event);
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
    return entry ? words::EventWords::by(entry->role, entry->who, entry->reason) : QString();
}

QString EventFormatter::sentence(const events::LockEvent &event) const
{
    return words::EventWords::sentence(event, *m_times, by(event));
}

QString EventFormatter::gapSentence(const events::LockEvent &event, const events::LockEvent *opened) const
{
    return words::EventWords::gapSentence(event, *m_times, opened);
}

} // namespace lockkeeper::app::presentation
