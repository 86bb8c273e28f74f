// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"
#include "shared/locks/lock_client.h"
#include "shared/locks/lock_manager.h"
#include "shared/locks/simulation/scenario.h"
#include "shared/locks/simulation/worker.h"

#include <functional>
#include <vector>

namespace lockkeeper::locks::simulation {

/** Called for each event as soon as it is known. */
using Tell = std::function<void(const events::LockEvent &)>;

/** A process of the workload: one connection, and the workers that share it and die with it. */
class Process final : public QObject
{
    Q_OBJECT

public:
    /** `group` must outlive it. */
    Process(const Scenario &scenario, const WorkerGroup &group, int number, Tell tell);
    ~Process() override;

    /** Connects on the first request. Fails if the scheme can't keep the group's names or TTL. */
    base::Result<void> open();
    Worker &hire(const QByteArray &name, const QByteArray &ownLock, quint32 seed);
    /** Simulates kill -9, soon after crash() has returned, and restarts after the group's `restart`. */
    void crash();
    /** See LockManager::whenIdle(). */
    void whenIdle(std::function<void()> done);

    const WorkerGroup &group() const { return m_group; }
    LockManager &manager() { return *m_manager; }
    Traits traits() const { return m_traits; }
    const Tell &tell() const { return m_tell; }
    const base::Clock &clock() const { return m_clock; }
    qint64 wallOf(qint64 steadyUs) const { return steadyUs + m_wallUs; }
    domain::LockKey keyOf(const QByteArray &lock) const;
    QByteArray store() const { return m_store; }

private:
    stores::SourceSpec m_spec;
    const WorkerGroup &m_group;
    QByteArray m_owner;
    Tell m_tell;
    base::SleeplessClock m_clock;
    qint64 m_wallUs = 0; ///< wall time minus steady time
    QByteArray m_store;
    Traits m_traits;
    std::unique_ptr<LockManager> m_manager;
    std::vector<std::unique_ptr<Worker>> m_workers;
    QRandomGenerator m_random;
};

} // namespace lockkeeper::locks::simulation
