// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/overview/overview.h"

#include "app/session/same_locks.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace lockkeeper::app::overview {

using replica::Badge;

namespace {

/** The start of the lock's bad state. */
domain::TimeUs sinceOf(const Attention &one)
{
    const domain::LockState &lock = one.lock;
    switch (one.why) {
    case Why::Unreadable:
    case Why::Undecided:
    case Why::HolderGone: // the time of the death isn't known
        return std::nullopt;
    case Why::NoExpiry:
        return lock.acquiredUs;
    case Why::NoSignOfLife:
        return lock.renewedUs ? lock.renewedUs : lock.acquiredUs;
    case Why::Expired:
        return lock.expiresUs;
    case Why::WaitedFor:
        return one.longestWaitUs ? domain::TimeUs(one.nowUs - *one.longestWaitUs) : std::nullopt;
    }
    return std::nullopt;
}

/** Dates that start with the precision of the hold's start or of the longest wait. */
void dateSince(Attention &one)
{
    const domain::LockState &lock = one.lock;
    const bool held = one.why == Why::NoExpiry || (one.why == Why::NoSignOfLife && !lock.renewedUs);
    if (held) {
        one.sinceSeen = lock.acquiredBy != domain::Evidence::FirstSeen;
        one.sinceWindowUs = lock.windowUs;
    }
    if (one.why != Why::WaitedFor)
        return;
    for (const domain::Waiter &waiter : lock.waiters) {
        if (waiter.sinceUs && waiter.sinceUs == one.sinceUs)
            one.sinceWindowUs = waiter.windowUs;
    }
}

Why whyOf(const domain::LockState &lock, Badge badge)
{
    if (badge == Badge::Stuck && lock.stuck == domain::StuckReason::HolderGone)
        return Why::HolderGone;
    if (badge == Badge::Stuck)
        return lock.stuck == domain::StuckReason::NoExpiry ? Why::NoExpiry : Why::NoSignOfLife;
    if (badge == Badge::Expired)
        return Why::Expired;
    if (badge == Badge::Contended)
        return Why::WaitedFor;
    return lock.release.why == domain::ReleaseOff::ReadOnly ? Why::Undecided : Why::Unreadable;
}

/** Worst first; ties are resolved by the key, so that equal locks never swap. */
bool isWorse(const Attention &a, const Attention &b)
{
    constexpr qint64 kUnknown = std::numeric_limits<qint64>::max();
    const auto rank = [](const Attention &one) {
        return std::tuple(one.badge, one.sinceUs ? *one.sinceUs - one.nowUs : kUnknown);
    };
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.lock.key < b.lock.key;
}

} // namespace

bool needsLook(const domain::LockState &lock)
{
    // The instant only matters between Held and Expiring, and neither needs attention.
    const domain::Condition condition = domain::condition(lock, 0);
    return lock.isContended() || condition == domain::Condition::Unknown ||
           condition == domain::Condition::Stuck || condition == domain::Condition::Expired;
}

std::optional<Attention> attentionOf(const domain::LockState &lock, const replica::LockContext &context)
{
    const Badge badge = replica::badgeOf(lock, context);
    if (context.stale || badge > Badge::Contended || badge == Badge::Releasing)
        return std::nullopt;
    Attention one{lock, badge,         whyOf(lock, badge),
                  {},   context.nowUs, domain::longestWaitUs(lock, context.nowUs)};
    one.sinceUs = sinceOf(one);
    dateSince(one);
    return one;
}

void OverviewBuilder::add(const domain::LockState &lock)
{
    auto context = m_contexts.constFind(lock.key.source);
    if (context == m_contexts.constEnd())
        context = m_contexts.insert(lock.key.source, m_contextOf(lock.key.source));
    if (context->stale)
        return;
    ++m_overview.locks;
    m_overview.held += lock.isHeld() ? 1 : 0;
    const auto longest = domain::longestWaitUs(lock, context->nowUs);
    m_overview.waiting += lock.waiterCount().value_or(lock.waiters.size());
    const bool isLonger = longest && longest > m_overview.longestWaitUs;
    const bool isTied = longest && longest == m_overview.longestWaitUs && lock.key < m_overview.longest;
    if (isLonger || isTied) { // of equal waits always the same one, whatever the order of the table
        m_overview.longestWaitUs = longest;
        m_overview.longest = lock.key;
    }
    const Badge badge = replica::badgeOf(lock, *context);
    m_overview.contended += lock.isContended() ? 1 : 0;
    m_overview.stuck += badge == Badge::Stuck ? 1 : 0;
    m_overview.expired += badge == Badge::Expired ? 1 : 0;
    m_overview.unreadable += badge == Badge::Unknown ? 1 : 0;
    const auto one = attentionOf(lock, *context);
    if (!one)
        return;
    QList<Attention> &worst = m_overview.attention;
    worst.insert(std::upper_bound(worst.begin(), worst.end(), *one, isWorse), *one);
    if (worst.size() > kMostAttention) {
        worst.removeLast();
        ++m_overview.moreAttention;
    }
}

void OverviewBuilder::add(const domain::SourceState &source)
{
    ++m_overview.sources;
    const bool stale = m_contextOf(source.name).stale;
    if (source.link == domain::Link::Up && !stale)
        m_observed.append(source);
    else if (source.link == domain::Link::Standby)
        m_standby.insert(source.name, source);
    for (const domain::Finding &finding : source.findings) {
        const bool late = finding.code == "replica_lag" || finding.code == "replica_stalled";
        if (source.link == domain::Link::Up && (late || finding.code == domain::kPartUnseen)) {
            m_overview.doubted.append({source.name, late});
            break;
        }
    }
    // A broken link is known before the source has been silent for long.
    if (!stale && source.link != domain::Link::Down)
        return;
    const bool failed = source.link != domain::Link::Up;
    m_overview.unseen.append({source.name, source.lastSeenWallUs, failed ? source.error : base::Error()});
}

Overview OverviewBuilder::take()
{
    m_overview.unseen.removeIf([this](const UnseenSource &source) { // the active agent sees it
        const auto standby = m_standby.constFind(source.name);
        return standby != m_standby.cend() &&
               std::any_of(m_observed.cbegin(), m_observed.cend(), [&](const domain::SourceState &other) {
                   return session::isSameConfigured(other, *standby);
               });
    });
    std::sort(m_overview.unseen.begin(), m_overview.unseen.end(),
              [](const UnseenSource &a, const UnseenSource &b) { return a.name < b.name; });
    std::sort(m_overview.doubted.begin(), m_overview.doubted.end(),
              [](const DoubtedSource &a, const DoubtedSource &b) { return a.name < b.name; });
    return std::move(m_overview);
}

} // namespace lockkeeper::app::overview
