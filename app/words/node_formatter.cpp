// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/node_formatter.h"

#include "app/words/durations.h"
#include "shared/base/text.h"

namespace lockkeeper::app::words {

using domain::NodeHolds;
using domain::NodeView;

QString NodeFormatter::ratio(const domain::LockState &state)
{
    const bool claims = state.isHeld() || state.phase == domain::Phase::Unknown;
    const qsizetype holders = claims ? domain::holdersOf(state.nodes, state.token) : 0;
    return QStringLiteral("%1/%2").arg(holders).arg(state.nodes.size());
}

QString NodeFormatter::count(const domain::LockState &state)
{
    return state.nodes.isEmpty() ? QString() : tr("%1 nodes", "4/5 of them hold the lock").arg(ratio(state));
}

QString NodeFormatter::standing(const domain::LockState &state)
{
    const int needed = int(domain::quorumOf(state.nodes.size()));
    const int holders = int(domain::holdersOf(state.nodes, state.token));
    const int away = int(domain::countOf(state.nodes, NodeHolds::Unreachable));
    if (state.isHeld())
        return tr("Held: %1 of %2 nodes have its token, %3 are needed.")
            .arg(holders)
            .arg(state.nodes.size())
            .arg(needed);
    if (state.phase == domain::Phase::Unknown && away > 0)
        return tr("Unknown: %1 of %2 nodes have its token, %3 are needed, and %4 are unreachable.")
            .arg(holders)
            .arg(state.nodes.size())
            .arg(needed)
            .arg(away);
    if (domain::hasTraces(state.nodes))
        return tr("Not held: no token has a majority (%1 of %2 nodes). Leftover tokens may block the next "
                  "holder.")
            .arg(needed)
            .arg(state.nodes.size());
    return {};
}

QString NodeFormatter::holds(const NodeView &node, qint64 nowUs)
{
    QString text;
    switch (node.holds) {
    case NodeHolds::Nothing:
        return tr("nothing", "on a node");
    case NodeHolds::Unreachable:
        return tr("can't be reached", "a node");
    case NodeHolds::Unreadable:
        return tr("not a lock of this scheme", "on a node");
    case NodeHolds::Holder:
        text = tr("holder's token", "on a node");
        break;
    case NodeHolds::Other:
        text = tr("token %1", "on a node").arg(base::displayText(node.token.left(8)));
        break;
    }
    if (!node.expiresUs)
        return tr("%1, no expiry", "token on a node").arg(text);
    return tr("%1, %2", "token on a node, time that is left")
        .arg(text, Durations::text(std::max<qint64>(0, *node.expiresUs - nowUs)));
}

QString NodeFormatter::outcome(domain::Outcome outcome)
{
    switch (outcome) {
    case domain::Outcome::Released:
        return tr("released", "on a node");
    case domain::Outcome::HolderChanged:
        return tr("another token or deadline: left alone", "on a node");
    case domain::Outcome::AlreadyFree:
        return tr("there was no lock", "on a node");
    case domain::Outcome::Refused:
        return tr("refused", "on a node");
    case domain::Outcome::WouldRelease:
        return tr("would be released: nothing was written", "on a node");
    case domain::Outcome::Unreachable:
        return tr("can't be reached: counts as held", "on a node");
    default:
        return tr("reply lost: counts as held", "on a node");
    }
}

QString NodeFormatter::outcomes(const QList<domain::NodeOutcome> &nodes)
{
    QStringList lines;
    for (const domain::NodeOutcome &node : nodes)
        lines.append(tr("%1: %2", "node, what became of the release there")
                         .arg(base::displayText(node.node), outcome(node.outcome)));
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockkeeper::app::words
