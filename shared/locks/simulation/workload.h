// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/simulation/process.h"

namespace lockkeeper::locks::simulation {

/** A scenario at work, in the event loop of its thread. What it leaves to chance follows from its seed. */
class Workload final : public QObject
{
    Q_OBJECT

public:
    /** `tell` may be empty. */
    Workload(Scenario scenario, Tell tell);
    ~Workload() override;

    base::Result<void> start();
    /** Has everybody give back what he holds; finished() follows, 10 s later at the latest. */
    void stop();

Q_SIGNALS:
    void finished();

private:
    void farewell();

    Scenario m_scenario;
    Tell m_tell;
    std::vector<std::unique_ptr<Process>> m_processes;
    QList<Worker *> m_workers; ///< that have work
    int m_busy = 0;            ///< processes that aren't idle yet
    QTimer m_limit;
};

} // namespace lockkeeper::locks::simulation
