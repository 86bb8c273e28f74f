// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/release.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::app::views {

/** The dialog's case for a fresh reading of a lock. */
enum class ReleaseCase : quint8 {
    Reading = 0, ///< no reading yet
    Expired,
    Stuck,
    HolderGone, ///< a liveness probe found the holder dead; the guard is that of a live lock
    Live,
    Connection, ///< it belongs to a connection, which is killed
    NoIdentity,
    Leftover,    ///< not held; a minority of its nodes still has something of it
    Off,         ///< the agent says that this lock can't be released; the state says why
    Changed,     ///< not the acquisition that the dialog was opened for
    Gone,        ///< free already
    Unreachable, ///< the store, or the agent, can't be reached
};

/** A guard is good for this long after the reading that it comes from. */
inline constexpr qint64 kGuardLifeUs = 5'000'000;
/** The action can't be pressed sooner than this after the dialog, or a new case, has appeared. */
inline constexpr qint64 kArmingUs = 1'000'000;

/**
 * The case of `reading`, for a dialog that was opened on the acquisition `openedGuard` (empty: whatever the
 * first reading shows). Pure.
 */
ReleaseCase caseOf(const protocol::Inspected &reading, const QByteArray &openedGuard);

/** True where an action exists, so that the operator may arm it. */
bool isActionable(ReleaseCase releaseCase);

/** True where the operator types the lock's name: everything but a lease that has ended. */
bool needsName(ReleaseCase releaseCase);

/** True where the operator may limit the guard to a lock that isn't renewed in the meantime. */
bool mayPinRenewal(ReleaseCase releaseCase);

/** The reason that is sent with the case, which decides what the guard holds. */
domain::Because becauseOf(ReleaseCase releaseCase);

/** All that decides whether the action can be pressed. Times are monotonic. */
struct Arming
{
    ReleaseCase releaseCase = ReleaseCase::Reading;
    qint64 shownUs = 0;   ///< when this case appeared
    qint64 readingUs = 0; ///< when the reading came
    qint64 nowUs = 0;
    bool hasReason = false;
    bool nameTyped = false;
    bool sent = false;
};
/** The first thing that the action waits for. */
enum class MissingInput : quint8 {
    Nothing = 0,
    Offer,         ///< the case has no action; its explanation says why
    ReasonAndName, ///< both are missing
    Reason,
    Name,
    Reading, ///< the last reading is too old
    Moment,  ///< the case is too new for the operator to have read it
    Answer,  ///< sent already
};
MissingInput missing(const Arming &arming);
inline bool isArmed(const Arming &arming)
{
    return missing(arming) == MissingInput::Nothing;
}

} // namespace lockkeeper::app::views
