// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/release_verdict.h"

#include "app/replica/replica.h"
#include "app/session/agent_group.h"
#include "app/words/words.h"

#include <algorithm>

namespace lockkeeper::app::views {

ReleaseVerdict ReleaseVerdict::of(const QList<domain::LockKey> &keys, const ConsoleContext &context)
{
    if (keys.isEmpty())
        return off(nothingSelected());
    if (context.past)
        return off(words::Words::releaseOff(domain::ReleaseOff::Past));
    if (context.replica->isOffline())
        return off(tr("Can't release: no agent is connected. Connect to one in the Agent menu."));
    const domain::Grants grants = context.session->grants(); // none before an agent has sent them
    if (!grants.list.isEmpty() && !grants.mayAnywhere(domain::Permission::Release))
        return off(tr("Can't release: your role is %1. An administrator can make you an operator.")
                       .arg(words::Words::role(domain::roleName(grants.role()))));
    if (keys.size() == 1)
        return ofOne(keys.first(), context);
    const bool any = std::any_of(keys.cbegin(), keys.cend(),
                                 [&](const domain::LockKey &key) { return ofOne(key, context).possible; });
    return any ? ReleaseVerdict{true, {}}
               : off(tr("Can't release: none of the selected locks can be released. Select one of them to "
                        "see why."));
}

QString ReleaseVerdict::nothingSelected()
{
    return tr("No lock is selected.");
}

QString ReleaseVerdict::notListed()
{
    return tr("Can't release: this list doesn't show the lock. Clear the filter in Locks to see it.");
}

ReleaseVerdict ReleaseVerdict::ofOne(const domain::LockKey &key, const ConsoleContext &context)
{
    const auto state = context.replica->find(key);
    if (!state)
        return off(context.replica->isStale(key.source)
                       ? words::Words::releaseOff(domain::ReleaseOff::SourceDown)
                       : tr("Can't release: the lock isn't listed any more. It was released, or is no longer "
                            "observed."));
    if (context.session->hasGrants(key.source) &&
        !context.session->may(domain::Permission::Release, key.source, key.name))
        return off(tr("Can't release: your role doesn't cover this lock. An administrator can extend it."));
    if (context.replica->isReleasing(key))
        return off(tr("A release is under way."));
    if (context.replica->isStale(key.source))
        return off(words::Words::releaseOff(domain::ReleaseOff::SourceDown));
    if (state->phase == domain::Phase::Optimistic)
        return off(words::Words::nothingToBreak());
    // A lock without a holder may still have something left on a minority of its nodes.
    if (state->phase == domain::Phase::Free && !(state->release.possible() && !state->nodes.isEmpty()))
        return off(words::Words::releaseOff(domain::ReleaseOff::Free));
    if (!state->release.possible())
        return off(words::Words::releaseOff(state->release.why));
    return {true, {}};
}

} // namespace lockkeeper::app::views
