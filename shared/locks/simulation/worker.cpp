// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/simulation/worker.h"

#include "shared/locks/simulation/process.h"

#include <algorithm>
#include <chrono>

namespace lockkeeper::locks::simulation {

using events::EventKind;
using std::chrono::ceil;
using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

constexpr qint64 kAfterErrorUs = 1'000'000;
constexpr qint64 kMostLookUs = 1'000'000;
constexpr qint64 kLeastLookUs = 10'000;

milliseconds ms(qint64 us)
{
    return ceil<milliseconds>(microseconds(std::max<qint64>(us, 0)));
}

} // namespace

Worker::Worker(Process &process, QByteArray name, QByteArray ownLock, quint32 seed)
    : m_process(process), m_name(std::move(name)), m_ownLock(std::move(ownLock)), m_random(seed)
{
    for (QTimer *timer : {&m_next, &m_end}) {
        timer->setSingleShot(true);
        timer->setTimerType(Qt::PreciseTimer);
    }
    connect(&m_next, &QTimer::timeout, this, &Worker::acquire);
    connect(&m_end, &QTimer::timeout, this, &Worker::finish);
    connect(&m_look, &QTimer::timeout, this, &Worker::look);
    m_look.setInterval(ms(std::clamp(process.group().ttlUs / 6, kLeastLookUs, kMostLookUs)));
}

Worker::~Worker() = default;

void Worker::start()
{
    rest(m_process.group().idle.draw(m_random));
}

void Worker::rest(qint64 us)
{
    if (!m_stopped)
        m_next.start(ms(us));
}

void Worker::stop()
{
    m_stopped = true;
    m_next.stop();
    m_end.stop();
    if (m_held)
        finish();
    else if (!m_lock || m_lock->depth() == 0) {
        m_lock.reset();
        QMetaObject::invokeMethod(this, &Worker::done, Qt::QueuedConnection);
    }
}

void Worker::acquire()
{
    const WorkerGroup &group = m_process.group();
    m_lockName = m_ownLock.isEmpty() ? group.names.at(m_random.bounded(group.names.size())) : m_ownLock;
    auto lock = m_process.manager().lock(m_lockName, {microseconds(group.ttlUs), group.renews});
    if (!lock)
        return rest(kAfterErrorUs); // unexpected: Process::open() has tried these arguments
    m_lock = *std::move(lock);
    connect(m_lock.get(), &Lock::lost, this, &Worker::onLost);
    m_askedUs = m_process.clock().monotonicUs();
    const auto answer = [this](const base::Result<bool> &result) { onAnswer(result); };
    if (group.waitUs == 0)
        m_lock->tryAcquire(answer);
    else if (group.waitUs)
        m_lock->acquire(ms(*group.waitUs), answer);
    else
        m_lock->acquire({}, answer);
}

void Worker::onAnswer(const base::Result<bool> &result)
{
    const WorkerGroup &group = m_process.group();
    if (!result || !*result) {
        m_lock.reset();
        if (m_stopped)
            Q_EMIT done();
        return rest(result ? group.idle.draw(m_random) : kAfterErrorUs);
    }
    m_held = true;
    m_token = m_lock->token();
    m_fencing = m_lock->fencingToken();
    m_deadlineUs = 0;
    m_heldUs = m_process.clock().monotonicUs();
    look();
    if (!m_held)
        return;
    if (m_stopped)
        return finish();
    m_look.start();
    m_end.start(ms(group.hold.draw(m_random)));
}

/** Reports facts that are only visible afterwards: the lock is held, or the lease was renewed. */
void Worker::look()
{
    const qint64 nowUs = m_process.clock().monotonicUs(); // read first: we may be suspended at any point
    const qint64 left = m_lock->remaining().count();
    if (left <= 0)
        return; // onLost() is about to be called
    const qint64 ttlUs = m_process.group().ttlUs;
    const qint64 deadlineUs = nowUs + left + ttlUs / 100 + 2'000; // plus the margin that Lock subtracts
    const qint64 sinceUs = m_deadlineUs == 0 ? m_askedUs : m_heldUs;
    const bool begins = m_deadlineUs == 0;
    const bool renewed = !begins && deadlineUs > m_deadlineUs + 1'000;
    m_heldUs = nowUs;
    if (begins || renewed) {
        m_deadlineUs = deadlineUs;
        m_latestUs = nowUs + ttlUs;
        tell(event(begins ? EventKind::Acquired : EventKind::Renewed, nowUs, nowUs - sinceUs));
    }
}

