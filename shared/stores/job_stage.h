// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace lockkeeper::stores {

/**
 * How far a job has come, shared by the asker's thread and the worker. The worker moves it to Writing before
 * a write is sent, the asker to Cancelled; only one of the two succeeds, so that a job that was called off
 * never writes and one that wrote is never reported as not sent.
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
