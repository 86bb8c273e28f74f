// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/dirty_keys.h"

#include "shared/stores/redis/push/barrier.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis::push {

namespace {

constexpr size_t kMostIdle = 4'096;

/** How many messages at most the difference between two readings takes; empty: what was before isn't known.
 */
std::optional<quint32> messagesOf(const std::optional<Sight> &before, const Sight &now, bool claimed)
{
    if (!now.there && claimed)
        return 2;
    if (!before)
        return std::nullopt;
    if (before->there != now.there)
        return 1;
    if (!now.there)
        return 0;
    return before->print == now.print ? 1 : 2;
}

/** How many messages may still come where readings show `shown` changes. What is more was holds that are
 * counted: of the last one the end may still be told. */
quint32 debtOf(quint32 shown, quint32 told)
{
    return told <= shown ? shown - told : (told - shown) % 2;
}

} // namespace

DirtyKeys::Entry &DirtyKeys::entryOf(const QByteArray &key)
{
    Entry &entry = m_entries[key];
    m_idle -= std::exchange(entry.idle, 0) != 0 ? 1 : 0;
    return entry;
}

DirtyKeys::Entry &DirtyKeys::entryOf(const QByteArray &key, qint64 sinceUs)
{
    Entry &entry = entryOf(key);
    if (entry.mark != 0 || entry.reading != 0 || entry.readUs != 0)
        return entry;
    // All that came before this is in what was read of it. (It is earlier where the clock was set back.)
    if (entry.ends == entry.ended || sinceUs < entry.settledUs)
        entry.settledUs = sinceUs;
    return entry;
}

DirtyKeys::Entry &DirtyKeys::open(const QByteArray &key, qint64 sinceUs)
{
    Entry &entry = entryOf(key, sinceUs);
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

void DirtyKeys::note(const QByteArray &key, QByteArrayView event, qint64 sinceUs)
{
    Entry &entry = entryOf(key, sinceUs);
    entry.dirt.story.add(event);
    if (KeyStory::endOf(event) != KeyStory::End::Untold)
        ++entry.ends;
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
        entry.readingTold = entry.dirt.told;
        // All messages are of what came after the last reading.
        if (entry.dirt.sinceUs >= entry.readUs) {
            entry.debt = 0;
            entry.clearSinceUs = entry.dirt.sinceUs;
        }
        entry.endsRead = entry.ends;
        std::optional<Ends> ends;
        if (entry.alone)
            ends = {std::max(entry.ends, entry.ended) - entry.ended, entry.settledUs, entry.last};
        asked.append({key, std::exchange(entry.dirt, {}), entry.absentAtUs, entry.debt, entry.readUs,
                      entry.clearSinceUs, ends});
    }
    return asked;
}

void DirtyKeys::refresh(Asked &asked) const
{
    const auto it = m_entries.constFind(asked.key);
    if (it == m_entries.cend())
        return;
    asked.absentAtUs = std::max(asked.absentAtUs, it->absentAtUs);
    asked.debt = std::max(asked.debt, it->debt);
    asked.readUs = std::max(asked.readUs, it->readUs);
    if (!it->alone)
        asked.ends.reset();
}

void DirtyKeys::answered(const QByteArray &key, const Sight &now, qint64 readUs, bool claimed)
{
    const auto it = m_entries.find(key);
    if (it == m_entries.end())
        return;
    if (it->debt != kUnknown) {
        const auto shown = messagesOf(it->last, now, claimed);
        it->debt =
            shown ? debtOf(it->debt + *shown, it->readingTold)
                  : std::max(debtOf(it->debt + 1, it->readingTold), debtOf(it->debt + 2, it->readingTold));
    }
    if (claimed || it->last != now) {
        // Where it isn't known what was there before, this may have ended it.
        const bool own = it->last ? it->last->there && *it->last != now : true;
        it->ended = std::max(it->endsRead, it->ended + (own ? 1 : 0));
    }
    it->endsHeard = it->ends;
    it->last = now;
    it->absentAtUs = now.there ? 0 : readUs;
    end(key, readUs);
}

