// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_race.h"
#include "tests/support/store_harness.h"

#include <QRandomGenerator>

namespace lockkeeper::tests {

/** The releaser's side of a race: reads a guard a round and breaks by one of the last few. */
class RaceBreaker
{
public:
    RaceBreaker(StoreHarness &harness, const RacePlan &plan, RaceResult &result);
    virtual ~RaceBreaker() = default;

    void round();

protected:
    /** The lock of this round. */
    virtual QByteArray subject();
    /** Called with every report, to keep which acquisitions were broken; `shownUs`: when the guard was
     * given out, by the store's clock. */
    virtual void note(const stores::ReleaseReport &report, const stores::ReleaseOrder &order,
                      qint64 shownUs) = 0;

    QByteArray someKey();
    int below(qsizetype bound) { return m_random.bounded(int(bound)); }

    StoreHarness &m_harness;
    const RacePlan &m_plan;

private:
    void count(domain::Outcome outcome);

    RaceResult &m_result;
    QRandomGenerator m_random{4711};
    /** Readings, each with the time when it was given out. */
    QList<std::pair<stores::Inspection, qint64>> m_ring;
};

} // namespace lockkeeper::tests
