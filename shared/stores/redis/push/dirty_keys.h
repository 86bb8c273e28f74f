// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/push/told.h"

#include <QHash>

#include <deque>
#include <optional>
#include <set>

namespace lockkeeper::stores::redis::push {

/** What was told of a key since it was asked for the last time. */
struct Dirt
{
    qint64 sinceUs = 0; ///< every change that was told happened after this
    quint32 told = 0;   ///< messages; each stands for one change of the key at least
    KeyStory story;
};

/**
 * The keys that were told to have changed and haven't been read since, in the order in which they were told.
 * A key is in a reading at most once at a time: what is told of it meanwhile is read after that, so that
 * answers about one key never overtake each other.
 *
 * Also remembers for a while which keys were read and not there. A message about such a key may be about a
 * change from before that reading; only a change after it means that something came again. The memory
 * of it ends when it is proven that everything up to the reading was told. Times are the store's
 * microseconds. Pure.
 */
class DirtyKeys
{
public:
    struct Asked
    {
        QByteArray key;
        Dirt dirt;
        qint64 absentAtUs = 0; ///< it was read and not there; 0: not known
    };

    /** Changed, after `sinceUs`. */
    void mark(const QByteArray &key, qint64 sinceUs);
    /** Something beside the key changed that is read with it (who waits): it didn't itself. */
    void markBeside(const QByteArray &key, qint64 sinceUs);
    /** A keyspace event; its key is marked by the invalidation that follows. */
    void note(const QByteArray &key, QByteArrayView event);

    /** The next keys to be read, which are then in a reading. */
    QList<Asked> take(qsizetype most);
    /** The reading of a key has ended; `absentAtUs`: it wasn't there at that time. */
    void answered(const QByteArray &key, qint64 absentAtUs = 0);
    /** It has ended, and somebody else is to read the key: what is known of it stays. */
    void passedOn(const QByteArray &key);
    /** Somebody else read it, and it wasn't there. */
    void wasAbsent(const QByteArray &key, qint64 atUs);
    /** Everything up to this time was told. */
    void proven(qint64 us);

    qsizetype waiting() const { return qsizetype(m_queue.size()); }
    qsizetype size() const { return m_entries.size(); }
    /** Told and not read yet, or in a reading. */
    bool isOpen(const QByteArray &key) const;
    /** Since when such a key may have changed; empty: it isn't open. */
    std::optional<qint64> openSinceUs(const QByteArray &key) const;
    /** As in Asked, as it is known by now. */
    qint64 absentAtUs(const QByteArray &key) const { return m_entries.value(key).absentAtUs; }
    /** The number of the last mark; see isReadUpTo(). */
    quint64 lastMark() const { return m_marks; }
    /** True where the readings of everything that was marked up to then have ended. */
    bool isReadUpTo(quint64 mark) const { return m_open.empty() || *m_open.begin() > mark; }
    /** Since when keys that wait may have changed; 0: none waits. */
    qint64 oldestSinceUs() const;
    void clear();

private:
    struct Entry
    {
        Dirt dirt;
        qint64 absentAtUs = 0;
        quint64 mark = 0;    ///< of `dirt`; 0: clean
        quint64 reading = 0; ///< the mark that is in a reading; 0: none
        qint64 readingSinceUs = 0;
    };

    Entry &open(const QByteArray &key, qint64 sinceUs);
    void dropIfIdle(const QByteArray &key);

    QHash<QByteArray, Entry> m_entries;
    std::deque<QByteArray> m_queue;
    std::deque<std::pair<qint64, QByteArray>> m_absent; ///< in the order of their times, nearly
    std::set<quint64> m_open;
    quint64 m_marks = 0;
};

} // namespace lockkeeper::stores::redis::push
