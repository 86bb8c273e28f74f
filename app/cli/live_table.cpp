// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/live_table.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

namespace lockkeeper::app::cli {

using domain::Condition;

namespace {

/** True if a lock with the condition `is` matches the requested condition. */
bool isIn(const domain::LockState &lock, Condition is, Condition wanted, bool stale)
{
    const bool waitedFor = wanted == Condition::Contended && !lock.waiters.isEmpty() && !stale;
    const bool heldWell =
        wanted == Condition::Held && (is == Condition::Contended || is == Condition::Expiring);
    return is == wanted || waitedFor || heldWell;
}

/** The sort key, ascending. By severity, the longest held of equally bad locks comes first. */
std::pair<qint64, qint64> rankOf(const domain::LockState &lock, Condition condition, LocksOrder order,
                                 qint64 nowUs)
{
    constexpr qint64 kNever = std::numeric_limits<qint64>::max();
    const qint64 sinceUs = lock.isHeld() && lock.acquiredUs ? *lock.acquiredUs : kNever;
    switch (order) {
    case LocksOrder::Severity:
        return {qint64(condition), sinceUs};
    case LocksOrder::Held:
        return {sinceUs, 0};
    case LocksOrder::Remaining:
        return {lock.isHeld() ? domain::remainingUs(lock, nowUs).value_or(kNever) : kNever, 0};
    case LocksOrder::Waiters:
        return {-qint64(lock.waiterCount().value_or(0)), 0};
    case LocksOrder::Name:
    case LocksOrder::Source:
        break;
    }
    return {0, 0};
}

} // namespace

bool LiveTable::add(const protocol::SnapshotPage &page)
{
    m_locks += page.locks;
    m_sources += page.sources;
    if (!page.last)
        return false;
    std::sort(m_locks.begin(), m_locks.end(),
              [](const domain::LockState &a, const domain::LockState &b) { return a.key < b.key; });
    return true;
}

void LiveTable::setChecks(const QList<domain::HolderCheck> &checks)
{
    m_checks.clear();
    for (const domain::HolderCheck &check : checks)
        m_checks.insert(check.lock, check);
}

const domain::HolderCheck *LiveTable::checkOf(const domain::LockState &lock) const
{
    const auto check = m_checks.constFind(lock.key);
    return check != m_checks.cend() && lock.isHeld() && check->guard == lock.guard ? &*check : nullptr;
}

SourceView LiveTable::view(const QString &source, qint64 wallUs) const
{
    for (const domain::SourceState &state : m_sources) {
        if (state.name == source)
            return viewOf(state, wallUs);
    }
    SourceView unknown;
    unknown.nowUs = wallUs;
    unknown.stale = true;
    return unknown;
}

bool LiveTable::fits(const domain::LockState &lock, const LocksOptions &options, const SourceView &view)
{
    return (options.placeGlob.isEmpty() || base::globMatches(options.placeGlob, lock.key.place)) &&
           (!options.state || isIn(lock, conditionOf(lock, view), *options.state, view.stale));
}

QList<domain::LockState> LiveTable::listed(const LocksOptions &options, qint64 wallUs) const
{
    const LocksOrder order = options.order.value_or(LocksOrder::Severity);
    struct Ranked
    {
        qint64 first = 0;
        qint64 second = 0;
        const domain::LockState *lock = nullptr;
    };
    QHash<QString, SourceView> views;
    std::vector<Ranked> ranked;
    for (const domain::LockState &lock : m_locks) {
        auto at = views.constFind(lock.key.source);
        if (at == views.constEnd())
            at = views.insert(lock.key.source, view(lock.key.source, wallUs));
        if (fits(lock, options, *at)) {
            const auto [first, second] = rankOf(lock, conditionOf(lock, *at), order, at->nowUs);
            ranked.push_back({first, second, &lock});
        }
    }
    const bool byName = order == LocksOrder::Name;
    std::stable_sort(ranked.begin(), ranked.end(), [byName](const Ranked &a, const Ranked &b) {
        return byName ? a.lock->key.name < b.lock->key.name
                      : std::tie(a.first, a.second) < std::tie(b.first, b.second);
    }); // m_locks are ordered by source: ties, and LocksOrder::Source, keep that order
    QList<domain::LockState> listed;
    for (const Ranked &one : ranked)
        listed.append(*one.lock);
    return listed;
}

} // namespace lockkeeper::app::cli
