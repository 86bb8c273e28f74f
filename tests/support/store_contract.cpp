// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/store_contract.h"

#include "shared/stores/factory.h"
#include "tests/support/test_program.h"

#include <QScopeGuard>
#include <QTest>

namespace lockkeeper::tests {

using namespace stores;
using base::ErrorCode;
using domain::Outcome;

/** The store on `source`, as the agent makes it. */
static std::unique_ptr<Store> storeOf(const SourceSpec &source)
{
    return std::move(*makeStore(source));
}

std::unique_ptr<StoreHarness> StoreContract::opened(const SourceSpec &source) const
{
    auto store = std::make_unique<StoreHarness>(storeOf(source));
    if (store->open())
        return store;
    qWarning().noquote() << (store->m_failures.isEmpty() ? QString() : store->m_failures.last().line());
    return nullptr;
}

std::unique_ptr<StoreHarness> StoreContract::watching()
{
    auto store = opened(source());
    return store && acquire("h1") ? std::move(store) : nullptr;
}

void StoreContract::pointsShowWhatAScanShows()
{
    const auto store = watching();
    QVERIFY(store && store->scan() && store->m_ends.constFirst().complete);
    const Observation *found = store->find(lockName());
    QVERIFY(found && found->present && found->held);
    const Observation shown = *found;
    const QList<Observation> points = store->readPoints({{0, lockName()}, {0, lockName() + "none"}});
    QCOMPARE(points.size(), 2);
    QCOMPARE(points.at(0).identity, shown.identity);
    QVERIFY(points.at(0).held);
    QVERIFY(!points.at(1).present);
    QCOMPARE(store->inspect(lockName()).lock.identity, shown.identity);
}

void StoreContract::aDryRunWritesNothing()
{
    const auto store = watching();
    QVERIFY(store);
    ReleaseOrder order = orderFor(store->inspect(lockName()));
    order.dryRun = true;
    QCOMPARE(store->release(order).outcome, Outcome::Released);
    QVERIFY(isAcquired());
    QVERIFY(store->scan() && store->find(lockName())->held);
    QVERIFY(giveBack());
    QCOMPARE(store->release(order).outcome, Outcome::AlreadyFree);
    QVERIFY(acquire("h2"));
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QVERIFY(isAcquired());
}

void StoreContract::aBreakFreesWhatWasSeen()
{
    const auto store = watching();
    QVERIFY(store);
    const ReleaseOrder order = orderFor(store->inspect(lockName()));
    const ReleaseReport report = store->release(order);
    QVERIFY2(report.outcome == Outcome::Released, qPrintable(report.error.line()));
    QVERIFY(!isAcquired());
    QCOMPARE(store->release(order).outcome, Outcome::AlreadyFree);
    QVERIFY(store->scan());
    if (const Observation *left = store->find(lockName())) // a row or a directory may stay
        QVERIFY(!left->held);
}

void StoreContract::anotherAcquisitionIsLeft()
{
    const auto store = watching();
    QVERIFY(store);
    const ReleaseOrder order = orderFor(store->inspect(lockName()));
    QVERIFY(giveBack() && acquire("h2"));
    QCOMPARE(store->release(order).outcome, Outcome::HolderChanged);
    QVERIFY(isAcquired());
    // The other acquisition can be broken in turn.
    QCOMPARE(store->release(orderFor(store->inspect(lockName()))).outcome, Outcome::Released);
    QVERIFY(!isAcquired());
}

void StoreContract::foreignGuardsAreRefused()
{
    const auto store = watching();
    QVERIFY(store);
    const ReleaseOrder order = orderFor(store->inspect(lockName()));
    ReleaseOrder foreign = order;
    foreign.guard.instance = "another server";
    QCOMPARE(store->release(foreign).outcome, answerToAnotherServer());
    foreign = order;
    foreign.guard.identity = "no identity of this store";
    QCOMPARE(store->release(foreign).outcome, answerToAnotherIdentity());
    QVERIFY(isAcquired());
}

void StoreContract::neverBreaksWhereItIsTold()
{
    SourceSpec never = source();
    never.locks.first().breakMode = BreakMode::Never;
    const auto store = opened(never);
    QVERIFY(store && acquire("h1"));
    QCOMPARE(store->release(orderFor(store->inspect(lockName()))).outcome, Outcome::Refused);
    QVERIFY(isAcquired());
}

void StoreContract::killedAndStartedAgain()
{
    const auto store = watching();
    QVERIFY(store);
    const QByteArray instance = store->m_info.instance;
    const ReleaseOrder order = orderFor(store->inspect(lockName()));
    server().kill();
    // The connection's end may not be detected yet: then the outcome of the release is unknown.
    const Outcome outcome = store->release(order).outcome;
    const QList<Outcome> honest{Outcome::Unreachable, Outcome::Unknown};
    QVERIFY2(honest.contains(outcome), domain::outcomeName(outcome).data());
    QVERIFY(!store->scan());
    QVERIFY(!store->m_ends.constFirst().complete);
    QVERIFY(store->hasFailed());
    QCOMPARE(store->release(order).outcome, Outcome::Unreachable);
    QVERIFY(!store->open());
    QVERIFY(server().restart());
    QTRY_VERIFY(store->open());
    QCOMPARE(store->m_info.instance == instance, !voidsGuardsOnRestart());
    QVERIFY(store->scan() && store->find(lockName()));
    if (voidsGuardsOnRestart()) {
        QCOMPARE(store->release(order).outcome, answerToAnotherServer());
        return;
    }
    QCOMPARE(store->inspect(lockName()).guard.digest(), order.guard.digest());
    QCOMPARE(store->release(order).outcome, Outcome::Released);
}

void StoreContract::aFrozenServerIsNoticed()
{
    SourceSpec hasty = source();
    hasty.connectTimeoutMs = 500;
    hasty.statementTimeoutMs = 500;
    const auto store = opened(hasty);
    QVERIFY(store && acquire("h1"));
    const ReleaseOrder order = orderFor(store->inspect(lockName()));
    const QByteArray identity = store->inspect(lockName()).lock.identity;
    const auto thaw = qScopeGuard([this] { server().resume(); });
    server().pause();
    // The threads of a server stop one after the other.
    QVERIFY(QTest::qWaitFor([&store] { return !store->scan(); }, 20'000));
    QVERIFY(!store->m_ends.constLast().complete);
    // The time-out of the scan, or of its link.
    const QList<ErrorCode> silent{silence(), ErrorCode::ConnectionLost};
    QVERIFY(silent.contains(store->m_ends.constLast().error.code));
    QVERIFY(store->hasFailed());
    QCOMPARE(store->m_failures.constFirst().code, silence());
    QCOMPARE(store->release(order).outcome, Outcome::Unreachable); // nothing is sent over a link that is down
    server().resume();
    QTRY_VERIFY(store->open());
    QVERIFY(store->scan() && store->find(lockName()));
    QCOMPARE(store->find(lockName())->identity, identity);
    // The server freezes during the release: the outcome is unknown.
    server().pause();
    const Outcome outcome = store->release(order).outcome;
    const QList<Outcome> honest{Outcome::Unreachable, Outcome::Unknown};
    QVERIFY2(honest.contains(outcome), domain::outcomeName(outcome).data());
}

void StoreContract::nobodyListens()
{
    SourceSpec none = source();
    none.url = nobody();
    none.connectTimeoutMs = 500;
    StoreHarness store(storeOf(none));
    QVERIFY(!store.open());
    QVERIFY(store.hasFailed());
    QCOMPARE(store.m_failures.constLast().code, ErrorCode::Unreachable);
    QVERIFY(!store.m_failures.constLast().cause.isEmpty());
    QVERIFY(!store.scan());
    QVERIFY(store.inspect(lockName()).error.has_value());
    QCOMPARE(store.release({}).outcome, Outcome::Unreachable);
}

} // namespace lockkeeper::tests
