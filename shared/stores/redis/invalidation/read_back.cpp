// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/read_back.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::stores::redis::push {

namespace {

Change changeOf(const Observation &lock, const KeyScheme &scheme, const ChangedKey &key, const KeyPage &page)
{
    Change change;
    change.lock = lock;
    change.timeUs = page.endedUs;
    // Without a watermark (the store's clock was set back) the window is as wide as time.
    change.windowUs = page.endedUs - std::clamp<qint64>(key.sinceUs, 0, page.beganUs);
    change.coalesced = key.told > 1 && scheme.holdsOnlyLocks() ? key.told - 1 : 0;
    return change;
}

/** The key is absent, as it was when it was read last: a lock existed in between. */
bool wasUnseen(const ChangedKey &key, const KeyScheme &scheme, bool oneDatabase)
{
    if (key.told == 0 || key.sinceUs <= 0 || !key.afterRead || !scheme.isHeldWhileThere())
        return false;
    return oneDatabase || (key.events.set && scheme.scanType().isEmpty()); // the event is of a string
}

/** The common beginning of all names that fit a glob: "lock:*" gives "lock:", "*" nothing. */
QByteArray literalHead(QByteArrayView glob)
{
    QByteArray head;
    for (qsizetype i = 0; i < glob.size(); ++i) {
        const char c = glob[i];
        if (c == '*' || c == '?' || c == '[')
            break;
        if (c == '\\' && i + 1 < glob.size())
            ++i;
        head += glob[i];
    }
    return head;
}

} // namespace

QList<Observation> questionsOf(const QList<ChangedKey> &keys, const SourceSpec &spec,
                               const KeySchemes &schemes)
{
    QList<Observation> questions;
    for (const ChangedKey &key : keys) {
        for (const quint16 set : setsOf(spec, schemes, key.key)) {
            Observation &question = questions.emplaceBack();
            question.set = set;
            question.name = key.key;
        }
    }
    return questions;
}

QList<Change> changesOf(const QList<ChangedKey> &keys, const KeyPage &page, const ReadMode &mode,
                        bool oneDatabase, KeyMembers &members)
{
    QHash<QByteArrayView, const ChangedKey *> asked;
    for (const ChangedKey &key : keys)
        asked.insert(key.key, &key);
    QList<Change> changes;
    KeyMembers shown;
    for (const Observation &lock : page.locks) {
        const KeyScheme &scheme = schemeFor(mode, lock.set);
        // A key that holds many locks is absent itself, and its locks follow.
        const bool isMember = scheme.manyPerKey() && lock.present;
        const QByteArray name = isMember ? scheme.keyOf(lock.name).toByteArray() : lock.name;
        const ChangedKey &key = *asked.value(name);
        if (scheme.manyPerKey()) {
            QSet<QByteArray> &now = shown[{lock.set, name}];
            if (isMember) {
                now.insert(lock.name);
                changes.append(changeOf(lock, scheme, key, page));
            }
            continue;
        }
        Change &change = changes.emplaceBack(changeOf(lock, scheme, key, page));
        const KeyEvents::KeyEnd end = lock.present ? key.events.first : key.events.end();
        change.expired = end == KeyEvents::KeyEnd::Expired;
        change.deleted = end == KeyEvents::KeyEnd::Deleted;
        change.unseen = !lock.present && wasUnseen(key, scheme, oneDatabase);
    }
    for (auto it = shown.cbegin(); it != shown.cend(); ++it) {
        QSet<QByteArray> &known = members[it.key()];
        if (page.partial.contains(it.key())) {
            known += it.value();
            continue;
        }
        for (const QByteArray &name : std::exchange(known, it.value()) - it.value()) {
            Observation gone;
            gone.set = it.key().set;
            gone.name = name;
            gone.present = false;
            gone.server = mode.server;
            changes.append(changeOf(gone, schemeFor(mode, gone.set), *asked.value(it.key().name), page));
        }
        if (known.isEmpty())
            members.remove(it.key());
    }
    return changes;
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

QList<QByteArray> trackedPrefixes(const QList<LockSet> &sets, const QList<QByteArray> &beside)
{
    QList<QByteArray> heads = beside;
    for (const LockSet &set : sets) {
        heads.append(literalHead(set.match));
        if (heads.constLast().isEmpty())
            return {};
    }
    // Sorted, a prefix comes right before all that it begins.
    std::sort(heads.begin(), heads.end());
    QList<QByteArray> prefixes;
    for (const QByteArray &head : std::as_const(heads)) {
        if (prefixes.isEmpty() || !head.startsWith(prefixes.constLast()))
            prefixes.append(head);
    }
    return prefixes;
}

} // namespace lockkeeper::stores::redis::push
