// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/local_clock.h"
#include "shared/stores/store.h"
#include "shared/stores/zookeeper/reading/sessions.h"
#include "shared/stores/zookeeper/reading/znode_watcher.h"
#include "shared/stores/zookeeper/release/guarded_delete.h"

namespace lockkeeper::stores::zookeeper {

/**
 * Scheme zookeeper.sequence in one ensemble, over one session. Runs on the event loop of the thread that made
 * it; nothing blocks. Every reading begins with a sync, so that it shows at least the leader's state at the
 * time of the request. A session whose connection breaks is given up: its watches leave a blind time.
 */
class ZookeeperStore final : public Store
{
    Q_OBJECT

public:
    /** `leftOut`: the guard's term that a test leaves out. */
    ZookeeperStore(SourceSpec spec, Ensemble ensemble, ZnodeTerm leftOut = ZnodeTerm::None,
                   QObject *parent = nullptr);

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override;
    void release(const ReleaseOrder &order, Released done) override;

private:
    struct ServerProbe;

    void begin();
    void probeRights(const std::shared_ptr<ServerProbe> &probe);
    void askToDelete(const std::shared_ptr<ServerProbe> &probe, const QByteArray &lock);
    void tellOpened(ServerInfo info);
    /** Reports that the link is lost, and if the cause is a missing majority: a server answers for itself
     * then, too. */
    void fail(const base::Error &error);
    /** Reports the dangers to the locks that a server and the scan that has just ended show. */
    void findDangers();
    /** The observation of a lock, with its session's client as far as that is known. */
    Observation described(const Znode &znode, const Subject &subject) const;
    domain::Session sessionOf(const Contender &contender) const;
    QList<Root> roots() const;
    void takeLock(quint16 set, const Znode &znode);
    Standing standing() const;
    /** Reports each subtree that may not be read as a part that isn't seen. */
    void tellDenied(const QList<QByteArray> &denied);
    /** Sends the locks that the scan has read so far, before any change that is reported later. */
    void tellPage();
    void endScan(const Walked &walked, const ScanEnded &done);
    void takeChange(const ZnodeWatcher::ZnodeChange &change);
    void noteQueue(const Subject &subject, const Znode &znode);
    void tellWaits();

    SourceSpec m_spec;
    ZookeeperLink m_link;
    Tree m_tree;
    Sessions m_sessions;
    LocalClock m_clock;
    AnswerTimes m_times;
    ZnodeWatcher m_watcher;
    Page m_page; ///< of the scan under way, not yet sent
    PageTaken m_pageTaken;
    qint64 m_scanBeganUs = 0;
    QHash<Subject, Znode> m_contended; ///< locks with waiters
    QTimer m_waits;                    ///< until the wait graph is reported again
    ZnodeTerm m_leftOut;
    QList<QByteArray> m_denied; ///< reported as parts that aren't seen
    qint64 m_seenZxid = 0;      ///< the highest transaction that was seen …
    qint64 m_toldZxid = 0;      ///< … and reported; 0: the server shows none
    quint64 m_run = 0;          ///< counts the openings: answers of an earlier one don't count
    bool m_ready = false;       ///< opened() was emitted
    bool m_single = false;      ///< the server that was asked is the only one
};

} // namespace lockkeeper::stores::zookeeper
