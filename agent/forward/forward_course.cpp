// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/forward/forward_course.h"

#include <algorithm>

namespace lockkeeper::agent::forward {

ForwardCourse::ForwardTask ForwardCourse::next(qint64 nowUs)
{
    switch (m_stage) {
    case CourseStage::Closed:
        if (nowUs < m_dueUs)
            return ForwardTask::Wait;
        m_stage = CourseStage::Opening;
        return ForwardTask::Open;
    case CourseStage::Ready:
        if (nowUs < m_dueUs)
            return ForwardTask::Wait;
        m_stage = CourseStage::Reading;
        return ForwardTask::Read;
    case CourseStage::Filled:
        m_stage = CourseStage::Writing;
        return ForwardTask::Write;
    case CourseStage::Opening:
    case CourseStage::Reading:
    case CourseStage::Writing:
        break;
    }
    return ForwardTask::Wait;
}

std::optional<qint64> ForwardCourse::dueUs() const
{
    if (m_stage == CourseStage::Closed || m_stage == CourseStage::Ready)
        return m_dueUs;
    return m_stage == CourseStage::Filled ? std::optional<qint64>(0) : std::nullopt;
}

void ForwardCourse::committed(qint64 newestSeq, qint64 nowUs)
{
    const bool hadAll = hasAll();
    m_newestSeq = std::max(m_newestSeq, newestSeq);
    if (m_stage == CourseStage::Ready && hadAll && !hasAll())
        m_dueUs = std::min(m_dueUs, nowUs + kGatherUs);
}

void ForwardCourse::opened(const base::Result<hub::Watermark> &answer, qint64 nowUs)
{
    if (!answer)
        return retry(base::isTransient(answer.error().code), CourseStage::Closed, nowUs);
    m_watermark = *answer;
    m_heardUs = m_dueUs = nowUs;
    m_stage = CourseStage::Ready;
}

void ForwardCourse::read(bool hasRows, qint64 newestSeq, qint64 nowUs)
{
    m_newestSeq = std::max(m_newestSeq, newestSeq);
    if (hasRows || nowUs - m_heardUs >= kHeardUs) {
        m_stage = CourseStage::Filled;
        return;
    }
    m_backoff.reset();
    m_stage = CourseStage::Ready;
    m_dueUs = nowUs + (hasAll() ? kIdleUs : kGatherUs);
}

void ForwardCourse::failedToRead(bool transient, qint64 nowUs)
{
    retry(transient, CourseStage::Ready, nowUs);
}

void ForwardCourse::written(const base::Result<hub::Watermark> &answer, qint64 toSeq, qint64 nowUs)
{
    // A hub that accepts a batch without keeping it would get the same batch for ever.
    if (!answer || answer->lastSeq < toSeq)
        return retry(!answer && base::isTransient(answer.error().code), CourseStage::Closed, nowUs);
    m_backoff.reset();
    m_watermark = *answer;
    m_heardUs = nowUs;
    m_stage = CourseStage::Ready;
    m_dueUs = nowUs + (hasAll() ? kIdleUs : 0);
}

void ForwardCourse::retry(bool transient, CourseStage stage, qint64 nowUs)
{
    m_stage = stage;
    m_dueUs = nowUs + m_backoff.nextUs(transient);
}

} // namespace lockkeeper::agent::forward
