// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/reading/key_reader.h"
#include "shared/stores/etcd/reading/queues.h"
#include "shared/stores/etcd/release/guarded_delete.h"
#include "shared/stores/etcd/watch/etcd_watcher.h"
#include "shared/stores/passed_sets.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::etcd {

/**
 * Scheme etcd.lease in one etcd cluster, over the JSON gateway of one of its members at a time. Runs on the
 * event loop of the thread that made it; nothing blocks. All reads go through the members' majority: without
 * a majority the store is unreachable.
 */
class EtcdStore final : public Store
{
    Q_OBJECT

public:
    /** `leftOut`: the guard's term that a test leaves out. */
    EtcdStore(SourceSpec spec, Endpoints endpoints, KeyTerm leftOut = KeyTerm::None,
              QObject *parent = nullptr);

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override;
    void release(const ReleaseOrder &order, Released done) override;
    void resumeAfter(const QByteArray &position) override { m_resumeAfter = position; }

private:
    /** Asks the current member, and the next members where it doesn't serve. */
    void tryMember(qsizetype left);
    /** Finds out why the current member doesn't serve: it answers for itself, also without a majority. */
    void askForLeader(const base::Error &error, std::function<void(const base::Error &)> then);
    void probeRights(ServerInfo info, qsizetype set);
    /** Handles a reading's failure; true where it has ended the connection. */
    bool lose(const base::Error &error, quint64 link);
    QByteArray prefixOf(qsizetype set) const;
    /** Passes the deadlines of these leases to `done`. Reads all of them with `anew`; otherwise only those
     * that aren't known well enough. */
    void date(const QSet<qint64> &leases, bool anew, std::function<void(const LeaseBook &)> done);
    /** Adds the other keys of the holder's lease, as far as etcd shows them. */
    void addCompanions(const Inspection &inspection, const KeyValue &holder, Inspected done);
    QList<KeyRange> setRanges() const;
    void takeScan(const RangeReading &reading, const PageTaken &page, const ScanEnded &done);
    void tellWaits(const QList<Queue> &queues, quint16 set, domain::WaitGraph &graph) const;
    /** Reports the current waiters if changes were reported since the last time; at most once a second. */
    void tellWaitsAnew(qint64 toldUs);
    /** Reports the dangers to the locks that the members and the scan that has just ended show. */
    void findDangers();
    /** Takes the revision of an answer to a request that was sent when the revision was `known`: linearizable
     * reads show no older revision. */
    void noteRevision(qint64 revision, qint64 known);
    Standing standing() const;
    void readOnePage(const QList<Subject> &subjects, const PageTaken &page, const PointsRead &done);

    SourceSpec m_spec;
    Gateway m_gateway;
    LocalClock m_clock;
    LeaseBook m_leases;
    AnswerTimes m_times;
    EtcdWatcher m_watcher;
    QByteArray m_resumeAfter;
    PassedSets m_passed;
    qint64 m_waitsUs = 0;                    ///< when waiters were last reported
    std::optional<base::Error> m_leaderless; ///< a member that was tried knows of no leader
    KeyTerm m_leftOut;
    QByteArray m_cluster;   ///< its id, as text; empty: not open
    QByteArray m_found;     ///< the cluster that was reached last
    qint64 m_revision = 0;  ///< the highest that was seen
    qint64 m_raftIndex = 0; ///< at the link's beginning: `snapshot restore` starts it over, whatever it bumps
    quint64 m_link = 0;     ///< counts the connections: answers of an earlier one don't count
};

} // namespace lockkeeper::stores::etcd
