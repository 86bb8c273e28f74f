// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/release/release_case.h"

#include <QList>

namespace lockkeeper::app::views {

/** Why a lock is left out of a bulk release. */
enum class Skip : quint8 {
    None = 0,
    Live, ///< only expired and stuck locks are released together
    NoIdentity,
    Connection, ///< connections are killed one at a time
    Off,
    Gone,
    Unreachable,
    Changed, ///< other than in the preview when its turn came
    Unticked,
    TooMany, ///< past the limit
    Stopped, ///< the operator pressed Stop before its turn
};

/** One row of the preview. */
struct BulkItem
{
    domain::LockState state; ///< as the table showed it, then as read
    bool ticked = false;
    Skip skip = Skip::None;
    ReleaseCase releaseCase = ReleaseCase::Reading;
    bool underWay = false;
    std::optional<protocol::ReleaseResult> result;
};

inline constexpr int kBulkLimit = 100;

/**
 * The preview of `states`: the locks that would be released, and those that are left out, with the reason.
 * Pure.
 */
QList<BulkItem> planBulk(const QList<domain::LockState> &states);

/** Why a lock that is read at its turn is left out after all; None: release it under its own guard. */
Skip skipOf(const protocol::Inspected &reading, const QByteArray &plannedGuard);

/** How many rows are ticked and may be released. */
int willRelease(const QList<BulkItem> &items);

} // namespace lockkeeper::app::views
