// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/push/told.h"

#include <QHash>

#include <algorithm>
#include <deque>
#include <limits>
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

/** What a reading of a key has shown. */
struct Sight
{
    bool there = false;
    size_t print = 0; ///< of who has it
    bool operator==(const Sight &other) const
    {
        return there == other.there && (!there || print == other.print);
    }
};

/** What events have told of a key's ends: each is of a hold, or of several that took it from each other. */
struct Ends
{
    quint32 unsaid = 0;          ///< that came before the reading, and that no reading has shown until then
    qint64 sinceUs = 0;          ///< the holds that they ended began after this; 0: not known
    std::optional<Sight> before; ///< what the reading before this one has shown; empty: not known

    /** One of them at most is the end of what had been read before. */
    quint32 unread(const Sight &now) const
    {
        const bool own = before ? before->there && *before != now : now.there;
        return own && unsaid > 0 ? unsaid - 1 : unsaid;
    }
    /** Those of which the change to what the reading shows doesn't tell itself: of an absence it tells one.
     */
    quint32 beside(const Sight &now) const { return now.there ? unread(now) : std::max(unsaid, 1U) - 1; }
};

/**
 * The keys that were told to have changed and haven't been read since, in the order in which they were told.
 * A key is in a reading at most once at a time: what is told of it meanwhile is read after that, so that
 * answers about one key never overtake each other.
 *
 * Also remembers what readings have shown, until it is proven that everything up to then was told. Before
 * that a message about a key that was not there may be about a change from before the reading, and not of
 * something that came again. But each change is told once, at most together with others of the same turn of
 * the server's loop: so many messages as the readings' differences don't account for are of changes that no
 * reading shows (`debt` is how many may still come of those that were told). Where events tell of every end,
 * those that were heard before a reading came before it, and what the readings' differences don't account for
 * were holds that no reading shows: that is exact (Ends). Where the store's clock is set back all of that is
 * forgotten. What the last readings have shown of some thousand keys is kept when nothing more can come of
 * them. Times are the store's microseconds. Pure.
 */
class DirtyKeys
{
public:
    struct Asked
    {
        QByteArray key;
        Dirt dirt;
        qint64 absentAtUs = 0; ///< it was read and not there; 0: not known
        /** So many messages at most may be of changes from before its last reading. */
        quint32 debt = kUnknown;
        qint64 readUs = kNever;        ///< somebody read it, and not all up to then was told; 0: nobody
        qint64 clearSinceUs = 0;       ///< changes of more messages than that came after this
        std::optional<Ends> ends = {}; ///< empty: somebody else has read the key, too
    };
    static constexpr quint32 kUnknown = ~quint32(0);
    static constexpr qint64 kNever = std::numeric_limits<qint64>::max();

    /** Changed, after `sinceUs`. */
    void mark(const QByteArray &key, qint64 sinceUs);
    /** Something beside the key changed that is read with it (who waits): it didn't itself. */
    void markBeside(const QByteArray &key, qint64 sinceUs);
    /** A keyspace event, after `sinceUs`; its key is marked by the invalidation that follows. */
    void note(const QByteArray &key, QByteArrayView event, qint64 sinceUs);

    /** The next keys to be read, which are then in a reading. */
    QList<Asked> take(qsizetype most);
    /** The reading of a key has ended; `claimed`: something is told of that came and went before it. */
    void answered(const QByteArray &key, const Sight &now, qint64 readUs, bool claimed);
    /** It has ended, and shows nothing that a later one could be compared with. */
    void answered(const QByteArray &key);
    /** It has ended, and somebody else is to read the key: what is known of it stays. */
    void passedOn(const QByteArray &key);
    /** Somebody else read it, and it wasn't there. */
    void wasAbsent(const QByteArray &key, qint64 atUs);
    /** Somebody else read it. */
    void wasRead(const QByteArray &key, qint64 atUs);
    /** Everything up to this time was told. */
    void proven(qint64 us);

    qsizetype waiting() const { return qsizetype(m_queue.size()); }
    /** Those of which something is open. */
    qsizetype size() const { return m_entries.size() - m_idle; }
    /** Told and not read yet, or in a reading. */
    bool isOpen(const QByteArray &key) const;
    /** Since when such a key may have changed; empty: it isn't open. */
    std::optional<qint64> openSinceUs(const QByteArray &key) const;
    /** Takes into account that somebody else may have read the key since it was taken. */
    void refresh(Asked &asked) const;
    /** As in Asked, as it is known by now. */
    qint64 absentAtUs(const QByteArray &key) const { return m_entries.value(key).absentAtUs; }
    quint32 debt(const QByteArray &key) const { return m_entries.value(key).debt; }
    qint64 readUs(const QByteArray &key) const { return m_entries.value(key).readUs; }
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
        qint64 readUs = 0;         ///< the last reading, until all up to it was told
        qint64 clearSinceUs = 0;   ///< no message since then is of a change from before
        std::optional<Sight> last; ///< what it has shown
        quint32 debt = 0;
        quint32 readingTold = 0; ///< messages that are in a reading
        quint64 mark = 0;        ///< of `dirt`; 0: clean
        quint64 reading = 0;     ///< the mark that is in a reading; 0: none
        qint64 readingSinceUs = 0;
        quint32 ends = 0;      ///< that events have told
        quint32 endsRead = 0;  ///< of those, before the reading that is under way or was the last
        quint32 endsHeard = 0; ///< of those, when the last reading's answer came
        quint32 ended = 0;     ///< that readings have shown, or that are counted with them
        qint64 settledUs = 0;  ///< all that ended before this reading is in both
        quint64 idle = 0;      ///< nothing is open; its number in m_idleKeys
        bool alone = true;     ///< nobody else has read it
    };

    Entry &entryOf(const QByteArray &key);
    /** Something is told of it, and all that came before `sinceUs` was. */
    Entry &entryOf(const QByteArray &key, qint64 sinceUs);
    Entry &open(const QByteArray &key, qint64 sinceUs);
    void end(const QByteArray &key, qint64 readUs);
    void noteReading(const QByteArray &key, qint64 us);
    void dropIfIdle(const QByteArray &key);

    QHash<QByteArray, Entry> m_entries;
    std::deque<QByteArray> m_queue;
    std::deque<std::pair<qint64, QByteArray>> m_unproven;  ///< readings, nearly in the order of their times
    std::deque<std::pair<quint64, QByteArray>> m_idleKeys; ///< and some that are open again
    std::set<quint64> m_open;
    quint64 m_marks = 0;
    quint64 m_idled = 0;
    qsizetype m_idle = 0; ///< entries
};

} // namespace lockkeeper::stores::redis::push
