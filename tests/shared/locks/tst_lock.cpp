// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/lock_manager.h"
#include "shared/locks/wait_queue.h"
#include "tests/shared/locks/fake_lock_client.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <limits>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using tests::FakeClock;
using tests::FakeLockClient;
using tests::FakeLocks;

namespace tst_lock {

namespace {

/** The answer to one request; empty until it arrives. */
using Answer = std::shared_ptr<std::optional<base::Result<bool>>>;

Lock::Done into(const Answer &answer)
{
    return [answer](const base::Result<bool> &result) { *answer = result; };
}

/** One process's side: a manager over a client of a store that others may share. */
struct Side
{
    explicit Side(FakeLocks &store, const FakeClock &clock, const Traits &traits = {})
    {
        auto made = std::make_unique<FakeLockClient>(store, traits);
        client = made.get();
        manager = std::make_unique<LockManager>(std::move(made), &clock);
    }
    std::unique_ptr<Lock> lock(const QByteArray &name = "a", const LockOptions &options = {})
    {
        return *manager->lock(name, options);
    }
    FakeLockClient *client;
    std::unique_ptr<LockManager> manager;
};

Answer newAnswer()
{
    return std::make_shared<std::optional<base::Result<bool>>>();
}

bool isTrue(const Answer &answer)
{
    return *answer && **answer && ***answer;
}

bool isFalse(const Answer &answer)
{
    return *answer && **answer && !***answer;
}

bool isError(const Answer &answer, base::ErrorCode code)
{
    return *answer && !**answer && (**answer).error().code == code;
}

Answer taken(Lock &lock)
{
    const Answer answer = newAnswer();
    lock.tryAcquire(into(answer));
    return answer;
}

Answer awaited(Lock &lock, std::optional<std::chrono::milliseconds> limit = {}, std::stop_token stop = {})
{
    const Answer answer = newAnswer();
    lock.acquire(limit, into(answer), std::move(stop));
    return answer;
}

Answer released(Lock &lock)
{
    const Answer answer = newAnswer();
    lock.release(into(answer));
    return answer;
}

Answer renewed(Lock &lock)
{
    const Answer answer = newAnswer();
    lock.renew(into(answer));
    return answer;
}

} // namespace

class LockTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_store = {}; }
    void takesAndGivesBack();
    void handlesAreOwners();
    void takesAgain_data();
    void takesAgain();
    void isNeverHeldPastItsDeadline_data();
    void isNeverHeldPastItsDeadline();
    void renewsByItself();
    void renewalIsTriedAgainUntilTheDeadline_data();
    void renewalIsTriedAgainUntilTheDeadline();
    void tellsThatItWasLost();
    void toldSoonAfterASleep();
    void lateAnswerIsNotHeld();
    void whoWaitsIsAnsweredLateOnce();
    void lateRenewalIsLost();
    void waitsForItsTurn_data();
    void waitsForItsTurn();
    void waitingEnds_data();
    void waitingEnds();
    void waitsForWeeks();
    void waitsWhileTheStoreIsAway();
    void handOverCostsTheSame_data();
    void handOverCostsTheSame();
    void nobodyAsksForWhatIsHeldHere();
    void leavesNothingBehind();
    void isIdleOnceNothingCanBeLeftBehind();
    void unknownEffectIsGivenBack();
    void aLateReturnMeetsNothing_data();
    void aLateReturnMeetsNothing();
    void aReturnThatFailedIsTriedAgain_data();
    void aReturnThatFailedIsTriedAgain();
    void aRenewalAfterTheEndIsGivenBack();
    void anEntryThatNobodyWantsIsGivenBack_data();
    void anEntryThatNobodyWantsIsGivenBack();
    void outlivesItsManager();
    void ownersEndTheirHandlesWithTheManager();
    void misuse();
    void releaseWaitsForARenewal();
    void refusals_data();
    void refusals();
    void fencingTokensGrow_data();
    void fencingTokensGrow();
    void warnsOfAShortTtl();
    void registersWhoWaits();
    void backsOffByChance();
    void forkedChildHoldsNothing();

private:
    FakeLocks m_store;
    FakeClock m_clock;
};

void LockTest::takesAndGivesBack()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock();
    QVERIFY(!lock->isHeld());
    const Answer acquired = taken(*lock);
    QVERIFY(!*acquired); // never from within the call
    QTRY_VERIFY(isTrue(acquired));
    QVERIFY(lock->isHeld());
    QCOMPARE(lock->depth(), 1);
    QVERIFY(lock->remaining() > 29s);
    QCOMPARE(m_store.held.value("a").token, lock->token());
    const Answer ended = released(*lock);
    QVERIFY(!lock->isHeld());
    QTRY_VERIFY(isTrue(ended));
    QVERIFY(m_store.held.isEmpty());
    QVERIFY(!lock->lostToken().stop_requested());
    const Answer twice = released(*lock);
    QTRY_VERIFY(isFalse(twice));
}

