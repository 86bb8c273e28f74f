// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/application/read_budget.h"
#include "agent/application/request_deadlines.h"
#include "agent/application/turns.h"
#include "agent/engine/source_engine.h"
#include "agent/release/source_port.h"
#include "agent/server/publisher.h"
#include "shared/base/clock.h"
#include "shared/stores/set_owners.h"

#include <QHash>
#include <QMap>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>
#include <memory>

namespace lockkeeper::agent::application {

/**
 * Connects one store with one engine: stamps each of the store's answers with its Instant, carries out the
 * engine's steps, and wakes the engine when it asks for it. Lives in the main thread (a store with a blocking
 * driver has a thread inside).
 */
class SourceRunner final : public QObject, public release::SourcePort
{
    Q_OBJECT

public:
    SourceRunner(const stores::SourceSpec &spec, std::unique_ptr<stores::Store> store,
                 const base::Clock &clock, server::Publisher &publisher, QObject *parent = nullptr);
    ~SourceRunner() override;

    /** Whether this agent still observes the source, and will for at least `forUs` microseconds. */
    using Duty = std::function<bool(qint64 forUs)>;
    /** Called before any answer of the store is used, and before a release is sent. Without it the agent
     * always observes. Set it before start(). */
    void setDuty(Duty duty) { m_duty = std::move(duty); }
    void start(const engine::Restored &restored);
    /** Ends the connection, and answers every pending request. */
    void stop();
    /** Pauses the reading of scans while the journal has too much to write. */
    void setPaused(bool paused);
    /** Applies changed figures to the same store (intervals, limits for stuck locks). */
    void reconfigure(const stores::SourceSpec &spec);

    /** The state that a new runner of this source needs. */
    engine::Restored restored() const;
    /** For the journal; empty if the source was never seen. */
    std::optional<journal::Progress> progress() const;
    /** See engine::Restored::sets. */
    const QByteArrayList &scannedSets() const { return m_engine.scannedSets(); }
    engine::LastServer lastServer() const { return m_engine.lastServer(); }
    engine::Ages ages() const { return m_engine.table().ages(now()); }
    qint64 tableBytes() const { return m_engine.memoryBytes(); }
    quint64 eventCount() const { return m_eventCount; }
    quint64 missedPushes() const { return m_engine.table().missedPushes(); }
    quint64 unreadPushes() const { return m_engine.table().unreadPushes(); }
    /** Counted at most every 5 s if the source has several schemes. */
    QHash<QByteArray, domain::Counts> locksByScheme() const;

    const stores::SourceSpec &spec() const override { return m_spec; }
    domain::SourceState state() const override;
    QList<domain::LockState> locksFrom(quint32 &place, quint32 count) const override
    {
        return m_engine.table().locksFrom(place, count);
    }
    std::optional<domain::LockState> lock(const domain::LockKey &key) const override
    {
        return m_engine.table().lock(key);
    }
    std::optional<stores::Subject> subjectFor(const domain::LockKey &key) const override;
    domain::LockState stateOf(const stores::Inspection &i) const override
    {
        return m_engine.table().stateOf(i);
    }
    std::optional<domain::WaitGraph> waitGraph() const override;
    quint64 link() const override { return m_link; }
    void inspect(const Caller &caller, const stores::Subject &subject,
                 std::function<void(const stores::Inspection &)> done) override;
    void release(const stores::ReleaseOrder &order,
                 std::function<void(const stores::ReleaseReport &)> done) override;
    void releasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                           const QByteArray &command) override;
    void maybeReleasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                const QByteArray &command) override;
    void holderChecked(const domain::LockKey &key, const QByteArray &guard, bool isGone) override;
    void readPoint(const stores::Subject &subject) override;
    void probe(const stores::ProbeOrder &order,
               std::function<void(const stores::ProbeReport &)> done) override;
    void readNow(ReadingPurpose purpose, std::function<void(const base::Result<void> &)> done) override;

