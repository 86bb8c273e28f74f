// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/election/standby_source.h"

#include <utility>

namespace lockkeeper::agent::election {

StandbySource::StandbySource(stores::SourceSpec spec, engine::Restored restored,
                             const domain::SourceState &last, qint64 wallUs, Why why)
    : m_spec(std::move(spec)), m_restored(std::move(restored)), m_state(last), m_why(std::move(why))
{
    m_restored.position.clear();
    m_state.name = m_spec.name;
    if (m_state.store.isEmpty())
        m_state.store = stores::storeKind(m_spec.url).value_or(QByteArray());
    m_state.address = stores::displayAddress(m_spec.url);
    m_state.link = domain::Link::Standby;
    m_state.sinceWallUs = wallUs;
    m_state.pollMs = m_spec.pollMs;
    if (m_restored.lastSeenUs != 0)
        m_state.lastSeenUs = m_restored.lastSeenUs;
    m_state.retryWallUs.reset();
    m_state.counts = {};
    m_state.findings.clear();
    for (const stores::LockSet &set : m_spec.locks) {
        if (!m_state.schemes.contains(set.scheme))
            m_state.schemes.append(set.scheme);
    }
    if (m_restored.gapSinceUs == 0)
        m_restored.gapSinceUs = m_restored.lastSeenUs != 0 ? m_restored.lastSeenUs : wallUs;
    if (!std::exchange(m_restored.gapOpen, true)) {
        events::LockEvent event;
        event.key.source = m_spec.name;
        event.store = m_state.store;
        event.kind = events::EventKind::GapOpened;
        event.timeUs = event.observedUs = m_restored.gapSinceUs;
        event.detail.cause = events::EventCause::Standby;
        m_opening.append(event);
    }
    m_state.gapSinceUs = m_restored.gapSinceUs;
}

domain::SourceState StandbySource::state() const
{
    domain::SourceState state = m_state;
    state.error = m_why();
    if (state.error.code == base::ErrorCode::ReadOnly) // all is well: another agent observes it
        state.error.code = base::ErrorCode::Unknown;
    return state;
}

QList<domain::LockState> StandbySource::locksFrom(quint32 &place, quint32) const
{
    place = kNoPlace;
    return {};
}

void StandbySource::inspect(const Caller &, const stores::Subject &,
                            std::function<void(const stores::Inspection &)> done)
{
    stores::Inspection inspection;
    inspection.error = m_why();
    done(inspection);
}

void StandbySource::release(const stores::ReleaseOrder &,
                            std::function<void(const stores::ReleaseReport &)> done)
{
    stores::ReleaseReport report;
    report.outcome = domain::Outcome::Refused;
    report.error = m_why();
    done(report);
}

void StandbySource::readNow(ReadingPurpose, std::function<void(const base::Result<void> &)> done)
{
    done(tl::unexpected(m_why()));
}

} // namespace lockkeeper::agent::election
