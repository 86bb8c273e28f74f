// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/agent.h"
#include "shared/base/text.h"

#include <QLoggingCategory>

namespace lockkeeper::agent::application {

Q_LOGGING_CATEGORY(lcReload, "lockkeeper.application.reload")

bool canReconfigure(const stores::SourceSpec &before, const stores::SourceSpec &after)
{
    // All figures that the engine alone uses, and those that a store takes over while it is open, are made
    // equal; what differs then concerns the store. What may be broken is among it: no order may be under way
    // by the old word.
    stores::SourceSpec same = after;
    same.pollMs = before.pollMs;
    same.reconcileMs = before.reconcileMs;
    same.journalRenewals = before.journalRenewals;
    same.probe = before.probe;
    if (same.locks.size() != before.locks.size())
        return false;
    for (qsizetype i = 0; i < same.locks.size(); ++i) {
        stores::LockSet &set = same.locks[i];
        set.stuckAfterUs = before.locks.at(i).stuckAfterUs;
        set.noExpiryAfterUs = before.locks.at(i).noExpiryAfterUs;
        set.reaper = before.locks.at(i).reaper;
        set.approval = before.locks.at(i).approval;
    }
    return same == before;
}

void Agent::reload()
{
    const config::Outcome read = config::read(m_config.file);
    if (!read) {
        qCCritical(lcReload) << "the configuration has mistakes and is not taken over";
        for (const config::Problem &problem : read.error())
            qCCritical(lcReload).noquote() << problem.text();
        return;
    }
    apply(*read);
}

void Agent::apply(const config::Config &wanted)
{
    config::Config next = wanted;
    if (next.name != m_config.name || next.dataDir != m_config.dataDir ||
        next.journalPath != m_config.journalPath) {
        qCWarning(lcReload)
            << "name, data_dir and the journal's url change only when the agent is started again";
        next.name = m_config.name;
        next.dataDir = m_config.dataDir;
        next.journalPath = m_config.journalPath;
    }
    if (next.election != m_config.election) {
        qCWarning(lcReload) << "the election changes only when the agent is started again";
        next.election = m_config.election;
    }
    m_journal->setRetention(next.keepDays, next.keepMib, next.keepRollupsDays);
    m_policy = access::policyOfThisProcess(next.access);
    m_server->policyChanged();
    m_approvals->policyChanged();
    applyListeners(next);
    if (applySources(next.sources))
        m_publisher->restartAll();
    m_config = next;
    qCInfo(lcReload) << "the configuration was read again:" << sources().size() << "sources";
}

void Agent::applyListeners(const config::Config &wanted)
{
    if (const auto ready = serveTls(wanted); !ready)
        qCCritical(lcReload).noquote() << "the listeners stay as they were:" << ready.error().line();
    else if (const auto listening = m_server->listen(wanted.listen, wanted.dataDir); !listening)
        qCCritical(lcReload).noquote() << listening.error().line();
    if (wanted.metrics == m_config.metrics)
        return;
    if (const auto serving = serveMetrics(wanted.metrics); !serving)
        qCCritical(lcReload).noquote() << serving.error().line();
}

bool Agent::applySources(const QList<stores::SourceSpec> &wanted)
{
    if (m_election && !m_election->isActive())
        return applyStandbys(wanted);
    bool tablesChanged = false;
    std::map<QString, engine::Restored> known;
    const auto specOf = [&wanted](const QString &name) {
        return std::find_if(wanted.cbegin(), wanted.cend(),
                            [&name](const auto &spec) { return spec.name == name; });
    };
    for (auto it = m_runners.begin(); it != m_runners.end();) {
        SourceRunner &runner = *it->second;
        const auto spec = specOf(it->first);
        if (spec != wanted.cend() && canReconfigure(runner.spec(), *spec)) {
            if (*spec != runner.spec())
                runner.reconfigure(*spec);
            ++it;
            continue;
        }
        // Gone, or to be connected anew: what was held is handed on, so that no acquisition time is lost.
        known[it->first] = runner.restored();
        runner.stop();
        it = m_runners.erase(it);
        tablesChanged = true;
    }
    for (const stores::SourceSpec &spec : wanted) {
        if (m_runners.contains(spec.name))
            continue;
        tablesChanged = true;
        if (const auto begun = observe(spec, known[spec.name]); !begun)
            qCCritical(lcReload).noquote()
                << "source" << base::singleLine(spec.name) << "isn't observed:" << begun.error().line();
    }
    return tablesChanged;
}

} // namespace lockkeeper::agent::application
