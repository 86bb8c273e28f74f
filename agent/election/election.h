// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"
#include "shared/domain/election_state.h"
#include "shared/locks/lock_manager.h"

#include <QTimer>

namespace lockkeeper::agent::election {

/**
 * Elects one active agent among those that watch the same sources: the holder of the lease. A standby agent
 * waits for the lease without a time limit. An active agent stays active until it loses the lease, and never
 * past the lease's deadline, on a clock that continues while the process is stopped. Every observer and
 * writer calls isActive() first, each time: after it returned false, it stays false until becameActive().
 * Lives in the main thread.
 */
class Election final : public QObject
{
    Q_OBJECT

public:
    Election(const config::ElectionSettings &settings, QByteArray owner,
             std::unique_ptr<locks::LockManager> manager, const base::Clock &clock,
             QObject *parent = nullptr);
    ~Election() override;

    /** Starts to wait for the lock. */
    base::Result<void> start();
    /** Leaves the election and releases the lock. Calls `done` once, after at most 2 s; only the first call
     * counts. */
    void resign(std::function<void()> done);

    bool isActive();
    /** True if the agent is active and its lease outlasts the next `us` microseconds, whatever happens to
     * this process or the store. */
    bool isActiveFor(qint64 us);
    /** Without the epoch, which the journal keeps. */
    domain::ElectionState state() const;
    /** Why a standby agent refuses a request, and which agent to ask. The code is ReadOnly unless the last
     * attempt to get the lock failed. */
    base::Error standbyError() const;

    /** How the lock's holder is named, for people: "NAME on HOST, process PID". */
    static QByteArray ownerOf(const QString &agentName);

Q_SIGNALS:
    /** `fencing` grows each time an agent becomes active; empty: the scheme has no fencing token. */
    void becameActive(std::optional<quint64> fencing);
    void becameStandby();

private:
    /** Waiting for the lock; holding it, but not long enough; active; resigned. */
    enum class ElectionStage : quint8 { Waiting, Settling, Active, Ended };

    base::Result<void> takeHandle();
    void wait();
    void answered(const base::Result<bool> &held);
    void proceed();
    void lose(const base::Error &why);
    void standBy(bool wasActive);
    void readHolder();

    config::ElectionSettings m_settings;
    QByteArray m_owner;
    std::unique_ptr<locks::LockManager> m_manager;
    std::unique_ptr<locks::Lock> m_lock; ///< destroyed before its manager
    const base::Clock &m_clock;
    QTimer m_pause;   ///< before the next attempt, or until the lock is held long enough
    QTimer m_reading; ///< polls the lock's holder until this agent is active
    QString m_holder; ///< as the lock names it; empty: not held, or unknown
    ElectionStage m_stage = ElectionStage::Waiting;
    bool m_heldByOther = false; ///< according to the last answer
    qint64 m_sinceWallUs = 0;
    base::Error m_error; ///< why the last attempt failed
};

/** The holder's name for people, without the random part at the end of a token. */
QString holderText(const std::optional<locks::HolderInfo> &holder);

} // namespace lockkeeper::agent::election
