// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/health/access_probe.h"
#include "shared/stores/redis/health/health_check.h"
#include "shared/stores/redis/invalidation/tracker.h"
#include "shared/stores/redis/reading/key_reader.h"
#include "shared/stores/redis/release/key_releaser.h"
#include "shared/stores/store.h"

#include <QPointer>
#include <QTimer>

namespace lockkeeper::stores::redis {

class ScanRun;
class ProbeRun;

/**
 * The locks of one Redis server, each set read and broken as its KeyScheme says. One connection on the event
 * loop of the thread that made it, and a second one where the source has push; nothing blocks.
 */
class RedisStore final : public Store
{
    Q_OBJECT

public:
    /** `release` stands in for the schemes' guarded scripts: tests pass one with a term left out. */
    RedisStore(SourceSpec spec, Endpoint endpoint, const std::optional<Script> &release = {},
               QObject *parent = nullptr);
    ~RedisStore() override;

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override
    {
        inspectHere(subject, false, std::move(done));
    }
    void release(const ReleaseOrder &order, Released done) override
    {
        releaseHere(order, false, std::move(done));
    }
    void probe(const ProbeOrder &order, Probed done) override;
    void setPaused(bool paused) override;

    // For a node of a cluster.
    struct ClusterPlace
    {
        quint16 server = 0; ///< goes into observations; 0: it is none
        /** Hears of keys that changed, and that another node has. */
        std::function<void(const QList<QByteArray> &keys)> misplaced;
    };
    /** Before open(). */
    void joinCluster(ClusterPlace place);
    push::Tracker &tracker() { return m_push; }
    /** scan() and readPoints(), with the locks that each page lacks, and their nodes (see ScanReport). */
    void scanHere(const std::function<void(KeyPage &)> &page, const ScanEnded &done);
    void readPointsHere(const QList<Subject> &subjects, const std::function<void(KeyPage &)> &page,
                        const PointsRead &done);
    /** Reads locks now, after ASKING where `asking`. With `wholeKeys`, `locks` names keys, and all locks of
     * each key are read. `done` is called once, later, unless this is destroyed. */
    void read(const QList<Subject> &locks, bool asking, bool wholeKeys, std::function<void(KeyPage &)> done);
    /** The same as inspect() and release(), after ASKING where `asking`. */
    void inspectHere(const Subject &subject, bool asking, Inspected done);
    void releaseHere(const ReleaseOrder &order, bool asking, Released done);

private:
    void onConnected();
    void onLost(const base::Error &error);
    void onFacts(const base::Result<RedisFacts> &facts);
    void onRights(const base::Result<ProbedRights> &rights);
    void loseScan(const base::Error &error);
    void tellFindings(const QList<domain::Finding> &ofServer);
    void readPage(const QList<Subject> &locks, const std::function<void(KeyPage &)> &take);
    const KeyScheme &scheme(quint16 set) const { return *m_schemes->at(set); }
    QByteArray placeOf(quint16 set) const;
    ReadMode modeFor(quint16 set) const;
    /** Asks on a separate connection whether MONITOR is permitted, only where the source allows probes. */
    void askMonitor(const ServerInfo &info);
    void announce(const ServerInfo &info);
    void tellOpened(const ServerInfo &info);
    void onPushState(const PushState &state);

    SourceSpec m_spec;
    std::shared_ptr<const KeySchemes> m_schemes;
    RedisConnection m_connection;
    QTimer m_keepAlive; ///< a server may end links that are idle for longer than its `timeout`
    KeyReleaser m_releaser;
    HealthCheck m_health;
    QList<domain::Finding> m_ofServer; ///< findings that the lens has read last
    QList<domain::Finding> m_ofSets;   ///< findings that the sets have shown, as reported
    RedisFacts m_facts;
    bool m_exactDeadlines = true;
    bool m_ready = false;
    bool m_paused = false;
    std::shared_ptr<ScanRun> m_scan;
    push::Tracker m_push;
    std::optional<ServerInfo> m_found; ///< until it is known whether the server pushes
    ClusterPlace m_place;
    QPointer<ProbeRun> m_probe;  ///< the last one
    QPointer<ProbeRun> m_rights; ///< asks whether there may be one
};

} // namespace lockkeeper::stores::redis
