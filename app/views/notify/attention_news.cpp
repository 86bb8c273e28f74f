// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/notify/attention_news.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockkeeper::app::views {

using events::EventKind;

void AttentionNews::settle()
{
    m_settledUs = m_clock.monotonicUs() + kSettleUs;
    m_waiting.clear();
    m_sourceSettled.clear();
}

bool AttentionNews::isSettled(const QString &source) const
{
    return m_clock.monotonicUs() >= std::max(m_settledUs, m_sourceSettled.value(source));
}

void AttentionNews::take(const events::LockEvent &event, qint64 ageUs)
{
    constexpr qint64 kNever = std::numeric_limits<qint64>::max();
    switch (event.kind) {
    case EventKind::GapOpened:
        m_sourceSettled.insert(event.key.source, kNever);
        break;
    case EventKind::GapClosed:
    case EventKind::SourceUp:
        drop(event.key);
        m_sourceSettled.insert(event.key.source, m_clock.monotonicUs() + kSettleUs);
        break;
    case EventKind::SourceDown: // its gap has begun already
        if (ageUs < kFreshUs && m_clock.monotonicUs() >= m_settledUs)
            add(Trouble::SourceDown, event.key, kSourceUs);
        break;
    case EventKind::Stuck:
    case EventKind::Expired:
        if (!event.after) // an expired lock that was removed blocks no client
            drop(event.key);
        else if (ageUs < kFreshUs && isSettled(event.key.source))
            add(event.kind == EventKind::Stuck ? Trouble::Stuck : Trouble::Expired, event.key, kGatherUs);
        break;
    case EventKind::Acquired:
    case EventKind::Renewed:
    case EventKind::Released:
    case EventKind::TakenOver:
    case EventKind::Unstuck:
    case EventKind::ForceReleased:
    case EventKind::Lost:
    case EventKind::Changed:
        drop(event.key);
        break;
    case EventKind::WaitStart:
    case EventKind::WaitEnd:
        break;
    }
}

void AttentionNews::add(Trouble trouble, const domain::LockKey &key, qint64 afterUs)
{
    const qint64 nowUs = m_clock.monotonicUs();
    const auto announced = m_announced.constFind(key);
    if (announced != m_announced.cend() && nowUs - *announced < kAgainUs)
        return;
    drop(key);
    m_waiting.append({{trouble, key}, nowUs + afterUs});
}

void AttentionNews::drop(const domain::LockKey &key)
{
    m_waiting.removeIf([&key](const DelayedNews &waiting) { return waiting.item.key == key; });
}

QList<TroubleItem> AttentionNews::takeDue()
{
    const qint64 nowUs = m_clock.monotonicUs();
    QList<TroubleItem> due;
    if (nowUs < m_nextUs)
        return due;
    for (const DelayedNews &waiting : std::as_const(m_waiting)) {
        if (waiting.dueUs <= nowUs)
            due.append(waiting.item);
    }
    if (due.isEmpty())
        return due;
    m_waiting.removeIf([nowUs](const DelayedNews &waiting) { return waiting.dueUs <= nowUs; });
    m_nextUs = nowUs + kApartUs;
    m_announced.removeIf([nowUs](const QHash<domain::LockKey, qint64>::iterator &it) {
        return nowUs - it.value() >= kAgainUs;
    });
    for (const TroubleItem &item : std::as_const(due))
        m_announced.insert(item.key, nowUs);
    std::stable_sort(due.begin(), due.end(),
                     [](const TroubleItem &a, const TroubleItem &b) { return a.trouble < b.trouble; });
    return due;
}

} // namespace lockkeeper::app::views
