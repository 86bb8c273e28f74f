// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/telling.h"

#include <algorithm>

namespace lockkeeper::stores::redis {

namespace {

Change heldChange(const Observation &now, const QByteArray &token)
{
    Change change;
    change.lock.set = now.set;
    change.lock.name = now.name;
    change.lock.held = true;
    change.lock.owner = change.lock.token = change.lock.identity = token;
    return change;
}

/** On its way out: what nodes have told that haven't got it any more is of what comes next. */
Stir takeEnds(Stir &stir, const Before &before)
{
    return stir.takeIf([&before](const NodeChange &change) {
        return change.token != before.token && (before.holders & (1u << change.node)) != 0;
    });
}

} // namespace

Stir takeAfter(Stir &later, const Observation &now, qint64 beganUs)
{
    return later.takeIf([&now, beganUs](const NodeChange &change) {
        // A node that shows later what was there has told of what came before.
        return change.readUs > beganUs && (!now.held || change.token != now.token);
    });
}

Telling tellingOf(Stir stir, const Before &before, const Observation &now, qint64 beganUs, qint64 endedUs,
                  qsizetype quorum)
{
    Telling telling;
    const bool wasHeld = before.standing == Standing::Held;
    if (wasHeld && now.held && before.token == now.token)
        telling.rest = takeEnds(stir, before);
    QList<QByteArray> besides{before.token}; // whose tokens are no news
    if (now.held)
        besides.append(now.token);
    const QList<BriefHold> brief = stir.briefHolds(quorum, besides);
    qint64 accounted = 0; // of what was told
    const auto skipped = [&accounted](qint64 told) {
        const qint64 more = std::max<qint64>(0, told - accounted - 1);
        accounted += more + 1;
        return quint32(more);
    };
    const qint64 sinceUs = std::clamp<qint64>(stir.sinceUs(), 0, beganUs);
    for (const BriefHold &hold : brief) {
        Change &change = telling.changes.emplaceBack(heldChange(now, hold.token));
        change.timeUs = std::clamp(hold.atUs, sinceUs, endedUs - 1);
        change.windowUs = change.timeUs - sinceUs;
        change.coalesced = skipped(stir.toldUntil(hold.atUs));
    }
    const bool isFree = !now.held && now.flaw == Flaw::None;
    const bool more = stir.mayHaveHeld(quorum, besides);
    Change &change = telling.changes.emplaceBack();
    change.lock = now;
    change.timeUs = endedUs;
    change.windowUs = endedUs - sinceUs;
    change.coalesced = skipped(stir.told());
    change.unseen = change.unproven = more && brief.isEmpty() && isFree;
    if (change.unseen)
        change.windowUs = endedUs - std::clamp<qint64>(stir.restSinceUs(), 0, beganUs);
    else if (more && brief.isEmpty())
        change.coalesced = std::max<quint32>(change.coalesced, 1); // as the rest was told before
    if (now.held || more)
        return telling;
    telling.rest = stir.rest(besides);
    if (!brief.isEmpty() || !isFree || wasHeld)
        telling.rest.forgetCount(); // it went with the event
    return telling;
}

} // namespace lockkeeper::stores::redis
