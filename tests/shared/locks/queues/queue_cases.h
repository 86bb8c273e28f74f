// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_manager.h"
#include "shared/stores/source_spec.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::tests {

/** A store with its own queues, for the cases below. */
struct QueueRig
{
    stores::SourceSpec spec;                                       ///< with its one lock set
    std::function<QList<QByteArray>(const QByteArray &name)> line; ///< its entries, the first one first
    std::function<void(const QByteArray &name, const QByteArray &entry)> remove;

    std::unique_ptr<locks::LockManager> manager(const char *owner) const
    {
        auto made = locks::LockManager::open(spec, spec.locks.constFirst(), owner);
        return made ? std::move(*made) : nullptr;
    }
};

/** A client that waits for the lock, and then holds it. */
struct Waiter
{
    Waiter(locks::LockManager &manager, const QByteArray &name, QList<int> &order, int number,
           std::optional<std::chrono::milliseconds> limit = {})
        : lock(*manager.lock(name, {std::chrono::seconds(10), true}))
    {
        lock->acquire(limit, [this, &order, number](const base::Result<bool> &result) {
            answer = result;
            if (result && *result)
                order.append(number);
        });
    }
    bool release()
    {
        std::optional<base::Result<bool>> given;
        lock->release([&](const base::Result<bool> &result) { given = result; });
        return QTest::qWaitFor([&] { return given.has_value(); }, 20'000) && *given && **given;
    }
    std::unique_ptr<locks::Lock> lock;
    std::optional<base::Result<bool>> answer;
};

/** The callback destroys the lock and its manager while it runs. */
inline void endsInItsAnswer(const QueueRig &rig, const QByteArray &name)
{
    auto manager = rig.manager("one");
    QVERIFY(manager);
    auto lock = *manager->lock(name, {std::chrono::seconds(10), true});
    bool told = false;
    lock->tryAcquire([&](const base::Result<bool> &) {
        manager.reset();
        lock.reset();
        told = true;
    });
    QTRY_VERIFY_WITH_TIMEOUT(told, 20'000);
}

/** Waiters acquire the lock in the order in which they asked, one at a time, with growing fencing tokens. */
inline void inOrder(const QueueRig &rig, const QByteArray &name)
{
    constexpr int kWaiters = 6;
    const auto one = rig.manager("one");
    const auto two = rig.manager("two");
    QVERIFY(one && two);
    QList<int> order;
    std::vector<std::unique_ptr<Waiter>> waiters;
    for (int i = 0; i < kWaiters; ++i) {
        waiters.push_back(std::make_unique<Waiter>(i % 2 == 0 ? *one : *two, name, order, i));
        QTRY_COMPARE_WITH_TIMEOUT(rig.line(name).size(), i + 1, 20'000);
    }
    quint64 fencing = 0;
    for (int i = 0; i < kWaiters; ++i) {
        QTRY_COMPARE_WITH_TIMEOUT(order.size(), i + 1, 20'000);
        QCOMPARE(order.constLast(), i);
        QVERIFY(waiters[size_t(i)]->lock->isHeld());
        QVERIFY(waiters[size_t(i)]->lock->fencingToken().value_or(0) > fencing);
        fencing = *waiters[size_t(i)]->lock->fencingToken();
        QVERIFY(rig.line(name).constFirst().endsWith(waiters[size_t(i)]->lock->token()));
        QVERIFY(waiters[size_t(i)]->release());
    }
    QTRY_VERIFY_WITH_TIMEOUT(rig.line(name).isEmpty(), 20'000);
}

/** A waiter that gives up leaves no entry behind, and lets no other waiter in before its turn. */
inline void whoLeavesLetsNobodyIn(const QueueRig &rig, const QByteArray &name)
{
    const auto manager = rig.manager("one");
    QVERIFY(manager);
    QList<int> order;
    Waiter first(*manager, name, order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    auto second = std::make_unique<Waiter>(*manager, name, order, 2);
    QTRY_COMPARE_WITH_TIMEOUT(rig.line(name).size(), 2, 20'000);
    Waiter third(*manager, name, order, 3);
    QTRY_COMPARE_WITH_TIMEOUT(rig.line(name).size(), 3, 20'000);
    Waiter impatient(*manager, name, order, 4, std::chrono::milliseconds(100));
    QTRY_VERIFY_WITH_TIMEOUT(impatient.answer.has_value(), 20'000);
    QVERIFY(*impatient.answer && !**impatient.answer);
    QTRY_COMPARE_WITH_TIMEOUT(rig.line(name).size(), 3, 20'000);
    second.reset(); // a handle that is destroyed
    QTRY_COMPARE_WITH_TIMEOUT(rig.line(name).size(), 2, 20'000);
    QVERIFY(first.lock->isHeld());
    QCOMPARE(order, QList<int>{1});
    QVERIFY(first.release());
    QTRY_COMPARE_WITH_TIMEOUT(order, (QList<int>{1, 3}), 20'000);
    QVERIFY(third.release());
    QTRY_VERIFY_WITH_TIMEOUT(rig.line(name).isEmpty(), 20'000);
}

/** If somebody deletes a waiter's place, the waiter queues again, at the end. */
inline void placesThatAreTakenAway(const QueueRig &rig, const QByteArray &name)
{
    const auto manager = rig.manager("one");
    QVERIFY(manager);
    QList<int> order;
    Waiter first(*manager, name, order, 1);
    QTRY_COMPARE_WITH_TIMEOUT(order, QList<int>{1}, 20'000);
    Waiter second(*manager, name, order, 2);
    QTRY_COMPARE_WITH_TIMEOUT(rig.line(name).size(), 2, 20'000);
    const QByteArray place = rig.line(name).constLast();
    rig.remove(name, place);
    QVERIFY(first.release());
    QTRY_COMPARE_WITH_TIMEOUT(order, (QList<int>{1, 2}), 20'000);
    QVERIFY(second.lock->isHeld());
    QVERIFY(!rig.line(name).contains(place));
    // A broken lock: the holder detects it at its next renewal.
    QSignalSpy lost(second.lock.get(), &locks::Lock::lost);
    rig.remove(name, rig.line(name).constFirst());
    second.lock->renew();
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, 20'000);
    QVERIFY(!second.lock->isHeld());
}

} // namespace lockkeeper::tests
