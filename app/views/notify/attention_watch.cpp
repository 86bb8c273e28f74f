// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/notify/attention_watch.h"

#include "app/models/seconds.h"
#include "app/replica/alert_board.h"
#include "app/replica/replica.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/widgets/requests.h"
#include "app/words/lock_text.h"
#include "shared/base/text.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::app::views {

using words::LockText;

AttentionWatch::AttentionWatch(const ConsoleContext &context, Notify notify, QObject *parent)
    : QObject(parent), m_context(context), m_notify(std::move(notify)), m_news(*context.clock)
{
    m_news.settle();
    const auto settle = [this] { m_news.settle(); };
    connect(context.session, &session::AgentGroup::agentChanged, this, settle);
    connect(context.replica, &replica::Replica::offlineChanged, this, settle);
    connect(context.replica, &replica::Replica::reset, this, settle);
    connect(context.replica, &replica::Replica::missed, this, settle);
    connect(context.replica, &replica::Replica::events, this, &AttentionWatch::take);
    connect(&m_second, &QTimer::timeout, this, &AttentionWatch::check);
    models::startSeconds(m_second);
}

void AttentionWatch::take(const QList<events::LockEvent> &events)
{
    for (const events::LockEvent &event : events) {
        if (m_context.alerts->isKnown(event.key.source)) // its rules decide, and AlertWatch notifies
            continue;
        m_news.take(event, m_context.replica->storeClockUs(event.key.source) - event.observedUs);
    }
}

void AttentionWatch::check()
{
    if (!m_news.isWaiting())
        return;
    const QList<TroubleItem> due = m_news.takeDue();
    if (due.isEmpty() || !m_context.settings->value(settings::Key::AttentionNews).toBool())
        return;
    m_notify(titleOf(due), textOf(due), [this, due] { open(due); });
}

QString AttentionWatch::titleOf(const QList<TroubleItem> &items) const
{
    if (items.size() > 1)
        return tr("%n thing(s) need attention", nullptr, int(items.size()));
    switch (items.first().trouble) {
    case Trouble::SourceDown:
        return tr("A source is down");
    case Trouble::Stuck:
        return tr("A lock is stuck");
    case Trouble::Expired:
        break;
    }
    return tr("A lock has expired");
}

/** A line for each kind of trouble, which names the first lock or source. */
QString AttentionWatch::textOf(const QList<TroubleItem> &items) const
{
    QStringList lines;
    for (const Trouble trouble : {Trouble::SourceDown, Trouble::Stuck, Trouble::Expired}) {
        const auto is = [trouble](const TroubleItem &item) { return item.trouble == trouble; };
        const auto first = std::find_if(items.cbegin(), items.cend(), is);
        if (first == items.cend())
            continue;
        const int count = int(std::count_if(items.cbegin(), items.cend(), is));
        const QString source = base::displayText(first->key.source);
        const QString name = LockText::name(first->key);
        if (trouble == Trouble::SourceDown)
            lines.append(
                count == 1
                    ? tr("%1 isn't observed any more.").arg(source)
                    : tr("%n source(s) aren't observed any more, such as %1.", nullptr, count).arg(source));
        else if (trouble == Trouble::Stuck)
            lines.append(count == 1 ? tr("“%1” in %2 is stuck.", "lock, source").arg(name, source)
                                    : tr("%n lock(s) are stuck, such as “%1” in %2.", "lock, source", count)
                                          .arg(name, source));
        else
            lines.append(
                count == 1 ? tr("“%1” in %2 has expired and still exists.", "lock, source").arg(name, source)
                           : tr("%n lock(s) have expired, such as “%1” in %2.", "lock, source", count)
                                 .arg(name, source));
    }
    return lines.join(QLatin1Char('\n'));
}

void AttentionWatch::open(const QList<TroubleItem> &items)
{
    const TroubleItem &first = items.first();
    if (items.size() > 1)
        Q_EMIT m_context.requests->viewAsked(QByteArrayLiteral("overview"), {});
    else if (first.trouble == Trouble::SourceDown)
        Q_EMIT m_context.requests->viewAsked(QByteArrayLiteral("sources"), first.key.source);
    else
        Q_EMIT m_context.requests->lockAsked(first.key);
}

} // namespace lockkeeper::app::views
