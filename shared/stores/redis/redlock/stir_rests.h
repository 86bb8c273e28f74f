// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/redlock/stir.h"
#include "shared/stores/store.h"

#include <QHash>

#include <deque>

namespace lockkeeper::stores::redis {

/**
 * What was told of locks and has come to no event yet. A hold that was soon over is told by one node after
 * the other: for a tenth of a second it is part of whatever comes next. After that only the count is left,
 * where a majority told: it goes with the lock's next event, however late, of at most 10,000 locks. Times in
 * milliseconds of any clock that doesn't go back. Pure.
 */
class StirRests
{
public:
    void keep(const Subject &lock, const Stir &rest, qint64 nowMs);
    /** Takes out what is kept of the lock. */
    Stir take(const Subject &lock, qsizetype quorum, qint64 nowMs);
    void clear();

private:
    struct Rest
    {
        Stir stir;
        qint64 untilMs = 0;
    };
    void age(qsizetype quorum, qint64 nowMs);

    QHash<Subject, Rest> m_rests;
    std::deque<std::pair<qint64, Subject>> m_byTime; ///< by Rest::untilMs
    QHash<Subject, Stir> m_counts;                   ///< of older ones
};

} // namespace lockkeeper::stores::redis
