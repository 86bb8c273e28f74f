// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/holding.h"

#include "shared/base/random_id.h"
#include "shared/locks/lock_manager.h"
#include "shared/locks/wait_queue.h"

#include <QMutexLocker>
#include <QUuid>

#include <algorithm>
#include <chrono>
#include <pthread.h>
#include <utility>

namespace lockkeeper::locks {

using base::Error;
using base::ErrorCode;
using base::failure;
using base::Result;

namespace {

/** Allowance for clock drift and for the granularity of deadlines, computed as in Redlock. */
qint64 driftUs(qint64 ttlUs)
{
    return ttlUs / 100 + 2'000;
}

/** The number of forks that led to this process. Cheaper to read than the process id. */
int generation() noexcept
{
    static std::atomic<int> count = 0;
    [[maybe_unused]] static const int known = ::pthread_atfork(nullptr, nullptr, [] { ++count; });
    return count.load(std::memory_order_relaxed);
}

Error shutDown()
{
    return {ErrorCode::Shutdown, QStringLiteral("the connection that this lock belongs to has ended"), {}};
}

std::chrono::milliseconds ceilMs(qint64 us)
{
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::microseconds(std::max<qint64>(us, 0)));
}

} // namespace

Holding::Holding(LockManager *manager, LockClient *client, WaitQueue *turns, const base::Clock *clock,
                 QByteArray name, const LockOptions &options)
    : m_manager(manager),
      m_client(client),
      m_turns(turns),
      m_clock(clock),
      m_name(std::move(name)),
      m_options(options),
      m_generation(generation())
{
    m_limit.setSingleShot(true);
    m_limit.setTimerType(Qt::PreciseTimer);
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        if (m_afterLimit.count() > 0)
            awaitLimit(m_afterLimit);
        else
            giveUp();
    });
    connect(&m_timer, &QTimer::timeout, this, &Holding::onTimer);
}

Holding::~Holding()
{
    if (m_manager.isNull() || !isHere())
        return;
    if (m_wish) {
        m_wish->done = {};
        giveUp();
    }
    if (m_state == HoldState::Held || m_state == HoldState::Releasing) {
        for (int i = 0; i < (m_client->traits().reenters ? std::max(m_depth, 1) + m_unsure : 1); ++i)
            m_manager->discard(m_lease);
        m_turns->setHeldHere(false);
    }
    m_manager->removed(this);
}

bool Holding::isHere() const
{
    return generation() == m_generation;
}

qint64 Holding::remainingUs() const noexcept
{
    const qint64 deadlineUs = m_deadlineUs.load(std::memory_order_acquire);
    if (deadlineUs == 0 || !isHere())
        return 0;
    return std::max<qint64>(deadlineUs - m_clock->monotonicUs(), 0);
}

std::stop_token Holding::lostToken() const
{
    const QMutexLocker lock(&m_mutex);
    return m_lost.get_token();
}

void Holding::later(Done done, Result<bool> result)
{
    if (done)
        QMetaObject::invokeMethod(
            this, [done = std::move(done), result = std::move(result)] { done(result); },
            Qt::QueuedConnection);
}

void Holding::acquire(bool waits, std::optional<std::chrono::milliseconds> limit, const std::stop_token &stop,
                      Done done)
{
    if (m_manager.isNull() || !isHere()) {
        later(std::move(done), tl::unexpected(shutDown()));
        return;
    }
    if (m_state == HoldState::Held && isHeld()) {
        reenter(std::move(done));
        return;
    }
    if (m_state == HoldState::Held) {
        const QPointer<Holding> self(this);
        lose({ErrorCode::Timeout, QStringLiteral("the lease wasn't renewed in time"), {}}, true);
        if (self.isNull())
            return;
    }
    if (m_state == HoldState::Releasing && !m_next) {
        m_next = [this, waits, limit, stop, done = std::move(done)] { acquire(waits, limit, stop, done); };
        return;
    }
    if (m_state != HoldState::Free) {
        later(std::move(done),
              failure(ErrorCode::Usage, QStringLiteral("this handle is already being acquired"),
                      QStringLiteral("Use one handle per owner.")));
        return;
    }
    m_state = HoldState::Acquiring;
    ++m_round;
    m_wish = PendingAcquire{std::move(done), waits, {m_name, {}, m_options.ttl.count(), {}, {}}, {}, {}};
    if (stop.stop_possible()) {
        // Runs in the thread that requests the stop, or at once.
        auto asked = [self = QPointer<Holding>(this), manager = m_manager.data(), round = m_round] {
            QMetaObject::invokeMethod(
                manager,
                [self, round] {
                    if (!self.isNull() && self->m_round == round && self->m_wish)
                        self->giveUp();
                },
                Qt::QueuedConnection);
        };
        m_wish->onStop = std::make_shared<std::stop_callback<decltype(asked)>>(stop, asked);
    }
    if (waits && limit)
        awaitLimit(*limit);
    if (waits && !m_client->traits().queues)
        m_turns->join(this);
    else
        attempt();
}