void Worker::finish()
{
    m_look.stop();
    if (!m_held || m_releasing)
        return;
    look();
    if (!m_stopped && m_random.generateDouble() < m_process.group().crash)
        return m_process.crash();
    m_releasing = true;
    m_askedUs = m_process.clock().monotonicUs();
    m_deadlineUs = m_askedUs; // from now on the lease may end at any moment
    m_lock->release([this](const base::Result<bool> &released) { onReleased(released.value_or(false)); });
}

/** If the release wasn't answered, or the lock was no longer ours, the lease has ended or will expire. */
void Worker::onReleased(bool released)
{
    m_held = m_releasing = false;
    const qint64 nowUs = m_process.clock().monotonicUs();
    if (released)
        tell(event(EventKind::Released, nowUs, nowUs - m_askedUs));
    else
        tell(event(EventKind::Expired, std::max(nowUs, m_latestUs), std::max(nowUs, m_latestUs) - m_askedUs,
                   {{QStringLiteral("cause"), QStringLiteral("not released")}}));
    m_lock.reset();
    if (m_stopped)
        Q_EMIT done();
    rest(m_process.group().idle.draw(m_random));
}

void Worker::onLost(const base::Error &why)
{
    if (!m_held)
        return;
    m_held = false;
    m_end.stop();
    m_look.stop();
    const qint64 nowUs = m_process.clock().monotonicUs();
    const bool ranOut = why.code == base::ErrorCode::Timeout;
    tell(event(ranOut ? EventKind::Expired : EventKind::Lost, nowUs, nowUs - m_heldUs,
               {{QStringLiteral("cause"), why.cause}}));
    // The lock is emitting a signal: destroy it afterwards.
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_lock.reset();
            if (m_stopped)
                Q_EMIT done();
            rest(m_process.group().idle.draw(m_random));
        },
        Qt::QueuedConnection);
}

std::unique_ptr<Lock> Worker::die()
{
    for (QTimer *timer : {&m_next, &m_end, &m_look})
        timer->stop();
    const qint64 nowUs = m_process.clock().monotonicUs();
    m_releasing = false;
    if (std::exchange(m_held, false)) {
        const QJsonObject cause{{QStringLiteral("cause"), QStringLiteral("crash")}};
        if (!m_process.traits().expires)
            tell(event(EventKind::Released, nowUs, nowUs - m_heldUs, cause));
        else
            QTimer::singleShot(ms(m_latestUs - nowUs), this,
                               [this, ranOut = event(EventKind::Expired, m_latestUs,
                                                     m_latestUs - m_deadlineUs, cause)] { tell(ranOut); });
    }
    if (m_lock)
        m_lock->disconnect(this);
    return std::move(m_lock);
}

events::LockEvent Worker::event(EventKind kind, qint64 atUs, qint64 windowUs, const QJsonObject &detail) const
{
    events::LockEvent event;
    event.key = m_process.keyOf(m_lockName);
    event.store = m_process.store();
    event.kind = kind;
    event.owner = m_token;
    event.timeUs = m_process.wallOf(atUs);
    event.windowUs = windowUs;
    if (m_process.traits().expires) {
        event.ttlMs = m_process.group().ttlUs / 1'000;
        event.expiresUs = m_process.wallOf(m_latestUs);
    }
    QJsonObject &others = event.detail.others;
    others = detail;
    others.insert(QStringLiteral("worker"), QString::fromUtf8(m_name));
    others.insert(QStringLiteral("held_us"), m_heldUs);
    if (m_fencing)
        others.insert(QStringLiteral("fencing"), QString::number(*m_fencing));
    return event;
}

void Worker::tell(events::LockEvent event) const
{
    event.observedUs = m_process.wallOf(m_process.clock().monotonicUs());
    if (m_process.tell())
        m_process.tell()(event);
}

} // namespace lockkeeper::locks::simulation
