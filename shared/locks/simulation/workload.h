// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/simulation/process.h"

namespace lockkeeper::locks::simulation {

/** Runs a scenario in the event loop of its thread. All random choices follow from the scenario's seed. */
class Workload final : public QObject
{
    Q_OBJECT

public:
    /** `tell` may be empty. */
    Workload(Scenario scenario, Tell tell);
    ~Workload() override;

    base::Result<void> start();
    /** Makes all workers release their locks; finished() follows, at the latest after 10 s. */
    void stop();

Q_SIGNALS:
    void finished();

private:
    void farewell();

    Scenario m_scenario;
    Tell m_tell;
    std::vector<std::unique_ptr<Process>> m_processes;
    QList<Worker *> m_workers; ///< workers that aren't done yet
    int m_busy = 0;            ///< processes that aren't idle yet
    QTimer m_limit;
};

} // namespace lockkeeper::locks::simulation
