// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/dirty_keys.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis::push {

DirtyKeys::Entry &DirtyKeys::open(const QByteArray &key, qint64 sinceUs)
{
    Entry &entry = m_entries[key];
    if (entry.mark == 0) {
        entry.mark = ++m_marks;
        entry.dirt.sinceUs = sinceUs;
        m_open.insert(entry.mark);
        if (entry.reading == 0)
            m_queue.push_back(key);
    }
    return entry;
}

void DirtyKeys::mark(const QByteArray &key, qint64 sinceUs)
{
    ++open(key, sinceUs).dirt.told;
}

void DirtyKeys::markBeside(const QByteArray &key, qint64 sinceUs)
{
    open(key, sinceUs);
}

void DirtyKeys::note(const QByteArray &key, QByteArrayView event)
{
    m_entries[key].dirt.story.add(event);
}

QList<DirtyKeys::Asked> DirtyKeys::take(qsizetype most)
{
    QList<Asked> asked;
    while (asked.size() < most && !m_queue.empty()) {
        const QByteArray key = m_queue.front();
        m_queue.pop_front();
        Entry &entry = m_entries[key];
        entry.reading = std::exchange(entry.mark, 0);
        entry.readingSinceUs = entry.dirt.sinceUs;
        asked.append({key, std::exchange(entry.dirt, {}), entry.absentAtUs});
    }
    return asked;
}

void DirtyKeys::answered(const QByteArray &key, qint64 absentAtUs)
{
    const auto it = m_entries.find(key);
    if (it == m_entries.end())
        return;
    m_open.erase(std::exchange(it->reading, 0));
    it->absentAtUs = absentAtUs;
    if (absentAtUs != 0)
        m_absent.emplace_back(absentAtUs, key);
    if (it->mark != 0)
        m_queue.push_back(key);
    else
        dropIfIdle(key);
}

void DirtyKeys::passedOn(const QByteArray &key)
{
    answered(key, absentAtUs(key));
}

void DirtyKeys::wasAbsent(const QByteArray &key, qint64 atUs)
{
    Entry &entry = m_entries[key];
    entry.absentAtUs = std::max(entry.absentAtUs, atUs);
    m_absent.emplace_back(atUs, key);
}

void DirtyKeys::proven(qint64 us)
{
    while (!m_absent.empty() && m_absent.front().first <= us) {
        const auto [atUs, key] = m_absent.front();
        m_absent.pop_front();
        const auto it = m_entries.find(key);
        if (it == m_entries.end())
            continue;
        // A mark from before the proof is still to be judged by it.
        if (it->absentAtUs <= us && it->mark == 0 && it->reading == 0)
            it->absentAtUs = 0;
        dropIfIdle(key);
    }
}

void DirtyKeys::dropIfIdle(const QByteArray &key)
{
    const auto it = m_entries.find(key);
    if (it != m_entries.end() && it->mark == 0 && it->reading == 0 && it->absentAtUs == 0)
        m_entries.erase(it);
}

bool DirtyKeys::isOpen(const QByteArray &key) const
{
    const auto it = m_entries.constFind(key);
    return it != m_entries.constEnd() && (it->mark != 0 || it->reading != 0);
}

std::optional<qint64> DirtyKeys::openSinceUs(const QByteArray &key) const
{
    const auto it = m_entries.constFind(key);
    if (it == m_entries.constEnd() || (it->mark == 0 && it->reading == 0))
        return std::nullopt;
    if (it->mark == 0 || it->reading == 0)
        return it->reading != 0 ? it->readingSinceUs : it->dirt.sinceUs;
    return std::min(it->readingSinceUs, it->dirt.sinceUs);
}

qint64 DirtyKeys::oldestSinceUs() const
{
    return m_queue.empty() ? 0 : m_entries.value(m_queue.front()).dirt.sinceUs;
}

void DirtyKeys::clear()
{
    m_entries.clear();
    m_queue.clear();
    m_absent.clear();
    m_open.clear();
}

} // namespace lockkeeper::stores::redis::push
