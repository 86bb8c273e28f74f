// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/overview/live_overview.h"

namespace lockkeeper::app::overview {

LiveOverview::LiveOverview(replica::Replica &replica, QObject *parent) : QObject(parent), m_replica(replica)
{
    connect(&replica, &replica::Replica::changed, this, &LiveOverview::take);
    for (const replica::PackedLock &lock : m_replica.locks()) {
        if (needsLook(lock.peek()))
            m_noteworthy.insert(lock.key());
        count(lock);
    }
}

void LiveOverview::count(const replica::PackedLock &lock)
{
    const bool was = m_held.contains(lock);
    const bool is = lock.peek().isHeld();
    if (is)
        m_held.insert(lock);
    if (is == was)
        return;
    const domain::LockKey key = lock.key();
    m_heldOf[key.source] += is ? 1 : -1;
    if (!is)
        m_held.remove(key);
}

void LiveOverview::take(const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed)
{
    for (const replica::PackedLock &lock : changed) {
        if (needsLook(lock.peek()))
            m_noteworthy.insert(lock.key());
        else if (!m_noteworthy.isEmpty())
            m_noteworthy.remove(lock.peek().key);
        count(lock);
    }
    m_noteworthy.subtract(removed);
    for (const domain::LockKey &key : removed) {
        if (!m_held.contains(key))
            continue;
        m_held.remove(key);
        --m_heldOf[key.source];
    }
}

std::optional<qint64> LiveOverview::agentWallUs() const
{
    const QList<domain::SourceState> sources = m_replica.sources();
    for (const domain::SourceState &source : sources) {
        if (source.lastSeenUs)
            return m_replica.storeNowUs(source.name) - source.clockOffsetUs;
    }
    return std::nullopt;
}

Overview LiveOverview::now() const
{
    OverviewBuilder builder([this](const QString &source) {
        domain::LockState any;
        any.key.source = source;
        return m_replica.context(any);
    });
    const QList<domain::SourceState> sources = m_replica.sources();
    for (const domain::SourceState &source : sources)
        builder.add(source);
    for (const domain::LockKey &key : m_noteworthy) {
        if (const auto lock = m_replica.find(key))
            builder.add(*lock);
    }
    Overview overview = builder.take();
    overview.held = 0;
    for (auto it = m_heldOf.cbegin(); it != m_heldOf.cend(); ++it)
        overview.held += m_replica.isStale(it.key()) ? 0 : it.value();
    return overview;
}

std::optional<Attention> LiveOverview::find(const domain::LockKey &key) const
{
    const auto lock = m_replica.find(key);
    if (!lock)
        return std::nullopt;
    replica::LockContext context = m_replica.context(*lock);
    const bool releasing = std::exchange(context.releasing, false);
    std::optional<Attention> one = attentionOf(*lock, context);
    if (one && releasing)
        one->badge = replica::Badge::Releasing;
    return one;
}

} // namespace lockkeeper::app::overview
