// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Locks that somebody asks for while the server tells of changes.
#include "shared/stores/redis/push/tracker.h"

#include <utility>

namespace lockkeeper::stores::redis::push {

bool Tracker::look(QList<Observation> locks, const ReadMode &mode, std::function<void(KeyPage &)> done)
{
    if (!m_state.on)
        return readKeys(m_data, mode, std::move(locks), std::move(done));
    if (!m_data.isOpen())
        return false;
    m_waitingLooks.push_back({std::move(locks), mode, std::move(done)});
    pump();
    return true;
}

void Tracker::sendLook()
{
    Question question = std::move(m_waitingLooks.front());
    m_waitingLooks.pop_front();
    m_budget.spend(question.locks.size() * m_commandsAKey + 4); // with the proof before it
    m_barrier.whenProvenNow([this, question = std::move(question)] {
        const quint64 id = ++m_lookId;
        Look &look = m_looks[id];
        for (const Observation &lock : question.locks) {
            const QByteArray key = schemeFor(question.mode, lock.set).keyOf(lock.name).toByteArray();
            if (m_dirty.isOpen(key))
                look.open.insert(key);
        }
        const auto take = [this, id, done = question.done](KeyPage &page) {
            if (page.error)
                finishLook(id, page, done);
            else
                m_barrier.whenProven(page.endedUs,
                                     [this, id, page, done]() mutable { finishLook(id, page, done); });
        };
        if (readKeys(m_data, question.mode, question.locks, take))
            return;
        KeyPage none;
        none.error = m_data.failure();
        finishLook(id, none, question.done);
    });
}

/** Push is off: they are read as where a source is polled, or told that the link is down. */
void Tracker::sendAllLooks()
{
    while (!m_waitingLooks.empty())
        sendLook();
}

void Tracker::finishLook(quint64 id, KeyPage &page, const std::function<void(KeyPage &)> &done)
{
    const Look look = m_looks.take(id);
    page.locks.removeIf([this, &look](const Observation &lock) {
        const QByteArray key = schemeFor(m_mode, lock.set).keyOf(lock.name).toByteArray();
        return look.open.contains(key);
    });
    for (const Observation &lock : std::as_const(page.locks)) {
        if (m_state.on && !lock.present && !schemeFor(m_mode, lock.set).manyPerKey())
            m_dirty.wasAbsent(lock.name, page.endedUs);
    }
    done(page);
}

} // namespace lockkeeper::stores::redis::push
