// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/records.h"
#include "shared/base/json_line.h"
#include "shared/base/text.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace lockkeeper::app::records {

namespace {

/** "00:03:11", hours without an end. */
QString clockTime(qint64 us)
{
    const qint64 seconds = us / 1'000'000;
    return QStringLiteral("%1:%2:%3")
        .arg(seconds / 3600, 2, 10, QLatin1Char('0'))
        .arg(seconds / 60 % 60, 2, 10, QLatin1Char('0'))
        .arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

QByteArray aliveEvidence(const domain::LockState &state, const domain::Liveness &liveness)
{
    if (liveness.verdict == domain::Alive::Connected)
        return (liveness.idleUs ? QStringLiteral("connection open, idle %1").arg(clockTime(*liveness.idleUs))
                                : QStringLiteral("connection open, runs a statement"))
            .toUtf8();
    if (!liveness.sinceRenewalUs)
        return {};
    return QStringLiteral("last renewal %1 ms ago, %2 seen, longest gap %3 ms, %4 missed")
        .arg(*liveness.sinceRenewalUs / 1000)
        .arg(state.renewals)
        .arg(state.longestRenewalGapUs / 1000)
        .arg(liveness.missedRenewals)
        .toUtf8();
}

QJsonArray waiterList(const domain::LockState &state)
{
    QJsonArray waiters;
    for (const domain::Waiter &waiter : state.waiters)
        waiters.append(QJsonObject{{QStringLiteral("id"), base::textOf(waiter.id)},
                                   {QStringLiteral("since_us"), number(waiter.sinceUs)},
                                   {QStringLiteral("detail"), textOrNull(waiter.detail)}});
    return waiters;
}

QJsonValue nodeList(const domain::LockState &state)
{
    if (state.nodes.isEmpty())
        return {};
    QJsonArray nodes;
    for (const domain::NodeView &node : state.nodes)
        nodes.append(QJsonObject{{QStringLiteral("node"), base::textOf(node.node)},
                                 {QStringLiteral("holds"), latin(domain::nodeHoldsName(node.holds))},
                                 {QStringLiteral("token"), textOrNull(node.token)},
                                 {QStringLiteral("expires_us"), number(node.expiresUs)}});
    return nodes;
}

QJsonObject probeObject(const domain::HolderCheck &check)
{
    return {{QStringLiteral("checked_us"), check.checkedUs},
            {QStringLiteral("evidence"), latin(domain::holderEvidenceName(check.evidence))},
            {QStringLiteral("number"), number(check.number)},
            {QStringLiteral("rule"), textOrNull(check.rule.toUtf8())},
            {QStringLiteral("target"), textOrNull(check.target)},
            {QStringLiteral("verdict"), latin(domain::holderVerdictName(check.verdict))}};
}

} // namespace

void appendLock(QByteArray &out, const domain::LockState &state, const SourceView &view, const QString &agent,
                const std::optional<QStringList> &alsoSeenBy, const domain::HolderCheck *check)
{
    const bool held = state.isHeld() || state.phase == domain::Phase::Unknown;
    const bool expires = held && state.expiry == domain::ExpiryKind::At;
    const domain::TimeUs none;
    const auto text = [](base::JsonLine &line, QByteArrayView name, const QByteArray &bytes, bool is = true) {
        line.textOrNull(name, bytes, is && !bytes.isEmpty());
    };
    base::JsonLine line(out);
    line.number("acquired_us", held ? state.acquiredUs : none);
    line.text("agent", agent.toUtf8());
    line.begin("alive");
    const domain::Liveness liveness = domain::liveness(state, view.nowUs);
    text(line, "evidence", aliveEvidence(state, liveness));
    line.value("probe", check ? QJsonValue(probeObject(*check)) : QJsonValue());
    line.text("verdict", domain::aliveName(liveness.verdict));
    line.end();
    if (alsoSeenBy)
        line.value("also_seen_by", QJsonArray::fromStringList(*alsoSeenBy));
    if (view.asOfUs)
        line.number("as_of_us", *view.asOfUs);
    line.number("changes_per_minute",
                state.changesPerMinute ? domain::TimeUs(*state.changesPerMinute) : none);
    line.number("depth", state.depth != 0 ? domain::TimeUs(state.depth) : none);
    line.number("expires_us", expires ? state.expiresUs : none);
    text(line, "fencing", state.fencing);
    text(line, "guard", state.guard);
    line.text("lock", state.key.name);
    line.number("longest_wait_us", domain::longestWaitUs(state, view.nowUs));
    if (view.asOfUs)
        line.boolean("may_have_changed", state.mayHaveChanged);
    text(line, "mode", state.mode);
    line.value("nodes", nodeList(state));
    text(line, "owner", state.owner, held && state.ownerKnown);
    text(line, "place", state.key.place);
    line.begin("release");
    line.boolean("pins_deadline", state.pinsDeadline);
    line.boolean("possible", state.release.possible());
    line.text("safety", domain::safetyName(state.release.safety));
    line.textOrNull("why", domain::releaseOffName(state.release.why),
                    state.release.why != domain::ReleaseOff::None);
    line.end();
    line.number("renewed_us", held ? state.renewedUs : none);
    text(line, "scheme", state.key.scheme);
    line.number("seen_us", state.seenUs);
    text(line, "session", state.session ? state.session->id : QByteArray());
    line.text("source", state.key.source.toUtf8());
    line.text("state", domain::conditionName(conditionOf(state, view)));
    text(line, "store", view.store);
    text(line, "token", state.token, held);
    line.number("ttl_ms", held && state.ttlMs != 0 ? domain::TimeUs(state.ttlMs) : none);
    line.value("waiters", waiterList(state));
    line.number("waiters_us", state.waitersVisible || state.waiting ? state.seenUs : none);
    line.boolean("waiters_visible", state.waitersVisible);
    line.number("waiting", state.waiting ? domain::TimeUs(*state.waiting) : none);
    line.number("window_us", held && state.acquiredUs ? domain::TimeUs(state.windowUs) : none);
}

QJsonObject lockObject(const domain::LockState &state, const SourceView &view, const QString &agent,
                       const std::optional<QStringList> &alsoSeenBy, const domain::HolderCheck *check)
{
    QByteArray line;
    appendLock(line, state, view, agent, alsoSeenBy, check);
    return QJsonDocument::fromJson(line).object();
}

QStringList lockColumns(bool past)
{
    QStringList columns =
        QStringLiteral(
            "agent source store scheme place lock state owner token acquired_us window_us renewed_us "
            "expires_us ttl_ms waiters waiters_visible longest_wait_us depth fencing alive.verdict "
            "alive.evidence alive.probe.verdict alive.probe.evidence alive.probe.checked_us release.possible "
            "release.safety release.why guard seen_us")
            .split(QLatin1Char(' '));
    if (past)
        columns += {QStringLiteral("as_of_us"), QStringLiteral("may_have_changed")};
    return columns;
}

} // namespace lockkeeper::app::records
