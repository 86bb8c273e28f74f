// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/state/badge.h"
#include "app/state/lock_table.h"
#include "shared/base/clock.h"
#include "shared/domain/source_state.h"
#include "shared/events/lock_event.h"

#include <QObject>
#include <QSet>

#include <functional>
#include <memory>

namespace lockkeeper::app::session {
class Agents;
}

namespace lockkeeper::app::state {

/**
 * The console's copy of the agents' tables, fed by their sessions; the only place that applies events. Knows
 * no widgets. Small batches are gathered and announced at most ten times a second. What is large is taken in
 * and announced a part at each turn of the event loop, and what came after it waits: in between each lock is
 * as it was, or as it was told, and its agent counts as connected once its whole table is in. A lock that
 * several agents see stands in it once, as the one that sees it best tells it.
 */
class Replica : public QObject
{
    Q_OBJECT

public:
    explicit Replica(const base::Clock &clock, QObject *parent = nullptr);
    ~Replica() override;

    /** Follows `agents` (not owned; null: nobody). */
    void follow(session::Agents *agents);

    const LockTable &locks() const;
    std::optional<domain::LockState> find(const domain::LockKey &key) const;
    QList<domain::SourceState> sources() const;
    const domain::SourceState *source(const QString &name) const;
    quint64 seq() const; ///< of an agent that is alone

    /** A source's clock now: its last known offset to the agent's clock applied to this machine's steady
     * clock. */
    qint64 storeNowUs(const QString &source) const;
    /** The same beside what was read from the store just now: it runs on while the replica is paused. */
    qint64 storeClockUs(const QString &source) const;

    /** True where the source wasn't observed for 5 s or two polls (the longer), or its agent is lost. */
    bool isStale(const QString &source) const;
    /** Its agent is standby, and another one observes the source of that name. */
    bool isSeenByAnother(const QString &source) const;
    /** The last observation of a stale source, the store's clock; 0: never. */
    qint64 lastSeenUs(const QString &source) const;
    /** True where its agent is connected, and what that tells is in. */
    bool isLive(const QString &source) const;
    /** True while no agent is connected. */
    bool isOffline() const;

    /** What the words for a lock depend on beside its state, now. */
    LockContext context(const domain::LockState &state) const;
    /** The agent that watches a source, or did last. */
    QString agentOf(const QString &source) const;
    /** All that see a lock, the best first; where all of them are lost, who saw it. */
    QStringList agentsOf(const domain::LockKey &key) const;
    /** Where a lock stands that another agent sees best by now; itself where it is. */
    domain::LockKey shownAs(const domain::LockKey &key) const;

    /** F9: batches are held back and counted; resuming applies them at once. */
    void setPaused(bool paused);
    bool isPaused() const;
    qint64 pendingChanges() const;
    qint64 pausedAtWallUs() const;

    /** Locks with a force-release under way, by this console. */
    void setReleasing(const domain::LockKey &key, bool releasing);
    bool isReleasing(const domain::LockKey &key) const;

    /** What a session says, in its order: follow() connects these, tests call them. `label` tells several
     * agents apart. */
    void forget(); ///< other agents: nothing that was known is about them
    void setLive(bool live, const QString &agent, const QString &label = {});
    void beginTable(const QString &label = {});
    void addPage(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources,
                 const QString &label = {});
    void completeTable(quint64 atSeq, const QString &label = {});
    void takeEvents(const QList<events::LockEvent> &events, const QString &label = {});
    void takeStates(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources);
    /** While the agent's journal can't write: locks are inserted as well as replaced, and taken out. */
    void takeUnjournalled(const QList<domain::LockState> &locks, const QList<domain::LockKey> &removed);
    /** Instead of following a session: the table of a past moment, at which the clock stands. A source that
     * wasn't observed then is stale. */
    void showPast(const session::Agents *agents, const QList<domain::LockState> &locks,
                  const QList<domain::SourceState> &sources);
    /** Takes in and announces all that has come, without waiting for the next turn or tenth of a second. */
    void flush();
    /** How many locks are taken in at one turn of the event loop: tests take few. */
    void setTurnLocks(qsizetype locks);

Q_SIGNALS:
    /** Another table, of which changed() has told by now; what lies between its number and the one before
     * isn't known. */
    void reset();
    /** One batch: `changed` are new or different, as they are now; `removed` are gone. */
    void changed(const lockkeeper::app::state::LockTable &changed,
                 const QSet<lockkeeper::domain::LockKey> &removed);
    /** One of several agents told its table anew, and events between that and what it told before weren't
     * told: they are in its journal alone. */
    void missed();
    void sourcesChanged();
    /** Journalled events, for tails of the history and the bottom dock. */
    void events(const QList<lockkeeper::events::LockEvent> &events);
    void pauseChanged();
    void offlineChanged();
    void releasingChanged(const lockkeeper::domain::LockKey &key);

private:
    void takeIn(std::function<bool()> part);
    void work();
    void announce();
    void schedule();
    void forgetAgent(const QString &label);

    class Private;
    std::shared_ptr<Private> d;
};

} // namespace lockkeeper::app::state
