// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster_guide.h"
#include "shared/stores/redis/schemes/key_scheme.h"
#include "shared/stores/store.h"

#include <QBitArray>
#include <QHash>
#include <QSet>

#include <chrono>
#include <vector>

namespace lockkeeper::stores::redis {

struct ClusterPart;
struct ClusterPass;

/**
 * A Redis Cluster as one store: a store of its own for each primary, passes over all of them put together,
 * every question about one lock to the primary of its slot. The map of slots is asked anew every few seconds,
 * and when a node is lost or sends elsewhere. A node that can't be reached is a part out of sight, no more:
 * the others go on, and passes say what they didn't cover. A release is sent to one node once; a node that
 * sends it elsewhere has run nothing, and it is refused.
 */
class ClusterStore final : public Store
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<Store>(const Endpoint &)>;

    /** `seeds`: where to ask for the map first; how they are spoken to holds for every node. */
    ClusterStore(SourceSpec spec, QList<Endpoint> seeds, Make make, QObject *parent = nullptr);
    ~ClusterStore() override;

    void open() override;
    void close() override;
    void pass(quint64 request) override;
    void look(quint64 request, const QList<Subject> &subjects) override;
    void inspect(quint64 request, const Subject &subject) override;
    void release(const ReleaseOrder &order) override;

private:
    using Owners = std::array<ClusterPart *, kHashSlots>;

    void askMap();
    void askSoon(std::chrono::milliseconds in);
    void noteMoves(const ClusterMap &map);
    void takeMap(const ClusterMap &map);
    void addPart(const ClusterNode &node);
    void dropPart(ClusterPart *part);
    void partOpened(ClusterPart *part, const ServerInfo &info);
    void partFailed(ClusterPart *part, const base::Error &error);
    void openIfSettled();
    void tellChanges();
    void noteRun(ClusterPart *part);
    void tellDown(const ClusterPart &part, const base::Error &error);
    void partPassEnded(ClusterPart *part, const PassEnd &end);
    void finishPassIfDone();
    void giveUp(base::Error error);
    void updateView();
    quint16 slotOf(const Subject &subject) const;
    QBitArray slotsOf(const ClusterPart *part) const;
    ServerInfo merged() const;
    template <typename Call> void later(Call call);

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
    QSet<QByteArray> m_left;                   ///< runs that gave their slots away while they were up
    QHash<QByteArray, QBitArray> m_blind;      ///< by node: what isn't seen since it was lost
    std::shared_ptr<std::array<QByteArray, kHashSlots>> m_view; ///< by slot: whose guards are good
    std::unique_ptr<ClusterPass> m_pass;
    bool m_opening = false;
    bool m_open = false;
    quint64 m_opened = 0;
};

/** The seeds of `redis+cluster://[user@]host[:port][,host[:port]…]`. */
base::Result<QList<Endpoint>> clusterSeedsOf(const SourceSpec &spec);

} // namespace lockkeeper::stores::redis