void LockTest::handlesAreOwners()
{
    Side side(m_store, m_clock);
    const auto one = side.lock();
    const auto two = side.lock();
    const Answer first = taken(*one);
    QTRY_VERIFY(isTrue(first));
    const Answer other = taken(*two);
    QTRY_VERIFY(isFalse(other));
    QVERIFY(!two->isHeld());
}

void LockTest::takesAgain_data()
{
    QTest::addColumn<bool>("storeCounts");
    QTest::newRow("counted here") << false;
    QTest::newRow("counted in the store") << true;
}

void LockTest::takesAgain()
{
    QFETCH(bool, storeCounts);
    Traits traits;
    traits.reenters = storeCounts;
    Side side(m_store, m_clock, traits);
    const auto lock = side.lock();
    for (int depth = 1; depth <= 3; ++depth) {
        const Answer acquired = taken(*lock);
        QTRY_VERIFY(isTrue(acquired));
        QCOMPARE(lock->depth(), depth);
        QCOMPARE(m_store.held.value("a").depth, storeCounts ? depth : 1);
    }
    for (int depth = 2; depth >= 0; --depth) {
        const Answer ended = released(*lock);
        QTRY_VERIFY(isTrue(ended));
        QCOMPARE(lock->depth(), depth);
        QCOMPARE(m_store.held.contains("a"), depth > 0);
    }
}

void LockTest::isNeverHeldPastItsDeadline_data()
{
    QTest::addColumn<qint64>("ttlUs");
    QTest::addColumn<qint64>("lastsUs");
    QTest::newRow("10 s") << 10'000'000LL << 9'898'000LL;
    QTest::newRow("100 ms") << 100'000LL << 97'000LL;
    QTest::newRow("2 ms: all of it is drift") << 2'000LL << 0LL;
}

void LockTest::isNeverHeldPastItsDeadline()
{
    QFETCH(qint64, ttlUs);
    QFETCH(qint64, lastsUs);
    Side side(m_store, m_clock);
    const auto lock = side.lock("a", {std::chrono::microseconds(ttlUs), false});
    const Answer acquired = taken(*lock);
    if (lastsUs == 0) {
        QTRY_VERIFY(isError(acquired, base::ErrorCode::Timeout));
        QTRY_VERIFY(m_store.held.isEmpty());
        return;
    }
    QTRY_VERIFY(isTrue(acquired));
    m_clock.advanceUs(lastsUs - 1);
    QVERIFY(lock->isHeld());
    QCOMPARE(lock->remaining(), 1us);
    m_clock.advanceUs(1);
    QVERIFY(!lock->isHeld());
    QCOMPARE(lock->remaining(), 0us);
}

void LockTest::renewsByItself()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock("a", {300ms, true});
    QSignalSpy lost(lock.get(), &Lock::lost);
    const Answer acquired = taken(*lock);
    QTRY_VERIFY(isTrue(acquired));
    for (int third = 1; third <= 4; ++third) {
        m_clock.advanceUs(100'000);
        QTRY_COMPARE(side.client->answeredRenewals, third);
        QTRY_VERIFY(lock->remaining() > 250ms);
    }
    QCOMPARE(lost.size(), 0);
}

