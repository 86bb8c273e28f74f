// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_guide.h"
#include "shared/stores/redis/composite/composite_store.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <QBitArray>
#include <QHash>
#include <QSet>

#include <chrono>
#include <vector>

namespace lockkeeper::stores::redis {

struct ClusterHop;
struct ClusterMove;
struct ClusterPart;
struct ClusterScan;
struct ClusterProbe;
struct ClusterReading;
struct ClusterSpeaker;
struct ClusterView;
struct Redirect;

/**
 * A Redis Cluster as one store: a store of its own for each primary, scans over all of them put together,
 * every question about one lock to the primary of its slot. The map of slots is asked anew every few seconds,
 * and when a node is lost or sends elsewhere. A node that can't be reached is a part out of sight, no more:
 * the others go on, and scans say what they didn't cover.
 *
 * While a slot moves its keys are at two nodes. The one that gives the slot away is always asked first, and
 * sends on (ASK) for what it hasn't got any more; so what is read later is later, and a lock that both deny
 * isn't there. A release is sent on the same way: the node that sent it on has run nothing. Of pushed changes
 * neither node is believed: the slot is polled until it rests (cluster_push.cpp).
 */
class ClusterStore final : public CompositeStore
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<RedisStore>(const Endpoint &)>;

    /** `seeds`: where to ask for the map first; how they are spoken to holds for every node. */
    ClusterStore(SourceSpec spec, QList<Endpoint> seeds, Make make, QObject *parent = nullptr);
    ~ClusterStore() override;

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override;
    void release(const ReleaseOrder &order, Released done) override;
    /** On each primary at once: the commands that it may cost are shared among them. */
    void probe(const ProbeOrder &order, Probed done) override;

private:
    static constexpr std::chrono::milliseconds kAskSoon{300};

    using Owners = std::array<ClusterPart *, kHashSlots>;
    using ReadingPtr = std::shared_ptr<ClusterReading>;

    // cluster_store.cpp: the map and the links.
    void askMap();
    void askSoon(std::chrono::milliseconds in);
    void noteMoves(const ClusterMap &map);
    void takeMap(const ClusterMap &map);
    void addPart(const ClusterNode &node);
    void connectPart(ClusterPart *raw);
    void dropPart(ClusterPart *part);
    void partOpened(ClusterPart *part, const ServerInfo &info);
    void partFailed(ClusterPart *part, const base::Error &error);
    void openIfSettled();
    void giveUp(const base::Error &error);
    // cluster_runs.cpp: which servers have the slots, and what became of those that had them.
    void tellChanges();
    void noteRun(ClusterPart *part);
    void tellDown(const ClusterPart &part, const base::Error &error);
    void updateView();
    QBitArray slotsOf(const ClusterPart *part) const;
    ServerInfo infoOfAll() const;
    // cluster_questions.cpp: what is asked, and where.
    quint16 slotOf(const Subject &subject) const;
    Subject keyOf(const Subject &subject) const;
    void takePage(const std::shared_ptr<ClusterScan> &scan, const ClusterSpeaker &from, KeyPage &page);
    void noteClock(const ClusterSpeaker &from, qint64 us);
    QList<Subject> takeAstray(const ClusterSpeaker &from, QList<Observation> &locks, qint64 endedUs);
    void partScanEnded(const std::shared_ptr<ClusterScan> &scan, ClusterPart *part, const ScanEnd &end);
    void finishScanIfDone();
    void finishScan();
    // `hops`: how many redirects were followed.
    void inspectAt(ClusterPart *part, const Subject &subject, bool asking, int hops, const Inspected &done);
    void releaseAt(ClusterPart *part, const ReleaseOrder &order, bool asking, int hops, const Released &done);
    bool sendOn(const ClusterSpeaker &from, const ReleaseOrder &order, int hops, const ReleaseReport &report,
                const Released &done);
    // cluster_push.cpp: what all primaries tell of changes.
    void takePush(const ClusterSpeaker &from, const Push &push);
    void noteMoving(const QBitArray &bits);
    void noteMoving(quint16 slot);
    void tellRest();
    // cluster_reading.cpp: locks whose node sends elsewhere.
    ClusterPart *followRedirect(const std::optional<Redirect> &to, const ClusterSpeaker &from, int hops);
    ClusterPart *partOf(const ClusterSpeaker &speaker) const; ///< null: it is gone
    void readAstray();
    void readAtOwners(const ReadingPtr &reading, const QList<Subject> &locks);
    void readAt(const ReadingPtr &reading, ClusterPart *part, const QList<Subject> &locks, bool asking,
                int hops);
    void noteView(const QList<Observation> &locks, quint16 server, const QByteArray &instance);
    void takeReading(const ReadingPtr &reading, const ClusterHop &hop, int hops, KeyPage &page);
    void readOn(const ReadingPtr &reading, const ClusterSpeaker &from, const QList<Elsewhere> &locks,
                int hops);
    static void settle(const ReadingPtr &reading);
    void takePoints(const ReadingPtr &reading, const ClusterSpeaker &from, KeyPage &page);

    SourceSpec m_spec;
    QList<Endpoint> m_seeds;
    Make m_make;
    std::shared_ptr<const KeySchemes> m_schemes;
    ClusterGuide m_guide;
    QTimer m_refresh;
    std::vector<std::unique_ptr<ClusterPart>> m_parts;
    Owners m_owner{}; ///< by slot; null: nobody
    std::array<QByteArray, kHashSlots>
        m_run; ///< by slot: the run of the server that was seen to have it last
    QHash<QByteArray, QByteArray> m_nodeOfRun; ///< node id by run
    QHash<QByteArray, quint16> m_servers;      ///< Observation::server by node id
    QList<domain::Access> m_access;            ///< see ClusterMap
    QSet<QByteArray> m_left;                   ///< runs that gave their slots away while they were up
    QHash<QByteArray, QBitArray> m_blind;      ///< by node: what isn't seen since it was lost
    std::shared_ptr<ClusterView> m_view;       ///< whose guards are good
    std::shared_ptr<ClusterScan> m_scan;       ///< null: none is under way
    std::shared_ptr<ClusterProbe> m_probe;     ///< null: none is under way
    std::vector<ClusterMove> m_moves;
    bool m_opening = false;
    bool m_open = false;
};

/** The seeds of `redis+cluster://[user@]host[:port][,host[:port]…]`. */
base::Result<QList<Endpoint>> clusterSeedsOf(const SourceSpec &spec);

} // namespace lockkeeper::stores::redis
