// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/release.h"

#include <QList>

#include <optional>

namespace lockkeeper::stores::redis {

/** What is known of the guard's token on one node after an attempt to take it away there. */
struct NodeAct
{
    QByteArray node;
    domain::Outcome outcome = domain::Outcome::Unreachable;
    base::Error error;
    /** Read again: whether the token is there; empty: not read. */
    std::optional<bool> there;
    QByteArray other; ///< the token that is there instead; empty: none, or it wasn't read

    bool operator==(const NodeAct &) const = default;
};

/** True where only a reading can tell whether the token is there, or whose is: another value or deadline was
 * found, the reply was lost, or the node refused. */
bool needsReading(const NodeAct &act);

struct ReleaseVerdict
{
    domain::Outcome outcome = domain::Outcome::Unknown;
    base::Error error;
};

/**
 * What the nodes' outcomes come to: released only where the token is confirmed absent on a majority
 * of all nodes and one of them took it away; a node that can't be reached counts as held, by whomever; so it
 * is already free only where no majority is left for any one other token. `preview`: nothing was written,
 * `Released` means that it would be, and anything that would keep it from a majority, or a renewal that the
 * order excludes, ends it here.
 */
ReleaseVerdict verdictOf(const QList<NodeAct> &acts, bool preview);

} // namespace lockkeeper::stores::redis
