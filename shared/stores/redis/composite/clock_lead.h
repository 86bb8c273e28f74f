// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/finding.h"

#include <QList>

#include <optional>

namespace lockkeeper::stores::redis {

/**
 * How far a server's clock is ahead of this process's wall clock, from answers that carry its time. Each
 * answer is older than its arrival, so the highest reading of the last seconds is the nearest to the truth.
 * Microseconds; pure.
 */
class ClockLead
{
public:
    void read(qint64 serverUs, qint64 wallUs)
    {
        const qint64 ahead = serverUs - wallUs;
        if (m_aheadUs && ahead < *m_aheadUs && wallUs - m_readUs >= 0 && wallUs - m_readUs < kAgeUs)
            return;
        m_aheadUs = ahead;
        m_readUs = wallUs;
    }
    std::optional<qint64> aheadUs() const { return m_aheadUs; }

private:
    static constexpr qint64 kAgeUs = 16'000'000; ///< how long a better reading counts

    std::optional<qint64> m_aheadUs;
    qint64 m_readUs = 0;
};

/** Adds a finding if the offset exceeds two seconds: deadlines are shown by that clock. */
inline void addClock(QList<domain::Finding> &findings, std::optional<qint64> aheadUs)
{
    constexpr qint64 kWarningUs = 2'000'000;
    if (aheadUs && (*aheadUs > kWarningUs || *aheadUs < -kWarningUs))
        findings.append(
            {QByteArrayLiteral("clock_offset"), domain::Severity::Warning, QByteArray::number(*aheadUs)});
}

} // namespace lockkeeper::stores::redis
