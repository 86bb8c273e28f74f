// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/models/event_columns.h"
#include "app/replica/replica.h"
#include "app/session/agent_group.h"

#include <deque>

namespace lockkeeper::app::models {

/**
 * The journal's events, newest first, in pages of 200 by sequence number. At most 100 pages are kept: distant
 * pages are dropped and requested again. New events are inserted at the top while tailing; otherwise they are
 * counted. The model completes a filter that the agent can't fully evaluate. GUI thread; never waits.
 */
class HistoryModel : public RawModel
{
    Q_OBJECT

public:
    enum class LoadPhase : quint8 { Idle = 0, Loading, Failed };

    HistoryModel(session::AgentGroup &session, replica::Replica &replica, QObject *parent = nullptr);

    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

    const events::LockEvent *at(int row) const;
    QJsonObject record(int row) const override;
    QStringList recordColumns() const override;

    /** A filter of scope History. Starts again from the newest event. */
    void setQuery(const filter::Query &query);
    const filter::Query &query() const { return m_query; }
    /** Starts again with the newest event that isn't later than `timeUs`. */
    void goTo(qint64 timeUs);
    /** Starts again from the newest event, tailing. */
    void reload();
    void cancel();
    /** Reading was cancelled: no more pages are requested until the operator does so. */
    bool isHalted() const { return m_halted; }
    /**
     * Takes the visible rows and requests the next page in either direction before the operator gets there.
     */
    void prefetch(int firstRow, int lastRow);

    LoadPhase phase() const { return m_phase; }
    const base::Error &error() const { return m_error; } ///< while Failed
    bool hasOlder() const { return m_hasOlder; }
    bool hasNewer() const { return m_hasNewer; }
    /**
     * While a search for older events has found no match for a while: the time back to which everything was
     * searched.
     */
    std::optional<qint64> searchedBackTo() const { return m_searchedTo; }

    /**
     * Tailing inserts new events at once, after the first page was requested. The view stops it when scrolled
     * away from the top and while hidden.
     */
    void setTailing(bool tailing);
    bool isTailing() const { return m_tailing; }
    /** The number of new events that match the filter and aren't shown yet: "128 new". */
    qint64 newCount() const { return m_newCount; }
    /** Numbers between the newest and the oldest row by sequence number; an estimate with a filter. */
    qint64 estimatedTotal() const;

Q_SIGNALS:
    void phaseChanged();
    void newCountChanged();
    void searchedOn(); ///< see searchedBackTo()

private:
    int rows() const override { return int(m_rows.size()); }
    protocol::HistoryQuery request() const;
    void restart(std::optional<qint64> until);
    void askOlder();
    void askNewer();
    void tookOlder(const base::Result<session::EventsRead> &page);
    void tookNewer(const base::Result<session::EventsRead> &page);
    bool note(const base::Result<session::EventsRead> &page, quint64 &request);
    QList<events::LockEvent> fitting(const QList<events::LockEvent> &events) const;
    void append(const QList<events::LockEvent> &newestFirst);
    void prepend(const QList<events::LockEvent> &newestFirst);
    void live(const QList<events::LockEvent> &events);
    void setPhase(LoadPhase next, const base::Error &cause = {});
    void setNewCount(qint64 count);
    QString agentOf(const events::LockEvent &event) const { return m_session.labelOf(event.key.source); }
    void rowsWentAtTheTop();
    bool lacksAnAgent() const;
    void missedSome();

    // The events between the numbers m_oldest and m_newest of each agent. Both ends have been read, including
    // filtered events.
    session::AgentGroup &m_session;
    replica::Replica &m_replica;
    filter::Query m_query{filter::QueryScope::History, {}};
    std::optional<qint64> m_untilUs;
    std::deque<events::LockEvent> m_rows; ///< newest first
    session::Numbers m_newest;
    session::Numbers m_oldest;
    bool m_hasLooked = false; ///< at anything
    quint64 m_olderRequest = 0;
    quint64 m_newerRequest = 0;
    quint64 m_generation = 0;         ///< of the table: an answer to an older one is dropped
    QList<events::LockEvent> m_early; ///< received before the first page, oldest first
    bool m_hasOlder = true;
    bool m_hasNewer = false;
    int m_foundOlder = 0; ///< rows since the operator last asked for older ones
    std::optional<qint64> m_searchedTo;
    bool m_halted = false;
    QHash<QString, session::EventsRead::JournalRange> m_journals;
    QSet<const session::AgentSession *> m_away; ///< agents that were missing at some answer behind the rows
    bool m_tailing = true;
    QList<events::LockEvent> m_pending; ///< newest first; matching and not shown yet
    qint64 m_newCount = 0;
    LoadPhase m_phase = LoadPhase::Idle;
    base::Error m_error;
};

} // namespace lockkeeper::app::models
