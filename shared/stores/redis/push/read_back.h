// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/key_reader.h"
#include "shared/stores/redis/push/dirty_keys.h"

#include <QSet>

#include <functional>

namespace lockkeeper::stores::redis::push {

/**
 * The locks of keys that hold many (a semaphore's members), as they were shown last: one that isn't shown any
 * more is gone, and only its name can say so.
 */
class KeyMembers
{
public:
    using Members = QHash<QByteArray, size_t>; ///< by the lock's name: a print of what was shown of it

    /** True where that is news. */
    bool show(const Subject &key, const Observation &lock);
    void show(const KeyMembers &others);
    void show(const Subject &key, const Members &members);
    /** Those that `now` lacks; `now` is what is remembered from here on. */
    QSet<QByteArray> replace(const Subject &key, const Members &now);
    Members take(const Subject &key) { return m_members.take(key); }
    Members of(const Subject &key) const { return m_members.value(key); }
    void clear() { m_members.clear(); }

    static size_t printOf(const Observation &lock) { return qHash(lock.freshness); }

private:
    QHash<Subject, Members> m_members;
};

/** Which keys a page asks for: one entry for each lock set that a key belongs to. */
struct ReadBack
{
    struct Key
    {
        DirtyKeys::Asked asked;
        QList<quint16> sets;
    };
    QList<Key> keys;

    QList<Observation> questions() const;
};

/** What a page shows of a key; `at`: where its answers begin. Of a key that holds many locks only that it was
 * read. */
Sight sightOf(const ReadBack::Key &key, const KeyPage &page, qsizetype at, const ReadMode &mode);

/** What may be said of a lock that was absent before and is absent now. */
struct Evidence
{
    bool events = false;      ///< the server tells of every SET here: what it doesn't tell of wasn't here
    bool oneDatabase = false; ///< what was told can only be of this database
    bool ends = false;        ///< the server tells of every DEL, too
};

/** Keys that were told to have changed, and that another node of a cluster is to be asked for. */
struct Strays
{
    QList<ReadBack::Key> keys;
    qint64 beganUs = 0; ///< the server's clock when it was asked for them, …
    qint64 askedUs = 0; ///< … which was no earlier than this by the monotonic clock
};

/** Whether a node's own word about a key counts. */
using CountsHere = std::function<bool(QByteArrayView key)>;

/**
 * Makes changes of what was read. A change happened after its key's first message since it was read last, by
 * the proof that held then, and before the reading ended. Pure but for `members`.
 */
QList<Change> changesOf(const ReadBack &asked, const KeyPage &page, const ReadMode &mode,
                        const Evidence &evidence, KeyMembers &members);

/**
 * Takes the keys that another node of a cluster has, or that don't count here, out of both, so that `page`
 * answers `asked` again. Whatever else was read of them isn't to be used.
 */
QList<ReadBack::Key> takeElsewhere(ReadBack &asked, KeyPage &page, const CountsHere &countsHere);

/** The lock sets that a key belongs to; which of its own keys a client keeps beside its locks isn't one. */
QList<quint16> setsOf(const SourceSpec &spec, const KeySchemes &schemes, QByteArrayView key);

/** The lock that a key is kept beside (its queue); empty: none. */
QByteArray lockBeside(const SourceSpec &spec, const KeySchemes &schemes, QByteArrayView key);

} // namespace lockkeeper::stores::redis::push
