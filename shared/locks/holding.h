// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"
#include "shared/locks/lock.h"
#include "shared/locks/lock_client.h"

#include <QList>
#include <QMutex>
#include <QPointer>
#include <QTimer>

#include <atomic>
#include <optional>

namespace lockkeeper::locks {

class LockManager;
class WaitQueue;

/**
 * The implementation of a Lock: one owner's states. Free. Acquiring: an attempt or a wait is in progress.
 * Held. Releasing: the owner has released the lock, but a renewal in progress must be answered before the
 * release is sent, because the renewal changes the lease's proof.
 */
class Holding final : public QObject
{
    Q_OBJECT

public:
    using Done = Lock::Done;

    Holding(LockManager *manager, LockClient *client, WaitQueue *turns, const base::Clock *clock,
            QByteArray name, const LockOptions &options);
    ~Holding() override;

    const QByteArray &name() const { return m_name; }
    void acquire(bool waits, std::optional<std::chrono::milliseconds> limit, const std::stop_token &stop,
                 Done done);
    void renew(Done done);
    void release(Done done);
    bool isHeld() const noexcept { return remainingUs() > 0; }
    qint64 remainingUs() const noexcept;
    int depth() const { return m_depth; }
    const Lease &lease() const { return m_lease; }
    std::stop_token lostToken() const;

    /** Asks the store once, because this handle's turn has come. */
    void attempt();
    /** Checks at once whether the lease must be renewed or was lost; the timer would do so later. */
    void look();
    /** Renews the lease at once to verify it. Doesn't extend it unless it is renewed automatically. */
    void verify();
    /** To be called when the store has ended the lease. */
    void lostInStore();
    /** To be called when the manager is about to be destroyed. */
    void endWait();
    /** To be called while the manager is being destroyed. */
    void orphaned();

Q_SIGNALS:
    void lost(const lockkeeper::base::Error &why);

private:
    enum class HoldState : quint8 { Free, Acquiring, Held, Releasing };
    /** An acquire() that hasn't been answered. */
    struct PendingAcquire
    {
        Done done;
        bool waits = false;
        Lease wanted;
        std::optional<base::Error> trouble; ///< why the last attempt failed
        std::shared_ptr<void> onStop;       ///< the stop token's callback
    };

    bool isHere() const;
    void later(Done done, base::Result<bool> result);
    void reenter(Done done);
    void onAttempt(const AttemptResult &result, qint64 sentUs);
    void hold(const Lease &lease, qint64 sentUs);
    void conclude(const base::Result<bool> &result);
    void awaitLimit(std::chrono::milliseconds limit);
    void giveUp();
    void keep(const Lease &lease, qint64 sentUs);
    void arm();
    void onTimer();
    void renewFor(qint64 ttlUs);
    void onRenewed(const AttemptResult &result, qint64 sentUs);
    void giveBack();
    void lose(const base::Error &why, bool ours);

    QPointer<LockManager> m_manager;
    LockClient *m_client; ///< owned by the manager, like m_turns
    WaitQueue *m_turns;
    const base::Clock *m_clock;
    QByteArray m_name;
    LockOptions m_options;
    int m_generation; ///< of the process that made the handle: a forked child holds nothing

    HoldState m_state = HoldState::Free;
    quint64 m_round = 0; ///< incremented at each acquisition and each end; answers to older rounds are stale
    std::optional<PendingAcquire> m_wish;
    QTimer m_limit;
    std::chrono::milliseconds m_afterLimit{0}; ///< time left when m_limit fires: timers last 24 days at most
    Lease m_lease;
    int m_depth = 0;
    int m_unsure = 0;                     ///< Traits::reenters: further entries that the store may have
    std::atomic<qint64> m_deadlineUs = 0; ///< 0: not held
    qint64 m_renewAtUs = 0;
    bool m_renewing = false;
    QTimer m_timer;       ///< for the renewal and the deadline; also runs while nothing is held
    qint64 m_timerUs = 0; ///< when m_timer fires
    QList<Done> m_renewals;
    Done m_release; ///< completion for State::Releasing
    std::function<void()> m_next;
    mutable QMutex m_mutex; ///< guards m_lost
    std::stop_source m_lost{std::nostopstate};
};

} // namespace lockkeeper::locks
