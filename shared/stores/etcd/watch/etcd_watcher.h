// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/answer_times.h"
#include "shared/stores/etcd/connection/gateway.h"
#include "shared/stores/etcd/reading/key_reader.h"
#include "shared/stores/etcd/watch/key_mirror.h"
#include "shared/stores/local_clock.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <deque>

namespace lockkeeper::stores::etcd {

/** The end of the reported changes: every change after these revisions happened after `sinceUs`. */
struct WatchPosition
{
    QByteArray cluster;
    QList<qint64> revisions; ///< of each set
    qint64 sinceUs = 0;

    qint64 first() const { return *std::min_element(revisions.cbegin(), revisions.cend()); }

    QByteArray encoded() const;
    static std::optional<WatchPosition> decoded(const QByteArray &text);
};

/**
 * Push from etcd's watch (etcd's API reference, "Watch"). The rule:
 *
 * 1. The sets' keys are read as of one revision into mirrors, and watched from the next revision on. Every
 *    change of a key arrives as an event with its revision, in order. The changes of one revision in a mirror
 *    make one change per lock; no change is ever coalesced or unseen.
 * 2. An event carries no time. It happened before it arrived, and after the request for a range whose answer
 *    had an older revision. Such a range is read ten times a second, less often while nothing happens.
 * 3. The same range proves that nothing is missing: no key was written after the mirror's revision, and the
 *    number of keys is the same. Every change up to the proof before the last was reported. If the proof
 * fails for 5 s, everything starts over, after a gap.
 * 4. A watch that ends is opened again from the next revision on. Neither this nor a restart of the agent
 * loses changes. Where that revision was compacted, or the cluster was restored to a lower revision,
 * everything starts over, after a gap.
 * 5. A renewal of a lease causes no event: the watcher asks for a lease that has less than three fifths left.
 *
 * Runs on the event loop of the thread that made it. `clock`, `leases`, `times` and `spec` outlive it.
 */
class EtcdWatcher : public QObject
{
    Q_OBJECT

public:
    EtcdWatcher(const Endpoints &endpoints, const SourceSpec &spec, const LocalClock &clock,
                LeaseBook &leases, AnswerTimes &times, QObject *parent = nullptr);

    /** One range per set. `resumeAfter`: where it ended before; stateChanged() shows if it resumes there. */
    void open(const QByteArray &cluster, const QList<KeyRange> &sets, const QByteArray &resumeAfter);
    /** No more signals follow; pending whenTold() callbacks are called. */
    void close();
    /** The locks of each set after the reported changes; empty where nothing changed since the last call. */
    std::optional<QList<QList<Queue>>> changedQueues();
    /** Every change up to this revision was pushed. */
    qint64 told() const { return m_told; }
    /** Counts the restores to an earlier revision: readings from before a restore are obsolete. */
    quint64 rewinds() const { return m_rewinds; }
    /** Calls `then` once all changes up to `revision` were reported. Calls it at once while it doesn't watch,
     * and when the cluster was restored to an earlier revision: see rewinds(). */
    void whenTold(qint64 revision, std::function<void()> then);

Q_SIGNALS:
    void stateChanged(const lockkeeper::stores::PushState &state);
    void pushed(const lockkeeper::stores::Push &push);
    /** All changes up to this time were reported. */
    void seen(qint64 us);
    /** The server doesn't answer at all: the watch's silence means nothing. */
    void silent(const lockkeeper::base::Error &error);

private:
    /** A revision, and a time when no newer revision existed. */
    struct Proof
    {
        qint64 revision = 0;
        qint64 atUs = 0;
    };
    /** A lock's new state, kept until its holder's lease is known. */
    struct ChangedLock
    {
        quint16 set = 0;
        Turned lock;
        qint64 timeUs = 0;
        qint64 windowUs = 0;
    };
    struct WatchBatch
    {
        QList<ChangedLock> locks;
        QByteArray position;
        std::vector<std::function<void()>> then; ///< called once the batch was reported
    };
    /** A range request for each set, while the answers arrive. */
    struct RangeCheck
    {
        Proof proof;
        QElapsedTimer took;
        qsizetype left = 0;
        bool passed = true;
        bool open = false;                  ///< events came before the answer
        bool failed = false;                ///< an answer didn't come
        bool older = false;                 ///< an answer showed a lower revision than was seen before
        std::optional<base::Error> silence; ///< the time-out of an answer
    };

    void begin(const std::optional<WatchPosition> &from);
    void watch();
    void take(const QJsonObject &line);
    void takeEvents(quint16 set, const QJsonArray &events);
    void onCreated();
    void fail(const base::Error &why);
    void tell();
    void send(const WatchBatch &batch);
    void check();
    void checked(const RangeCheck &check);
    void readDue();
    void readAgain(quint16 set, const QList<QByteArray> &names);
    /** Drops all batches; their pending callbacks wait on, for the next check. */
    void dropBatches();
    void free();
    Proof before(qint64 revision) const;
    WatchPosition position() const;
    bool isMatched(quint16 set, const QByteArray &name) const;

    const SourceSpec &m_spec;
    const LocalClock &m_clock;
    LeaseBook &m_leases;
    AnswerTimes &m_times;
    Gateway m_gateway;
    QByteArray m_cluster;
    QList<KeyRange> m_sets;
    std::optional<WatchPosition> m_from; ///< where the reading resumes
    base::Error m_why;                   ///< why everything starts over
    std::vector<KeyMirror> m_mirrors;    ///< of each set
    QList<qint64> m_toldBefore; ///< of each set: reported up to here before everything was read again
    QList<Proof> m_proofs;      ///< the last proofs that an event may come after
    Proof m_passed;             ///< the last check that has passed
    qint64 m_told = 0;          ///< everything up to this revision was reported …
    qint64 m_toldUs = 0;        ///< … and up to this time
    qint64 m_lostUs = 0;        ///< reported up to here before everything started over; 0: it hadn't begun
    std::deque<WatchBatch> m_batches;
    std::vector<std::pair<qint64, std::function<void()>>> m_waiting; ///< by revision
    QTimer m_checkTimer;
    QTimer m_dueTimer;
    QTimer m_retry;
    QElapsedTimer m_behind;     ///< time of the first failed check; invalid: none failed
    QElapsedTimer m_sinceEvent; ///< since the last event
    quint64 m_rewinds = 0;
    quint64 m_run = 0;    ///< answers of an earlier beginning don't count
    quint64 m_stream = 0; ///< nor do those of an earlier watch
    qsizetype m_created = 0;
    int m_failures = 0;
    bool m_on = false;
    bool m_fresh = false;   ///< everything was read, but this wasn't reported yet
    bool m_resumed = false; ///< after that reading, nothing is missing
    bool m_changed = false; ///< since changedQueues()
    bool m_telling = false;
    bool m_checking = false;
};

} // namespace lockkeeper::stores::etcd
