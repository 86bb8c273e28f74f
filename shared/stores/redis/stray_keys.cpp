// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/stray_keys.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

namespace {

/** When the server's clock showed `us`, as early as it can have been. */
qint64 monotonicOf(const ClockTie &clock, qint64 us)
{
    return clock.monotonicUs - (clock.storeUs - us);
}

} // namespace

void StrayKeys::add(Tellers &tellers, quint16 server, const Teller &teller)
{
    const auto known = tellers.find(server);
    if (known == tellers.end()) {
        tellers.insert(server, teller);
        return;
    }
    known->sinceUs = std::min(known->sinceUs, teller.sinceUs);
    known->monotonicUs = std::min(known->monotonicUs, teller.monotonicUs);
    known->asked.absentAtUs = std::max(known->asked.absentAtUs, teller.asked.absentAtUs);
    known->asked.dirt.told += teller.asked.dirt.told;
    known->asked.dirt.story.append(teller.asked.dirt.story);
}

void StrayKeys::note(quint16 server, const push::Strays &strays)
{
    const ClockTie clock{strays.askedUs, strays.beganUs};
    for (const push::ReadBack::Key &key : strays.keys) {
        const qint64 sinceUs = key.asked.dirt.sinceUs;
        const Teller teller{sinceUs, monotonicOf(clock, sinceUs), key.asked};
        for (const quint16 set : key.sets) {
            const Subject subject{set, key.asked.key};
            Entry &entry = m_entries[subject];
            if (entry.waiting.isEmpty() && !entry.isRead)
                m_queue.append(subject);
            add(entry.waiting, server, teller);
        }
    }
}

QList<Subject> StrayKeys::take()
{
    for (const Subject &key : std::as_const(m_queue)) {
        Entry &entry = m_entries[key];
        entry.read = std::exchange(entry.waiting, {});
        entry.sentOn.clear();
        entry.isRead = true;
        entry.isHeldBack = false;
    }
    return std::exchange(m_queue, {});
}

void StrayKeys::sentOn(const Subject &key, const Asked &by)
{
    const auto entry = m_entries.find(key);
    if (entry != m_entries.end() && entry->isRead)
        entry->sentOn.append(by);
}

bool StrayKeys::hasAsked(const Subject &key, quint16 server) const
{
    const auto entry = m_entries.constFind(key);
    return entry != m_entries.cend() &&
           std::any_of(entry->sentOn.cbegin(), entry->sentOn.cend(),
                       [server](const Asked &asked) { return asked.server == server; });
}

std::optional<push::DirtyKeys::Asked> StrayKeys::answer(const Subject &key, const Asked &at, qint64 endedUs,
                                                        qint64 arrivedUs) const
{
    const auto entry = m_entries.constFind(key);
    if (entry == m_entries.cend() || !entry->isRead)
        return std::nullopt;
    qint64 sinceUs = at.toldUntilUs;
    const auto reachBack = [&](quint16 server, qint64 us, qint64 monotonicUs) {
        const qint64 here = server == at.server ? us : endedUs - (arrivedUs - monotonicUs);
        sinceUs = us > 0 ? std::min(sinceUs, here) : 0;
    };
    // What waits was told of changes that this reading may show already.
    for (const Tellers &tellers : {entry->read, entry->waiting}) {
        for (auto it = tellers.cbegin(); it != tellers.cend(); ++it)
            reachBack(it.key(), it->sinceUs, it->monotonicUs);
    }
    for (const Asked &node : entry->sentOn)
        reachBack(node.server, node.toldUntilUs, monotonicOf(node.clock, node.toldUntilUs));
    push::DirtyKeys::Asked answer;
    if (const auto teller = entry->read.constFind(at.server); teller != entry->read.cend()) {
        answer.dirt = teller->asked.dirt;
        // Of what the others have told one message may be of the key's departure, and one here of its
        // arrival.
        quint32 all = 0;
        for (const Teller &any : entry->read)
            all += any.asked.dirt.told;
        answer.dirt.told = std::max(answer.dirt.told, std::max(all, 2U) - 2);
        // It was told by this node alone, and is judged by its clock alone, however far the window reaches.
        answer.absentAtUs = teller->sinceUs < teller->asked.absentAtUs ? endedUs : 0;
    }
    answer.key = key.name;
    answer.dirt.sinceUs = std::max<qint64>(0, sinceUs);
    return answer;
}

