// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/release/holder_knowledge.h"
#include "agent/release/releaser.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <deque>

namespace lockkeeper::agent::release {

/** The verdict of a lock set's policy on one lock, at one look. */
struct ReapVerdict
{
    bool candidate = false; ///< expired or stuck as the policy says, and breakable under a guard
    domain::Because because = domain::Because::Expired;
    qint64 sinceUs = 0; ///< Expired: the deadline, by the store's clock; 0: counted from the first look
};

/**
 * Whether `policy` applies to `lock`. It never applies to a lock that is held within its lease, free or
 * malformed, that has no identity, or that could only be broken unsafely. It never applies to a session's
 * lock either, which lives as long as its connection. `isHolderFreshlyDead`: see HolderKnowledge. Pure.
 */
ReapVerdict reapVerdict(const stores::ReaperPolicy &policy, const domain::LockState &lock,
                        bool isHolderFreshlyDead);

/** Whether the agent knows enough about a source to act: link up, no gap, read a moment ago. Pure. */
bool isFitToReap(const domain::SourceState &source, qint64 wallUs);

/**
 * Force-releases locks by policy. It looks at the lock tables in slices, and passes due locks to the Releaser
 * as an operator would: with the guard of the acquisition that it saw, freshness included. An intent is
 * durable before each release, and its outcome after it. One release per source at a time, and per minute as
 * many as the lock set allows. A dry run checks everything, also in the store, and writes nothing there; the
 * audit says `would_release`, once for each acquisition. Lives in the main thread.
 */
class Reaper : public QObject
{
    Q_OBJECT

public:
    struct Totals
    {
        qint64 reaped = 0;
        qint64 wouldReap = 0; ///< in dry-run
        qint64 refused = 0;   ///< the holder changed, a rule or the store refused, or the outcome is unknown

        bool operator==(const Totals &) const = default;
    };

    Reaper(SourceDirectory &sources, Releaser &releaser, const base::Clock &clock, QObject *parent = nullptr);

    /** Looks verdicts on holders up; without it no holder counts as dead. */
    void setHolderKnowledge(HolderKnowledgeOf knowledge) { m_holderKnowledge = std::move(knowledge); }
    /** Starts to step every `everyMs` ms. */
    void start(int everyMs);
    void stop() { m_timer.stop(); }
    /** Looks at the next slice of every source. */
    void step();
    /** By source, since the agent's start. */
    QHash<QString, Totals> totals() const { return m_totals; }
    static QString userName() { return QStringLiteral("reaper"); }

private:
    /** An acquisition that was found due once. */
    struct DueHold
    {
        QByteArray guard;
        qint64 firstSeenUs = 0; ///< by the store's clock
        qint64 notBeforeUs = 0; ///< monotonic
        int attempts = 0;
        bool said = false; ///< a dry run found that it would be released
        quint64 round = 0; ///< the last scan that saw it
    };
    struct ReapedSource
    {
        quint32 place = 0; ///< where the next slice begins
        quint64 round = 0;
        bool busy = false;
        QHash<domain::LockKey, DueHold> known;
        QHash<quint16, std::deque<qint64>> acts; ///< by lock set: monotonic times within the last minute
    };

    void scan(SourcePort &port, ReapedSource &source);
    void consider(SourcePort &port, ReapedSource &source, const domain::LockState &lock);
    bool mayAct(ReapedSource &source, quint16 set, const stores::ReaperPolicy &policy);
    void act(const QString &name, const domain::LockState &lock, const stores::ReaperPolicy &policy,
             const ReapVerdict &verdict, qint64 forUs);
    void acted(const protocol::ForceRelease &request, const domain::LockState &lock,
               const protocol::ReleaseResult &result);
    void auditDryRun(const protocol::ForceRelease &request, const domain::LockState &lock);

    SourceDirectory &m_sources;
    Releaser &m_releaser;
    const base::Clock &m_clock;
    HolderKnowledgeOf m_holderKnowledge;
    QTimer m_timer;
    QHash<QString, ReapedSource> m_state; ///< by source
    QHash<QString, Totals> m_totals;
};

} // namespace lockkeeper::agent::release
