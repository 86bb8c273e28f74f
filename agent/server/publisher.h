// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/journal.h"
#include "agent/release/source_port.h"
#include "agent/server/batches.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QTimer>

#include <deque>
#include <functional>
#include <stop_token>

namespace lockkeeper::agent::server {

/**
 * Stands between the sources, the journal and the sessions, and keeps their order. It guarantees:
 *
 * - An event is published only once it is durable, in the order of the numbers.
 * - An update (renewal, point read) of a lock is published after every earlier event. It is never published
 *   after a later event of that lock: otherwise an older state would replace a newer one.
 * - A snapshot equals the table after all events up to its number. It is copied in slices while the table
 *   changes. Locks that changed meanwhile are copied again, until the rest can be copied in one go.
 * - The table is ahead of the journal. A copy is therefore handed over after its last event was published,
 *   and before the next: a stream that gets events and then a table gets each event.
 *
 * While the journal can't write, updates and the states after its events are published as unjournalled. Every
 * stream restarts when that begins and when it ends, and when the journal reports that it dropped events.
 * Lives in the main thread.
 */
class Publisher : public QObject
{
    Q_OBJECT

public:
    using SnapshotDone = std::function<void(SnapshotPtr)>;
    /** Selects locks; an empty field matches all. */
    struct LockFilter
    {
        QString source;
        QByteArray nameGlob;
        domain::Sight sight;

        bool fits(const domain::LockKey &key) const;
    };

    Publisher(journal::Journal &journal, release::SourceDirectory &sources, QObject *parent = nullptr);
    ~Publisher() override;

    void append(const QList<events::LockEvent> &events, const QList<journal::Progress> &progress);
    void update(const QList<domain::LockState> &states, const QList<events::LockEvent> &renewals);
    void sourceChanged(const QString &name);
    /** The table changed without an event (a source was removed from the configuration). */
    void restartAll();

    /** Calls back once everything appended until now has been published; at once while the journal fails. */
    void whenPublished(std::function<void()> done);
    /**
     * Copies the table, or the locks that match the filter, and calls back with its number, unless `context`
     * was destroyed or the request was cancelled by then. At most two snapshots exist at a time (each may be
     * large), and one per context. The other requests wait; the contexts take turns.
     */
    void takeSnapshot(QObject *context, SnapshotDone done, const LockFilter &filter = {},
                      std::stop_token takenBack = {});

    quint64 lastSeq() const { return m_lastSeq; }
    bool isFailing() const { return m_failing; }

Q_SIGNALS:
    void published(const lockkeeper::agent::server::BatchPtr &batch);
    void statesChanged(const lockkeeper::agent::server::StatesPtr &states);
    /** Every stream with a table is void: take a new snapshot. */
    void restarted();

private:
    struct SnapshotRequest
    {
        QPointer<QObject> context;
        SnapshotDone done;
        LockFilter filter;
        std::stop_token takenBack;

        bool isWanted() const { return context && !takenBack.stop_requested(); }
    };
    struct Copying
    {
        std::shared_ptr<Snapshot> snapshot;
        SnapshotRequest asked;
        QStringList sources; ///< still to be copied; the first is in progress
        quint32 place = 0;
        QSet<domain::LockKey> changed; ///< since they were copied, or to be copied again
        QList<domain::LockKey> again;  ///< still to be copied again in this round
        int rounds = 0;

        void note(const domain::LockKey &key)
        {
            if (asked.filter.fits(key))
                changed.insert(key);
        }
    };
    struct Copied
    {
        quint64 mark = 0; ///< m_appended when the copy was made
        std::shared_ptr<Snapshot> snapshot;
        SnapshotRequest asked;
    };
    struct Update
    {
        quint64 mark = 0;
        domain::LockState state;
    };

    void committed(const QList<events::LockEvent> &events);
    void failed();
    void recovered();
    void flush();
    void flushSoon();
    void copyNext();
    void copySome();
    bool copySlices();
    bool copyAgain();
    void copyNow(const QList<domain::LockKey> &locks);
    void endCopy();
    QStringList sourceNames() const;
    /** Hands over the copies whose events are published by now; all copies if waiting is pointless. */
    void settle(bool atOnce = false);
    void runBarriers();
    QList<domain::SourceState> sourceStates(const domain::Sight &sight) const;

    journal::Journal &m_journal;
    release::SourceDirectory &m_sources;
    quint64 m_appended = 0;  ///< events that the journal has taken
    quint64 m_committed = 0; ///< the published ones among these
    quint64 m_lastSeq = 0;   ///< published
    bool m_failing = false;
    QList<const QObject *> m_holders; ///< contexts with a live snapshot; must outlive those below
    std::deque<SnapshotRequest> m_asked;
    std::optional<Copying> m_copying;
    std::deque<Copied> m_copied;
    std::deque<std::pair<quint64, std::function<void()>>> m_barriers;
    QHash<domain::LockKey, Update> m_updates;
    QSet<domain::LockKey> m_removed;
    std::deque<std::pair<quint64, events::LockEvent>> m_renewals;
    QSet<QString> m_changedSources;
    QTimer m_flush;
    QTimer m_heartbeat;
    QTimer m_copyTurn;
    QTimer m_patience; ///< limits how long snapshots wait for a commit
};

} // namespace lockkeeper::agent::server
