// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/race_breaker.h"

#include <chrono>
#include <thread>

namespace lockkeeper::tests {

using namespace stores;

namespace {
constexpr int kRing = 12;
}

RaceBreaker::RaceBreaker(StoreHarness &harness, const RacePlan &plan, RaceResult &result)
    : m_harness(harness), m_plan(plan), m_result(result)
{
}

void RaceBreaker::round()
{
    const Inspection seen = m_harness.inspect(subject());
    const std::chrono::milliseconds wait(m_plan.reuses && m_plan.waits ? 2 : 0); // as SourceRunner does
    for (const auto until = std::chrono::steady_clock::now() + wait;
         std::chrono::steady_clock::now() < until;) {
    }
    if (!seen.guard.identity.isEmpty()) {
        if (m_ring.size() >= kRing)
            m_ring.removeFirst();
        m_ring.append({seen, seen.storeUs + std::chrono::microseconds(wait).count()});
    }
    if (m_ring.isEmpty())
        return;
    // Every other guard is the newest one: most older ones only meet a lock that has moved on.
    const qsizetype pick = below(2) == 0 ? m_ring.size() - 1 : below(m_ring.size());
    const bool fresh = m_plan.checkFreshness && below(2) == 0;
    const auto &[shown, shownUs] = m_ring.at(pick);
    const bool pinned = m_plan.pins && !shown.lock.ownIdentity;
    const ReleaseOrder order = orderFor(shown, fresh || pinned);
    const ReleaseReport report = m_harness.release(order);
    count(report.outcome);
    note(report, order, shownUs);
    ++m_result.rounds;
}

QByteArray RaceBreaker::subject()
{
    return someKey();
}

QByteArray RaceBreaker::someKey()
{
    return raceKey(below(m_plan.keys));
}

void RaceBreaker::count(domain::Outcome outcome)
{
    switch (outcome) {
    case domain::Outcome::Released:
        ++m_result.released;
        break;
    case domain::Outcome::HolderChanged:
        ++m_result.holderChanged;
        break;
    case domain::Outcome::AlreadyFree:
        ++m_result.alreadyFree;
        break;
    case domain::Outcome::Partial:
        ++m_result.partial;
        break;
    default:
        ++m_result.other;
    }
}

} // namespace lockkeeper::tests
