// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/nodes_text.h"

#include "app/cli/command.h"
#include "app/words/error_words.h"
#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::app::cli {

namespace {

QString holdsText(const domain::NodeView &node)
{
    switch (node.holds) {
    case domain::NodeHolds::Nothing:
        return tr("nothing there");
    case domain::NodeHolds::Holder:
        return tr("the holder's token");
    case domain::NodeHolds::Other:
        return tr("token %1").arg(base::displayText(node.token));
    case domain::NodeHolds::Unreadable:
        return tr("something else there");
    case domain::NodeHolds::Unreachable:
        break;
    }
    return tr("unreachable");
}

QString outcomeText(domain::Outcome outcome)
{
    switch (outcome) {
    case domain::Outcome::Released:
        return tr("released");
    case domain::Outcome::HolderChanged:
        return tr("holder changed");
    case domain::Outcome::AlreadyFree:
        return tr("already free");
    case domain::Outcome::Refused:
        return tr("refused");
    case domain::Outcome::WouldRelease:
        return tr("would be released, nothing was written");
    case domain::Outcome::Unreachable:
        return tr("unreachable, counts as held");
    default:
        return tr("unknown, counts as held");
    }
}

} // namespace

QString nodesText(const domain::LockState &state)
{
    QStringList others;
    qsizetype holders = 0;
    for (const domain::NodeView &node : state.nodes) {
        if (node.holds == domain::NodeHolds::Holder)
            ++holders;
        else
            others.append(tr("%1 (%2)").arg(base::displayText(node.node), holdsText(node)));
    }
    const QString held = tr("held on %1 of %2").arg(holders).arg(state.nodes.size());
    return others.isEmpty() ? held : tr("%1; not on %2").arg(held, others.join(QLatin1String(", ")));
}

QString nodeOutcomesText(const QList<domain::NodeOutcome> &nodes)
{
    qsizetype width = 0;
    for (const domain::NodeOutcome &node : nodes)
        width = std::max(width, base::displayText(node.node).size());
    QString text;
    for (const domain::NodeOutcome &node : nodes) {
        text += QStringLiteral("  %1  %2")
                    .arg(base::displayText(node.node).leftJustified(width), outcomeText(node.outcome));
        const QString cause = base::singleLine(words::ErrorWords::line(node.error).trimmed());
        text += (cause.isEmpty() ? QString() : QStringLiteral(": ") + cause) + QLatin1Char('\n');
    }
    return text;
}

} // namespace lockkeeper::app::cli
