// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/event_columns.h"
#include "app/session/agents.h"
#include "app/state/query.h"
#include "app/state/replica.h"

namespace lockkeeper::app::models {

/**
 * The journal's events, newest first, in pages of 200 by sequence number. At most 100 pages are kept: what is
 * far off is dropped and asked for again. New events come in at the top while tailing; otherwise they are
 * counted. A filter that the agent can't answer whole is completed here. GUI thread; never waits.
 */
class HistoryModel : public RawModel
{
    Q_OBJECT

public:
    enum class Phase : quint8 { Idle = 0, Loading, Failed };

    HistoryModel(session::Agents &session, state::Replica &replica, QObject *parent = nullptr);
    ~HistoryModel() override;

    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

    const events::LockEvent *at(int row) const;

    /** A filter of scope History. Starts anew from the newest event. */
    void setQuery(const state::Query &query);
    const state::Query &query() const;
    /** Starts anew with the newest event that isn't later than `timeUs`. */
    void goTo(qint64 timeUs);
    /** Starts anew from the newest event, tailing. */
    void reload();
    void cancel();
    /** Reading was cancelled: nobody asks for more until the operator does. */
    bool isHalted() const;
    /** The rows in sight: asks for the next page, either way, before the operator gets there. */
    void prefetch(int firstRow, int lastRow);

    Phase phase() const;
    base::Error error() const; ///< while Failed
    bool hasOlder() const;
    bool hasNewer() const;
    /** Where older events are looked for and none has fitted for a while: everything back to this time was
     * looked at. */
    std::optional<qint64> searchedBackTo() const;

    /** Tailing takes new events in at once, once the first page was asked for; the view stops it on scrolling
     * away from the top and while it is hidden. */
    void setTailing(bool tailing);
    bool isTailing() const;
    /** New events that fit the filter and aren't shown yet: "128 new". */
    qint64 newCount() const;
    /** Numbers between the newest and the oldest row by sequence number; an estimate with a filter. */
    qint64 estimatedTotal() const;

Q_SIGNALS:
    void phaseChanged();
    void newCountChanged();
    void searchedOn(); ///< see searchedBackTo()

private:
    int rows() const override;
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::app::models
