// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/changed_keys.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis::push {

void ChangedKeys::mark(const QByteArray &key, qint64 sinceUs, bool itself)
{
    QueuedKey &entry = m_entries[key];
    entry.changed.told += itself ? 1 : 0;
    if (entry.mark != 0)
        return;
    entry.mark = ++m_marks;
    entry.changed.sinceUs = sinceUs;
    entry.changed.afterRead = sinceUs >= entry.readUs && entry.reading == 0;
    m_open.emplace(entry.mark, sinceUs);
    if (entry.reading == 0)
        m_queue.push_back(key);
}

QList<ChangedKey> ChangedKeys::take(qsizetype most)
{
    QList<ChangedKey> keys;
    while (keys.size() < most && !m_queue.empty()) {
        QueuedKey &entry = m_entries[m_queue.front()];
        entry.reading = std::exchange(entry.mark, 0);
        entry.changed.key = m_queue.front();
        keys.append(std::exchange(entry.changed, {}));
        m_queue.pop_front();
    }
    return keys;
}

void ChangedKeys::answered(const QByteArray &key, qint64 readUs)
{
    const auto entry = m_entries.find(key);
    if (entry == m_entries.end() || entry->reading == 0)
        return;
    m_open.erase(std::exchange(entry->reading, 0));
    entry->readUs = readUs;
    // The store's clock may have been set back: earlier reads were before this one, whatever it showed then.
    for (auto read = m_reads.rbegin(); read != m_reads.rend() && read->first > readUs; ++read) {
        read->first = readUs;
        if (const auto other = m_entries.find(read->second); other != m_entries.end())
            other->readUs = std::min(other->readUs, readUs);
    }
    m_reads.emplace_back(readUs, key);
    if (entry->mark != 0)
        m_queue.push_back(key);
}

void ChangedKeys::proven(qint64 us)
{
    for (; !m_reads.empty() && m_reads.front().first <= us; m_reads.pop_front()) {
        const auto entry = m_entries.find(m_reads.front().second);
        if (entry == m_entries.end())
            continue;
        if (entry->readUs <= us)
            entry->readUs = 0;
        if (entry->mark == 0 && entry->reading == 0 && entry->readUs == 0)
            m_entries.erase(entry);
    }
}

void ChangedKeys::clear()
{
    m_entries.clear();
    m_queue.clear();
    m_reads.clear();
    m_open.clear();
}

void ChangedKeys::callRead()
{
    while (!m_told.empty() && (m_open.empty() || m_open.begin()->first > m_told.front().first)) {
        const auto then = std::move(m_told.front().second);
        m_told.pop_front();
        then();
    }
}

bool ChangedKeys::isOpen(const QByteArray &key) const
{
    const auto entry = m_entries.constFind(key);
    return entry != m_entries.cend() && (entry->mark != 0 || entry->reading != 0);
}

qint64 ChangedKeys::openSinceUs(qint64 otherwise) const
{
    return m_open.empty() ? otherwise : std::min(m_open.begin()->second, otherwise);
}

} // namespace lockkeeper::stores::redis::push
