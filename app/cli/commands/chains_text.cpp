// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/chains_text.h"

#include "app/cli/command.h"
#include "app/cli/lock_name.h"
#include "app/cli/table.h"
#include "app/cli/times.h"
#include "app/records/records.h"

#include <algorithm>

namespace lockkeeper::app::cli {

using namespace records;

using domain::ChainNode;
using domain::Chains;
using domain::ReleaseOff;
using domain::Session;
using domain::WaitGraph;

namespace {

/** For each node, true if it is its parent's last child: needed for the lines of a tree. */
QList<bool> lastOfTheirs(const Chains &chains)
{
    QList<bool> last(chains.nodes.size(), true);
    QHash<int, int> newest;
    for (int i = 0; i < chains.nodes.size(); ++i) {
        const int parent = chains.nodes.at(i).parent;
        if (parent < 0)
            continue;
        if (const auto before = newest.constFind(parent); before != newest.constEnd())
            last[*before] = false;
        newest.insert(parent, i);
    }
    return last;
}

/** "│  ├─ " before a connection, "│  │  " before the other lines about it. */
QString indent(const Chains &chains, const QList<bool> &last, int at, bool first)
{
    QString text;
    const ChainNode &node = chains.nodes.at(at);
    if (node.parent < 0)
        return text;
    text = first ? (last.at(at) ? QStringLiteral("└─ ") : QStringLiteral("├─ "))
                 : (last.at(at) ? QStringLiteral("   ") : QStringLiteral("│  "));
    for (int up = node.parent; chains.nodes.at(up).parent >= 0; up = chains.nodes.at(up).parent)
        text.prepend(last.at(up) ? QStringLiteral("   ") : QStringLiteral("│  "));
    return text;
}

QString lockText(const domain::LockKey &key)
{
    return base::displayText(key.place) + QLatin1Char(' ') + lockName(key);
}

/** The session as text: "4711 app@10.0.0.7:51342 billing". */
QString nameText(const Session &s)
{
    QString text = base::displayText(s.id);
    if (!s.user.isEmpty() || !s.client.isEmpty())
        text += QLatin1Char(' ') + base::displayText(s.user) +
                (s.client.isEmpty() ? QString() : QLatin1Char('@') + base::displayText(s.client));
    if (!s.program.isEmpty())
        text += QLatin1Char(' ') + base::displayText(s.program);
    return text;
}

QStringList factsOf(const ChainNode &node, qint64 nowUs)
{
    const Session &s = node.session;
    QStringList facts;
    const auto sinceText = [nowUs](qint64 us) { return durationText(std::max<qint64>(0, nowUs - us)); };
    if (node.waitsFor)
        facts.append(
            node.waitingSinceUs
                ? tr("waits %1 for %2").arg(sinceText(*node.waitingSinceUs), lockText(*node.waitsFor))
                : tr("waits for %1").arg(lockText(*node.waitsFor)));
    if (node.blocksAll > 0)
        facts.append(tr("blocks %1, %2 of them directly; %3 of waiting")
                         .arg(node.blocksAll)
                         .arg(node.blocksDirectly)
                         .arg(durationText(node.waitingCausedUs)));
    if (s.transactionSinceUs)
        facts.append(tr("transaction %1").arg(sinceText(*s.transactionSinceUs)));
    if (s.idleSinceUs)
        facts.append(tr("idle %1").arg(sinceText(*s.idleSinceUs)));
    if (s.rowsChanged && node.blocksAll > 0)
        facts.append(tr("a kill rolls back %1 changed rows").arg(*s.rowsChanged));
    if (s.protectedAs == ReleaseOff::PreparedXa)
        facts.append(tr("a prepared XA transaction, no connection"));
    else if (s.protectedAs == ReleaseOff::System)
        facts.append(tr("never killed: a replication, system or monitoring connection"));
    if (node.inCycle)
        facts.append(tr("DEADLOCK"));
    return facts;
}

/** The lines about a connection; the first identifies it. */
QStringList linesOf(const Chains &chains, const ChainNode &node, qint64 nowUs)
{
    QStringList lines{
        (QStringList(nameText(node.session)) + factsOf(node, nowUs)).join(QStringLiteral("  "))};
    for (const domain::WholeTableLock &table : node.wholeTables)
        lines.append(tr("locks the whole table %1 (%2 rows): a statement without a usable index, probably")
                         .arg(base::displayText(table.place))
                         .arg(table.rows));
    QStringList others;
    for (const int other : node.alsoBlockedBy)
        others.append(base::displayText(chains.nodes.at(other).session.id));
    if (!others.isEmpty())
        lines.append(tr("also blocked by %1").arg(others.join(QStringLiteral(", "))));
    if (!node.session.statement.isEmpty())
        lines.append(base::displayText(node.session.statement) +
                     (node.session.statementCut ? QStringLiteral("…") : QString()));
    return lines;
}

QString cycleText(const Chains &chains, const QList<int> &cycle)
{
    QStringList path;
    for (const int at : cycle)
        path.append(base::displayText(chains.nodes.at(at).session.id));
    path.append(path.value(0));
    return tr("deadlock: %1").arg(path.join(QStringLiteral(" → ")));
}

} // namespace

QString chainsText(const WaitGraph &graph, int width)
{
    const Chains chains = domain::chainsOf(graph);
    const auto waiting = std::count_if(chains.nodes.cbegin(), chains.nodes.cend(),
                                       [](const ChainNode &node) { return node.waitsFor.has_value(); });
    QStringList lines;
    const QString read =
        tr("read %1 from %2").arg(timeText(graph.endedUs), base::displayText(graph.evidence));
    lines.append(base::displayText(graph.source) + QStringLiteral(": ") +
                 (waiting > 0 ? tr("%1 waiting").arg(waiting) : tr("no waiters")) + QStringLiteral(", ") +
                 read);
    if (graph.truncated)
        lines.append(tr("not all of it: there was more than the agent reads"));
    const QList<bool> last = lastOfTheirs(chains);
    for (int i = 0; i < chains.nodes.size(); ++i) {
        const QStringList said = linesOf(chains, chains.nodes.at(i), graph.endedUs);
        for (qsizetype line = 0; line < said.size(); ++line)
            lines.append(indent(chains, last, i, line == 0) +
                         (line == 0 ? QString() : QStringLiteral("   ")) + said.at(line));
    }
    for (const QList<int> &cycle : chains.cycles)
        lines.append(cycleText(chains, cycle));
    QString out;
    for (const QString &line : std::as_const(lines))
        out += (width > 0 ? elided(line, width) : line) + QLatin1Char('\n');
    return out;
}

QStringList chainHeads(const WaitGraph &graph)
{
    const Chains chains = domain::chainsOf(graph);
    QStringList lines;
    for (const QList<int> &cycle : chains.cycles)
        lines.append(cycleText(chains, cycle));
    for (int i = 0; i < chains.nodes.size(); ++i) {
        const ChainNode &head = chains.nodes.at(i);
        const auto isNext = [i](const ChainNode &node) { return node.parent == i && node.waitsFor; };
        const auto next = std::find_if(chains.nodes.cbegin(), chains.nodes.cend(), isNext);
        if (head.parent >= 0 || head.inCycle || head.blocksAll == 0 || next == chains.nodes.cend())
            continue;
        lines.append(tr("%1 blocks %2 by %3; %4 of waiting")
                         .arg(nameText(head.session))
                         .arg(head.blocksAll)
                         .arg(lockText(*next->waitsFor), durationText(head.waitingCausedUs)));
    }
    return lines;
}

QList<QStringList> deadlocksOf(const WaitGraph &graph)
{
    const Chains chains = domain::chainsOf(graph);
    QList<QStringList> deadlocks;
    for (const QList<int> &cycle : chains.cycles) {
        QStringList &path = deadlocks.emplaceBack();
        for (const int at : cycle)
            path.append(base::textOf(chains.nodes.at(at).session.id));
    }
    return deadlocks;
}

} // namespace lockkeeper::app::cli
