// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/finding.h"

#include <QList>

namespace lockkeeper::stores {

/** How long a store's answers and changes are under way, and whether that endangers its locks. */
class AnswerTimes
{
public:
    /** A small question was answered. */
    void answered(qint64 tookUs);
    /** A change, or the proof that there was none, came so late. */
    void waited(qint64 forUs, qint64 nowUs);
    /** A holder of `lock` loses it after so long without a sign of life. The shortest since forgetLeases()
     * counts. */
    void lease(qint64 us, const QByteArray &lock);
    void forgetLeases() { m_leaseUs = 0; }

    /** `short_lease` and `watch_lag`. */
    QList<domain::Finding> findings(qint64 nowUs) const;

private:
    QList<qint64> m_answersUs; ///< the last ones
    qint64 m_leaseUs = 0;      ///< 0: none is known
    QByteArray m_lock;
    qint64 m_waitedUs = 0; ///< the longest of the last minutes …
    qint64 m_lateUs = 0;   ///< … and when that was
};

} // namespace lockkeeper::stores
