// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::domain {

/** What one of several servers shows of a lock that is kept on all of them. */
enum class NodeHolds : quint8 {
    Nothing = 0, ///< the lock isn't there
    Holder,      ///< what the lock's holder put there
    Other,       ///< somebody else's token: a minority's leftover, or a race under way
    Unreachable, ///< it can't be asked; it counts as held in the release's quorum
    Unreadable,  ///< something is there that isn't this scheme's
};

/** One server's part of a lock kept on several (Redlock). A value; times by that server's own clock. */
struct NodeView
{
    QByteArray node; ///< its address, as configured
    NodeHolds holds = NodeHolds::Nothing;
    QByteArray token; ///< what is there; empty where nothing is
    std::optional<qint64> expiresUs;

    bool operator==(const NodeView &) const = default;
};

} // namespace lockkeeper::domain
