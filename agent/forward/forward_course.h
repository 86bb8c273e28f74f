// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/pacing.h"
#include "agent/hub/hub_batch.h"

#include <optional>

namespace lockkeeper::agent::forward {

/**
 * Decides what a forwarder does next: open the hub, read the journal, write the batch, or wait. One task runs
 * at a time, and the caller reports its end. After any failure of the hub it opens the hub again, because
 * only the hub knows what it has stored. Pure: the caller passes the time, in microseconds of a monotonic
 * clock.
 */
class ForwardCourse
{
public:
    enum class ForwardTask : quint8 { Wait, Open, Read, Write };

    static constexpr qint64 kGatherUs = 500'000;   ///< events are sent so long after the first of them
    static constexpr qint64 kIdleUs = 10'000'000;  ///< without events, how often the audit is looked at
    static constexpr qint64 kHeardUs = 60'000'000; ///< without rows, how often the hub hears of the agent

    /** Equal seeds give equal back-offs. */
    explicit ForwardCourse(quint64 seed) : m_backoff(seed) {}

    /** The task to start now. It is under way until its end is reported. */
    ForwardTask next(qint64 nowUs);
    /** When to call next() again; empty: once the task under way has ended. */
    std::optional<qint64> dueUs() const;

    /** The journal has these events: all up to `newestSeq`. */
    void committed(qint64 newestSeq, qint64 nowUs);
    void opened(const base::Result<hub::Watermark> &answer, qint64 nowUs);
    /** `hasRows`: the batch goes to the hub. Otherwise the hub has every row. */
    void read(bool hasRows, qint64 newestSeq, qint64 nowUs);
    /** The journal couldn't be read, for the moment or (not `transient`) for longer. */
    void failedToRead(bool transient, qint64 nowUs);
    /** `toSeq`: of the batch. */
    void written(const base::Result<hub::Watermark> &answer, qint64 toSeq, qint64 nowUs);
    /** The hub has to be opened again, for another epoch. Only between two tasks. */
    void reopen() { m_stage = CourseStage::Closed; }

    /** Empty until the hub was opened for the first time. */
    const std::optional<hub::Watermark> &watermark() const { return m_watermark; }
    qint64 newestSeq() const { return m_newestSeq; }
    /** A task is under way. */
    bool isBusy() const { return !dueUs(); }
    bool hasAll() const { return m_watermark && m_watermark->lastSeq >= m_newestSeq; }

private:
    enum class CourseStage : quint8 { Closed, Opening, Ready, Reading, Filled, Writing };

    void retry(bool transient, CourseStage stage, qint64 nowUs);

    engine::ConnectBackoff m_backoff;
    CourseStage m_stage = CourseStage::Closed;
    qint64 m_dueUs = 0;
    qint64 m_heardUs = 0; ///< when the hub last answered
    qint64 m_newestSeq = 0;
    std::optional<hub::Watermark> m_watermark;
};

} // namespace lockkeeper::agent::forward