void LockTest::renewalIsTriedAgainUntilTheDeadline_data()
{
    QTest::addColumn<qint64>("askedUs");
    QTest::newRow("as asked for") << qint64(300'000);
    QTest::newRow("longer than the store grants") << base::kHourUs;
}

void LockTest::renewalIsTriedAgainUntilTheDeadline()
{
    QFETCH(qint64, askedUs);
    Side side(m_store, m_clock);
    side.client->grantsUs = 300'000;
    const auto lock = side.lock("a", {std::chrono::microseconds(askedUs), true});
    const Answer acquired = taken(*lock);
    QTRY_VERIFY(isTrue(acquired));
    QSignalSpy lost(lock.get(), &Lock::lost);
    side.client->trouble = base::Error{base::ErrorCode::ConnectionLost, QStringLiteral("cut"), {}};
    m_clock.advanceUs(100'000);
    QTRY_COMPARE(side.client->answeredRenewals, 1);
    m_clock.advanceUs(20'000);
    QTRY_COMPARE(side.client->answeredRenewals, 2);
    QVERIFY(lock->isHeld());
    side.client->trouble.reset();
    m_clock.advanceUs(20'000);
    QTRY_VERIFY(lock->remaining() > 250ms);
    QCOMPARE(lost.size(), 0);
    side.client->trouble = base::Error{base::ErrorCode::ConnectionLost, QStringLiteral("cut"), {}};
    const std::stop_token stop = lock->lostToken();
    m_clock.advanceUs(295'000);
    QTRY_COMPARE(lost.size(), 1);
    QVERIFY(stop.stop_requested());
    QCOMPARE(lost.first().first().value<base::Error>().code, base::ErrorCode::Timeout);
}

void LockTest::tellsThatItWasLost()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock();
    const Answer acquired = taken(*lock);
    QTRY_VERIFY(isTrue(acquired));
    const std::stop_token stop = lock->lostToken();
    QSignalSpy lost(lock.get(), &Lock::lost);
    m_store.breakLock("a");
    const Answer kept = renewed(*lock);
    QTRY_VERIFY(isFalse(kept));
    QCOMPARE(lost.size(), 1);
    QVERIFY(stop.stop_requested());
    QVERIFY(!lock->isHeld());
    QCOMPARE(lock->depth(), 0);
    const Answer after = renewed(*lock);
    QTRY_VERIFY(isFalse(after));
    const Answer ended = released(*lock);
    QTRY_VERIFY(isFalse(ended));
    const Answer again = taken(*lock);
    QTRY_VERIFY(isTrue(again));
    QVERIFY(!lock->lostToken().stop_requested());
    QCOMPARE(lost.size(), 1);
}

/** After the machine slept: the timers of a long lease stood still meanwhile. */
void LockTest::toldSoonAfterASleep()
{
    Side side(m_store, m_clock);
    const auto lost = side.lock("lost", {1h, true});
    const auto kept = side.lock("kept", {5h, true});
    QSignalSpy told(lost.get(), &Lock::lost);
    const Answer first = taken(*lost);
    const Answer second = taken(*kept);
    QTRY_VERIFY(isTrue(first) && isTrue(second));
    m_clock.advanceUs(2 * base::kHourUs);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(kept->remaining() > 4h, 20'000); // renewed
}

void LockTest::lateAnswerIsNotHeld()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock("a", {1s, true});
    side.client->setSilent(true);
    const Answer acquired = taken(*lock);
    m_clock.advanceUs(988'000); // 1 s less a hundredth and 2 ms
    side.client->setSilent(false);
    QTRY_VERIFY(isError(acquired, base::ErrorCode::Timeout));
    QVERIFY(!lock->isHeld());
    QTRY_VERIFY(m_store.held.isEmpty()); // given back
}

void LockTest::whoWaitsIsAnsweredLateOnce()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock("a", {1s, true});
    side.client->setSilent(true);
    const Answer acquired = awaited(*lock);
    m_clock.advanceUs(988'000);
    side.client->setSilent(false);
    QTRY_VERIFY(acquired->has_value());
    QVERIFY(isTrue(acquired) && lock->isHeld());
    const Answer ended = released(*lock);
    QTRY_VERIFY(isTrue(ended));
    QVERIFY(m_store.held.isEmpty());
}

void LockTest::lateRenewalIsLost()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock("a", {1s, false});
    const Answer acquired = taken(*lock);
    QTRY_VERIFY(isTrue(acquired));
    QSignalSpy lost(lock.get(), &Lock::lost);
    side.client->setSilent(true);
    const Answer kept = renewed(*lock);
    m_clock.advanceUs(1'000'000);
    side.client->setSilent(false);
    QTRY_VERIFY(isFalse(kept));
    QCOMPARE(lost.size(), 1);
    QTRY_VERIFY(m_store.held.isEmpty());
}

void LockTest::waitsForItsTurn_data()
{
    QTest::addColumn<bool>("wakes");
    QTest::newRow("by back-off") << false;
    QTest::newRow("woken") << true;
}

void LockTest::waitsForItsTurn()
{
    QFETCH(bool, wakes);
    Traits traits;
    traits.wakes = wakes;
    Side holder(m_store, m_clock, traits);
    Side waiter(m_store, m_clock, traits);
    holder.client->others = {waiter.client};
    const auto one = holder.lock();
    const auto two = waiter.lock();
    const Answer first = taken(*one);
    QTRY_VERIFY(isTrue(first));
    const Answer second = awaited(*two);
    const int before = m_store.commands;
    QTRY_VERIFY(m_store.commands >= before + (wakes ? 1 : 3)); // asks again
    QVERIFY(!*second);
    const Answer ended = released(*one);
    QTRY_VERIFY(isTrue(second));
    QVERIFY(two->isHeld());
}

void LockTest::waitingEnds_data()
{
    QTest::addColumn<bool>("byStop");
    QTest::addColumn<bool>("before");
    QTest::newRow("limit") << false << false;
    QTest::newRow("no limit at all") << false << true;
    QTest::newRow("stop from another thread") << true << false;
    QTest::newRow("stopped before it began") << true << true;
}

void LockTest::waitingEnds()
{
    QFETCH(bool, byStop);
    QFETCH(bool, before);
    Side holder(m_store, m_clock);
    Side waiter(m_store, m_clock);
    const auto one = holder.lock();
    const auto two = waiter.lock();
    const Answer first = taken(*one);
    QTRY_VERIFY(isTrue(first));
    std::stop_source stop;
    if (byStop && before)
        stop.request_stop();
    const auto limit = byStop ? std::nullopt : std::optional(before ? 0ms : 50ms);
    const Answer second = awaited(*two, limit, byStop ? stop.get_token() : std::stop_token());
    QVERIFY(!*second);
    if (byStop && !before)
        std::jthread([&stop] { stop.request_stop(); }).join();
    QTRY_VERIFY(isFalse(second));
    const int commands = m_store.commands;
    const Answer ended = released(*one);
    QTRY_VERIFY(isTrue(ended));
    QCOMPARE(m_store.commands, commands + 1); // no client waits any more
    QVERIFY(m_store.held.isEmpty());
}

/** More milliseconds than 32 bits have. */
void LockTest::waitsForWeeks()
{
    constexpr auto kLong = std::chrono::milliseconds(0x1'0000'0000);
    Traits wakes;
    wakes.wakes = true;
    Side holder(m_store, m_clock);
    FakeLocks elsewhere;
    Side asking(elsewhere, m_clock);
    Side woken(m_store, m_clock, wakes);
    const auto one = holder.lock();
    const auto two = woken.lock();
    const auto three = asking.lock();
    const auto other = asking.lock();
    woken.client->freeInUs = std::chrono::microseconds(kLong).count();
    const Answer first = taken(*one);
    const Answer third = taken(*three);
    QTRY_VERIFY(isTrue(first) && isTrue(third));
    const Answer patient = awaited(*two, kLong);
    const Answer limited = awaited(*other, 300ms);
    QTRY_VERIFY(isFalse(limited));
    QVERIFY(!*patient);
    QCOMPARE(m_store.commands, 3); // the holder's, the first and the one of the subscription
}

void LockTest::waitsWhileTheStoreIsAway()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock();
    side.client->trouble = base::Error{base::ErrorCode::Unreachable, QStringLiteral("refused"), {}};
    const Answer limited = awaited(*lock, 100ms);
    QTRY_VERIFY(isError(limited, base::ErrorCode::Unreachable));
    const Answer patient = awaited(*lock);
    const int before = m_store.commands;
    QTRY_VERIFY(m_store.commands > before + 1);
    QVERIFY(!*patient);
    side.client->trouble.reset();
    QTRY_VERIFY(isTrue(patient));
    QVERIFY(isTrue(patient));
    side.client->trouble = base::Error{base::ErrorCode::PermissionDenied, QStringLiteral("no"), {}};
    const auto other = side.lock("b");
    const Answer refused = awaited(*other);
    QTRY_VERIFY(isError(refused, base::ErrorCode::PermissionDenied));
}

void LockTest::handOverCostsTheSame_data()
{
    QTest::addColumn<int>("waiters");
    QTest::newRow("2") << 2;
    QTest::newRow("100") << 100;
}

void LockTest::handOverCostsTheSame()
{
    QFETCH(int, waiters);
    Side side(m_store, m_clock);
    std::vector<std::unique_ptr<Lock>> locks;
    QList<int> order;
    for (int i = 0; i < waiters; ++i) {
        locks.push_back(side.lock());
        locks.back()->acquire({}, [&order, i, lock = locks.back().get()](const base::Result<bool> &held) {
            QVERIFY(held && *held);
            order.append(i);
            lock->release();
        });
    }
    QTRY_COMPARE(order.size(), waiters);
    for (int i = 0; i < waiters; ++i)
        QCOMPARE(order.at(i), i);
    QTRY_VERIFY(m_store.held.isEmpty());
    QVERIFY2(m_store.commands <= 2 * waiters + 1, qPrintable(QString::number(m_store.commands)));
}

void LockTest::nobodyAsksForWhatIsHeldHere()
{
    Side side(m_store, m_clock);
    FakeLocks counted; // the other side's commands, counted apart
    Side other(counted, m_clock);
    counted.held.insert("a", {"somebody", 1});
    const auto holder = side.lock();
    const auto waiter = side.lock();
    const auto elsewhere = other.lock();
    const Answer held = taken(*holder);
    QTRY_VERIFY(isTrue(held));
    const Answer second = awaited(*waiter);
    const Answer third = awaited(*elsewhere);
    QTRY_VERIFY_WITH_TIMEOUT(counted.commands >= 4, 20'000); // it has backed off several times
    QCOMPARE(m_store.commands, 1);
    QVERIFY(!*second);
    const Answer ended = released(*holder);
    QTRY_VERIFY(isTrue(ended) && isTrue(second));
    QCOMPARE(m_store.commands, 3);
}

void LockTest::leavesNothingBehind()
{
    Side side(m_store, m_clock);
    auto lock = side.lock();
    const Answer acquired = taken(*lock);
    QTRY_VERIFY(isTrue(acquired));
    lock.reset(); // held
    QTRY_VERIFY(m_store.held.isEmpty());

    auto asking = side.lock();
    const Answer unanswered = taken(*asking);
    QVERIFY(m_store.held.contains("a"));
    asking.reset(); // being acquired
    QTRY_VERIFY(m_store.held.isEmpty());
    QVERIFY(!*unanswered);

    Side other(m_store, m_clock);
    const auto holder = other.lock();
    const Answer held = taken(*holder);
    QTRY_VERIFY(isTrue(held));
    auto waiting = side.lock();
    const Answer never = awaited(*waiting);
    waiting.reset(); // waiting
    const Answer ended = released(*holder);
    QTRY_VERIFY(isTrue(ended));
    QVERIFY(m_store.held.isEmpty());
    QVERIFY(!*never);
}

void LockTest::isIdleOnceNothingCanBeLeftBehind()
{
    Side side(m_store, m_clock);
    int idle = 0;
    side.manager->whenIdle([&idle] { ++idle; });
    QCOMPARE(idle, 0);
    QTRY_COMPARE(idle, 1);

    side.client->setSilent(true);
    auto lock = side.lock();
    const Answer never = awaited(*lock);
    QVERIFY(m_store.held.contains("a")); // the caller doesn't know it yet
    lock.reset();
    QVERIFY(!*never);
    side.manager->whenIdle([&idle] { ++idle; });
    QCoreApplication::sendPostedEvents();
    QCOMPARE(idle, 1);
    side.client->setSilent(false);
    QTRY_COMPARE(idle, 2);
    QVERIFY(m_store.held.isEmpty());
}

void LockTest::unknownEffectIsGivenBack()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock();
    side.client->trouble = base::Error{base::ErrorCode::Timeout, QStringLiteral("no answer"), {}};
    side.client->troubleAfter = true;
    const Answer acquired = taken(*lock);
    QVERIFY(m_store.held.contains("a"));
    QTRY_VERIFY(isError(acquired, base::ErrorCode::Timeout));
    QTRY_VERIFY(m_store.held.isEmpty());
}

void LockTest::aLateReturnMeetsNothing_data()
{
    QTest::addColumn<bool>("queues");
    QTest::newRow("asks") << false;
    QTest::newRow("stands in the store's queue") << true;
}

/** The release after an uncertain attempt is retried, and arrives after the next attempt. */
void LockTest::aLateReturnMeetsNothing()
{
    QFETCH(bool, queues);
    FakeClock clock;
    Traits traits;
    traits.queues = queues;
    Side side(m_store, clock, traits);
    side.client->trouble = base::Error{base::ErrorCode::ConnectionLost, QStringLiteral("cut"), {}};
    side.client->troubleAfter = true;
    std::vector<std::unique_ptr<Lock>> locks; // some of them try again before their return is
    QList<Answer> answers;
    for (int i = 0; i < 20; ++i) {
        locks.push_back(side.lock(QByteArray::number(i)));
        answers.append(awaited(*locks.back()));
    }
    QTRY_VERIFY(m_store.commands >= 40); // acquired and released, both without an answer
    side.client->trouble.reset();
    QTRY_VERIFY_WITH_TIMEOUT(std::all_of(answers.cbegin(), answers.cend(), &isTrue), 10'000);
    bool idle = false;
    side.manager->whenIdle([&idle] { idle = true; });
    QTRY_VERIFY_WITH_TIMEOUT(idle, 10'000);
    QVERIFY(std::all_of(locks.cbegin(), locks.cend(), [](const auto &lock) { return lock->isHeld(); }));
    QCOMPARE(m_store.held.size(), 20);
}

void LockTest::aReturnThatFailedIsTriedAgain_data()
{
    QTest::addColumn<bool>("expires");
    QTest::newRow("within the lease") << true;
    QTest::newRow("of what stays until it is given back") << false;
}

/** The handle is free by then, so the caller can't retry. */
void LockTest::aReturnThatFailedIsTriedAgain()
{
    QFETCH(bool, expires);
    FakeClock clock;
    Traits traits;
    traits.expires = expires;
    Side side(m_store, clock, traits);
    const auto lock = side.lock();
    const Answer held = taken(*lock);
    QTRY_VERIFY(isTrue(held));
    side.client->trouble = base::Error{base::ErrorCode::ConnectionLost, QStringLiteral("cut"), {}};
    const Answer ended = released(*lock);
    QTRY_VERIFY(isError(ended, base::ErrorCode::ConnectionLost));
    QVERIFY(m_store.held.contains("a"));
    if (!expires)
        clock.advanceUs(3'600'000'000);
    const int commands = m_store.commands;
    QTRY_VERIFY(m_store.commands > commands + 1);
    side.client->trouble.reset();
    QTRY_VERIFY(m_store.held.isEmpty());
}

/** By then the renewal has changed the lease's proof. */
void LockTest::aRenewalAfterTheEndIsGivenBack()
{
    Side side(m_store, m_clock);
    side.client->renewalProves = true;
    auto lock = side.lock();
    const Answer held = taken(*lock);
    QTRY_VERIFY(isTrue(held));
    const Answer kept = renewed(*lock);
    lock.reset();
    QTRY_VERIFY(m_store.held.isEmpty());
    QVERIFY(!*kept);
}

void LockTest::anEntryThatNobodyWantsIsGivenBack_data()
{
    QTest::addColumn<QByteArray>("how");
    for (const char *how : {"released meanwhile", "destroyed meanwhile", "not told", "not told, destroyed"})
        QTest::newRow(how) << QByteArray(how);
}

/** For schemes that count entries in the store. */
void LockTest::anEntryThatNobodyWantsIsGivenBack()
{
    QFETCH(QByteArray, how);
    Traits traits;
    traits.reenters = true;
    Side side(m_store, m_clock, traits);
    auto lock = side.lock();
    const Answer held = taken(*lock);
    QTRY_VERIFY(isTrue(held));
    if (how.startsWith("not told")) {
        side.client->trouble = base::Error{base::ErrorCode::Timeout, QStringLiteral("no answer"), {}};
        side.client->troubleAfter = true;
    }
    const Answer again = taken(*lock);
    QCOMPARE(m_store.held.value("a").depth, 2);
    if (how.startsWith("not told")) {
        QTRY_VERIFY(isError(again, base::ErrorCode::Timeout));
        side.client->trouble.reset();
        side.client->troubleAfter = false;
    }
    if (how.endsWith("destroyed") || how.startsWith("destroyed")) {
        lock.reset();
    } else {
        const Answer ended = released(*lock);
        QTRY_VERIFY(isTrue(ended));
    }
    QTRY_VERIFY(m_store.held.isEmpty());
}

void LockTest::outlivesItsManager()
{
    Side side(m_store, m_clock);
    Side other(m_store, m_clock);
    const auto held = side.lock("held");
    const auto waiting = side.lock("waiting");
    const auto blocker = other.lock("waiting");
    const Answer first = taken(*held);
    const Answer second = taken(*blocker);
    QTRY_VERIFY(isTrue(first) && isTrue(second));
    QSignalSpy lost(held.get(), &Lock::lost);
    const Answer third = awaited(*waiting);
    side.manager.reset();
    QVERIFY(!held->isHeld());
    QCOMPARE(lost.size(), 1);
    QTRY_VERIFY(isError(third, base::ErrorCode::Shutdown));
    const Answer again = taken(*held);
    QTRY_VERIFY(isError(again, base::ErrorCode::Shutdown));
    const Answer ended = released(*held);
    QTRY_VERIFY(isFalse(ended));
}

/** The callback for a lost lock may destroy its handles, including waiting and held ones. */
void LockTest::ownersEndTheirHandlesWithTheManager()
{
    {
        Side side(m_store, m_clock);
        auto lock = side.lock();
        const Answer held = taken(*lock);
        QTRY_VERIFY(isTrue(held));
        const std::stop_callback ends(lock->lostToken(), [&lock] { lock.reset(); });
        side.manager.reset();
        QVERIFY(!lock);
        m_store = {};
    }
    Side side(m_store, m_clock);
    std::vector<std::unique_ptr<Lock>> locks;
    for (const char *name : {"a", "b", "c", "d"}) {
        locks.push_back(side.lock(name));
        const Answer held = taken(*locks.back());
        QTRY_VERIFY(isTrue(held));
        locks.push_back(side.lock(name));
        (void)awaited(*locks.back());
    }
    int told = 0;
    for (const auto &lock : locks)
        connect(lock.get(), &Lock::lost, this, [&] {
            ++told;
            locks.clear();
        });
    side.manager.reset();
    QCOMPARE(told, 1);
    QVERIFY(locks.empty());
}

void LockTest::misuse()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock();
    const Answer first = taken(*lock);
    const Answer second = taken(*lock);
    const Answer early = released(*lock);
    QTRY_VERIFY(isTrue(first) && isError(second, base::ErrorCode::Usage) &&
                isError(early, base::ErrorCode::Usage));
    QVERIFY(lock->isHeld());
    // No caller wants the answer.
    Traits counts;
    counts.reenters = true;
    Side silent(m_store, m_clock, counts);
    const auto entered = silent.lock("entered");
    entered->tryAcquire({});
    QTRY_COMPARE(entered->depth(), 1);
    entered->tryAcquire({});
    QTRY_COMPARE(entered->depth(), 2);
    // Released and acquired again at once.
    const Answer ended = released(*lock);
    const Answer again = taken(*lock);
    QTRY_VERIFY(isTrue(ended) && isTrue(again));
    QVERIFY(lock->isHeld());
}

void LockTest::releaseWaitsForARenewal()
{
    Side side(m_store, m_clock);
    const auto lock = side.lock();
    const Answer first = taken(*lock);
    QTRY_VERIFY(isTrue(first));
    const Answer kept = renewed(*lock);
    const Answer ended = released(*lock);
    const Answer again = awaited(*lock);
    QVERIFY(!lock->isHeld());
    QVERIFY(m_store.held.contains("a"));
    QTRY_VERIFY(isTrue(ended) && isTrue(again));
    QVERIFY(isFalse(kept)); // released meanwhile
    QVERIFY(lock->isHeld());
}

void LockTest::refusals_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<qint64>("ttlUs");
    QTest::addColumn<base::ErrorCode>("code");
    QTest::newRow("no name") << QByteArray() << 1'000'000LL << base::ErrorCode::Usage;
    QTest::newRow("too long a name") << QByteArray(65, 'x') << 1'000'000LL << base::ErrorCode::TooLarge;
    QTest::newRow("bytes for a name") << QByteArray("\xff\xfe") << 1'000'000LL << base::ErrorCode::Usage;
    QTest::newRow("NUL in it") << QByteArray("a\0b", 3) << 1'000'000LL << base::ErrorCode::Usage;
    QTest::newRow("no time") << QByteArray("a") << 0LL << base::ErrorCode::Usage;
    QTest::newRow("negative") << QByteArray("a") << -1LL << base::ErrorCode::Usage;
    QTest::newRow("finer than the store keeps") << QByteArray("a") << 999'999LL << base::ErrorCode::Usage;
    QTest::newRow("longer than it keeps") << QByteArray("a") << 60'000'001LL << base::ErrorCode::Usage;
}

void LockTest::refusals()
{
    QFETCH(QByteArray, name);
    QFETCH(qint64, ttlUs);
    QFETCH(base::ErrorCode, code);
    Traits traits;
    traits.leastTtlUs = 1'000'000;
    traits.mostTtlUs = 60'000'000;
    traits.longestName = 64;
    traits.binaryNames = false;
    Side side(m_store, m_clock, traits);
    const auto lock = side.manager->lock(name, {std::chrono::microseconds(ttlUs), true});
    QVERIFY(!lock);
    QCOMPARE(lock.error().code, code);
    QVERIFY(side.manager->lock(QByteArray(64, 'x'), {60s, true}).has_value());
    QVERIFY(side.manager->lock("\xe9\x94\x81", {1s, true}).has_value());
}

void LockTest::fencingTokensGrow_data()
{
    QTest::addColumn<quint64>("before");
    QTest::newRow("the first ones") << quint64(0);
    QTest::newRow("more digits") << quint64(8);
    QTest::newRow("past signed numbers") << quint64(std::numeric_limits<qint64>::max()) - 1;
    QTest::newRow("up to the last one") << std::numeric_limits<quint64>::max() - 3;
}

void LockTest::fencingTokensGrow()
{
    QFETCH(const quint64, before);
    Traits traits;
    traits.fencing = true;
    Side side(m_store, m_clock, traits);
    m_store.fencing.insert("a", before);
    const auto lock = side.lock();
    for (quint64 i = before + 1; i <= before + 3 && i > before; ++i) {
        const Answer acquired = taken(*lock);
        QTRY_VERIFY(isTrue(acquired));
        QCOMPARE(lock->fencingToken(), std::optional<quint64>(i));
        const Answer kept = renewed(*lock);
        QTRY_VERIFY(isTrue(kept));
        QCOMPARE(lock->fencingToken(), std::optional<quint64>(i));
        const Answer ended = released(*lock);
        QTRY_VERIFY(isTrue(ended));
        QVERIFY(!lock->fencingToken());
    }
}

void LockTest::warnsOfAShortTtl()
{
    Side side(m_store, m_clock);
    QSignalSpy warned(side.manager.get(), &LockManager::warned);
    const auto lock = side.lock("a", {1s, false});
    const Answer first = taken(*lock);
    QTRY_VERIFY(isTrue(first));
    QCOMPARE(warned.size(), 0);
    side.client->setSilent(true);
    const Answer kept = renewed(*lock);
    m_clock.advanceUs(333'334);
    side.client->setSilent(false);
    QTRY_VERIFY(isTrue(kept));
    QCOMPARE(warned.size(), 1);

    // Only the TTL that the store grants counts.
    Side sparing(m_store, m_clock);
    sparing.client->grantsUs = 1'000'000;
    QSignalSpy warnedOfIt(sparing.manager.get(), &LockManager::warned);
    const auto longer = sparing.lock("b", {1h, false});
    sparing.client->setSilent(true);
    const Answer second = taken(*longer);
    m_clock.advanceUs(333'334);
    sparing.client->setSilent(false);
    QTRY_VERIFY(isTrue(second));
    QCOMPARE(warnedOfIt.size(), 1);
}

void LockTest::registersWhoWaits()
{
    Traits traits;
    traits.registers = true;
    Side theirs(m_store, m_clock, traits);
    const auto holder = theirs.lock();
    const Answer first = taken(*holder);
    QTRY_VERIFY(isTrue(first));
    QCOMPARE(theirs.client->announcements, 0); // no client has waited

    Side side(m_store, m_clock, traits);
    QSignalSpy warned(side.manager.get(), &LockManager::warned);
    const auto one = side.lock();
    const auto two = side.lock();
    std::stop_source stop;
    const Answer waits = awaited(*one);
    const Answer gives = awaited(*two, {}, stop.get_token());
    QTRY_COMPARE(side.client->announced.size(), 2);
    for (auto it = side.client->announced.cbegin(); it != side.client->announced.cend(); ++it) {
        QVERIFY2(it.key().startsWith(LockManager::defaultOwner() + " #"), it.key().constData());
        QCOMPARE(it.value(), QByteArray("a"));
    }
    stop.request_stop();
    QTRY_VERIFY(isFalse(gives));
    QCOMPARE(side.client->announced.size(), 1);
    const Answer ended = released(*holder);
    QTRY_VERIFY(isTrue(waits));
    QCOMPARE(side.client->announced.size(), 0);
    QCOMPARE(warned.size(), 0);

    // A waiter that can't be registered waits as well; the manager warns once.
    side.client->announceTrouble = base::Error{base::ErrorCode::PermissionDenied, QStringLiteral("no"), {}};
    const Answer later = awaited(*two);
    QTRY_COMPARE(warned.size(), 1);
    const Answer given = released(*one);
    QTRY_VERIFY(isTrue(later));
    const Answer again = awaited(*one);
    const int before = side.client->announcements;
    QTRY_VERIFY(side.client->announcements > before);
    const Answer back = released(*two);
    QTRY_VERIFY(isTrue(again));
    QCOMPARE(warned.size(), 1);
}

void LockTest::backsOffByChance()
{
    qint64 least = std::numeric_limits<qint64>::max();
    qint64 most = 0;
    for (int i = 0; i < 2'000; ++i) {
        const qint64 us = backOffUs(i % 100);
        least = std::min(least, us);
        most = std::max(most, us);
        QVERIFY(us > 0 && us <= 1'001'000);
        QVERIFY(backOffUs(0) <= 51'000);
    }
    QVERIFY(least < 50'000);
    QVERIFY(most > 500'000);
}

void LockTest::forkedChildHoldsNothing()
{
    Side side(m_store, m_clock);
    auto lock = side.lock();
    const Answer acquired = taken(*lock);
    QTRY_VERIFY(isTrue(acquired));
    const pid_t child = ::fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        const int asked = m_store.commands;
        const bool held = lock->isHeld();
        lock.reset();
        ::_exit(held ? 1 : m_store.commands != asked ? 2 : 0);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
    QVERIFY(lock->isHeld());
}

LOCKKEEPER_TEST(LockTest)

} // namespace tst_lock

#include "tst_lock.moc"
