// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/records.h"
#include "shared/base/text.h"
#include "shared/domain/wait_graph.h"

#include <QJsonArray>

#include <cmath>

namespace lockkeeper::app::records {

using domain::ChainNode;
using domain::Chains;
using domain::Contention;
using domain::ReleaseOff;
using domain::Session;
using domain::WaitGraph;

namespace {

/** Six decimals: a millionth of a range is more than the figures are worth. */
double rounded(double value)
{
    return std::round(value * 1e6) / 1e6;
}

QJsonValue share(qint64 partUs, qint64 wholeUs)
{
    return wholeUs > 0 ? QJsonValue(rounded(double(partUs) / double(wholeUs))) : QJsonValue();
}

/** The number of acquisitions per minute of observed time. */
QJsonValue perMinute(const Contention &c)
{
    return c.observedUs > 0 ? QJsonValue(rounded(double(c.acquisitions) * 6e7 / double(c.observedUs)))
                            : QJsonValue();
}

QJsonValue unless(bool unknown, qint64 value)
{
    return unknown ? QJsonValue() : QJsonValue(value);
}

QJsonValue idOf(const Chains &chains, int at)
{
    return at < 0 ? QJsonValue() : QJsonValue(base::textOf(chains.nodes.at(at).session.id));
}

QJsonObject sessionObject(const Session &s)
{
    const QByteArrayView why = domain::releaseOffName(s.protectedAs);
    return {{QStringLiteral("session"), base::textOf(s.id)},
            {QStringLiteral("user"), textOrNull(s.user)},
            {QStringLiteral("client"), textOrNull(s.client)},
            {QStringLiteral("program"), textOrNull(s.program)},
            {QStringLiteral("transaction"), textOrNull(s.transaction)},
            {QStringLiteral("transaction_since_us"), number(s.transactionSinceUs)},
            {QStringLiteral("idle_since_us"), number(s.idleSinceUs)},
            {QStringLiteral("statement"), textOrNull(s.statement)},
            {QStringLiteral("statement_cut"), s.statementCut},
            {QStringLiteral("rows_locked"), number(s.rowsLocked)},
            {QStringLiteral("rows_changed"), number(s.rowsChanged)},
            {QStringLiteral("protected_as"), s.protectedAs == ReleaseOff::None
                                                 ? QJsonValue()
                                                 : QJsonValue(QString::fromLatin1(why.data(), why.size()))}};
}

QJsonObject nodeObject(const Chains &chains, const ChainNode &node)
{
    QJsonObject object = sessionObject(node.session);
    QJsonArray others;
    for (const int other : node.alsoBlockedBy)
        others.append(idOf(chains, other));
    QJsonArray tables;
    for (const domain::WholeTableLock &table : node.wholeTables)
        tables.append(QJsonObject{{QStringLiteral("place"), base::textOf(table.place)},
                                  {QStringLiteral("rows"), table.rows}});
    QJsonValue lock;
    if (node.waitsFor)
        lock = QJsonObject{{QStringLiteral("scheme"), textOrNull(node.waitsFor->scheme)},
                           {QStringLiteral("place"), textOrNull(node.waitsFor->place)},
                           {QStringLiteral("lock"), base::textOf(node.waitsFor->name)}};
    object.insert(QStringLiteral("depth"), node.depth);
    object.insert(QStringLiteral("blocked_by"), idOf(chains, node.parent));
    object.insert(QStringLiteral("also_blocked_by"), others);
    object.insert(QStringLiteral("waits_for"), lock);
    object.insert(QStringLiteral("waiting_since_us"), number(node.waitingSinceUs));
    object.insert(QStringLiteral("blocks_directly"), node.blocksDirectly);
    object.insert(QStringLiteral("blocks_all"), node.blocksAll);
    object.insert(QStringLiteral("waiting_caused_us"), node.waitingCausedUs);
    object.insert(QStringLiteral("deadlock"), node.inCycle);
    object.insert(QStringLiteral("whole_tables"), tables);
    return object;
}

} // namespace

QList<QJsonObject> chainObjects(const WaitGraph &graph, const QString &agent,
                                const std::optional<qint64> &asOfUs)
{
    const Chains chains = domain::chainsOf(graph);
    QList<QJsonObject> objects;
    for (const ChainNode &node : chains.nodes) {
        QJsonObject object = nodeObject(chains, node);
        object.insert(QStringLiteral("agent"), agent);
        object.insert(QStringLiteral("source"), graph.source);
        object.insert(QStringLiteral("began_us"), graph.beganUs);
        object.insert(QStringLiteral("t_us"), graph.endedUs);
        object.insert(QStringLiteral("evidence"), textOrNull(graph.evidence));
        object.insert(QStringLiteral("truncated"), graph.truncated);
        if (asOfUs)
            object.insert(QStringLiteral("as_of_us"), *asOfUs);
        objects.append(object);
    }
    return objects;
}

QJsonObject contentionObject(const Contention &c, const protocol::ContentionPage &page)
{
    const bool blind = !c.waitersVisible;
    const bool idle = c.waits.count == 0;
    const bool apart = c.handoverLow.count == 0;
    return {{QStringLiteral("source"), c.key.source},
            {QStringLiteral("scheme"), base::textOf(c.key.scheme)},
            {QStringLiteral("place"), base::textOf(c.key.place)},
            {QStringLiteral("lock"), base::textOf(c.key.name)},
            {QStringLiteral("from_us"), page.fromUs},
            {QStringLiteral("to_us"), page.toUs},
            {QStringLiteral("acquisitions"), c.acquisitions},
            {QStringLiteral("waiters_visible"), c.waitersVisible},
            {QStringLiteral("waits"), unless(blind, c.waits.count)},
            {QStringLiteral("wait_total_us"), unless(blind, c.waits.totalUs)},
            {QStringLiteral("wait_p50_us"), unless(blind || idle, c.waits.p50Us)},
            {QStringLiteral("wait_p95_us"), unless(blind || idle, c.waits.p95Us)},
            {QStringLiteral("wait_max_us"), unless(blind || idle, c.waits.maxUs)},
            {QStringLiteral("hold_p50_us"), unless(c.holds.count == 0, c.holds.p50Us)},
            {QStringLiteral("hold_p95_us"), unless(c.holds.count == 0, c.holds.p95Us)},
            {QStringLiteral("hold_max_us"), unless(c.holds.maxUs == 0, c.holds.maxUs)},
            {QStringLiteral("takeovers"), c.takeovers},
            {QStringLiteral("expiries"), c.expiries},
            {QStringLiteral("forced"), c.forced},
            {QStringLiteral("observed_share"), share(c.observedUs, page.toUs - page.fromUs)},
            {QStringLiteral("handovers"), c.handoverLow.count},
            {QStringLiteral("handover_p50_low_us"), unless(apart, c.handoverLow.p50Us)},
            {QStringLiteral("handover_p50_high_us"), unless(apart, c.handoverHigh.p50Us)},
            {QStringLiteral("handover_p95_low_us"), unless(apart, c.handoverLow.p95Us)},
            {QStringLiteral("handover_p95_high_us"), unless(apart, c.handoverHigh.p95Us)},
            {QStringLiteral("held_share_low"), share(c.heldLowUs, c.observedUs)},
            {QStringLiteral("held_share_high"), share(c.heldHighUs, c.observedUs)},
            {QStringLiteral("changes_per_minute"), perMinute(c)}};
}

QJsonObject blockerObject(const domain::BlockerCost &cost, const protocol::ContentionPage &page)
{
    return {{QStringLiteral("source"), cost.source},
            {QStringLiteral("holder"), textOrNull(cost.holder)},
            {QStringLiteral("statement"), textOrNull(cost.statement)},
            {QStringLiteral("from_us"), page.fromUs},
            {QStringLiteral("to_us"), page.toUs},
            {QStringLiteral("waits"), cost.waits},
            {QStringLiteral("wait_total_us"), cost.totalUs},
            {QStringLiteral("wait_max_us"), cost.maxUs},
            {QStringLiteral("waiters"), cost.waiters},
            {QStringLiteral("locks"), cost.locks},
            {QStringLiteral("observed_share"), share(cost.observedUs, page.toUs - page.fromUs)},
            {QStringLiteral("unattributed_us"), number(page.unattributedUs)}};
}

QJsonObject waiterObject(const domain::WaiterCost &cost, const protocol::ContentionPage &page)
{
    return {{QStringLiteral("source"), cost.source},
            {QStringLiteral("waiter"), base::textOf(cost.waiter)},
            {QStringLiteral("from_us"), page.fromUs},
            {QStringLiteral("to_us"), page.toUs},
            {QStringLiteral("waits"), cost.waits},
            {QStringLiteral("wait_total_us"), cost.totalUs},
            {QStringLiteral("wait_max_us"), cost.maxUs},
            {QStringLiteral("locks"), cost.locks},
            {QStringLiteral("observed_share"), share(cost.observedUs, page.toUs - page.fromUs)}};
}

QJsonObject adviceObject(const domain::Advice &advice, const protocol::AdvicePage &page)
{
    const bool isPair = !advice.other.name.isEmpty();
    return {{QStringLiteral("code"), latin(domain::adviceCodeName(advice.code))},
            {QStringLiteral("confidence"), latin(domain::adviceConfidenceName(advice.confidence))},
            {QStringLiteral("source"), advice.lock.source},
            {QStringLiteral("scheme"), textOrNull(advice.lock.scheme)},
            {QStringLiteral("place"), textOrNull(advice.lock.place)},
            {QStringLiteral("lock"), textOrNull(advice.lock.name)},
            {QStringLiteral("other_place"), isPair ? textOrNull(advice.other.place) : QJsonValue()},
            {QStringLiteral("other_lock"), isPair ? textOrNull(advice.other.name) : QJsonValue()},
            {QStringLiteral("holder"), textOrNull(advice.holder)},
            {QStringLiteral("statement"), textOrNull(advice.statement)},
            {QStringLiteral("figures"), advice.figures},
            {QStringLiteral("ttl_us"), number(advice.ttlUs)},
            {QStringLiteral("from_us"), advice.fromUs},
            {QStringLiteral("to_us"), advice.toUs},
            {QStringLiteral("observed_share"), double(page.observedPermille) / 1000}};
}

} // namespace lockkeeper::app::records
