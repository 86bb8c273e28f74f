// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace lockkeeper::agent::application {

/**
 * Spaces the readings that clients request from a store, to keep them within a rate. One reading is the
 * reading of one lock; a scan counts as many readings as it has locks. Times come from the caller's monotonic
 * clock.
 */
class ReadBudget final
{
public:
    /** Counts `reads` and returns how long they have to wait, in µs. */
    qint64 reserve(qint64 reads, qint64 perSecond, qint64 nowUs)
    {
        m_freeUs = std::max(m_freeUs, nowUs);
        const qint64 waitUs = m_freeUs - nowUs;
        m_freeUs += reads * 1'000'000 / std::max<qint64>(perSecond, 1);
        return waitUs;
    }

private:
    qint64 m_freeUs = 0; ///< the earliest time for the next reading
};

} // namespace lockkeeper::agent::application