std::optional<push::DirtyKeys::Asked> StrayKeys::stayed(const Subject &key, const Asked &at, qint64 endedUs,
                                                        qint64 arrivedUs, qint64 tellsSinceUs) const
{
    const auto entry = m_entries.constFind(key);
    if (entry == m_entries.cend() || entry->read.size() != 1 || hasTold(key, at.server))
        return std::nullopt;
    const Teller &teller = *entry->read.cbegin();
    if (teller.sinceUs <= 0 || teller.sinceUs < teller.asked.absentAtUs || // by its own clock and readings
        teller.monotonicUs < arrivedUs - kMemoryUs ||
        wasAbsentElsewhere(key, entry->read.cbegin().key(), teller.monotonicUs))
        return std::nullopt;
    auto answered = answer(key, at, endedUs, arrivedUs);
    if (!answered || answered->dirt.sinceUs < std::max<qint64>(1, tellsSinceUs))
        return std::nullopt;
    const qint64 sinceUs = std::exchange(answered->dirt, teller.asked.dirt).sinceUs;
    answered->dirt.sinceUs = sinceUs;
    return answered;
}

void StrayKeys::holdBack(const Subject &key)
{
    const auto entry = m_entries.find(key);
    if (entry != m_entries.end() && entry->isRead)
        entry->isHeldBack = true;
}

bool StrayKeys::isHeldBack(const Subject &key) const
{
    const auto entry = m_entries.constFind(key);
    return entry != m_entries.cend() && entry->isRead && entry->isHeldBack;
}

bool StrayKeys::hasTold(const Subject &key, quint16 server) const
{
    const auto entry = m_entries.constFind(key);
    return entry != m_entries.cend() && (entry->read.contains(server) || entry->waiting.contains(server));
}

void StrayKeys::again(const Subject &key)
{
    const auto entry = m_entries.find(key);
    if (entry == m_entries.end())
        return;
    const Tellers later = std::exchange(entry->waiting, entry->read);
    for (auto it = later.cbegin(); it != later.cend(); ++it)
        add(entry->waiting, it.key(), *it);
    end(key);
}

void StrayKeys::end(const Subject &key)
{
    const auto entry = m_entries.find(key);
    if (entry == m_entries.end() || !entry->isRead)
        return;
    entry->isRead = entry->isHeldBack = false;
    entry->read.clear();
    if (entry->waiting.isEmpty())
        m_entries.erase(entry);
    else
        m_queue.append(key);
}

void StrayKeys::wasAbsent(const Subject &key, quint16 server, qint64 atUs, qint64 arrivedUs)
{
    remember({arrivedUs, key, server});
    const auto entry = m_entries.find(key);
    if (entry == m_entries.end())
        return;
    for (Tellers *tellers : {&entry->read, &entry->waiting}) {
        const auto teller = tellers->find(server);
        if (teller != tellers->end())
            teller->asked.absentAtUs = std::max(teller->asked.absentAtUs, atUs);
    }
}

void StrayKeys::remember(const Absence &absence)
{
    m_absent[absence.key].insert(absence.server, absence.monotonicUs);
    m_absences.push_back(absence);
    while (m_absences.front().monotonicUs < absence.monotonicUs - kMemoryUs) {
        const Absence old = std::move(m_absences.front());
        m_absences.pop_front();
        const auto known = m_absent.find(old.key);
        if (known == m_absent.end() || known->value(old.server) != old.monotonicUs)
            continue; // it was seen again
        known->remove(old.server);
        if (known->isEmpty())
            m_absent.erase(known);
    }
}

bool StrayKeys::wasAbsentElsewhere(const Subject &key, quint16 server, qint64 sinceUs) const
{
    const QHash<quint16, qint64> seen = m_absent.value(key);
    for (auto it = seen.cbegin(); it != seen.cend(); ++it) {
        if (it.key() != server && *it >= sinceUs)
            return true;
    }
    return false;
}

void StrayKeys::clear()
{
    m_entries.clear();
    m_queue.clear();
}

} // namespace lockkeeper::stores::redis
