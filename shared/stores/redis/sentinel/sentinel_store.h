// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/composite/composite_store.h"
#include "shared/stores/redis/sentinel/sentinel_guide.h"

namespace lockkeeper::stores::redis {

/**
 * The primary of a Sentinel group, wherever it is: a store of that server inside, recreated each time. When
 * the sentinels name another primary, or the server says that it is none, the link counts as lost. The next
 * open() asks where the primary is. The time in between is a gap, and a primary that takes another's place is
 * `failover`.
 */
class SentinelStore final : public CompositeStore
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<RedisStore>(const Endpoint &)>;

    /** `make` gives the store of one server. */
    SentinelStore(SentinelGroup group, Make make, QObject *parent = nullptr);

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override
    {
        m_primary.store->scan(std::move(page), std::move(done));
    }
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override
    {
        m_primary.store->readPoints(subjects, std::move(page), std::move(done));
    }
    void inspect(const Subject &subject, Inspected done) override
    {
        m_primary.store->inspect(subject, std::move(done));
    }
    void release(const ReleaseOrder &order, Released done) override;
    void probe(const ProbeOrder &order, Probed done) override
    {
        m_primary.store->probe(order, std::move(done));
    }

private:
    void replacePrimary(const Endpoint &primary);
    void onFound(const Endpoint &primary);
    void onOpened(const ServerInfo &info);
    void leavePrimary(const base::Error &error);
    void giveUp(const base::Error &error);

    SentinelGuide m_guide;
    Make m_make;
    Member m_primary;  ///< its store is never null; before the first primary is known it leads nowhere
    QByteArray m_last; ///< the address of the primary that was opened last
    bool m_moved = false;
    bool m_wanted = false; ///< between open() and the end
};

} // namespace lockkeeper::stores::redis
