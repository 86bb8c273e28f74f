// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/engine/lock_past.h"

#include "shared/base/clock.h"

#include <algorithm>
#include <vector>

namespace lockkeeper::agent::alerts {

using events::EventKind;

namespace {

constexpr size_t kMostHolds = 200;
constexpr size_t kMostChanges = 1'000;

} // namespace

LockPasts::LockPast *LockPasts::past(const domain::LockKey &key)
{
    const auto it = m_pasts.find(key);
    if (it != m_pasts.end())
        return &*it;
    return isFull() ? nullptr : &m_pasts[key];
}

void LockPasts::begin(LockPast &past, const events::LockEvent &event, qint64 atUs)
{
    const bool isAnother = !past.owner.isEmpty() && event.owner != past.owner;
    if (isAnother || event.kind == EventKind::TakenOver)
        past.changes.push_back(atUs);
    if (past.changes.size() > kMostChanges)
        past.changes.pop_front();
    past.owner = event.owner;
    past.beganUs = event.timeUs;
    past.beganWindowUs = event.windowUs;
    past.freeSinceUs.reset();
}

void LockPasts::end(LockPast &past, const events::LockEvent &event, qint64 atUs)
{
    past.freeSinceUs = atUs;
    if (!past.beganUs)
        return;
    const qint64 lengthUs = event.timeUs - *past.beganUs;
    past.beganUs.reset();
    // A length that isn't known to a tenth says nothing about the usual length.
    if (lengthUs <= 0 || (past.beganWindowUs + event.windowUs) * 10 > lengthUs)
        return;
    past.holds.push_back(lengthUs);
    if (past.holds.size() > kMostHolds)
        past.holds.pop_front();
}

void LockPasts::take(const events::LockEvent &event, qint64 offsetUs)
{
    LockPast *one = past(event.key);
    if (!one)
        return;
    const qint64 atUs = event.timeUs - offsetUs;
    switch (event.kind) {
    case EventKind::TakenOver:
    case EventKind::Acquired:
        begin(*one, event, atUs);
        break;
    case EventKind::Released:
    case EventKind::ForceReleased:
        end(*one, event, atUs);
        break;
    case EventKind::Expired:
    case EventKind::Lost:
        one->beganUs.reset(); // the work's length isn't known
        one->freeSinceUs = atUs;
        break;
    default:
        break;
    }
}

void LockPasts::show(const domain::LockState &lock, qint64 nowUs)
{
    LockPast *one = past(lock.key);
    if (!one || lock.phase == domain::Phase::Unknown)
        return;
    if (!lock.isHeld()) {
        if (!one->freeSinceUs)
            one->freeSinceUs = nowUs;
        return;
    }
    one->freeSinceUs.reset();
    if (one->owner.isEmpty())
        one->owner = lock.owner;
    if (!one->beganUs && lock.acquiredUs && lock.acquiredBy != domain::Evidence::FirstSeen) {
        one->beganUs = *lock.acquiredUs;
        one->beganWindowUs = lock.windowUs;
    }
}

void LockPasts::showAbsent(const domain::LockKey &key, qint64 nowUs)
{
    if (LockPast *one = past(key); one && !one->freeSinceUs)
        one->freeSinceUs = nowUs;
}

AlertReading LockPasts::heldRatio(const domain::LockState &lock, qint64 offsetUs) const
{
    const auto it = m_pasts.constFind(lock.key);
    if (it == m_pasts.constEnd() || !lock.isHeld() || !lock.acquiredUs ||
        qsizetype(it->holds.size()) < kLeastHolds)
        return {};
    std::vector<qint64> lengths(it->holds.begin(), it->holds.end());
    const auto p99 = lengths.begin() + qptrdiff((lengths.size() * 99 - 1) / 100);
    std::nth_element(lengths.begin(), p99, lengths.end());
    return AlertReading::growing(*lock.acquiredUs - offsetUs, 1'000, *p99);
}

AlertReading LockPasts::holderChanges(const domain::LockKey &key, qint64 nowUs) const
{
    const auto it = m_pasts.constFind(key);
    if (it == m_pasts.constEnd())
        return {};
    const auto first = std::upper_bound(it->changes.begin(), it->changes.end(), nowUs - base::kHourUs);
    return AlertReading::level(it->changes.end() - first);
}

std::optional<qint64> LockPasts::nextChangeLeavesUs(const domain::LockKey &key, qint64 nowUs) const
{
    const auto it = m_pasts.constFind(key);
    if (it == m_pasts.constEnd())
        return std::nullopt;
    const auto first = std::upper_bound(it->changes.begin(), it->changes.end(), nowUs - base::kHourUs);
    return first == it->changes.end() ? std::nullopt : std::optional(*first + base::kHourUs);
}

AlertReading LockPasts::absent(const domain::LockKey &key) const
{
    const auto it = m_pasts.constFind(key);
    return it == m_pasts.constEnd() || !it->freeSinceUs ? AlertReading()
                                                        : AlertReading::growing(*it->freeSinceUs);
}

} // namespace lockkeeper::agent::alerts
