// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/reading/key_reader.h"
#include "shared/stores/etcd/reading/queues.h"
#include "shared/stores/etcd/release/guarded_delete.h"
#include "shared/stores/etcd/watch/watcher.h"
#include "shared/stores/passed_sets.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::etcd {

/**
 * Scheme etcd.lease in one etcd cluster, over the JSON gateway of one of its members at a time. On the event
 * loop of the thread that made it; nothing blocks. All reads go through the members' majority: without one
 * the store is out of reach.
 */
class EtcdStore final : public Store
{
    Q_OBJECT

public:
    /** `leftOut`: the guard's term that a test leaves out. */
    EtcdStore(SourceSpec spec, Endpoints endpoints, Term leftOut = Term::None, QObject *parent = nullptr);

    void open() override;
    void close() override;
    void scan(PageTaken page, ScanEnded done) override;
    void readPoints(const QList<Subject> &subjects, PageTaken page, PointsRead done) override;
    void inspect(const Subject &subject, Inspected done) override;
    void release(const ReleaseOrder &order, Released done) override;
    void resumeAfter(const QByteArray &position) override { m_resumeAfter = position; }

private:
    /** Asks the member at hand, and the next ones where it doesn't serve. */
    void tryMember(qsizetype left);
    /** Why the member at hand doesn't serve: it answers for itself, also without a majority behind it. */
    void askForLeader(const base::Error &error, std::function<void(const base::Error &)> then);
    void probeRights(ServerInfo info, qsizetype set);
    /** What a reading's failure means for the connection; true where it has ended by it. */
    bool lose(const base::Error &error, quint64 link);
    QByteArray prefixOf(qsizetype set) const;
    /** With the deadlines of these leases, read where they aren't known well enough, or all of them. */
    void date(const QSet<qint64> &leases, bool anew, std::function<void(const LeaseBook &)> done);
    /** With what else hangs on the holder's lease, as far as etcd tells. */
    void addCompanions(const Inspection &inspection, const KeyValue &holder, Inspected done);
    QList<KeyRange> setRanges() const;
    void takeScan(const Reading &reading, const PageTaken &page, const ScanEnded &done);
    void tellWaits(const QList<Queue> &queues, quint16 set, domain::WaitGraph &graph) const;
    /** Who waits now, where changes were told since the last time; at most once a second. */
    void tellWaitsAnew(qint64 toldUs);
    /** What endangers the locks, by the members and by the scan that has just ended. */
    void findDangers();
    /** By an answer to what was asked when the revision was `known`: linearizable reads show no older one. */
    void noteRevision(qint64 revision, qint64 known);
    Standing standing() const;
    void readOnePage(const QList<Subject> &subjects, const PageTaken &page, const PointsRead &done);

    SourceSpec m_spec;
    Gateway m_gateway;
    LocalClock m_clock;
    LeaseBook m_leases;
    AnswerTimes m_times;
    Watcher m_watcher;
    QByteArray m_resumeAfter;
    PassedSets m_passed;
    qint64 m_waitsUs = 0;                    ///< when who waits was told last
    std::optional<base::Error> m_leaderless; ///< a member that was tried knows of no leader
    Term m_leftOut;
    QByteArray m_cluster;   ///< its id, as text; empty: not open
    QByteArray m_found;     ///< the one that was reached last
    qint64 m_revision = 0;  ///< the highest that was seen
    qint64 m_raftIndex = 0; ///< at the link's beginning: `snapshot restore` begins it anew, whatever it bumps
    quint64 m_link = 0;     ///< counts the connections: answers of an earlier one don't count
};

} // namespace lockkeeper::stores::etcd
