// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/election/election.h"

#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QCoreApplication>
#include <QLoggingCategory>
#include <QRegularExpression>
#include <QSysInfo>

#include <chrono>
#include <utility>

namespace lockkeeper::agent::election {

Q_LOGGING_CATEGORY(lcElection, "lockkeeper.election")

using namespace std::chrono_literals;
using base::ErrorCode;

namespace {
constexpr auto kAgainAfter = 1s;
constexpr auto kResignWithin = 2s;
} // namespace

QString holderText(const std::optional<locks::HolderInfo> &holder)
{
    static const QRegularExpression random(QStringLiteral(" [0-9a-f]{32}$"));
    return holder ? base::displayText(holder->owner).remove(random) : QString();
}

Election::Election(const config::ElectionSettings &settings, QByteArray owner,
                   std::unique_ptr<locks::LockManager> manager, const base::Clock &clock, QObject *parent)
    : QObject(parent),
      m_settings(settings),
      m_owner(std::move(owner)),
      m_manager(std::move(manager)),
      m_clock(clock)
{
    m_pause.setSingleShot(true);
    m_pause.setTimerType(Qt::PreciseTimer);
    connect(&m_pause, &QTimer::timeout, this, &Election::proceed);
    m_reading.setInterval(std::chrono::milliseconds(m_settings.ttlUs / 3'000));
    connect(&m_reading, &QTimer::timeout, this, &Election::readHolder);
    m_sinceWallUs = m_clock.wallUs();
    connect(m_manager.get(), &locks::LockManager::warned, this,
            [](const base::Error &what) { qCWarning(lcElection).noquote() << what.line(); });
}

Election::~Election() = default;

QByteArray Election::ownerOf(const QString &agentName)
{
    return QStringLiteral("%1 on %2, process %3")
        .arg(agentName, QSysInfo::machineHostName())
        .arg(QCoreApplication::applicationPid())
        .toUtf8();
}

base::Result<void> Election::start()
{
    if (const auto taken = takeHandle(); !taken)
        return taken;
    standBy(false);
    return {};
}

base::Result<void> Election::takeHandle()
{
    m_lock.reset();
    locks::LockOptions options;
    options.ttl = std::chrono::microseconds(m_settings.ttlUs);
    if (m_settings.store.locks.constFirst().scheme == "redis.token")
        options.tokenPrefix = m_owner + ' '; // only the value can name the holder
    auto lock = m_manager->lock(m_settings.lock, options);
    if (!lock)
        return tl::unexpected(lock.error());
    m_lock = std::move(*lock);
    connect(m_lock.get(), &locks::Lock::lost, this, &Election::lose);
    return {};
}

void Election::standBy(bool wasActive)
{
    if (m_stage == ElectionStage::Ended)
        return;
    if (wasActive)
        Q_EMIT becameStandby();
    m_reading.start();
    readHolder();
    wait();
}

void Election::readHolder()
{
    m_manager->readHolder(m_settings.lock,
                          [this](const base::Result<std::optional<locks::HolderInfo>> &holder) {
                              if (m_reading.isActive())
                                  m_holder = holder ? holderText(*holder) : QString();
                          });
}

/** Waits one TTL at a time, so that the agent always knows whether the store answers. */
void Election::wait()
{
    m_lock->acquire(std::chrono::ceil<std::chrono::milliseconds>(std::chrono::microseconds(m_settings.ttlUs)),
                    [this](const base::Result<bool> &held) { answered(held); });
}

void Election::answered(const base::Result<bool> &held)
{
    if (m_stage != ElectionStage::Waiting)
        return;
    const base::Error error = held ? base::Error() : held.error();
    if (!held && std::exchange(m_error, error) != error)
        qCWarning(lcElection).noquote() << "can't request the lock:" << error.line();
    m_error = error;
    m_heldByOther = held && !*held;
    if (!held || !*held) {
        m_pause.start(held ? 0ms : kAgainAfter);
        return;
    }
    m_stage = ElectionStage::Settling;
    // A session's lock ends with its connection, but the previous holder may notice that late. It counts
    // itself as active until a TTL after its last proof.
    const bool endsWithSession = m_settings.store.locks.constFirst().scheme == "sql.advisory";
    m_pause.start(std::chrono::ceil<std::chrono::milliseconds>(
        std::chrono::microseconds(endsWithSession ? m_settings.ttlUs : 0)));
}

void Election::proceed()
{
    if (m_stage == ElectionStage::Waiting) {
        wait();
        return;
    }
    if (m_stage != ElectionStage::Settling || !m_lock->isHeld())
        return; // lost: the lock's signal calls lose()
    m_stage = ElectionStage::Active;
    m_sinceWallUs = m_clock.wallUs();
    m_reading.stop();
    m_holder.clear();
    qCInfo(lcElection).noquote() << "active, by the lock" << base::displayText(m_settings.lock);
    Q_EMIT becameActive(m_lock->fencingToken());
}

/** Continues through the event loop: it may destroy the lock that emits the signal, or the caller of
 * isActive(). */
void Election::lose(const base::Error &why)
{
    if (m_stage != ElectionStage::Settling && m_stage != ElectionStage::Active)
        return;
    const bool wasActive = m_stage == ElectionStage::Active;
    m_stage = ElectionStage::Waiting;
    m_sinceWallUs = m_clock.wallUs();
    m_pause.stop();
    qCWarning(lcElection).noquote() << "standby: the lock was lost:" << why.line();
    QMetaObject::invokeMethod(
        this,
        [this, wasActive] {
            // Use a new handle: the old lease may have been renewed after all, but it belongs to the earlier
            // acquisition.
            if (const auto taken = takeHandle(); taken)
                standBy(wasActive);
            else
                qCCritical(lcElection).noquote() << taken.error().line();
        },
        Qt::QueuedConnection);
}

void Election::resign(std::function<void()> done)
{
    if (m_stage == ElectionStage::Ended)
        return; // only the first caller gets an answer
    const bool held = m_stage == ElectionStage::Settling || m_stage == ElectionStage::Active;
    m_stage = ElectionStage::Ended;
    m_pause.stop();
    m_reading.stop();
    m_holder.clear();
    const auto once = [done = std::make_shared<std::function<void()>>(std::move(done))] {
        if (const auto call = std::exchange(*done, {}))
            call();
    };
    QTimer::singleShot(held ? kResignWithin : 0s, this, once);
    if (held)
        m_lock->release([once](const base::Result<bool> &) { once(); });
}

bool Election::isActive()
{
    return isActiveFor(0);
}

bool Election::isActiveFor(qint64 us)
{
    if (m_stage == ElectionStage::Active && !m_lock->isHeld())
        lose({ErrorCode::Timeout, QStringLiteral("its lease has expired"), {}});
    return m_stage == ElectionStage::Active && m_lock->remaining().count() > us;
}

domain::ElectionState Election::state() const
{
    domain::ElectionState state;
    state.active = m_stage == ElectionStage::Active && m_lock->isHeld();
    state.holder = state.active ? base::displayText(m_owner) : m_holder;
    state.sinceWallUs = m_sinceWallUs;
    state.error = m_error;
    return state;
}

base::Error Election::standbyError() const
{
    if (m_error != base::Error())
        return {m_error.code,
                QStringLiteral("this agent is standby, and the active one is unknown: %1").arg(m_error.cause),
                m_error.remedy};
    if (!m_holder.isEmpty())
        return {ErrorCode::ReadOnly, QStringLiteral("this agent is standby; active is %1").arg(m_holder),
                QStringLiteral("Ask that agent.")};
    return {ErrorCode::ReadOnly,
            m_heldByOther
                ? QStringLiteral("this agent is standby; another one is active, but its name isn't known")
                : QStringLiteral("this agent is standby; no agent is known to be active"),
            QStringLiteral("Ask the other agent.")};
}

} // namespace lockkeeper::agent::election
