// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/local_clock.h"
#include "shared/stores/store.h"
#include "shared/stores/zookeeper/reading/sessions.h"
#include "shared/stores/zookeeper/reading/watcher.h"
#include "shared/stores/zookeeper/release/guarded_delete.h"

namespace lockkeeper::stores::zookeeper {

/**
 * Scheme zookeeper.sequence in one ensemble, over one session. On the event loop of the thread that made it;
 * nothing blocks. Every reading begins with a sync, so that it shows at least what the leader had when it was
 * asked for. A session whose connection breaks is given up: what it had watched is blind time.
 */
class ZookeeperStore final : public Store
{
    Q_OBJECT

public:
    /** `leftOut`: the guard's term that a test leaves out. */
    ZookeeperStore(SourceSpec spec, Ensemble ensemble, Term leftOut = Term::None, QObject *parent = nullptr);

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override;
    void release(const ReleaseOrder &order, Released done) override;

private:
    struct Probe;

    void begin();
    void probeRights(const std::shared_ptr<Probe> &probe);
    void askToDelete(const std::shared_ptr<Probe> &probe, const QByteArray &lock);
    void tellOpened(ServerInfo info);
    /** Tells that the link is lost, and whether that is for want of a majority: a server answers for itself
     * then, too. */
    void fail(const base::Error &error);
    /** What endangers the locks, by a server and by the scan that has just ended. */
    void findDangers();
    /** With whose session it is, as far as that is known. */
    Observation described(const Znode &znode, const Subject &subject) const;
    domain::Session sessionOf(const Contender &contender) const;
    QList<Root> roots() const;
    void takeLock(quint16 set, const Znode &znode);
    Standing standing() const;
    /** Reports each subtree that may not be read as a part that isn't seen. */
    void tellDenied(const QList<QByteArray> &denied);
    /** What was read of the scan so far; comes before any change that was told later. */
    void tellPage();
    void endScan(const Walked &walked, const ScanEnded &done);
    void takeChange(const Watcher::Change &change);
    void noteQueue(const Subject &subject, const Znode &znode);
    void tellWaits();

    SourceSpec m_spec;
    Link m_link;
    Tree m_tree;
    Sessions m_sessions;
    LocalClock m_clock;
    AnswerTimes m_times;
    Watcher m_watcher;
    Page m_page; ///< of the scan under way, to be told
    PageTaken m_pageTaken;
    qint64 m_scanBeganUs = 0;
    QHash<Subject, Znode> m_contended; ///< locks that somebody waits for
    QTimer m_waits;                    ///< until their graph is told again
    Term m_leftOut;
    QList<QByteArray> m_denied; ///< reported as parts that aren't seen
    qint64 m_seenZxid = 0;      ///< the highest transaction that was seen …
    qint64 m_toldZxid = 0;      ///< … and reported; 0: the server shows none
    quint64 m_run = 0;     ///< counts the openings: answers of an earlier one don't count
    bool m_ready = false;  ///< opened() was told
    bool m_single = false; ///< the server that was asked is the only one
};

} // namespace lockkeeper::stores::zookeeper