void Holding::attempt()
{
    // Use a new token for each attempt: the release of an earlier, failed attempt may come late, and must not
    // release the lock that this attempt acquires. In a store's queue the token also identifies the place.
    if (m_wish->waits && m_client->traits().queues)
        m_wish->wanted.token = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    else if (!m_options.tokenPrefix.isEmpty() && !m_client->traits().queues)
        m_wish->wanted.token = m_options.tokenPrefix + base::randomId();
    auto done = [self = QPointer<Holding>(this), manager = m_manager, round = m_round,
                 sentUs = m_clock->monotonicUs()](const AttemptResult &result) {
        if (!self.isNull() && self->m_round == round && self->m_wish)
            self->onAttempt(result, sentUs);
        else if (!manager.isNull() && !result.lease.token.isEmpty())
            manager->discard(result.lease);
        if (!manager.isNull())
            manager->underWay(-1);
    };
    m_manager->underWay(1);
    if (m_wish->waits && m_client->traits().queues)
        m_client->enqueue(m_wish->wanted, std::move(done));
    else
        m_client->tryAcquire(m_wish->wanted, std::move(done));
}

void Holding::onAttempt(const AttemptResult &result, qint64 sentUs)
{
    const qint64 nowUs = m_clock->monotonicUs();
    std::optional<Error> trouble = result.error;
    if (!trouble && result.attempt == Attempt::Done) {
        // After a wait in the store's queue, the lease began when we acquired the lock, not when we asked.
        const bool queued = m_wish->waits && m_client->traits().queues;
        const qint64 beganUs = queued ? nowUs - result.ageUs : sentUs;
        if (!queued)
            m_manager->measured(nowUs - sentUs, result.lease.ttlUs);
        if (nowUs < beganUs + result.lease.ttlUs - driftUs(result.lease.ttlUs)) {
            hold(result.lease, beganUs);
            return;
        }
        trouble = Error{ErrorCode::Timeout, QStringLiteral("the store answered after the lease had expired"),
                        QStringLiteral("Use a TTL of several round trips.")};
    }
    if (trouble && !result.lease.token.isEmpty())
        m_manager->discard(result.lease);
    const bool again = m_wish->waits && (!trouble || base::isTransient(trouble->code));
    m_wish->trouble = trouble;
    if (!again)
        conclude(trouble ? Result<bool>(tl::unexpected(*trouble)) : Result<bool>(false));
    else if (!m_client->traits().queues)
        m_turns->refused(result.freeInUs);
    else
        QTimer::singleShot(ceilMs(backOffUs(4)), this, [this, round = m_round] {
            if (m_round == round && m_wish)
                attempt();
        });
}

void Holding::hold(const Lease &lease, qint64 sentUs)
{
    m_state = HoldState::Held;
    m_depth = 1;
    {
        const QMutexLocker lock(&m_mutex);
        m_lost = std::stop_source();
    }
    keep(lease, sentUs);
    m_turns->setHeldHere(true);
    conclude(true);
}

/** Ends the wish. The caller must do nothing afterwards. */
void Holding::conclude(const Result<bool> &result)
{
    m_limit.stop();
    const PendingAcquire wish = *std::exchange(m_wish, std::nullopt);
    if (m_state == HoldState::Acquiring)
        m_state = HoldState::Free;
    if (wish.waits && !m_client->traits().queues)
        m_turns->leave(this);
    if (wish.done)
        wish.done(result);
}

void Holding::awaitLimit(std::chrono::milliseconds limit)
{
    const std::chrono::milliseconds next =
        std::clamp<std::chrono::milliseconds>(limit, std::chrono::hours(0), std::chrono::hours(24));
    m_afterLimit = limit - next;
    m_limit.start(next);
}

void Holding::giveUp()
{
    if (!m_wish || m_manager.isNull())
        return;
    ++m_round; // an attempt in progress is discarded if it succeeds
    if (m_wish->waits && m_client->traits().queues)
        m_client->leave(m_wish->wanted);
    conclude(m_wish->trouble ? Result<bool>(tl::unexpected(*m_wish->trouble)) : Result<bool>(false));
}

