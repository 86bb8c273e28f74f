// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::agent::journal {

/**
 * The back pressure of the journal: on once more than `high` bytes wait, off once no more than half of that
 * waits. It stays off while the disk fails or hangs, so that the live view continues without the journal.
 * Pure.
 */
class BackPressure
{
public:
    explicit BackPressure(qint64 high) : m_high(high) {}

    /** The number of waiting bytes has changed. */
    void weigh(qint64 waiting)
    {
        m_waiting = waiting;
        m_on = !m_failing && !m_stalled && waiting > (m_on ? m_high / 2 : m_high);
    }
    /** Some of the waiting data has become durable. */
    void moved(qint64 waiting)
    {
        m_stalled = false;
        weigh(waiting);
    }
    /** Nothing has become durable for as long as callers may be asked to wait. */
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
