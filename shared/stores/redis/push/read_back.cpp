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

/** Something was there after the last reading, and nobody could read it. */
bool wasUnseen(const DirtyKeys::Asked &asked, const Evidence &evidence)
{
    if (asked.dirt.story.came)
        return asked.dirt.sinceUs > 0;
    return asked.dirt.told > 0 && !evidence.events && evidence.oneDatabase && asked.dirt.sinceUs > 0 &&
           asked.dirt.sinceUs >= asked.absentAtUs;
}

void addEnd(Change &change, const DirtyKeys::Asked &asked, const Evidence &evidence)
{
    const KeyStory::End end = asked.dirt.story.end();
    change.expired = end == KeyStory::End::Expired;
    change.deleted = end == KeyStory::End::Deleted;
    change.unseen = wasUnseen(asked, evidence);
}

} // namespace

QSet<QByteArray> KeyMembers::replace(const Subject &key, const QSet<QByteArray> &now)
{
    QSet<QByteArray> gone = m_members.value(key);
    gone.subtract(now);
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

QList<Change> changesOf(const ReadBack &asked, const KeyPage &page, const ReadMode &mode,
                        const Evidence &evidence, KeyMembers &members)
{
    QList<Change> changes;
    QHash<Subject, const DirtyKeys::Asked *> many;
    qsizetype at = 0;
    for (const ReadBack::Key &key : asked.keys) {
        for (const quint16 set : key.sets) {
            const Observation &lock = page.locks.at(at++);
            if (schemeFor(mode, set).manyPerKey()) {
                many.insert({set, key.asked.key}, &key.asked);
                continue;
            }
            Change &change = changes.emplaceBack(changeOf(lock, key.asked.dirt, page));
            if (!lock.present)
                addEnd(change, key.asked, evidence);
        }
    }
    QHash<Subject, QSet<QByteArray>> shown;
    for (; at < page.locks.size(); ++at) {
        const Observation &lock = page.locks.at(at);
        const Subject key{lock.set, schemeFor(mode, lock.set).keyOf(lock.name).toByteArray()};
        shown[key].insert(lock.name);
        if (const auto *dirty = many.value(key))
            changes.append(changeOf(lock, dirty->dirt, page));
    }
    for (auto it = many.cbegin(); it != many.cend(); ++it) {
        if (page.partial.contains(it.key()))
            continue;
        for (const QByteArray &name : members.replace(it.key(), shown.value(it.key()))) {
            Observation gone;
            gone.set = it.key().set;
            gone.name = name;
            gone.present = false;
            changes.append(changeOf(gone, it.value()->dirt, page));
        }
    }
    return changes;
}

QList<Subject> takeElsewhere(ReadBack &asked, KeyPage &page)
{
    if (page.elsewhere.isEmpty())
        return {};
    QSet<Subject> gone;
    for (const Elsewhere &key : std::as_const(page.elsewhere))
        gone.insert(key.lock);
    QList<Subject> keys;
    QList<ReadBack::Key> here;
    QList<Observation> locks;
    qsizetype at = 0;
    for (const ReadBack::Key &key : std::as_const(asked.keys)) {
        QList<Subject> own;
        for (const quint16 set : key.sets)
            own.append({set, key.asked.key});
        const auto isGone = [&gone](const Subject &one) { return gone.contains(one); };
        const qsizetype read = own.size() - std::count_if(own.cbegin(), own.cend(), isGone);
        if (read == own.size()) {
            here.append(key);
            locks += page.locks.mid(at, read);
        } else {
            keys += own;
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