void Holding::reenter(Done done)
{
    if (!m_client->traits().reenters) {
        ++m_depth;
        later(std::move(done), true);
        return;
    }
    m_manager->underWay(1);
    m_client->tryAcquire(m_lease, [self = QPointer<Holding>(this), manager = m_manager, lease = m_lease,
                                   round = m_round, done = std::move(done),
                                   sentUs = m_clock->monotonicUs()](const AttemptResult &result) {
        const bool same = !self.isNull() && self->m_round == round;
        const bool wanted = same && self->m_state == HoldState::Held;
        const bool entered = !result.error && result.attempt == Attempt::Done;
        if (!manager.isNull()) {
            if (!wanted && (entered || (!same && result.error)))
                manager->discard(lease);
            manager->underWay(-1);
        }
        if (same && result.error) {
            ++self->m_unsure;
        } else if (wanted && entered) {
            ++self->m_depth;
            self->keep(result.lease, sentUs);
        } else if (wanted) {
            self->lose({ErrorCode::NotFound, QStringLiteral("another client took the lock"), {}}, false);
        }
        if (!self.isNull() && done)
            done(same && result.error ? Result<bool>(tl::unexpected(*result.error))
                                      : Result<bool>(wanted && entered));
    });
}

void Holding::keep(const Lease &lease, qint64 sentUs)
{
    const QByteArray fencing = lease.fencing.isEmpty() ? m_lease.fencing : lease.fencing;
    m_lease = lease;
    m_lease.fencing = fencing;
    m_deadlineUs.store(sentUs + lease.ttlUs - driftUs(lease.ttlUs), std::memory_order_release);
    m_renewAtUs = sentUs + lease.ttlUs / 3;
    arm();
}

