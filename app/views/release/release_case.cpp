// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/release_case.h"

namespace lockkeeper::app::views {

ReleaseCase caseOf(const protocol::Inspected &reading, const QByteArray &openedGuard)
{
    if (reading.error)
        return ReleaseCase::Unreachable;
    const bool leftover =
        reading.state.phase == domain::Phase::Free && domain::hasTraces(reading.state.nodes);
    if (!reading.present || (reading.state.phase == domain::Phase::Free && !leftover))
        return ReleaseCase::Gone;
    if (!openedGuard.isEmpty() && reading.state.guard != openedGuard)
        return ReleaseCase::Changed;
    switch (reading.state.release.safety) {
    case domain::ReleaseSafety::Off:
        return ReleaseCase::Off;
    case domain::ReleaseSafety::Unsafe:
        return ReleaseCase::NoIdentity;
    case domain::ReleaseSafety::Guarded:
        break;
    }
    if (leftover)
        return ReleaseCase::Leftover;
    if (domain::isConnectionScheme(reading.state.key.scheme))
        return ReleaseCase::Connection;
    if (reading.state.stuck != domain::StuckReason::None &&
        reading.state.stuck != domain::StuckReason::HolderGone)
        return ReleaseCase::Stuck;
    if (reading.state.phase == domain::Phase::Expired)
        return ReleaseCase::Expired;
    return reading.state.stuck == domain::StuckReason::HolderGone ? ReleaseCase::HolderGone
                                                                  : ReleaseCase::Live;
}

bool isActionable(ReleaseCase releaseCase)
{
    switch (releaseCase) {
    case ReleaseCase::Expired:
    case ReleaseCase::Stuck:
    case ReleaseCase::HolderGone:
    case ReleaseCase::Live:
    case ReleaseCase::Connection:
    case ReleaseCase::NoIdentity:
    case ReleaseCase::Leftover:
        return true;
    default:
        return false;
    }
}

bool needsName(ReleaseCase releaseCase)
{
    return releaseCase != ReleaseCase::Expired;
}

bool mayPinRenewal(ReleaseCase releaseCase)
{
    return releaseCase == ReleaseCase::Live || releaseCase == ReleaseCase::HolderGone;
}

domain::Because becauseOf(ReleaseCase releaseCase)
{
    switch (releaseCase) {
    case ReleaseCase::Expired:
        return domain::Because::Expired;
    case ReleaseCase::Stuck:
        return domain::Because::Stuck;
    default:
        return domain::Because::Operator;
    }
}

MissingInput missing(const Arming &arming)
{
    if (arming.sent)
        return MissingInput::Answer;
    if (!isActionable(arming.releaseCase))
        return MissingInput::Offer;
    const bool named = arming.nameTyped || !needsName(arming.releaseCase);
    if (!arming.hasReason)
        return named ? MissingInput::Reason : MissingInput::ReasonAndName;
    if (!named)
        return MissingInput::Name;
    if (arming.nowUs - arming.readingUs >= kGuardLifeUs)
        return MissingInput::Reading;
    return arming.nowUs - arming.shownUs < kArmingUs ? MissingInput::Moment : MissingInput::Nothing;
}

} // namespace lockkeeper::app::views
