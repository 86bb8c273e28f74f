// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/redis/cluster_parts.h"
#include "shared/stores/redis/cluster_store.h"

#include <QPointer>

#include <utility>

/*
 * Of a key whose slot moves both nodes tell: the one that gives it away that it was deleted, the other one
 * that it was restored, and from then on whatever happens there. Neither is believed. The key is read as any
 * other that is astray, at the node that gives its slot away first, and where that one sends on at the other;
 * what is found in the end is told as a change, or is what was known and no change at all. A key that isn't
 * there, of which the node that was read last has told nothing, is held back until that node can have no more
 * to tell from before: then it never came there, and what the first one told is the whole story.
 */
namespace lockkeeper::stores::redis {

void ClusterStore::takeStrays(const ClusterSpeaker &from, const push::Strays &strays)
{
    askSoon(kAskSoon);
    m_strays.note(from.server, strays);
    readStrays();
}

void ClusterStore::readStrays()
{
    const QList<Subject> keys = m_strays.take();
    if (keys.isEmpty())
        return;
    const auto isCurrent = [this, opened = link()] { return opened == link(); };
    const auto page = [this, isCurrent](KeyPage &read, const ClusterHop &hop) {
        if (isCurrent())
            takeStrayPage(read, hop);
    };
    // Where a node can't be asked now everything is read once it is back.
    const auto done = [this, isCurrent](const QList<Subject> &unread) {
        if (!isCurrent())
            return;
        for (const Subject &key : unread)
            m_strays.end(key);
        readStrays();
    };
    readAtOwners(std::make_shared<ClusterReading>(ClusterReading{true, page, done}), keys);
}

void ClusterStore::takeStrayPage(KeyPage &page, const ClusterHop &hop)
{
    ClusterPart *part = partOf(hop.to);
    if (part == nullptr)
        return;
    push::Tracker &tracker = part->store->tracker();
    tracker.spend(page.commands);
    tracker.stayAwake();
    for (const Elsewhere &key : std::as_const(page.elsewhere)) {
        const StrayKeys::Asked asked{
            hop.to.server, {hop.askedUs, page.beganUs}, tracker.toldUntilUs(key.lock.name)};
        m_strays.sentOn(key.lock, asked);
    }
    const push::ReadBack answered = answeredBy(part, page, hop);
    if (!answered.keys.isEmpty())
        tellAnswers(part, answered, page);
    tracker.prove(page.endedUs); // what is told next came after this
}

void ClusterStore::tellAnswers(ClusterPart *part, const push::ReadBack &answered, const KeyPage &page)
{
    // Who had the key before knows which locks were in it.
    push::KeyMembers members;
    for (const push::ReadBack::Key &key : answered.keys) {
        const Subject subject{key.sets.first(), key.asked.key};
        for (const auto &any : m_parts)
            members.show(subject, any->store->tracker().takeMembers(subject));
    }
    ReadMode mode;
    mode.schemes = m_schemes;
    mode.server = part->server;
    push::Tracker &tracker = part->store->tracker();
    const QList<Change> changes = push::changesOf(answered, page, mode, tracker.evidence(), members);
    tracker.giveMembers(members);
    tellStrays(part, changes, page);
}

/** What of the page answers keys that were told of; it is left with those alone. */
push::ReadBack ClusterStore::answeredBy(ClusterPart *part, KeyPage &page, const ClusterHop &hop)
{
    const qint64 nowUs = base::SystemClock().monotonicUs();
    QSet<Subject> elsewhere;
    for (const Elsewhere &key : std::as_const(page.elsewhere))
        elsewhere.insert(key.lock);
    push::ReadBack answered;
    QList<Observation> locks;
    qsizetype at = 0;
    for (const Subject &key : hop.asked) {
        if (elsewhere.contains(key))
            continue;
        const Observation &lock = page.locks.at(at++);
        const ClusterPart *owner = m_owner[hashSlotOf(key.name)];
        // Its slot has gone on meanwhile: what that node tells may have been told already.
        if (owner != nullptr && owner != part && !m_strays.hasAsked(key, owner->server)) {
            m_strays.again(key);
            continue;
        }
        const StrayKeys::Asked by{
            hop.to.server, {hop.askedUs, page.beganUs}, part->store->tracker().toldUntilUs(key.name)};
        if (stayed(part, lock, by, page.endedUs, nowUs)) {
            m_strays.holdBack(key);
            part->store->tracker().whenTold(
                page.endedUs, [guard = QPointer<ClusterStore>(this), opened = link(), to = hop.to, key, by,
                               gone = KeyPage{page.beganUs, page.endedUs, {lock}}, nowUs]() mutable {
                    if (!guard.isNull() && guard->link() == opened)
                        guard->settleStray(to, key, by, gone, nowUs);
                });
            continue;
        }
        const auto answer = m_strays.answer(key, by, page.endedUs, nowUs);
        if (!answer)
            continue;
        answered.keys.append({*answer, {key.set}});
        locks.append(lock);
        m_strays.end(key);
    }
    page.locks = locks + page.locks.mid(at);
    return answered;
}

/** The answer where the lock isn't there and, as far as its node has told, never came there. */
std::optional<push::DirtyKeys::Asked> ClusterStore::stayed(const ClusterPart *part, const Observation &lock,
                                                           const StrayKeys::Asked &by, qint64 endedUs,
                                                           qint64 arrivedUs) const
{
    const push::Tracker &tracker = part->store->tracker();
    if (lock.present || !tracker.isOn() || m_schemes->at(lock.set)->manyPerKey())
        return std::nullopt;
    return m_strays.stayed(keyOf({lock.set, lock.name}), by, endedUs, arrivedUs, tracker.tellsSinceUs());
}

/** The node at which the key wasn't found has told all from before. */
void ClusterStore::settleStray(const ClusterSpeaker &at, const Subject &key, const StrayKeys::Asked &by,
                               KeyPage &page, qint64 arrivedUs)
{
    if (!m_strays.isHeldBack(key))
        return;
    ClusterPart *part = partOf(at);
    if (part == nullptr || m_strays.hasTold(key, at.server)) {
        m_strays.again(key);
        readStrays();
        return;
    }
    auto answer = stayed(part, page.locks.constFirst(), by, page.endedUs, arrivedUs);
    if (!answer)
        answer = m_strays.answer(key, by, page.endedUs, arrivedUs);
    m_strays.end(key);
    if (answer) {
        tellAnswers(part, {{{*answer, {key.set}}}}, page);
        noteAbsent(at, {key}, page.endedUs);
    }
    readStrays();
}

/** In the order of what that node has told. What has no proof of when it happened is shown as a look is. */
void ClusterStore::tellStrays(ClusterPart *part, const QList<Change> &changes, const KeyPage &page)
{
    Push push;
    Page shown{kUnasked, page.beganUs, page.endedUs, {}};
    for (const Change &change : changes) {
        if (change.windowUs < change.timeUs)
            push.changes.append(change);
        else
            shown.locks.append(change.lock);
    }
    part->store->tellInOrder([guard = QPointer<ClusterStore>(this), push, shown] {
        if (guard.isNull() || !guard->isPushed())
            return; // a pass is to come
        if (!push.changes.isEmpty())
            Q_EMIT guard->pushed(push);
        if (!shown.locks.isEmpty())
            Q_EMIT guard->pageRead(shown);
    });
}

/** The keys of locks that weren't there. */
QList<Subject> ClusterStore::absentIn(const QList<Observation> &locks) const
{
    QList<Subject> keys;
    for (const Observation &lock : locks) {
        if (!lock.present && !m_schemes->at(lock.set)->manyPerKey())
            keys.append(keyOf({lock.set, lock.name}));
    }
    return keys;
}

/** What the node tells of them from before that time is no news of a lock that nobody saw. */
void ClusterStore::noteAbsent(const ClusterSpeaker &at, const QList<Subject> &keys, qint64 us)
{
    ClusterPart *part = partOf(at);
    const qint64 nowUs = base::SystemClock().monotonicUs();
    for (const Subject &key : keys) {
        if (m_strays.isHeldBack(key))
            continue;
        m_strays.wasAbsent(key, at.server, us, nowUs);
        if (part != nullptr)
            part->store->tracker().wasAbsent(key.name, us);
    }
}

} // namespace lockkeeper::stores::redis
