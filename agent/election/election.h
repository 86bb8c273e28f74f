// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"
#include "shared/domain/election_state.h"
#include "shared/locks/lock_manager.h"

#include <QTimer>

namespace lockkeeper::agent::election {

/**
 * Which of the agents of the same sources is active: the one that holds the lease. Standby this one waits for
 * it for ever; active it is until the lease is lost, and never past the lease's own deadline, on a clock that
 * goes on while the process is stopped. Whoever observes or writes asks isActive() first, each time: once it
 * has said no, it says so until becameActive(). Lives in the main thread.
 */
class Election final : public QObject
{
    Q_OBJECT

public:
    Election(const config::Election &settings, QByteArray owner, std::unique_ptr<locks::LockManager> manager,
             const base::Clock &clock, QObject *parent = nullptr);
    ~Election() override;

    /** Waits for the lock from now on. */
    base::Result<void> start();
    /** Ends it, and gives the lock back; the first caller's `done` comes once, after 2 s at the latest. */
    void resign(std::function<void()> done);

    bool isActive();
    /** … and the lease lasts so much longer, whatever becomes of this process or of the store. */
    bool isActiveFor(qint64 us);
    /** Without the epoch, which the journal keeps. */
    domain::ElectionState state() const;
    /** Why a standby doesn't do what it was asked for, and which agent to ask. ReadOnly where all is well. */
    base::Error standbyError() const;

    /** How the lock's holder is named, for people: "NAME on HOST, process PID". */
    static QByteArray ownerOf(const QString &agentName);

Q_SIGNALS:
    /** `fencing` grows with each time that any agent becomes active; empty: the scheme has none. */
    void becameActive(std::optional<quint64> fencing);
    void becameStandby();

private:
    /** Waiting for the lock; holding it, but not long enough; active; given back. */
    enum class Stage : quint8 { Waiting, Settling, Active, Ended };

    base::Result<void> takeHandle();
    void wait();
    void answered(const base::Result<bool> &held);
    void proceed();
    void lose(const base::Error &why);
    void standBy(bool wasActive);
    void readHolder();

    config::Election m_settings;
    QByteArray m_owner;
    std::unique_ptr<locks::LockManager> m_manager;
    std::unique_ptr<locks::Lock> m_lock; ///< destroyed before its manager
    const base::Clock &m_clock;
    QTimer m_pause;   ///< until the lock is asked for again, or held long enough
    QTimer m_reading; ///< of who holds the lock, while this agent doesn't
    QString m_holder; ///< as the lock names it; empty: nobody, or it isn't known
    Stage m_stage = Stage::Waiting;
    bool m_heldByOther = false; ///< as the last answer was
    qint64 m_sinceWallUs = 0;
    base::Error m_error; ///< why the last attempt failed
};

/** A holder for people: without the random part that a token ends with. */
QString holderText(const std::optional<locks::HolderInfo> &holder);

} // namespace lockkeeper::agent::election
