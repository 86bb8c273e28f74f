// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"
#include "shared/events/lock_event.h"

#include <QHash>
#include <QList>

namespace lockkeeper::app::views {

/** The subject of a desktop notification, worst first. */
enum class Trouble : quint8 { SourceDown = 0, Stuck, Expired };

/** In a trouble of a source, the scheme, place and name of `key` are empty. */
struct TroubleItem
{
    Trouble trouble = Trouble::Stuck;
    domain::LockKey key;

    bool operator==(const TroubleItem &) const = default;
};

/**
 * Decides which events deserve a desktop notification, and gathers many into one. It announces no
 * trouble that existed when its agent connected, that a source shows in the first seconds after a gap, or
 * that ends before the notification would appear. One lock or source is announced at most once in ten
 * minutes, and two notifications are half a minute apart.
 */
class AttentionNews
{
public:
    static constexpr qint64 kSettleUs = 10 * base::kSecondUs; ///< after a connection or a gap
    static constexpr qint64 kFreshUs = 10 * base::kSecondUs;  ///< older events aren't announced
    static constexpr qint64 kGatherUs = 2 * base::kSecondUs;  ///< from a lock's trouble to its notification
    static constexpr qint64 kSourceUs = 10 * base::kSecondUs; ///< the same for a source: a restart is short
    static constexpr qint64 kApartUs = 30 * base::kSecondUs;
    static constexpr qint64 kAgainUs = 600 * base::kSecondUs;

    explicit AttentionNews(const base::Clock &clock) : m_clock(clock) {}

    /** An agent has connected or sent its whole table: its first data isn't announced. */
    void settle();
    /** `ageUs`: how long ago the event was observed. */
    void take(const events::LockEvent &event, qint64 ageUs);
    bool isWaiting() const { return !m_waiting.isEmpty(); }
    /** The items that are due, worst first; each is returned once. */
    QList<TroubleItem> takeDue();

private:
    struct DelayedNews
    {
        TroubleItem item;
        qint64 dueUs = 0;
    };

    void add(Trouble trouble, const domain::LockKey &key, qint64 afterUs);
    void drop(const domain::LockKey &key);
    bool isSettled(const QString &source) const;

    const base::Clock &m_clock;
    qint64 m_settledUs = 0;                 ///< monotonic, as all times here
    qint64 m_nextUs = 0;                    ///< no notification before
    QHash<QString, qint64> m_sourceSettled; ///< by source, after its last gap
    QList<DelayedNews> m_waiting;
    QHash<domain::LockKey, qint64> m_announced; ///< when
};

} // namespace lockkeeper::app::views
