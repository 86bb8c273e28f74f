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

/** Told of everything that happened, as soon as it is known. */
using Tell = std::function<void(const events::LockEvent &)>;

/** A process of the workload: a connection, and the workers that share it and die with it. */
class Process final : public QObject
{
    Q_OBJECT

public:
    /** `group` has to outlive it. */
    Process(const Scenario &scenario, const Group &group, int number, Tell tell);
    ~Process() override;

    /** Connects when something is asked for. Refused: what the scheme can't keep. */
    base::Result<void> open();
    Worker &hire(const QByteArray &name, const QByteArray &ownLock, quint32 seed);
    /** Ends as by kill -9, soon and not from within; begins anew after its group's `restart`. */
    void crash();
    /** As LockManager::whenIdle(). */
    void whenIdle(std::function<void()> done);

    const Group &group() const { return m_group; }
    LockManager &manager() { return *m_manager; }
    Traits traits() const { return m_traits; }
    const Tell &tell() const { return m_tell; }
    const base::Clock &clock() const { return m_clock; }
    qint64 wallOf(qint64 steadyUs) const { return steadyUs + m_wallUs; }
    domain::LockKey keyOf(const QByteArray &lock) const;
    QByteArray store() const { return m_store; }

private:
    stores::SourceSpec m_spec;
    const Group &m_group;
    QByteArray m_owner;
    Tell m_tell;
    base::SleeplessClock m_clock;
    qint64 m_wallUs = 0; ///< to be added to a steady time
    QByteArray m_store;
    Traits m_traits;
    std::unique_ptr<LockManager> m_manager;
    std::vector<std::unique_ptr<Worker>> m_workers;
    QRandomGenerator m_random;
};

} // namespace lockkeeper::locks::simulation
