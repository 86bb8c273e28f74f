// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::agent::journal {

/**
 * Whether so much waits for the journal that whoever can wait should: from `high` bytes on, until no more
 * than half of that is left. Nobody is asked to wait for a disk that fails, or from which nothing came for a
 * while: the live view goes on without it. Pure.
 */
class BackPressure
{
public:
    explicit BackPressure(qint64 high) : m_high(high) {}

    /** More waits, or less. */
    void weigh(qint64 waiting)
    {
        m_waiting = waiting;
        m_on = !m_failing && !m_stalled && waiting > (m_on ? m_high / 2 : m_high);
    }
    /** Something has become durable. */
    void moved(qint64 waiting)
    {
        m_stalled = false;
        weigh(waiting);
    }
    /** Nothing has, although it was on for as long as one may be asked to wait. */
    void stalled()
    {
        m_stalled = true;
        weigh(m_waiting);
    }
    void setFailing(bool failing)
    {
        m_failing = failing;
        weigh(m_waiting);
    }
    bool isOn() const { return m_on; }

private:
    qint64 m_high;
    qint64 m_waiting = 0;
    bool m_failing = false;
    bool m_stalled = false;
    bool m_on = false;
};

} // namespace lockkeeper::agent::journal
