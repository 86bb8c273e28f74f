// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace lockkeeper::stores {

/**
 * A job's progress, shared by the caller's thread and the worker. The worker moves it to Writing before it
 * sends a write; the caller moves it to Cancelled. Only one of the two succeeds: a cancelled job never
 * writes, and a job that wrote is never reported as not sent.
 */
class JobStage
{
public:
    bool beginWriting()
    {
        int expected = Waiting;
        return m_stage.compare_exchange_strong(expected, Writing) || expected == Writing;
    }
    bool cancel()
    {
        int expected = Waiting;
        return m_stage.compare_exchange_strong(expected, Cancelled);
    }
    bool isCancelled() const { return m_stage.load() == Cancelled; }

private:
    enum : int { Waiting, Writing, Cancelled };
    std::atomic<int> m_stage{Waiting};
};

} // namespace lockkeeper::stores
