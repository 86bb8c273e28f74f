// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/answer_times.h"
#include "shared/stores/etcd/connection/gateway.h"
#include "shared/stores/etcd/reading/key_reader.h"
#include "shared/stores/etcd/watch/mirror.h"
#include "shared/stores/local_clock.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <deque>

namespace lockkeeper::stores::etcd {

/** Where the changes that were told ended: what comes after these revisions came after this time. */
struct Position
{
    QByteArray cluster;
    QList<qint64> revisions; ///< of each set
    qint64 sinceUs = 0;

    qint64 first() const { return *std::min_element(revisions.cbegin(), revisions.cend()); }

    QByteArray encoded() const;
    static std::optional<Position> decoded(const QByteArray &text);
};

/**
 * Push from etcd's watch (etcd's API reference, "Watch"). The rule:
 *
 * 1. The sets' keys are read as of one revision into mirrors, and watched from the next one on: every change
 *    of a key comes as an event with its revision, in their order. What a revision has changed in a mirror
 *    makes one change a lock; none is ever coalesced or unseen.
 * 2. An event carries no time. It happened before it came, and after a range was asked for whose answer had
 *    an older revision: such a range is read ten times a second, less often while nothing happens.
 * 3. The same range proves that nothing is missing: no key was written after the mirror's revision, and there
 *    are as many. Up to the proof before the last one every change was told. Where the proof fails for 5 s,
 *    all begins anew, behind a gap.
 * 4. A watch that ends is opened again from the next revision on, so nothing is lost by it, nor by a restart
 *    of the agent. Where that revision was compacted, or the cluster was restored to a lower one, all begins
 *    anew, behind a gap.
 * 5. Renewals of a lease are no events: a lease that has less than three fifths left is asked for.
 *
 * On the event loop of the thread that made it. `clock`, `leases`, `times` and `spec` outlive it.
 */
class Watcher : public QObject
{
    Q_OBJECT

public:
    Watcher(const Endpoints &endpoints, const SourceSpec &spec, const LocalClock &clock, LeaseBook &leases,
            AnswerTimes &times, QObject *parent = nullptr);

    /** One range a set. `resumeAfter`: where it ended before; stateChanged() tells whether it goes on. */
    void open(const QByteArray &cluster, const QList<KeyRange> &sets, const QByteArray &resumeAfter);
    /** No more signals; whoever waits is called. */
    void close();
    /** The locks of each set as what was told makes them, where that has changed since the last call. */
    std::optional<QList<QList<Queue>>> changedQueues();
    /** Every change up to this revision was pushed. */
    qint64 told() const { return m_told; }
    /** Counts the restores to an earlier revision: readings from before one show nothing of what is now. */
    quint64 rewinds() const { return m_rewinds; }
    /** Calls `then` once all changes up to `revision` were told; at once while it doesn't watch, and when the
     * cluster was restored to an earlier revision: see rewinds(). */
    void whenTold(qint64 revision, std::function<void()> then);

Q_SIGNALS:
    void stateChanged(const lockkeeper::stores::PushState &state);
    void pushed(const lockkeeper::stores::Push &push);
    /** All changes up to this time were told. */
    void seen(qint64 us);
    /** The server doesn't answer at all: the watch's silence means nothing. */
    void silent(const lockkeeper::base::Error &error);

private:
    /** A revision, and a time when there was none newer. */
    struct Proof
    {
        qint64 revision = 0;
        qint64 atUs = 0;
    };
    /** What a lock has become, until its holder's lease is known. */
    struct Told
    {
        quint16 set = 0;
        Turned lock;
        qint64 timeUs = 0;
        qint64 windowUs = 0;
    };
    struct Batch
    {
        QList<Told> locks;
        QByteArray position;
        std::vector<std::function<void()>> then; ///< what waits for it to be told
    };
    /** A range of each set, while the answers come. */
    struct Check
    {
        Proof proof;
        QElapsedTimer took;
        qsizetype left = 0;
        bool passed = true;
        bool open = false;                  ///< events came before the answer
        bool failed = false;                ///< an answer didn't come
        bool older = false;                 ///< an answer showed a lower revision than there was before
        std::optional<base::Error> silence; ///< … in all the time that there was
    };

    void begin(const std::optional<Position> &from);
    void watch();
    void take(const QJsonObject &line);
    void takeEvents(quint16 set, const QJsonArray &events);
    void onCreated();
    void fail(const base::Error &why);
    void tell();
    void send(const Batch &batch);
    void check();
    void checked(const Check &check);
    void readDue();
    void readAgain(quint16 set, const QList<QByteArray> &names);
    /** What waits for them waits on: for the next check. */
    void dropBatches();
    void free();
    Proof before(qint64 revision) const;
    Position position() const;
    bool isMatched(quint16 set, const QByteArray &name) const;

    const SourceSpec &m_spec;
    const LocalClock &m_clock;
    LeaseBook &m_leases;
    AnswerTimes &m_times;
    Gateway m_gateway;
    QByteArray m_cluster;
    QList<KeyRange> m_sets;
    std::optional<Position> m_from; ///< where the reading goes on
    base::Error m_why;              ///< all begins anew
    std::vector<Mirror> m_mirrors;  ///< of each set
    QList<qint64> m_toldBefore;     ///< of each set: up to here it was told before all was read again
    QList<Proof> m_proofs;          ///< the last ones that an event may come after
    Proof m_passed;                 ///< the last check that has passed
    qint64 m_told = 0;              ///< up to this revision everything was
    qint64 m_toldUs = 0;            ///< and up to this time
    qint64 m_lostUs = 0;            ///< up to here before all began anew; 0: it hadn't begun
    std::deque<Batch> m_batches;
    std::vector<std::pair<qint64, std::function<void()>>> m_waiting; ///< by revision
    QTimer m_checkTimer;
    QTimer m_dueTimer;
    QTimer m_retry;
    QElapsedTimer m_behind;     ///< since a check has failed; invalid: none has
    QElapsedTimer m_sinceEvent; ///< the last one
    quint64 m_rewinds = 0;
    quint64 m_run = 0;    ///< answers of an earlier beginning don't count
    quint64 m_stream = 0; ///< nor do those of an earlier watch
    qsizetype m_created = 0;
    int m_failures = 0;
    bool m_on = false;
    bool m_fresh = false;   ///< all was read, and nobody has been told so yet
    bool m_resumed = false; ///< by that reading nothing is missing
    bool m_changed = false; ///< since changedQueues()
    bool m_telling = false;
    bool m_checking = false;
};

} // namespace lockkeeper::stores::etcd
