// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/views/support/demo_feed.h"

#include "app/replica/replica.h"

namespace lockkeeper::tests {

namespace {

constexpr qint64 kSecond = 1'000'000;

domain::LockState base(const QString &source, const QByteArray &scheme, const QByteArray &place,
                       const QByteArray &name)
{
    domain::LockState state;
    state.key = {source, scheme, place, name};
    state.phase = domain::Phase::Held;
    state.release = {domain::ReleaseSafety::Guarded, domain::ReleaseOff::None};
    state.guard = QByteArray(64, 'a');
    return state;
}

} // namespace

domain::LockState DemoFeed::redis(const QByteArray &name, const QByteArray &owner, qint64 heldS,
                                  qint64 leftS) const
{
    const qint64 now = m_clock.wallUs();
    domain::LockState state = base(QStringLiteral("orders-redis"), "redis.token", "db0", name);
    state.owner = owner;
    state.token = owner;
    state.acquiredUs = now - heldS * kSecond;
    state.windowUs = 500'000;
    state.acquiredBy = domain::Evidence::Observation;
    state.renewedUs = now - 4'200'000;
    state.renewals = 27;
    state.longestRenewalGapUs = 10 * kSecond;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = now + leftS * kSecond;
    state.ttlMs = 30'000;
    state.expiresBy = domain::Evidence::Ttl;
    state.seenUs = now - 300'000;
    return state;
}

domain::LockState DemoFeed::shedlock(const QByteArray &name, const QByteArray &owner, qint64 heldS,
                                     qint64 leftS) const
{
    const qint64 now = m_clock.wallUs();
    domain::LockState state = base(QStringLiteral("orders-db"), "sql.shedlock", "app.shedlock", name);
    state.owner = owner;
    state.acquiredUs = now - heldS * kSecond;
    state.acquiredBy = domain::Evidence::Column;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = now + leftS * kSecond;
    state.ttlMs = (heldS + leftS) * 1000;
    state.expiresBy = domain::Evidence::Column;
    state.seenUs = now - 800'000;
    return state;
}

domain::LockState DemoFeed::stuck(const QByteArray &name) const
{
    domain::LockState state = redis(name, "3b5f9c1e77aa4c1f9a102bb1f0c7d2e1", 9667, 0);
    state.stuck = domain::StuckReason::NoExpiry;
    state.acquiredBy = domain::Evidence::FirstSeen;
    state.windowUs = 0;
    state.expiry = domain::ExpiryKind::None;
    state.expiresUs.reset();
    state.ttlMs = 0;
    state.renewals = 0;
    state.renewedUs.reset();
    return state;
}

domain::LockState DemoFeed::expired(const QByteArray &name) const
{
    domain::LockState state = shedlock(name, "worker-7", 972, -72);
    state.phase = domain::Phase::Expired;
    state.ttlMs = 900'000;
    return state;
}

domain::LockState DemoFeed::contended(const QByteArray &name, int waiters) const
{
    domain::LockState state = redis(name, "worker-3@10.2.3.17:9c1f77aa4c1f9a10", 872, 25);
    state.waitersVisible = true;
    for (int i = 0; i < waiters; ++i)
        state.waiters.append(
            {"worker-" + QByteArray::number(i + 7), m_clock.wallUs() - (131 - 31 * i) * kSecond, {}});
    return state;
}

domain::LockState DemoFeed::free(const QByteArray &name) const
{
    domain::LockState state = shedlock(name, "worker-2", 3600, -3500);
    state.phase = domain::Phase::Free;
    state.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::Free};
    return state;
}

QList<domain::LockState> DemoFeed::locks(int count) const
{
    QList<domain::LockState> all{stuck("lock:orders:checkout:2025-1"),
                                 expired("settle-daily"),
                                 contended("reportJob", 4),
                                 shedlock("cleanupJob", "worker-1", 27, 3),
                                 redis("lock:stock:sku-8841", "worker-9@10.2.3.18:77aa4c1f9a102bb1", 12, 21),
                                 stuck("<img src=x onerror=alert(1)><b>bold</b>"),
                                 expired("mutex:invoice"),
                                 redis("lock:\xe2\x80\xaetxt.exe", "worker-4", 4, 27),
                                 redis("=cmd|' /C calc'!A0", "worker-5", 4, 12),
                                 shedlock("nightlyBackup", "backup-host-01.example.internal", 90'000, 7200),
                                 free("archiveJob"),
                                 free("mailDigest")};
    if (all.size() > count)
        all.resize(count);
    for (int i = int(all.size()); i < count; ++i) {
        const QByteArray number = QByteArray::number(i).rightJustified(6, '0');
        const QByteArray worker =
            "worker-" + QByteArray::number(i % 23) + "@10.2.3." + QByteArray::number(i % 50);
        if (i % 7 == 0)
            all.append(free("job-" + number));
        else if (i % 2 == 0)
            all.append(shedlock("job-" + number, worker, i % 900, 60 + i % 600));
        else
            all.append(redis("lock:orders:" + number, worker + ":9c1f77aa4c1f9a10", i % 4000, 7 + i % 23));
    }
    return all;
}

QList<domain::SourceState> DemoFeed::sources() const
{
    QList<domain::SourceState> all;
    for (const char *name : {"orders-redis", "orders-db"}) {
        domain::SourceState source;
        source.name = QString::fromLatin1(name);
        source.store = source.name.endsWith(QLatin1String("redis")) ? "redis" : "mysql";
        source.link = domain::Link::Up;
        source.lastSeenUs = m_clock.wallUs();
        source.lastSeenWallUs = m_clock.wallUs();
        source.pollMs = 600'000; // nothing observes: the feed mustn't look stale after 5 s
        source.passUs = 1800;
        source.clockOffsetUs = 12'000;
        source.clockUncertaintyUs = 400;
        all.append(source);
    }
    return all;
}

void DemoFeed::load(app::replica::Replica &replica, const QList<domain::LockState> &locks) const
{
    replica.setLive(true, QStringLiteral("dc1"));
    replica.beginTable();
    replica.addPage(locks, sources());
    replica.completeTable(replica.seq());
}

} // namespace lockkeeper::tests
