// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <atomic>

namespace lockkeeper::base {

/** Ends blocking calls of another thread. raise() and isRaised() are safe from any thread; it stays raised.
 */
class Interrupt
{
public:
    Interrupt();
    ~Interrupt();
    Q_DISABLE_COPY_MOVE(Interrupt)

    void raise();
    bool isRaised() const { return m_raised.load(); }
    /** Readable once it is raised; for poll(). -1 if the system had no descriptor left. */
    int descriptor() const { return m_pipe[0]; }

private:
    std::atomic<bool> m_raised = false;
    int m_pipe[2] = {-1, -1};
};

} // namespace lockkeeper::base
