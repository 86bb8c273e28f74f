// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/push/barrier.h"
#include "shared/stores/redis/push/command_budget.h"
#include "shared/stores/redis/push/read_back.h"
#include "shared/stores/redis/push/subscriber.h"

#include <QElapsedTimer>
#include <QTimer>

#include <chrono>

namespace lockkeeper::stores::redis::push {

/**
 * How long to wait for the next proof while nothing is told: a tenth of the quiet time so far, 0.1 s at least
 * and 2 s at most. A change that breaks the silence has a window of that length; a source in which nothing
 * happens costs three commands each 2 s, and a link that is half open is still found.
 */
std::chrono::milliseconds proofPauseMs(qint64 quietMs);

/**
 * Push for a source whose connection is up: has the server tell of changed keys (CLIENT TRACKING in
 * broadcasting mode, redirected to a second, subscribed connection, which works without touching the
 * server's configuration), reads them back over the first one, and makes changes of it.
 *
 * - A burst is coalesced: a key waits once however often it is told, and readings and looks keep to the
 *   source's commands a second. The state that is left in the end is read in any case.
 * - Every change has a window that is proven by Barrier.
 * - While nothing is told, proofs become rare: see proofPauseMs().
 * - A subscription that is lost, or that the server has given up without a word, is made again; until then
 * the state says that changes may have been missed.
 *
 * Lives in the thread that made it, with the store. `data` outlives it.
 */
class Tracker : public QObject
{
    Q_OBJECT

public:
    Tracker(Connection &data, const SourceSpec &spec, QObject *parent = nullptr);
    ~Tracker() override;

    /** Answers stateChanged(), perhaps at once. `mode` is how the source's keys are read. */
    void open(const ReadMode &mode);
    /** No more signals; whoever waits is called. */
    void close();
    bool isOn() const { return m_state.on; }

    /**
     * Reads locks so that the answer fits the changes: after everything up to the question was told, and
     * without those of which a change is on its way. `done` as in readKeys(); false where the link is down.
     */
    bool look(QList<Observation> locks, const ReadMode &mode, std::function<void(KeyPage &)> done);
    /** Calls `then` once all changes up to `us` were told; at once while push is off. */
    void whenTold(qint64 us, std::function<void()> then);
    /** Before open(): hands over the names of changed locks and reads none of them; null: reads them. */
    void onlyNames(std::function<void(const QList<Subject> &)> names) { m_names = std::move(names); }
    /** What a pass has shown, at that time. */
    void shown(const QList<Observation> &locks, qint64 atUs);

    // In a cluster, where a key may be another node's by the time that it is read.
    /** What doesn't count here is astray(), even where this server answers for it. */
    void setCountsHere(CountsHere countsHere) { m_countsHere = std::move(countsHere); }
    /** All that happened to the key up to this time of the server's clock was told, and read or passed on to
     * astray(); 0: not known. */
    qint64 toldUntilUs(const QByteArray &key) const;
    /** Since when the server has been telling, by its clock, without a break. */
    qint64 tellsSinceUs() const { return m_tellsSinceUs; }
    const Evidence &evidence() const { return m_evidence; }
    /** Somebody else has sent so many, which count as read-backs do. */
    void spend(qint64 commands) { m_budget.spend(commands); }
    /** Somebody else read the key here, and it wasn't there. */
    void wasAbsent(const QByteArray &key, qint64 atUs);
    /** Somebody else read this time: proves what came before it, for two PINGs, unless a proof is under way.
     */
    void prove(qint64 us);
    /** The locks of a key that holds many, as they were shown here last; they are forgotten here. */
    KeyMembers::Members takeMembers(const Subject &key) { return m_members.take(key); }
    void giveMembers(const KeyMembers &members);
    /** What comes next is to have a narrow window. */
    void stayAwake();

Q_SIGNALS:
    void stateChanged(const lockkeeper::stores::PushState &state);
    void pushed(const lockkeeper::stores::Push &push);
    /** All up to this time of the store's clock was told; about once a second. */
    void seen(qint64 storeUs);
    /** Keys that were told to have changed, and that another node of the cluster has now. */
    void astray(const lockkeeper::stores::redis::push::Strays &strays);

private:
    /** Somebody's question, until it may be sent. */
    struct Question
    {
        QList<Observation> locks;
        ReadMode mode;
        std::function<void(KeyPage &)> done;
    };
    struct Look
    {
        QSet<QByteArray> open; ///< keys of which a change is on its way
    };

    void connectNow();
    void track(qint64 id);
    void tracked(qint64 sinceUs);
    void lose(const base::Error &why);
    void setState(const PushState &state);
    void hear(const Told &what);
    void hand(const Told &what);
    void everything(qint64 sinceUs);
    bool mayRead() const;
    void pump();
    bool readBack(qsizetype most);
    void takePage(const ReadBack &asked, qint64 askedUs, KeyPage &page);
    void noteAnswers(const ReadBack &asked, const KeyPage &page, const QList<Change> &changes);
    void sendLook();
    void sendAllLooks();
    void finishLook(quint64 id, KeyPage &page, const std::function<void(KeyPage &)> &done);
    void callTold();
    void onProven(qint64 us);
    void check();
    void takeTracking(const redisReply *reply);
    void takeDatabases(const QByteArray &info, qint64 sinceUs);
    Barrier::Line line();
    bool isCurrent(quint64 link) const { return m_state.on && link == m_links; }

    Connection &m_data;
    const SourceSpec &m_spec;
    Subscriber m_subscriber;
    Barrier m_barrier;
    DirtyKeys m_dirty;
    KeyMembers m_members;
    CountsHere m_countsHere;                             ///< null: everything
    std::function<void(const QList<Subject> &)> m_names; ///< see onlyNames()
    CommandBudget m_budget;
    ReadMode m_mode;
    QList<QByteArray> m_prefixes;
    Evidence m_evidence;
    PushState m_state;
    std::deque<Question> m_waitingLooks;
    QHash<quint64, Look> m_looks;                                 ///< sent
    std::deque<std::pair<quint64, std::function<void()>>> m_told; ///< by the mark that has to be read
    QElapsedTimer m_clock;
    QElapsedTimer m_sincePage; ///< since the last reading began
    QElapsedTimer m_sinceTold; ///< since the last message
    QTimer m_retry;
    QTimer m_idle;
    QTimer m_pump;
    QTimer m_check;
    qint64 m_swaps = -1;    ///< of SWAPDB; negative: not known
    qint64 m_checkedUs = 0; ///< all swaps up to this time are in it
    qint64 m_seenUs = 0;    ///< of the last seen()
    qint64 m_tellsSinceUs = 0;
    quint64 m_lookId = 0;
    quint64 m_links = 0; ///< subscriptions made
    int m_pages = 0;     ///< in a reading
    int m_failures = 0;
    int m_commandsAKey = 2;
    bool m_lookNext = true; ///< in pump()
    bool m_open = false;
    bool m_answered = false; ///< open() was
};

} // namespace lockkeeper::stores::redis::push
