// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/agent.h"

#include <QLoggingCategory>

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::application {

Q_LOGGING_CATEGORY(lcHandOver, "lockkeeper.application.election")

base::Result<void> Agent::beginElection(const journal::Opened &opened)
{
    const config::Election &wanted = *m_config.election;
    const QByteArray owner = election::Election::ownerOf(m_config.name);
    auto manager = locks::LockManager::open(wanted.store, wanted.store.locks.constFirst(), owner);
    if (!manager)
        return tl::unexpected(manager.error());
    const auto every = std::chrono::milliseconds(wanted.ttlUs / 3'000);
    m_election = std::make_unique<election::Election>(
        wanted, owner, *std::move(manager),
        std::make_unique<election::HolderReader>(wanted.store, wanted.lock, every, m_makeStore), m_clock);
    m_epoch = opened.epoch;
    for (const stores::SourceSpec &spec : std::as_const(m_config.sources))
        standBy(spec, restoredOf(opened, spec.name), {});
    connect(m_election.get(), &election::Election::becameActive, this, &Agent::becomeActive);
    connect(m_election.get(), &election::Election::becameStandby, this, &Agent::becomeStandby);
    return m_election->start();
}

void Agent::standBy(const stores::SourceSpec &spec, engine::Restored restored,
                    const domain::SourceState &last)
{
    auto source = std::make_unique<election::StandbySource>(spec, std::move(restored), last, m_clock.wallUs(),
                                                            [this] { return m_election->standbyError(); });
    if (!source->opening().isEmpty())
        m_publisher->append(source->opening(), {});
    m_standbys[spec.name] = std::move(source);
    m_publisher->sourceChanged(spec.name);
}

void Agent::becomeActive(const QByteArray &fencing)
{
    m_epoch = fencing.isEmpty() ? QByteArray::number(m_epoch.toULongLong() + 1) : fencing;
    m_journal->noteEpoch(m_epoch, m_clock.wallUs());
    qCInfo(lcHandOver).noquote() << "active in epoch" << m_epoch << "after event" << m_journal->lastSeq();
    for (const auto &[name, standby] : std::exchange(m_standbys, {})) {
        if (const auto begun = observe(standby->spec(), standby->restored()); !begun)
            qCCritical(lcHandOver).noquote() << "a source isn't observed:" << begun.error().line();
    }
    m_publisher->restartAll();
}

/** What was seen last is told as it was; from then on there is a gap. */
void Agent::becomeStandby()
{
    for (const auto &[name, runner] : std::exchange(m_runners, {})) {
        const domain::SourceState last = runner->state();
        const engine::Restored restored = runner->restored();
        runner->stop();
        standBy(runner->spec(), restored, last);
    }
    m_publisher->restartAll();
}

/** A standby has nothing to connect anew. */
bool Agent::applyStandbys(const QList<stores::SourceSpec> &wanted)
{
    const auto known = std::exchange(m_standbys, {});
    for (const stores::SourceSpec &spec : wanted) {
        const auto before = known.find(spec.name);
        const bool found = before != known.cend();
        standBy(spec, found ? before->second->restored() : engine::Restored(),
                found ? before->second->state() : domain::SourceState());
    }
    return true;
}

} // namespace lockkeeper::agent::application
