// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/source_engine.h"
#include "agent/release/source_port.h"

namespace lockkeeper::agent::election {

/**
 * A source of a standby agent: another agent observes it. It has no connection and no locks, and refuses
 * every request that needs them. Lives in the main thread.
 */
class StandbySource final : public release::SourcePort
{
public:
    using Why = std::function<base::Error()>;

    /** `restored` and `last`: the knowledge and the state from its last observation; `why` says who observes
     * it now. A gap opens at the last observation, or now if there was none; see opening(). */
    StandbySource(stores::SourceSpec spec, engine::Restored restored, const domain::SourceState &last,
                  qint64 wallUs, Why why);

    /** The event that opens the gap, for the journal; empty if a gap was open already. */
    const QList<events::LockEvent> &opening() const { return m_opening; }
    /** For the source's next observer. No position: the other agent reports what happened meanwhile. */
    const engine::Restored &restored() const { return m_restored; }

    const stores::SourceSpec &spec() const override { return m_spec; }
    domain::SourceState state() const override;
    QList<domain::LockState> locksFrom(quint32 &place, quint32 count) const override;
    std::optional<domain::LockState> lock(const domain::LockKey &) const override { return std::nullopt; }
    std::optional<stores::Subject> subjectFor(const domain::LockKey &) const override { return std::nullopt; }
    domain::LockState stateOf(const stores::Inspection &) const override { return {}; }
    quint64 link() const override { return 0; }
    void inspect(const Caller &caller, const stores::Subject &subject,
                 std::function<void(const stores::Inspection &)> done) override;
    void release(const stores::ReleaseOrder &order,
                 std::function<void(const stores::ReleaseReport &)> done) override;
    void releasedByCommand(const domain::LockKey &, const QByteArray &, const QByteArray &) override {}
    void maybeReleasedByCommand(const domain::LockKey &, const QByteArray &, const QByteArray &) override {}
    void readPoint(const stores::Subject &) override {}
    void readNow(ReadingPurpose purpose, std::function<void(const base::Result<void> &)> done) override;

private:
    stores::SourceSpec m_spec;
    engine::Restored m_restored;
    domain::SourceState m_state;
    QList<events::LockEvent> m_opening;
    Why m_why;
};

} // namespace lockkeeper::agent::election
