// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/lock_manager.h"

#include "shared/base/clock.h"
#include "shared/locks/factory.h"
#include "shared/locks/holder_lookup.h"
#include "shared/locks/holding.h"
#include "shared/locks/lock_client.h"
#include "shared/locks/wait_queue.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSysInfo>
#include <QTimer>
#include <QUtf8StringView>

#include <limits>
#include <utility>

namespace lockkeeper::locks {

namespace {
constexpr std::chrono::seconds kLookEvery(1);
constexpr qint64 kLeastSleepUs = 10'000;
} // namespace

using base::ErrorCode;
using base::failure;
using base::Result;

Result<std::unique_ptr<LockManager>> LockManager::open(const stores::SourceSpec &spec,
                                                       const stores::LockSet &set, const QByteArray &owner)
{
    auto client = makeLockClient(spec, set, owner);
    if (!client)
        return tl::unexpected(client.error());
    auto manager = std::make_unique<LockManager>(*std::move(client), nullptr, owner);
    stores::SourceSpec own = spec;
    own.locks = {set};
    manager->m_holders = std::make_unique<HolderLookup>(std::move(own));
    return manager;
}

LockManager::LockManager(std::unique_ptr<LockClient> client, const base::Clock *clock, QByteArray owner)
    : m_clock(clock), m_client(std::move(client)), m_owner(std::move(owner))
{
    static const base::SleeplessClock sleepless; // static: handles that outlive the manager still use it
    if (m_clock == nullptr)
        m_clock = &sleepless;
    m_tick.setInterval(kLookEvery);
    connect(&m_tick, &QTimer::timeout, this, &LockManager::onTick);
    connect(m_client.get(), &LockClient::lost, this, [this](const Lease &lease) {
        for (Holding *holding : QSet<Holding *>(m_holdings)) {
            if (holding->lease().token == lease.token && holding->name() == lease.name)
                return holding->lostInStore(); // last: its owner's callbacks run in it
        }
    });
    connect(m_client.get(), &LockClient::doubted, this,
            [this] { each([](Holding &holding) { holding.verify(); }); });
}

/** Checks the handles after the machine has slept: timers stand still meanwhile, but leases don't. */
void LockManager::onTick()
{
    const qint64 asleepUs = m_clock->monotonicUs() - base::SystemClock().monotonicUs();
    if (asleepUs - std::exchange(m_asleepUs, asleepUs) < kLeastSleepUs)
        return;
    each([](Holding &holding) { holding.look(); });
}

void LockManager::each(const std::function<void(Holding &)> &act)
{
    QList<QPointer<Holding>> holdings;
    for (Holding *holding : std::as_const(m_holdings))
        holdings.append(holding);
    for (const QPointer<Holding> &holding : std::as_const(holdings)) {
        if (!holding.isNull()) // a callback about a loss may destroy other handles
            act(*holding);
    }
}

LockManager::~LockManager()
{
    while (!m_holdings.isEmpty()) { // a callback may destroy other handles
        Holding *holding = *m_holdings.cbegin();
        m_holdings.remove(holding);
        holding->orphaned();
    }
    m_client.reset(); // before the queues, which it wakes
}

Result<std::unique_ptr<Lock>> LockManager::lock(const QByteArray &name, const LockOptions &options)
{
    const Traits traits = m_client->traits();
    if (name.isEmpty())
        return failure(ErrorCode::Usage, QStringLiteral("a lock needs a name"));
    if (name.size() > traits.longestName)
        return failure(ErrorCode::TooLarge,
                       QStringLiteral("the name has %1 bytes, and this scheme keeps %2 at most")
                           .arg(name.size())
                           .arg(traits.longestName));
    if (!traits.binaryNames && (name.contains('\0') || !QUtf8StringView(name).isValidUtf8()))
        return failure(ErrorCode::Usage,
                       QStringLiteral("the name isn't UTF-8 text, and this scheme keeps no other"));
    const qint64 ttlUs = options.ttl.count();
    if (ttlUs < traits.leastTtlUs || ttlUs > traits.mostTtlUs)
        return failure(ErrorCode::Usage, QStringLiteral("a TTL of this scheme lasts %1 to %2 ms")
                                             .arg(traits.leastTtlUs / 1'000)
                                             .arg(traits.mostTtlUs / 1'000));
    HandleTurns &turns = m_turns[name];
    if (++turns.handles == 1)
        makeQueue(turns, name);
    auto holding = std::make_unique<Holding>(this, m_client.get(), turns.queue.get(), m_clock, name, options);
    m_holdings.insert(holding.get());
    if (!m_tick.isActive()) {
        m_tick.start();
        m_asleepUs = m_clock->monotonicUs() - base::SystemClock().monotonicUs();
    }
    return std::unique_ptr<Lock>(new Lock(std::move(holding)));
}

void LockManager::makeQueue(HandleTurns &turns, const QByteArray &name)
{
    turns.queue = std::make_unique<WaitQueue>(*m_client, name, m_owner);
    connect(turns.queue.get(), &WaitQueue::unregistered, this, [this](base::Error why) {
        if (std::exchange(m_warnedOfWaiters, true))
            return;
        why.cause.prepend(QLatin1String("waiters aren't shown: "));
        Q_EMIT warned(why);
    });
}

void LockManager::readHolder(const QByteArray &name, HolderRead done)
{
    if (m_holders) {
        m_holders->read(name, std::move(done));
        return;
    }
    QMetaObject::invokeMethod(
        this,
        [done = std::move(done)] {
            done(failure(ErrorCode::Unsupported, QStringLiteral("this client has no store to read")));
        },
        Qt::QueuedConnection);
}

Traits LockManager::traits() const
{
    return m_client->traits();
}

QByteArray LockManager::defaultOwner()
{
    const QByteArray user = qEnvironmentVariable("USER", qEnvironmentVariable("USERNAME")).toUtf8();
    QByteArray owner = QSysInfo::machineHostName().toUtf8() + " pid " +
                       QByteArray::number(QCoreApplication::applicationPid());
    return user.isEmpty() ? owner : owner + ' ' + user;
}

void LockManager::measured(qint64 roundTripUs, qint64 ttlUs)
{
    if (roundTripUs * 3 <= ttlUs || std::exchange(m_warned, true))
        return;
    Q_EMIT warned({ErrorCode::Timeout,
                   QStringLiteral("the TTL of %1 ms is less than three round trips of %2 ms")
                       .arg(ttlUs / 1'000)
                       .arg(double(roundTripUs) / 1'000.0, 0, 'f', 1),
                   QStringLiteral("A slow answer will lose the lock: use a longer one.")});
}

void LockManager::discard(const Lease &lease)
{
    if (!m_client || !m_client->traits().holds)
        return;
    underWay(1);
    giveBack(lease, m_client->traits().expires ? m_clock->monotonicUs() + lease.ttlUs
                                               : std::numeric_limits<qint64>::max());
}

/** Retries if the store can't be reached, as long as the lease may last: it would block all other clients. */
void LockManager::giveBack(const Lease &lease, qint64 untilUs)
{
    m_client->release(lease, [this, lease, untilUs](const AttemptResult &result) {
        if (!result.error || !base::isTransient(result.error->code) || m_clock->monotonicUs() >= untilUs) {
            underWay(-1);
            return;
        }
        QTimer::singleShot(std::chrono::milliseconds(200), this, [this, lease, untilUs] {
            if (m_client)
                giveBack(lease, untilUs);
        });
    });
}

void LockManager::whenIdle(std::function<void()> done)
{
    m_whenIdle = std::move(done);
    underWay(0);
}

void LockManager::endWaits()
{
    each([](Holding &holding) { holding.endWait(); });
}

void LockManager::underWay(int change)
{
    m_underWay += change;
    if (m_underWay == 0 && m_whenIdle)
        QMetaObject::invokeMethod(this, std::exchange(m_whenIdle, {}), Qt::QueuedConnection);
}

void LockManager::removed(Holding *holding)
{
    m_holdings.remove(holding);
    if (m_holdings.isEmpty())
        m_tick.stop();
    const auto turns = m_turns.find(holding->name());
    if (--turns->second.handles == 0)
        m_turns.erase(turns);
}

} // namespace lockkeeper::locks
