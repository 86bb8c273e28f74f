// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/answer_times.h"

#include "shared/base/clock.h"

#include <algorithm>

namespace lockkeeper::stores {

namespace {

constexpr qsizetype kFewest = 2; ///< one slow answer says nothing
constexpr qsizetype kMost = 5;
constexpr qint64 kLateUs = 2 * base::kSecondUs;
constexpr qint64 kRememberedUs = 300 * base::kSecondUs;

} // namespace

void AnswerTimes::answered(qint64 tookUs)
{
    m_answersUs.append(tookUs);
    if (m_answersUs.size() > kMost)
        m_answersUs.removeFirst();
}

void AnswerTimes::waited(qint64 forUs, qint64 nowUs)
{
    if (forUs < m_waitedUs && nowUs - m_lateUs < kRememberedUs)
        return;
    m_waitedUs = forUs;
    m_lateUs = nowUs;
}

void AnswerTimes::lease(qint64 us, const QByteArray &lock)
{
    if (us <= 0 || (m_leaseUs > 0 && us >= m_leaseUs))
        return;
    m_leaseUs = us;
    m_lock = lock;
}

QList<domain::Finding> AnswerTimes::findings(qint64 nowUs) const
{
    QList<domain::Finding> findings;
    if (m_answersUs.size() >= kFewest && m_leaseUs > 0) {
        QList<qint64> sorted = m_answersUs;
        std::sort(sorted.begin(), sorted.end());
        const qint64 usualUs = sorted.at((sorted.size() - 1) / 2);
        if (m_leaseUs < 3 * usualUs)
            findings.append({"short_lease", domain::Severity::Warning,
                             QByteArray::number(m_leaseUs / 1'000) + ' ' +
                                 QByteArray::number(usualUs / 1'000) + ' ' + m_lock});
    }
    if (m_waitedUs >= kLateUs && nowUs - m_lateUs < kRememberedUs)
        findings.append({"watch_lag", domain::Severity::Warning,
                         QByteArray::number(m_waitedUs / base::kSecondUs), m_lateUs});
    return findings;
}

} // namespace lockkeeper::stores
