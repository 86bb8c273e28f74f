// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/read_back.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::stores::redis::push {

namespace {

Change changeOf(Observation lock, const Dirt &dirt, const KeyPage &page)
{
    Change change;
    change.lock = std::move(lock);
    change.timeUs = page.endedUs;
    // Without a proof (the store's clock was set back) the window is as wide as time.
    change.windowUs = page.endedUs - std::clamp<qint64>(dirt.sinceUs, 0, page.beganUs);
    change.coalesced = dirt.told > 1 ? dirt.told - 1 : 0;
    return change;
}

/** Events tell of each end, and it is known which of them readings have shown. */
bool isByEnds(const DirtyKeys::Asked &asked, const Evidence &evidence)
{
    return evidence.ends && asked.ends && (asked.ends->unsaid == 0 || asked.ends->sinceUs > 0);
}

/** A hold was there after the last reading, and nobody could read it. */
bool wasUnseen(const DirtyKeys::Asked &asked, const Evidence &evidence, const KeyScheme &scheme)
{
    if (scheme.isHeldWhileThere() && isByEnds(asked, evidence)) {
        const bool isFirst = !asked.ends->before; // no reading can have shown what came
        return asked.ends->unread({}) > 0 || (isFirst && asked.dirt.story.came && asked.dirt.sinceUs > 0);
    }
    if (!scheme.isHeldWhileThere() || asked.dirt.sinceUs <= 0)
        return false;
    // What events tell is of strings: of a hash they neither say that it came nor that it didn't.
    const bool isString = scheme.scanType().isEmpty();
    if (isString && asked.dirt.story.came)
        return true;
    return asked.dirt.told > 0 && !(isString && evidence.events) && evidence.oneDatabase &&
           (asked.dirt.sinceUs >= asked.absentAtUs || asked.dirt.told > asked.debt);
}

/** Of a key that holds many, and holds the same as before: something was told of it that no reading shows. */
bool wasOneUnseen(const DirtyKeys::Asked &asked, const Evidence &evidence)
{
    return asked.dirt.told > 0 && asked.dirt.sinceUs > 0 && asked.dirt.sinceUs >= asked.readUs &&
           evidence.oneDatabase;
}

/** Where messages may be about what came before the last reading their number alone proves a hold, and it may
 * have been there before that. */
qint64 unseenSinceUs(const DirtyKeys::Asked &asked, const Evidence &evidence)
{
    if (isByEnds(asked, evidence))
        return asked.ends->unsaid > 0 ? asked.ends->sinceUs : asked.dirt.sinceUs;
    const bool byNumber = !asked.dirt.story.came && asked.dirt.sinceUs < asked.absentAtUs;
    return byNumber ? asked.clearSinceUs : asked.dirt.sinceUs;
}

void addEnd(Change &change, const DirtyKeys::Asked &asked)
{
    const KeyStory::End end = asked.dirt.story.end();
    change.expired = end == KeyStory::End::Expired;
    change.deleted = end == KeyStory::End::Deleted;
}

} // namespace

bool KeyMembers::show(const Subject &key, const Observation &lock)
{
    Members &members = m_members[key];
    const size_t print = printOf(lock);
    const auto known = members.constFind(lock.name);
    if (known != members.cend() && *known == print)
        return false;
    members.insert(lock.name, print);
    return true;
}

void KeyMembers::show(const KeyMembers &others)
{
    for (auto it = others.m_members.cbegin(); it != others.m_members.cend(); ++it)
        m_members[it.key()].insert(it.value());
}

void KeyMembers::show(const Subject &key, const Members &members)
{
    if (!members.isEmpty())
        m_members[key].insert(members);
}

QSet<QByteArray> KeyMembers::replace(const Subject &key, const Members &now)
{
    QSet<QByteArray> gone;
    const Members before = m_members.value(key);
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
        if (!now.contains(it.key()))
            gone.insert(it.key());
    }
    if (now.isEmpty())
        m_members.remove(key);
    else
        m_members.insert(key, now);
    return gone;
}

QList<Observation> ReadBack::questions() const
{
    QList<Observation> locks;
    for (const Key &key : keys) {
        for (const quint16 set : key.sets) {
            Observation &lock = locks.emplaceBack();
            lock.set = set;
            lock.name = key.asked.key;
        }
    }
    return locks;
}

Sight sightOf(const ReadBack::Key &key, const KeyPage &page, qsizetype at, const ReadMode &mode)
{
    Sight sight;
    for (const quint16 set : key.sets) {
        const Observation &lock = page.locks.at(at++);
        sight.there = sight.there || lock.present || schemeFor(mode, set).manyPerKey();
        sight.print = qHashMulti(sight.print, lock.identity, lock.held);
    }
    return sight;
}

