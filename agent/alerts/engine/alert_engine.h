// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/engine/lock_past.h"
#include "agent/alerts/engine/occurrence.h"
#include "shared/domain/source_state.h"
#include "shared/domain/wait_graph.h"
#include "shared/events/lock_event.h"

#include <QList>
#include <QSet>

#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace lockkeeper::agent::alerts {

/** The agent's own health, for rules about it. */
struct AgentHealth
{
    base::Error audit; ///< why the journal or the audit can't be written; no cause: it can
    bool reloadFailed = false;
    bool operator==(const AgentHealth &) const = default;
};

/**
 * Decides when alerts fire and end. Pure: no thread, timer or clock; every input carries the agent's wall
 * clock. Levels grow without observations. The engine knows when each can fire next, and never scans.
 *
 * While a source isn't observed, the rules for its locks stand still: `for` doesn't count, and nothing fires
 * or ends. Before time alone fires or ends a lock's alert, its source must have been observed at that time or
 * later, and the engine looks at the lock again. A lock that isn't observed now neither fires nor ends.
 *
 * After a start or reload, alerts of a lasting condition or a level wait for the settling time. Alerts from
 * before it end only after the source's whole table was shown. Many alerts of one rule at once become one,
 * the rule's storm, with their number and the worst ten.
 *
 * Lives in one thread.
 */
class AlertEngine
{
public:
    /** Returns the lock as the agent's table has it now; nullopt: the table doesn't have it. */
    using Look = std::function<std::optional<domain::LockState>(const domain::LockKey &)>;

    static constexpr int kStorm = 20;                    ///< more alerts than this of one rule are a storm
    static constexpr qint64 kStormWithinUs = 10'000'000; ///< if they fire within this time
    static constexpr qsizetype kWorst = 10;

    explicit AlertEngine(Look look);

    /** Replaces the rules. Alerts of a rule that no longer exists end. */
    void configure(const AlertSettings &settings, qint64 nowUs);
    /** Takes the alerts that weren't over when the agent ended. Call it after configure(). */
    void restore(const QList<domain::Alert> &alerts);

    void showSource(const domain::SourceState &source, qint64 nowUs);
    void removeSource(const QString &source, qint64 nowUs);
    void showLock(const domain::LockState &lock, qint64 nowUs);
    /** The table no longer has the lock. */
    void removeLock(const domain::LockKey &key, qint64 nowUs);
    /** Every lock of the source has been shown since it was last observed. */
    void endTable(const QString &source, qint64 nowUs);
    void take(const events::LockEvent &event, qint64 nowUs);
    /** Takes an event from before the agent's start, which says nothing about the lock's state now. */
    void takePast(const events::LockEvent &event, qint64 nowUs);
    void showGraph(const domain::WaitGraph &graph, qint64 nowUs);
    void showAgent(const AgentHealth &health, qint64 nowUs);
    /** `error`: why the receiver can't be reached; no cause: it can. */
    void showReceiver(const QString &receiver, const base::Error &error, qint64 nowUs);

    /**
     * The agent stood still, or its wall clock jumped, since `lastUs` of the clock as it was. Nothing fires
     * or ends until each source was observed again, with its clock's offset.
     */
    void wake(qint64 lastUs, qint64 nowUs);
    /** Fires and ends what is due. */
    void step(qint64 nowUs);
    /** When the next step is due, after the calls so far; empty: when something is shown. */
    std::optional<qint64> dueUs() const;
    /** The alerts that fired, changed or ended since the last call. */
    QList<domain::Alert> takeChanges();
    /** Null: no rule has that name. */
    const AlertRule *rule(const QString &name) const;
    qsizetype activeCount() const;

private:
    struct WatchedSource
    {
        std::optional<qint64> blindSinceUs = 0;        ///< set while the link isn't up
        qint64 offsetUs = 0;                           ///< the store's clock minus the agent's
        domain::TimeUs gapSinceUs;                     ///< set while a part of it, or all, isn't seen
        bool hasGraph = false;                         ///< its waits are read as a graph
        bool pushes = false;                           ///< the store announces changes as they happen
        qint64 seenUs = 0;                             ///< the last whole observation
        bool isAwaited = false;                        ///< blind until another observation than that one
        QList<std::pair<qint64, AlertSubject>> unseen; ///< due then, but not observed since
    };
    struct Storm
    {
        domain::Alert alert;
        qint64 members = 0;
        qint64 keepUntilUs = 0; ///< of a storm from before a restart: its locks may still be found
    };

