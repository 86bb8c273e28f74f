// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/redlock/gather.h"
#include "shared/stores/redis/redlock/node_set.h"
#include "shared/stores/redis/redlock/redlock_push.h"
#include "shared/stores/store.h"

#include <QSet>
#include <QTimer>

namespace lockkeeper::stores::redis {

class NodesScan;

/**
 * Scheme redis.redlock: the same key and token on N independent servers, of which a majority decides
 * ("Distributed locks with Redis", redis.io). A lock set's locks are the union of the keys on all nodes.
 *
 * The link is up while a majority of the nodes can be asked: fewer nodes can't decide the state of any lock.
 * A node that is the server of another node (by its run id) is away. The store tries nodes that are away
 * again, without the owner. A lock that hinges on such a node is Flaw::Indeterminate meanwhile. On the event
 * loop of the thread that made it; nothing blocks.
 */
class RedlockStore final : public CompositeStore
{
    Q_OBJECT

public:
    RedlockStore(SourceSpec spec, QByteArray place, std::vector<std::unique_ptr<Node>> nodes,
                 QObject *parent = nullptr);
    ~RedlockStore() override;

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override;
    void release(const ReleaseOrder &order, Released done) override;

private:
    enum class OpenState : quint8 { Closed, Opening, Open };

    void onNodeChanged();
    void announce();
    void giveUp();
    bool tellShards();
    ServerInfo infoOfAll() const;
    void everything(qint64 sinceUs) override;
    qint64 sourceUs(const Member &node, qint64 us) const override;
    void gather(const QList<Subject> &subjects, PageTaken page, Gather::Done done);
    void loseScan(const base::Error &error);
    Inspection inspectionOf(const Subject &subject, const QList<Inspection> &answers) const; ///< by node

    SourceSpec m_spec;
    QByteArray m_place;
    NodeSet m_nodes;
    Memory m_memory;
    RedlockPush m_push;
    QTimer m_grace;         ///< for the rest of the nodes, once a majority is up
    QSet<qsizetype> m_away; ///< nodes that were reported out of sight
    OpenState m_state = OpenState::Closed;
    std::shared_ptr<NodesScan> m_scan;
};

} // namespace lockkeeper::stores::redis
