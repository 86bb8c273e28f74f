// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/badge.h"
#include "app/replica/packed_lock_table.h"
#include "shared/base/clock.h"
#include "shared/domain/source_state.h"
#include "shared/events/lock_event.h"

#include <QObject>
#include <QSet>

#include <functional>
#include <memory>

namespace lockkeeper::app::session {
class AgentGroup;
}

namespace lockkeeper::app::replica {

/**
 * The console's copy of the agents' tables, fed by their sessions; the only class that applies events. It
 * doesn't use widgets. Small batches are collected and announced at most ten times a second. Large data is
 * processed and announced in parts, one at each turn of the event loop, and later data waits. In between,
 * each lock is in its old or its new state, and its agent counts as connected once its whole table is in. A
 * lock that several agents see is in the replica once, as reported by the agent that sees it best.
 */
class Replica : public QObject
{
    Q_OBJECT

public:
    explicit Replica(const base::Clock &clock, QObject *parent = nullptr);
    ~Replica() override;

    /** Follows `agents` (not owned; null: none). */
    void follow(session::AgentGroup *agents);

    const PackedLockTable &locks() const;
    std::optional<domain::LockState> find(const domain::LockKey &key) const;
    QList<domain::SourceState> sources() const;
    const domain::SourceState *source(const QString &name) const;
    quint64 seq() const; ///< of a single agent

    /** A source's clock now: this machine's steady clock plus the last known offset. */
    qint64 storeNowUs(const QString &source) const;
    /**
     * The same for comparison with data just read from the store: it continues while the replica is paused.
     */
    qint64 storeClockUs(const QString &source) const;

    /** True if the source wasn't observed for SourceState::patienceUs(), or its agent is lost. */
    bool isStale(const QString &source) const;
    /** True if its agent is standby and another agent observes the source with that name. */
    bool isSeenByAnother(const QString &source) const;
    /** The time of a stale source's last observation, by the store's clock; 0: never. */
    qint64 lastSeenUs(const QString &source) const;
    /** True if its agent is connected and its table is in. */
    bool isLive(const QString &source) const;
    /** True while no agent is connected. */
    bool isOffline() const;

    /** The facts besides the lock's state that its texts depend on now. */
    LockContext context(const domain::LockState &state) const;
    /** The agent that watches a source, or watched it last. */
    QString agentOf(const QString &source) const;
    /** That agent's prefix of source names; empty with a single agent. */
    QString labelOf(const QString &source) const;
    /** All agents that see a lock, the best first; if all of them are lost, those that saw it. */
    QStringList agentsOf(const domain::LockKey &key) const;
    /** The key under which a lock is shown now, if another agent sees it best; otherwise the key itself. */
    domain::LockKey shownAs(const domain::LockKey &key) const;

    /** F9: batches are held back and counted; resuming applies them at once. */
    void setPaused(bool paused);
    bool isPaused() const;
    qint64 pendingChanges() const;
    qint64 pausedAtWallUs() const;

    /** Marks locks with a pending force-release by this console. */
    void setReleasing(const domain::LockKey &key, bool releasing);
    bool isReleasing(const domain::LockKey &key) const;

    /**
     * A session's messages, in order: follow() connects them, tests call them. `label` distinguishes several
     * agents.
     */
    void forget(); ///< other agents: the earlier data doesn't apply to them
    void setLive(bool live, const QString &agent, const QString &label = {});
    void beginTable(const QString &label = {});
    void addPage(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources,
                 const QString &label = {});
    void completeTable(quint64 atSeq, const QString &label = {});
    void takeEvents(const QList<events::LockEvent> &events, const QString &label = {});
    void takeStates(const QList<domain::LockState> &locks, const QList<domain::SourceState> &sources);
    /** For the time when the agent's journal can't write: inserts, replaces and removes locks. */
    void takeUnjournalled(const QList<domain::LockState> &locks, const QList<domain::LockKey> &removed);
    /**
     * Shows the table of a past moment, at which the clock stands, instead of following a session. A source
     * that wasn't observed then is stale.
     */
    void showPast(const session::AgentGroup *agents, const QList<domain::LockState> &locks,
                  const QList<domain::SourceState> &sources);
    /** Processes and announces all received data, without waiting for the next turn or tenth of a second. */
    void flush();
    /** The number of locks to process in one turn of the event loop. Tests use few. */
    void setTurnLocks(qsizetype locks);

Q_SIGNALS:
    /**
     * There is a new table, which changed() has already announced. The events between its number and the
     * previous one are unknown.
     */
    void reset();
    /** One batch: `changed` are new or changed locks in their current state; `removed` are gone. */
    void changed(const lockkeeper::app::replica::PackedLockTable &changed,
                 const QSet<lockkeeper::domain::LockKey> &removed);
    /**
     * One of several agents sent its whole table again, and the events since its previous state weren't
     * received: they are only in its journal.
     */
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

} // namespace lockkeeper::app::replica
