// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/invalidation/notification.h"

#include <QHash>

#include <deque>
#include <functional>
#include <map>

namespace lockkeeper::stores::redis::push {

/** A key that notifications have named since it was read last. */
struct ChangedKey
{
    QByteArray key;
    qint64 sinceUs = 0;    ///< the watermark when the first of them came; 0: there was none
    quint32 told = 0;      ///< number of notifications; each represents at least one change of the key
    bool afterRead = true; ///< all are of changes after the last read of the key
    KeyEvents events = {};
};

/**
 * The keys that changed and haven't been read since, in the order of their notifications. A key is in one
 * read at a time; a notification that comes meanwhile has it read again after that, so that answers about one
 * key never overtake each other. The time of a key's last read is remembered until the watermark has passed
 * it: a notification that comes earlier may be of a change that the read has shown already. Times are the
 * store's microseconds. Pure.
 */
class ChangedKeys
{
public:
    /** `itself` false: only something that is read with the key (its waiting clients) changed. */
    void mark(const QByteArray &key, qint64 sinceUs, bool itself = true);
    /** A keyspace event; the notification that marks its key follows. */
    void note(const QByteArray &key, QByteArrayView event) { m_entries[key].changed.events.add(event); }

    /** The next keys to be read, which are then in a read. */
    QList<ChangedKey> take(qsizetype most);
    /** The read of a key has ended, and is from before `readUs`. */
    void answered(const QByteArray &key, qint64 readUs);
    /** The watermark. */
    void proven(qint64 us);
    void clear();

    qsizetype waiting() const { return qsizetype(m_queue.size()); }
    bool isEmpty() const { return m_entries.isEmpty(); }
    /** Changed and not read yet, or in a read. */
    bool isOpen(const QByteArray &key) const;
    /** Since when such keys may have changed; `otherwise` where there is none. */
    qint64 openSinceUs(qint64 otherwise) const;
    /** callRead() calls `then` once the reads of all keys that wait now have ended. */
    void whenRead(std::function<void()> then) { m_told.emplace_back(m_marks, std::move(then)); }
    /** Calls the callbacks of whenRead() that are due. */
    void callRead();

private:
    struct QueuedKey
    {
        ChangedKey changed;
        quint64 mark = 0;    ///< waits since; 0: it doesn't
        quint64 reading = 0; ///< the mark that is in a read; 0: none
        qint64 readUs = 0;   ///< the last read, until the watermark has passed it
    };

    QHash<QByteArray, QueuedKey> m_entries;
    std::deque<QByteArray> m_queue;
    std::deque<std::pair<qint64, QByteArray>> m_reads; ///< past the watermark
    std::map<quint64, qint64> m_open;                  ///< marks that wait or are in a read, with their times
    std::deque<std::pair<quint64, std::function<void()>>> m_told; ///< by the mark that has to be read
    quint64 m_marks = 0;
};

} // namespace lockkeeper::stores::redis::push
