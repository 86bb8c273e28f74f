// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/quorum_outcome.h"

#include "shared/domain/node.h"

#include <QHash>

#include <algorithm>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

namespace {

qsizetype count(const QList<NodeAct> &acts, Outcome outcome)
{
    return std::count_if(acts.cbegin(), acts.cend(),
                         [outcome](const NodeAct &act) { return act.outcome == outcome; });
}

/** The cause of the first node that ended so, with its name. */
Error firstError(const QList<NodeAct> &acts, Outcome outcome)
{
    const auto first = std::find_if(acts.cbegin(), acts.cend(),
                                    [outcome](const NodeAct &act) { return act.outcome == outcome; });
    if (first == acts.cend())
        return {};
    Error error = first->error;
    error.cause = QStringLiteral("%1: %2").arg(QString::fromUtf8(first->node), error.cause);
    return error;
}

/** The token is confirmed to be absent on that node. */
bool isAbsent(const NodeAct &act)
{
    return act.there ? !*act.there : act.outcome == Outcome::Released || act.outcome == Outcome::AlreadyFree;
}

/** The node still has the token, with another deadline. */
bool isRenewed(const NodeAct &act)
{
    return act.outcome == Outcome::HolderChanged && act.there.value_or(false);
}

QString tally(const QList<NodeAct> &acts, qsizetype absent)
{
    return QStringLiteral("confirmed released on %1 of %2 nodes, %3 are needed")
        .arg(absent)
        .arg(acts.size())
        .arg(domain::quorumOf(acts.size()));
}

/** Too few nodes are without the token, and our release removed none of them. */
QuorumOutcome nothingDone(const QList<NodeAct> &acts, qsizetype absent)
{
    if (count(acts, Outcome::Unknown) > 0)
        return {Outcome::Unknown, firstError(acts, Outcome::Unknown)};
    if (std::any_of(acts.cbegin(), acts.cend(), isRenewed) && count(acts, Outcome::Refused) == 0)
        return {Outcome::HolderChanged,
                {ErrorCode::Unknown, QStringLiteral("it was renewed in the meantime"), {}}};
    if (count(acts, Outcome::Refused) > 0)
        return {Outcome::Refused, firstError(acts, Outcome::Refused)};
    return {Outcome::Unreachable, {ErrorCode::Unreachable, tally(acts, absent), {}}};
}

/** The most nodes that one other token may be on: nodes that didn't show their token count along. */
qsizetype othersOf(const QList<NodeAct> &acts)
{
    QHash<QByteArray, qsizetype> holders;
    for (const NodeAct &act : acts) {
        if (act.outcome == Outcome::HolderChanged)
            ++holders[act.other];
    }
    const qsizetype unread = holders.take({});
    return unread + (holders.isEmpty() ? 0 : *std::max_element(holders.cbegin(), holders.cend()));
}

/** The token is missing, but not because of our release: the nodes that aren't empty decide whether the lock
 * is free. */
QuorumOutcome goneBefore(const QList<NodeAct> &acts)
{
    const qsizetype quorum = domain::quorumOf(acts.size());
    const qsizetype others = othersOf(acts);
    if (count(acts, Outcome::Unknown) > 0)
        return {Outcome::Unknown, firstError(acts, Outcome::Unknown)};
    if (others >= quorum)
        return {Outcome::HolderChanged, {}};
    const qsizetype known = count(acts, Outcome::AlreadyFree) + count(acts, Outcome::HolderChanged);
    if (others + acts.size() - known < quorum)
        return {Outcome::AlreadyFree, {}};
    if (count(acts, Outcome::Refused) > 0)
        return {Outcome::Refused, firstError(acts, Outcome::Refused)};
    return {Outcome::Unreachable,
            {ErrorCode::Unreachable,
             QStringLiteral("it was released, but another holder may have a majority"),
             {}}};
}

} // namespace

bool needsReading(const NodeAct &act)
{
    return act.outcome != Outcome::Released && act.outcome != Outcome::AlreadyFree &&
           act.outcome != Outcome::Unreachable;
}

QuorumOutcome verdictOf(const QList<NodeAct> &acts, bool preview)
{
    const qsizetype quorum = domain::quorumOf(acts.size());
    const qsizetype absent = std::count_if(acts.cbegin(), acts.cend(), isAbsent);
    const bool removed = count(acts, Outcome::Released) > 0;
    if (preview && std::any_of(acts.cbegin(), acts.cend(), isRenewed))
        return {Outcome::HolderChanged,
                {ErrorCode::Unknown, QStringLiteral("it was renewed in the meantime"), {}}};
    if (absent < quorum && removed && preview)
        return {
            count(acts, Outcome::Refused) > 0 ? Outcome::Refused : Outcome::Unreachable,
            count(acts, Outcome::Refused) > 0
                ? firstError(acts, Outcome::Refused)
                : Error{ErrorCode::Unreachable,
                        QStringLiteral("the result would be %1: nothing was done").arg(tally(acts, absent)),
                        {}}};
    if (absent < quorum)
        return removed ? QuorumOutcome{Outcome::Partial, {ErrorCode::Unknown, tally(acts, absent), {}}}
                       : nothingDone(acts, absent);
    return removed ? QuorumOutcome{Outcome::Released, {}} : goneBefore(acts);
}

} // namespace lockkeeper::stores::redis