private:
    struct WaitingReader
    {
        quint64 from = 0; ///< the first scan that answers it
        std::function<void(const base::Result<void> &)> done;
    };
    using Inspected = std::function<void(const stores::Inspection &)>;
    /** The callers that asked for one lock: a reading answers all that asked before it began. */
    struct Inspectors
    {
        Caller caller;               ///< of the next reading: one that acts, if there is one
        QList<Inspected> now;        ///< answered by the reading under way
        QList<Inspected> next;       ///< asked since then
        std::function<void()> begin; ///< set while the reading for `now` waits for the limit
    };

    engine::Instant now() const;
    /**
     * Passes `input` to the engine and carries out the resulting step. Does nothing once another agent may
     * observe the source: the engine journals everything that it takes, so it must not see this input.
     */
    template <typename Input> void take(Input &&input)
    {
        if (!m_stopped && (!m_duty || m_duty(0)))
            run(input(now()));
    }
    void run(const engine::EngineStep &step);
    void tick();
    void arm();
    void opened(const stores::ServerInfo &info);
    void failed(const base::Error &error);
    void beginScan();
    void scanEnded(quint64 scan, const stores::ScanEnd &end);
    stores::Store::PageTaken pageTaker();
    void pushed(const stores::Push &push);
    void pushStateChanged(const stores::PushState &state);
    void waitGraphRead(const domain::WaitGraph &graph);
    /** Wraps `done` for the store. It is called once: with the store's answer, or with an error after
     * `within` or at the end of this source. */
    template <typename Answer>
    std::function<void(const Answer &)> limited(std::chrono::milliseconds within, const QString &late,
                                                std::function<void(const Answer &)> done);
    void readPoints(const QList<stores::Subject> &subjects);
    void ask(const Caller &caller, const stores::Subject &subject);
    /** Begins the reading; false: it doesn't wait for the limit any more. */
    bool beginInspection(const stores::Subject &subject);
    qint64 readsOfAScan() const;
    /** Begins the next look when the limit allows it. */
    void takeTurns();
    qint64 readsPerSecond() const;
    /** Calls `read`, which reads `reads` locks, when the limit of readings allows it. */
    void within(ReadBudget &budget, qint64 reads, std::function<void()> read);
    void inspected(const stores::Subject &subject, const stores::Inspection &read);
    void limitRead(quint64 from);
    void answerReaders(quint64 scan, const base::Result<void> &result);

    stores::SourceSpec m_spec;
    const base::Clock &m_clock;
    server::Publisher &m_publisher;
    engine::SourceEngine m_engine;
    std::unique_ptr<stores::Store> m_store;
    stores::SetOwners m_owners;
    Duty m_duty;
    QTimer m_tick;
    QByteArray m_storeKind;
    QByteArray m_position; ///< of the last push that the engine took
    QList<QByteArray> m_places;
    std::optional<domain::WaitGraph> m_graph; ///< of this link
    quint64 m_link = 0;
    quint64 m_request = 0;
    quint64 m_lastScan = 0; ///< number of the scan that began last
    bool m_wasUp = false;
    bool m_stopped = false;
    bool m_paused = false;
    quint64 m_eventCount = 0;
    mutable QHash<QByteArray, domain::Counts> m_counts;
    mutable qint64 m_countedUs = 0;
    QMap<quint64, std::function<void(const base::Error &)>> m_undone; ///< ends limited()'s pending calls
    RequestDeadlines m_deadlines;
    ReadBudget m_scans; ///< scans that clients request
    ReadBudget m_singleReads;
    Turns<stores::Subject> m_lookTurns;              ///< locks that sessions want to inspect
    bool m_isTurnDue = false;                        ///< a deadline begins the next look
    qint64 m_scanBeganUs = 0;                        ///< start of the last scan; monotonic, as below
    std::optional<qint64> m_readFromUs;              ///< start of this link's last complete scan
    QHash<stores::Subject, Inspectors> m_inspectors; ///< of locks that are being read
    QList<WaitingReader> m_readers;
};

} // namespace lockkeeper::agent::application