    struct SubjectHash
    {
        size_t operator()(const AlertSubject &subject) const { return qHash(subject); }
    };

    using Occurrences = std::unordered_map<AlertSubject, Occurrence, SubjectHash>;

    /** Where the condition of a rule is read; the rest describes the subject if an alert fires. */
    struct Place
    {
        const domain::LockKey &lock;
        QByteArray object = {};
        QByteArray holder = {};
        QByteArray guard = {};
        QJsonObject detail = {};
    };
    static Place placeOf(const domain::LockState &lock);

    void expect(const AlertRule &rule, const Place &place, const AlertReading &reading, qint64 nowUs);
    void expectEach(domain::AlertCondition when, const Place &place, const AlertReading &reading,
                    qint64 nowUs);
    void moment(domain::AlertCondition when, const events::LockEvent &event, qint64 nowUs);
    bool isWatched(const AlertRule &rule, const domain::LockKey &key) const;
    bool needsPast(const domain::LockKey &key) const;
    bool isBlind(const domain::LockKey &key) const;
    bool isHidden(const domain::LockState &lock) const;
    static bool isSeenSince(const WatchedSource &source, qint64 atUs);
    AlertReading lockReading(const AlertRule &rule, const domain::LockState &lock, qint64 nowUs) const;
    void expectNamed(const AlertRule &rule, const QString &source, qint64 nowUs);
    void seeAgain(const QString &source, qint64 blindUs, qint64 nowUs);
    QSet<AlertSubject> showChains(const domain::WaitGraph &graph, qint64 nowUs);

    bool lookAgain(const AlertSubject &subject, Occurrence &one, const AlertRule &rule, qint64 nowUs);
    bool judge(const AlertSubject &subject, Occurrence &one, const AlertRule &rule, qint64 nowUs);
    bool judgeTrue(const AlertSubject &subject, Occurrence &one, const AlertRule &rule, qint64 nowUs);
    bool judgeFalse(const AlertSubject &subject, Occurrence &one, const AlertRule &rule, qint64 nowUs);
    void drop(Occurrences::iterator it);
    void schedule(const AlertSubject &subject, Occurrence &one, qint64 atUs);
    void fire(qint64 nowUs);
    static domain::Alert alertOf(const AlertSubject &subject, const Occurrence &one, const AlertRule &rule,
                                 qint64 nowUs);
    void fireOne(const AlertSubject &subject, Occurrence &one, const AlertRule &rule, qint64 nowUs);
    void joinStorm(const AlertRule &rule, const QList<AlertSubject> &subjects, qint64 nowUs);
    void end(const AlertSubject &subject, Occurrence &one, qint64 nowUs);
    void endStorms(qint64 nowUs);
    void changed(const domain::Alert &alert);

    Look m_look;
    AlertSettings m_settings;
    qint64 m_settledUs = 0;
    qint64 m_steppedUs = 0;
    QHash<QString, WatchedSource> m_sources;
    LockPasts m_pasts;
    QSet<std::pair<QString, QByteArray>> m_present; ///< source and name of the locks that rules name exactly
    Occurrences m_occurrences;
    std::multimap<qint64, AlertSubject> m_schedule; ///< stale where Occurrence::dueUs differs
    QList<AlertSubject> m_firing;                   ///< to fire in this step
    QHash<QString, QList<qint64>> m_fired;          ///< by rule: the last kStormWithinUs
    QHash<QString, Storm> m_storms;                 ///< by rule
    QHash<QByteArray, domain::Alert> m_changes;     ///< by id
    QByteArrayList m_changeOrder;
};

} // namespace lockkeeper::agent::alerts
