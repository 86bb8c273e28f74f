// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/release_choice.h"

#include "app/cli/agents/seen_once.h"
#include "app/cli/commands/release_command.h"
#include "app/session/same_locks.h"

#include <algorithm>

namespace lockkeeper::app::cli {

namespace {

using Candidate = ReleaseChoice::ReleaseCandidate;

bool isOneAgent(const QList<Candidate> &candidates)
{
    return std::all_of(candidates.cbegin(), candidates.cend(),
                       [&](const Candidate &one) { return one.agent == candidates.constFirst().agent; });
}

/** Chooses only by the agents' sources. */
ReleaseChoice chooseBySource(const QList<const LiveTable *> &agents, const QString &name)
{
    ReleaseChoice choice;
    const domain::SourceState *best = nullptr;
    bool isOneStore = true;
    for (qsizetype i = 0; i < agents.size(); ++i) {
        for (const domain::SourceState &source : agents.at(i)->sources()) {
            if (source.name != name)
                continue;
            const QByteArray store = session::storeIdentity(source);
            isOneStore = isOneStore && !store.isEmpty() && (!best || store == session::storeIdentity(*best));
            if (!best || session::betterSource(source, *best) < 0) {
                best = &source;
                choice.agent = i;
            }
            choice.candidates.append({i, std::nullopt});
        }
    }
    if (choice.candidates.size() > 1 && !isOneStore)
        choice.agent.reset();
    return choice;
}

} // namespace

ReleaseChoice chooseForRelease(const QList<const LiveTable *> &agents, const ReleaseOptions &options)
{
    QList<LiveTable> meant(agents.size());
    QList<const LiveTable *> tables;
    for (qsizetype i = 0; i < agents.size(); ++i) {
        protocol::SnapshotPage page{0, 0, true, {}, agents.at(i)->sources()};
        for (const domain::LockState &lock : agents.at(i)->locks()) {
            if (isMeant(lock.key, options))
                page.locks.append(lock);
        }
        meant[i].add(page);
    }
    for (const LiveTable &table : std::as_const(meant))
        tables.append(&table);
    const SeenOnce once(tables);
    ReleaseChoice choice;
    for (qsizetype i = 0; i < meant.size(); ++i) {
        for (const domain::LockState &lock : meant.at(i).locks()) {
            if (!once.isShownByAnother(i, lock.key))
                choice.candidates.append({i, lock});
        }
    }
    if (choice.candidates.isEmpty())
        return chooseBySource(agents, options.source);
    if (isOneAgent(choice.candidates)) // that agent reports the ambiguity itself
        choice.agent = choice.candidates.constFirst().agent;
    return choice;
}

} // namespace lockkeeper::app::cli
