// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_parts.h"
#include "shared/stores/redis/cluster/cluster_store.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

/**
 * The one place where redirects are followed: the primary to ask next, after ASKING where the redirect says
 * so. Null: there is none that can be asked, or the question was sent on `hops` times, which is enough. The
 * map is out of date, and asked for.
 */
ClusterPart *ClusterStore::followRedirect(const std::optional<Redirect> &to, const ClusterSpeaker &from,
                                          int hops)
{
    askSoon(kAskSoon);
    if (!to || hops >= kMostHops)
        return nullptr;
    const auto part = std::find_if(m_parts.cbegin(), m_parts.cend(), [&](const auto &any) {
        return any->up && any->isAt(to->hostFrom(from.host), to->port);
    });
    return part == m_parts.cend() ? nullptr : part->get();
}

ClusterPart *ClusterStore::partOf(const ClusterSpeaker &speaker) const
{
    const auto part = std::find_if(m_parts.cbegin(), m_parts.cend(),
                                   [&speaker](const auto &any) { return any->server == speaker.server; });
    return part == m_parts.cend() ? nullptr : part->get();
}

/** A page of a point read; what can't be read is left out. */
void ClusterStore::takePoints(const ReadingPtr &reading, const ClusterSpeaker &from, KeyPage &page)
{
    for (const Elsewhere &lock : std::as_const(page.elsewhere))
        noteMoving(slotOf(lock.lock));
    readOn(reading, from, page.elsewhere, 0);
    const QList<Subject> astray = takeAstray(from, page.locks, page.endedUs);
    readAtOwners(reading, astray);
    reading->page(page, {from, {}});
}

/** After a scan: what was found at a node that hasn't got its slot, or gone from the one that has. */
void ClusterStore::readAstray()
{
    m_scan->reading = true;
    const auto page = [this, scan = m_scan](KeyPage &read, const ClusterHop &hop) {
        read.locks.removeIf([](const Observation &lock) { return !lock.present; });
        if (m_scan != scan)
            return;
        scan->end.endedUs = std::max(scan->end.endedUs, read.endedUs);
        for (const Subject &key : std::as_const(read.partial))
            scan->unread.insert(key);
        if (ClusterPart *part = partOf(hop.to))
            part->store->tracker().shown(read.locks);
        if (!read.locks.isEmpty())
            scan->page({read.beganUs, read.endedUs, read.locks});
    };
    const auto done = [this, scan = m_scan](const QList<Subject> &unread) {
        if (m_scan != scan)
            return;
        for (const Subject &key : unread)
            scan->unread.insert(key);
        finishScan();
    };
    readAtOwners(std::make_shared<ClusterReading>(ClusterReading{true, page, done}), m_scan->astray.values());
}

void ClusterStore::readAtOwners(const ReadingPtr &reading, const QList<Subject> &locks)
{
    QHash<ClusterPart *, QList<Subject>> byPart;
    for (const Subject &lock : locks) {
        ClusterPart *part = m_owner[reading->wholeKeys ? hashSlotOf(lock.name) : slotOf(lock)];
        if (part != nullptr && part->up)
            byPart[part].append(lock);
        else
            reading->unread.append(lock);
    }
    ++reading->waiting;
    for (auto it = byPart.cbegin(); it != byPart.cend(); ++it)
        readAt(reading, it.key(), it.value(), false, 0);
    settle(reading);
}

/** `hops`: how many redirects were followed. */
void ClusterStore::readAt(const ReadingPtr &reading, ClusterPart *part, const QList<Subject> &locks,
                          bool asking, int hops)
{
    const qsizetype page = qMax(1, m_spec.pageSize);
    for (qsizetype at = 0; at < locks.size(); at += page) {
        const QList<Subject> some = locks.mid(at, page);
        ++reading->waiting;
        const ClusterHop hop{part->speaker(), some};
        const auto take = [guard = QPointer<ClusterStore>(this), reading, hop, hops,
                           instance = part->info.instance](KeyPage &read) {
            if (guard.isNull())
                return;
            if (!read.error)
                guard->noteView(read.locks, hop.to.server, instance);
            guard->takeReading(reading, hop, hops, read);
        };
        part->store->read(some, asking, reading->wholeKeys, take);
    }
}

/** Where locks are that were read at a node which hasn't got their slot, as far as the map tells. */
void ClusterStore::noteView(const QList<Observation> &locks, quint16 server, const QByteArray &instance)
{
    for (const Observation &lock : locks) {
        const Subject key = keyOf({lock.set, lock.name});
        const ClusterPart *owner = m_owner[hashSlotOf(key.name)];
        if (!lock.present || (owner != nullptr && owner->server == server))
            m_view->elsewhere.remove(key);
        else
            m_view->elsewhere.insert(key, instance);
    }
}

void ClusterStore::takeReading(const ReadingPtr &reading, const ClusterHop &hop, int hops, KeyPage &page)
{
    if (page.error) {
        reading->unread += hop.asked;
    } else {
        const QList<Elsewhere> elsewhere = page.elsewhere;
        reading->page(page, hop);
        readOn(reading, hop.to, elsewhere, hops);
    }
    settle(reading);
}

void ClusterStore::readOn(const ReadingPtr &reading, const ClusterSpeaker &from,
                          const QList<Elsewhere> &locks, int hops)
{
    QHash<std::pair<ClusterPart *, bool>, QList<Subject>> byPart;
    for (const Elsewhere &lock : locks) {
        if (ClusterPart *part = followRedirect(lock.to, from, hops))
            byPart[{part, lock.to->ask}].append(lock.lock);
        else
            reading->unread.append(lock.lock);
    }
    for (auto it = byPart.cbegin(); it != byPart.cend(); ++it)
        readAt(reading, it.key().first, it.value(), it.key().second, hops + 1);
}

void ClusterStore::settle(const ReadingPtr &reading)
{
    if (--reading->waiting == 0)
        reading->done(reading->unread);
}

} // namespace lockkeeper::stores::redis