void Holding::arm()
{
    const qint64 deadlineUs = m_deadlineUs.load(std::memory_order_relaxed);
    const bool renews = m_options.renews && !m_renewing;
    const qint64 nextUs = renews ? std::min(m_renewAtUs, deadlineUs) : deadlineUs;
    if (m_timer.isActive() && m_timerUs <= nextUs)
        return; // it fires earlier, for an earlier hold or deadline, and is then set again
    const qint64 nowUs = m_clock->monotonicUs();
    m_timerUs = std::min<qint64>(nextUs, nowUs + 3'600'000'000);
    m_timer.start(ceilMs(m_timerUs - nowUs));
}

void Holding::look()
{
    m_timer.stop();
    onTimer();
}

void Holding::onTimer()
{
    if (m_state != HoldState::Held)
        return;
    if (!isHeld())
        lose({ErrorCode::Timeout, QStringLiteral("the lease wasn't renewed in time"), {}}, true);
    else if (m_options.renews && !m_renewing && m_clock->monotonicUs() >= m_renewAtUs)
        renew({});
    else
        arm();
}

void Holding::renew(Done done)
{
    if (m_state != HoldState::Held || !isHeld() || m_manager.isNull()) {
        later(std::move(done), false);
        return;
    }
    if (done)
        m_renewals.append(std::move(done));
    renewFor(m_options.ttl.count());
}

void Holding::verify()
{
    if (m_state == HoldState::Held && isHeld())
        renewFor(m_options.renews ? m_options.ttl.count() : remainingUs());
}

void Holding::renewFor(qint64 ttlUs)
{
    if (std::exchange(m_renewing, true))
        return;
    m_client->renew(m_lease, ttlUs,
                    [self = QPointer<Holding>(this), manager = m_manager, round = m_round,
                     sentUs = m_clock->monotonicUs()](const AttemptResult &result) {
                        if (!self.isNull() && self->m_round == round)
                            self->onRenewed(result, sentUs);
                        else if (!manager.isNull() && (result.error ? !result.lease.proof.isEmpty()
                                                                    : result.attempt == Attempt::Done))
                            manager->discard(result.lease); // the release may have used an older proof
                    });
    arm();
}

void Holding::onRenewed(const AttemptResult &result, qint64 sentUs)
{
    m_renewing = false;
    const bool kept = !result.error && result.attempt == Attempt::Done;
    const QPointer<Holding> self(this);
    const QList<Done> asked = std::exchange(m_renewals, {});
    if (result.error && !result.lease.proof.isEmpty())
        m_lease.proof = result.lease.proof;
    if (m_state == HoldState::Releasing) {
        if (kept)
            m_lease = result.lease;
        giveBack();
    } else if (kept) {
        m_manager->measured(m_clock->monotonicUs() - sentUs, result.lease.ttlUs);
        keep(result.lease, sentUs);
        if (!isHeld()) // the answer came too late
            lose({ErrorCode::Timeout, QStringLiteral("the lease wasn't renewed in time"), {}}, true);
    } else if (result.error) {
        m_renewAtUs = m_clock->monotonicUs() + std::max<qint64>(m_lease.ttlUs / 20, 5'000);
        arm();
    } else {
        lose({ErrorCode::NotFound,
              QStringLiteral("it was released or taken by another client, or had expired"),
              {}},
             false);
    }
    for (const Done &done : asked) {
        if (self.isNull())
            return;
        done(result.error ? Result<bool>(tl::unexpected(*result.error)) : Result<bool>(kept && isHeld()));
    }
}

void Holding::release(Done done)
{
    if (m_state == HoldState::Acquiring) {
        later(std::move(done), failure(ErrorCode::Usage, QStringLiteral("this handle is being acquired")));
        return;
    }
    if (m_state != HoldState::Held || m_manager.isNull() || !isHere()) {
        later(std::move(done), false);
        return;
    }
    if (m_depth > 1 && !m_client->traits().reenters) {
        --m_depth;
        later(std::move(done), true);
        return;
    }
    if (m_depth > 1) {
        --m_depth;
        m_client->release(m_lease, [self = QPointer<Holding>(this), manager = m_manager, lease = m_lease,
                                    round = m_round, done = std::move(done)](const AttemptResult &result) {
            const bool same = !self.isNull() && self->m_round == round;
            const bool given = !result.error && result.attempt == Attempt::Done;
            if (same && result.error)
                ++self->m_unsure;
            else if (result.error && !manager.isNull())
                manager->discard(lease);
            else if (same && !given && self->m_state == HoldState::Held)
                self->lose({ErrorCode::NotFound, QStringLiteral("it was no longer ours"), {}}, false);
            if (!self.isNull() && done)
                done(result.error ? Result<bool>(tl::unexpected(*result.error)) : Result<bool>(given));
        });
        return;
    }
    m_state = HoldState::Releasing;
    m_deadlineUs.store(0, std::memory_order_release);
    m_release = std::move(done);
    if (!m_renewing)
        giveBack();
}

void Holding::giveBack()
{
    m_client->release(m_lease, [self = QPointer<Holding>(this), manager = m_manager, lease = m_lease,
                                done = std::exchange(m_release, {})](const AttemptResult &result) {
        if (!manager.isNull() && result.error && base::isTransient(result.error->code))
            manager->discard(lease); // the owner can't release it again
        if (!self.isNull() && done)
            done(result.error ? Result<bool>(tl::unexpected(*result.error))
                              : Result<bool>(result.attempt == Attempt::Done));
    });
    for (; m_unsure > 0; --m_unsure)
        m_manager->discard(m_lease);
    m_state = HoldState::Free;
    m_depth = 0;
    m_lease = {};
    ++m_round;
    m_turns->setHeldHere(false);
    if (const auto next = std::exchange(m_next, {}))
        next();
}

/** `ours`: the lease may still exist in the store. Runs the owner's callbacks last. */
void Holding::lose(const Error &why, bool ours)
{
    m_state = HoldState::Free;
    m_depth = 0;
    m_unsure = 0;
    m_renewing = false;
    m_deadlineUs.store(0, std::memory_order_release);
    m_timer.stop();
    ++m_round;
    const Lease lease = std::exchange(m_lease, {});
    std::stop_source lostNow{std::nostopstate};
    {
        const QMutexLocker lock(&m_mutex);
        lostNow = m_lost;
    }
    if (!m_manager.isNull()) {
        if (ours)
            m_manager->discard(lease);
        m_turns->setHeldHere(false);
    }
    for (Done &done : std::exchange(m_renewals, {}))
        later(std::move(done), false);
    const QPointer<Holding> self(this); // a stop callback may destroy this
    lostNow.request_stop();
    if (!self.isNull())
        Q_EMIT lost(why);
}

void Holding::lostInStore()
{
    if (m_state == HoldState::Held)
        lose({ErrorCode::ConnectionLost, QStringLiteral("the session that held it has ended"), {}}, false);
}

void Holding::endWait()
{
    if (!m_wish)
        return;
    m_wish->trouble = shutDown();
    giveUp();
}

/** Runs the owner's callbacks last. */
void Holding::orphaned()
{
    const Error error = shutDown();
    m_manager.clear();
    m_limit.stop();
    m_timer.stop();
    if (m_state == HoldState::Held) {
        lose(error, false);
        return;
    }
    m_state = HoldState::Free;
    ++m_round;
    if (m_wish) {
        if (m_wish->waits && m_client->traits().queues && isHere())
            m_client->leave(m_wish->wanted);
        m_turns->leave(this);
        later(std::exchange(m_wish, std::nullopt)->done, tl::unexpected(error));
    }
    later(std::exchange(m_release, {}), tl::unexpected(error));
    for (Done &done : std::exchange(m_renewals, {}))
        later(std::move(done), false);
    if (const auto next = std::exchange(m_next, {}))
        next();
}

} // namespace lockkeeper::locks
