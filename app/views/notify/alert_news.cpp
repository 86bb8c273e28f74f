// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/notify/alert_news.h"

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

/** Alert ids don't count flaps: each acquisition of a lock makes a new id. */
QByteArray ruleAndSubject(const domain::Alert &alert)
{
    return QByteArrayList{alert.rule.toUtf8(), alert.source.toUtf8(), alert.lock.scheme, alert.lock.place,
                          alert.lock.name}
        .join('\0');
}

} // namespace

void AlertNews::take(const domain::Alert &alert)
{
    const qint64 nowUs = m_clock.monotonicUs();
    QList<qint64> &firings = m_firings[ruleAndSubject(alert)];
    if (!firings.isEmpty() && firings.size() > kFlaps && nowUs - firings.constLast() < kFlapUs) {
        firings.append(nowUs); // silent until it has been calm
        return;
    }
    firings.append(nowUs);
    firings.removeIf([nowUs](qint64 us) { return nowUs - us >= kFlapUs; });
    drop(alert.id);
    m_waiting.append({{alert, int(firings.size())}, nowUs + kGatherUs});
}

void AlertNews::drop(const QByteArray &id)
{
    m_waiting.removeIf([&id](const DelayedAlert &waiting) { return waiting.fired.alert.id == id; });
}

void AlertNews::forget()
{
    m_waiting.clear();
    m_firings.clear();
}

QList<QByteArray> AlertNews::waiting() const
{
    QList<QByteArray> ids;
    for (const DelayedAlert &waiting : m_waiting)
        ids.append(waiting.fired.alert.id);
    return ids;
}

QList<FiredAlert> AlertNews::takeDue()
{
    const qint64 nowUs = m_clock.monotonicUs();
    m_firings.removeIf([nowUs](const QHash<QByteArray, QList<qint64>>::iterator &it) {
        return nowUs - it.value().constLast() >= kFlapUs;
    });
    const auto isDue = [nowUs](const DelayedAlert &waiting) { return waiting.dueUs <= nowUs; };
    QList<FiredAlert> due;
    if (nowUs < m_nextUs)
        return due;
    for (const DelayedAlert &waiting : std::as_const(m_waiting)) {
        if (isDue(waiting))
            due.append(waiting.fired);
    }
    if (due.isEmpty())
        return due;
    m_waiting.removeIf(isDue);
    m_nextUs = nowUs + kApartUs;
    std::stable_sort(due.begin(), due.end(), [](const FiredAlert &a, const FiredAlert &b) {
        return a.alert.severity > b.alert.severity;
    });
    return due;
}

} // namespace lockkeeper::app::views
