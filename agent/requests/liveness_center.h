// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/liveness/holder_probe.h"
#include "agent/liveness/probe_plan.h"
#include "agent/release/holder_knowledge.h"
#include "agent/release/source_port.h"
#include "shared/base/clock.h"
#include "shared/domain/sight.h"
#include "shared/events/lock_event.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>

namespace lockkeeper::agent::requests {

/**
 * Finds out whether holders are alive: probes a lock when somebody looks at it, and by itself while it is
 * stuck, expired or waited for. Lives in the main thread; the probes are asynchronous.
 *
 * A verdict belongs to one acquisition. A guard that follows the lock's deadline changes with each renewal: a
 * renewal leaves *alive* and *unknown* valid, and voids *dead*, which it contradicts.
 */
class LivenessCenter : public QObject
{
    Q_OBJECT

public:
    using Checks = std::function<void(const QList<domain::HolderCheck> &)>;
    using ProbeMaker = std::function<std::unique_ptr<liveness::HolderProbe>(
        const liveness::ProbeTarget &, const std::optional<liveness::AcquiredWhen> &,
        liveness::HolderProbe::Done)>;

    LivenessCenter(release::SourceDirectory &sources, const base::Clock &clock,
                   ProbeMaker makeProbe = &liveness::makeProbe, QObject *parent = nullptr);
    ~LivenessCenter() override;

    void configure(const QList<config::LivenessRule> &rules);
    /** Ends the probes; those who wait get the last verdicts. */
    void stop();
    /** Takes events as they are published. */
    void take(const QList<events::LockEvent> &events);
    /** Takes states that changed without an event. */
    void show(const QList<domain::LockState> &locks, const QList<domain::LockKey> &removed);
    /** The tables changed without events: looks through them again. */
    void walkTables();

    /**
     * Probes one lock now, unless it was probed a moment ago, and answers with one check. A lock that the
     * asker can't see is answered like one that doesn't exist.
     */
    void look(const domain::LockKey &key, const domain::Sight &sight, const Checks &done);
    /** Every known verdict that the asker may see. */
    QList<domain::HolderCheck> known(const domain::Sight &sight) const;
    std::optional<release::HolderKnowledge> knowledge(const domain::LockKey &key,
                                                      const QByteArray &guard) const;
    qint64 nowUs() const { return m_clock.wallUs(); }

private:
    struct KnownVerdict
    {
        domain::HolderCheck check;
        QByteArray token;
        domain::TimeUs acquiredUs;
        qint64 monotonicUs = 0; ///< when it was found
        qint64 everyUs = 0;
    };
    struct RunningProbe
    {
        domain::LockState asked; ///< as it was when the probe began
        KnownVerdict draft;      ///< without its result
        std::unique_ptr<liveness::HolderProbe> probe;
        QList<Checks> waiting;
    };

    void consider(const domain::LockState &lock);
    void forget(const domain::LockKey &key);
    void walkOn();
    void step();
    bool isObserved(const release::SourcePort *port) const;
    static bool isInTrouble(const domain::LockState &lock);
    bool isValid(const KnownVerdict &known, const domain::LockState &lock) const;
    std::optional<domain::HolderCheck> checkOf(const domain::LockState &lock) const;
    domain::HolderCheck draftOf(const domain::LockState &lock, const liveness::TargetChoice &choice) const;
    liveness::ProbePermit probe(const domain::LockState &lock, const liveness::TargetChoice &choice,
                                liveness::ProbeCause cause);
    std::optional<liveness::AcquiredWhen> acquiredWhen(const domain::LockState &lock) const;
    void probed(quint64 run, const liveness::ProbeOutcome &outcome);
    void cancelAll(const liveness::ProbeOutcome &outcome);
    void keep(const KnownVerdict &known);
    void passOn(const domain::LockState &lock, domain::HolderVerdict verdict);

    release::SourceDirectory &m_sources;
    const base::Clock &m_clock;
    ProbeMaker m_makeProbe;
    liveness::TargetFinder m_finder{{}, {}};
    liveness::ProbePlan m_plan;
    QHash<domain::LockKey, KnownVerdict> m_known;
    QSet<domain::LockKey> m_inTrouble; ///< locks to probe again and again
    std::map<quint64, RunningProbe> m_running;
    QHash<domain::LockKey, quint64> m_runningOf;
    QHash<QString, quint32> m_walks; ///< by source: the place where its next slice begins
    quint64 m_lastRun = 0;
    QTimer m_step;
    QTimer m_walk;
};

} // namespace lockkeeper::agent::requests
