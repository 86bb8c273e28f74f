// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/release.h"

#include <QList>

#include <optional>

namespace lockkeeper::stores::redis {

/** The outcome on one node after an attempt to take the guard's token away there. */
struct NodeAct
{
    QByteArray node;
    domain::Outcome outcome = domain::Outcome::Unreachable;
    base::Error error;
    /** Read again: true if the node still has the token; empty: not read. */
    std::optional<bool> there;
    QByteArray other; ///< the token on the node instead; empty: none, or it wasn't read

    bool operator==(const NodeAct &) const = default;
};

/** True where only a reading can show whether the node has the token, or another one: another value or
 * deadline was found, the reply was lost, or the node refused. */
bool needsReading(const NodeAct &act);

struct QuorumOutcome
{
    domain::Outcome outcome = domain::Outcome::Unknown;
    base::Error error;
};

/**
 * Combines the nodes' outcomes. The lock is released only where the token is confirmed absent on a majority
 * of all nodes and one of them took it away. A node that can't be reached counts as held, by any holder. So
 * the lock is already free only where no majority is left for any one other token.
 *
 * `preview`: nothing was written, and `Released` means that it would be. Anything that would keep the release
 * from a majority, or a renewal that the order excludes, ends it here.
 */
QuorumOutcome verdictOf(const QList<NodeAct> &acts, bool preview);

} // namespace lockkeeper::stores::redis
