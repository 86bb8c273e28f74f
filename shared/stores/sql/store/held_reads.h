// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::stores::sql {

/**
 * Decides when a set may be read by the index of its deadlines, and from which deadline on. Such a reading
 * finds only rows that a deadline keeps held: nobody holds a row whose deadline has passed by the store's
 * clock. Whole readings continue in between, every `reconcileUs`. Pure; `monotonicUs` is this process's
 * clock, all other times are the store's.
 */
class HeldReads
{
public:
    explicit HeldReads(qint64 reconcileUs) : m_reconcileUs(reconcileUs) {}

    void setReconcileUs(qint64 us) { m_reconcileUs = us; }
    /** True where a whole reading isn't due yet. */
    bool isEnough(qint64 monotonicUs) const
    {
        return m_sinceUs > 0 && monotonicUs >= m_notBeforeUs && monotonicUs - m_wholeUs < m_reconcileUs;
    }
    /** Deadlines before this were seen to have passed; a reading covers the rows with a later deadline. */
    qint64 sinceUs() const { return m_sinceUs; }

    void begin(bool held, qint64 monotonicUs)
    {
        m_held = held;
        m_beganMonotonicUs = monotonicUs;
        m_beganUs = 0;
    }
    bool isHeld() const { return m_held; }
    /** The store's clock at or before the first row's reading. */
    void noteBeginning(qint64 beganUs) { m_beganUs = m_beganUs == 0 ? beganUs : m_beganUs; }
    /** The set was read to its end, and so was every other set: only then may the next reading rely on it. */
    void complete()
    {
        m_sinceUs = m_beganUs;
        if (!m_held)
            m_wholeUs = m_beganMonotonicUs;
    }
    /** More is held than a statement may return, or the clock moved: only whole readings for a while. */
    void giveUp(qint64 monotonicUs) { m_notBeforeUs = monotonicUs + m_reconcileUs; }

private:
    qint64 m_reconcileUs;
    qint64 m_sinceUs = 0;
    qint64 m_wholeUs = 0;
    qint64 m_notBeforeUs = 0;
    qint64 m_beganMonotonicUs = 0;
    qint64 m_beganUs = 0;
    bool m_held = false;
};

} // namespace lockkeeper::stores::sql