void DirtyKeys::answered(const QByteArray &key)
{
    const auto it = m_entries.find(key);
    if (it == m_entries.end())
        return;
    it->last.reset();
    it->debt = 0;
    it->absentAtUs = it->readUs = it->clearSinceUs = 0;
    end(key, 0);
}

void DirtyKeys::passedOn(const QByteArray &key)
{
    const qint64 absentUs = absentAtUs(key);
    answered(key);
    if (absentUs > 0)
        wasAbsent(key, absentUs);
}

void DirtyKeys::end(const QByteArray &key, qint64 readUs)
{
    Entry &entry = m_entries[key];
    m_open.erase(std::exchange(entry.reading, 0));
    entry.readUs = std::max(entry.readUs, readUs);
    const bool told = entry.mark != 0;
    if (readUs > 0)
        noteReading(key, readUs);
    if (told)
        m_queue.push_back(key);
    else
        dropIfIdle(key);
}

void DirtyKeys::wasAbsent(const QByteArray &key, qint64 atUs)
{
    wasRead(key, atUs);
    qint64 &absentAtUs = m_entries[key].absentAtUs;
    absentAtUs = std::max(absentAtUs, atUs);
}

void DirtyKeys::wasRead(const QByteArray &key, qint64 atUs)
{
    Entry &entry = entryOf(key);
    entry.readUs = std::max(entry.readUs, atUs);
    entry.debt = kUnknown;
    entry.last.reset();
    entry.alone = false;
    noteReading(key, atUs);
}

void DirtyKeys::noteReading(const QByteArray &key, qint64 us)
{
    if (!m_unproven.empty() && us + kSetBackUs < m_unproven.back().first) {
        for (const auto &[atUs, read] : std::exchange(m_unproven, {})) {
            const auto it = m_entries.find(read);
            if (it == m_entries.end())
                continue;
            it->absentAtUs = it->readUs = it->clearSinceUs = 0;
            it->debt = 0;
            it->last.reset();
            it->alone = false;
            if (read != key)
                dropIfIdle(read);
        }
        m_entries[key].readUs = us;
    }
    m_unproven.emplace_back(us, key);
}

void DirtyKeys::proven(qint64 us)
{
    while (!m_unproven.empty() && m_unproven.front().first <= us) {
        const auto [atUs, key] = m_unproven.front();
        m_unproven.pop_front();
        const auto it = m_entries.find(key);
        if (it == m_entries.end())
            continue;
        // All events from before the last reading were heard, and none from after it.
        if (it->alone && it->readUs == atUs && it->endsHeard == it->ends && it->reading == 0) {
            it->ended = std::min(it->ended, it->ends); // of what was overwritten none has told
            if (it->ended == it->ends)
                it->settledUs = atUs;
        }
        // A mark from before the proof is still to be judged by it.
        if (it->readUs <= us && it->mark == 0 && it->reading == 0) {
            it->absentAtUs = it->readUs = it->clearSinceUs = 0;
            it->debt = 0;
        }
        dropIfIdle(key);
    }
}

void DirtyKeys::dropIfIdle(const QByteArray &key)
{
    const auto it = m_entries.find(key);
    if (it == m_entries.end() || it->mark != 0 || it->reading != 0 || it->readUs != 0 || it->idle != 0)
        return;
    if (!it->alone || !it->last) {
        m_entries.erase(it);
        return;
    }
    it->idle = ++m_idled;
    ++m_idle;
    m_idleKeys.emplace_back(it->idle, key);
    if (m_idleKeys.size() <= kMostIdle)
        return;
    const auto [idle, oldest] = std::exchange(m_idleKeys.front(), {});
    m_idleKeys.pop_front();
    if (const auto old = m_entries.constFind(oldest); old != m_entries.cend() && old->idle == idle) {
        m_entries.erase(old);
        --m_idle;
    }
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
    m_idleKeys.clear();
    m_idle = 0;
    m_queue.clear();
    m_unproven.clear();
    m_open.clear();
}

} // namespace lockkeeper::stores::redis::push