QList<Change> changesOf(const ReadBack &asked, const KeyPage &page, const ReadMode &mode,
                        const Evidence &evidence, KeyMembers &members)
{
    QList<Change> changes;
    QHash<Subject, const DirtyKeys::Asked *> many;
    QHash<Subject, KeyMembers::Members> shown;
    QSet<Subject> unreadable;
    qsizetype at = 0;
    for (const ReadBack::Key &key : asked.keys) {
        const Sight now = sightOf(key, page, at, mode);
        for (const quint16 set : key.sets) {
            const Observation &lock = page.locks.at(at++);
            if (schemeFor(mode, set).manyPerKey()) {
                const Subject whole{set, key.asked.key};
                many.insert(whole, &key.asked);
                if (lock.present) { // it can't be read, and is one line for all that it holds
                    unreadable.insert(whole);
                    shown[whole].insert(lock.name, KeyMembers::printOf(lock));
                    members.show(whole, lock);
                    changes.append(changeOf(lock, key.asked.dirt, page));
                }
                continue;
            }
            Change &change = changes.emplaceBack(changeOf(lock, key.asked.dirt, page));
            if (lock.present) {
                // How the hold that was read last ended, and nothing of those in between.
                change.expired = key.asked.dirt.story.first == KeyStory::End::Expired;
                change.deleted = key.asked.dirt.story.first == KeyStory::End::Deleted;
            } else {
                addEnd(change, key.asked);
                change.unseen = wasUnseen(key.asked, evidence, schemeFor(mode, set));
                if (change.unseen)
                    change.windowUs =
                        change.timeUs - std::min(unseenSinceUs(key.asked, evidence), page.beganUs);
            }
            if (isByEnds(key.asked, evidence) && (change.unseen || key.asked.ends->before != now)) {
                change.coalesced = std::max(change.coalesced, key.asked.ends->beside(now));
            }
        }
    }
    for (; at < page.locks.size(); ++at) {
        const Observation &lock = page.locks.at(at);
        const Subject key{lock.set, schemeFor(mode, lock.set).keyOf(lock.name).toByteArray()};
        shown[key].insert(lock.name, KeyMembers::printOf(lock));
        if (const auto *dirty = many.value(key))
            changes.append(changeOf(lock, dirty->dirt, page));
    }
    for (auto it = many.cbegin(); it != many.cend(); ++it) {
        if (page.partial.contains(it.key()))
            continue;
        const KeyMembers::Members now = shown.value(it.key());
        const auto absent = [&](const QByteArray &name) {
            Observation gone;
            gone.set = it.key().set;
            gone.name = name;
            gone.present = false;
            gone.server = mode.server;
            return changeOf(gone, it.value()->dirt, page);
        };
        if (wasOneUnseen(*it.value(), evidence) && now == members.of(it.key()) &&
            !unreadable.contains(it.key()) && schemeFor(mode, it.key().set).holdsOnlyLocks()) {
            changes.append(absent(schemeFor(mode, it.key().set).wholeName(it.key().name)));
            changes.last().unseen = changes.last().unproven = true;
        }
        for (const QByteArray &name : members.replace(it.key(), now))
            changes.append(absent(name));
    }
    for (Change &change : changes) {
        if (!schemeFor(mode, change.lock.set).holdsOnlyLocks())
            change.coalesced = 0;
    }
    return changes;
}

QList<ReadBack::Key> takeElsewhere(ReadBack &asked, KeyPage &page, const CountsHere &countsHere)
{
    const auto isHere = [&countsHere](const ReadBack::Key &key) {
        return !countsHere || countsHere(key.asked.key);
    };
    if (page.elsewhere.isEmpty() && std::all_of(asked.keys.cbegin(), asked.keys.cend(), isHere))
        return {};
    QSet<Subject> gone;
    for (const Elsewhere &key : std::as_const(page.elsewhere))
        gone.insert(key.lock);
    QList<ReadBack::Key> keys;
    QList<ReadBack::Key> here;
    QList<Observation> locks;
    qsizetype at = 0;
    for (const ReadBack::Key &key : std::as_const(asked.keys)) {
        QList<Subject> own;
        for (const quint16 set : key.sets)
            own.append({set, key.asked.key});
        const auto isGone = [&gone](const Subject &one) { return gone.contains(one); };
        const qsizetype read = own.size() - std::count_if(own.cbegin(), own.cend(), isGone);
        if (read == own.size() && isHere(key)) {
            here.append(key);
            locks += page.locks.mid(at, read);
        } else {
            keys.append(key);
        }
        at += read;
    }
    page.locks = locks + page.locks.mid(at);
    asked.keys = here;
    return keys;
}

QList<quint16> setsOf(const SourceSpec &spec, const KeySchemes &schemes, QByteArrayView key)
{
    QList<quint16> sets;
    for (qsizetype set = 0; set < spec.locks.size(); ++set) {
        const QByteArray &match = spec.locks.at(set).match;
        if (base::globMatches(match, key) && schemes.at(size_t(set))->isLock(key))
            sets.append(quint16(set));
    }
    return sets;
}

QByteArray lockBeside(const SourceSpec &spec, const KeySchemes &schemes, QByteArrayView key)
{
    for (size_t set = 0; set < schemes.size(); ++set) {
        for (const QByteArrayView prefix : schemes.at(set)->besidePrefixes()) {
            if (!key.startsWith(prefix))
                continue;
            QByteArrayView name = key.sliced(prefix.size());
            for (const QByteArrayView lock :
                 {name,
                  name.startsWith('{') && name.endsWith('}') ? name.sliced(1, name.size() - 2) : name}) {
                if (setsOf(spec, schemes, lock).contains(quint16(set)))
                    return lock.toByteArray();
            }
        }
    }
    return {};
}

} // namespace lockkeeper::stores::redis::push
