// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/views/support/demo_agent.h"

#include "tests/app/models/graph_fixture.h"
#include "tests/app/views/support/pages.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::tests {

namespace {

constexpr qint64 kOneSecond = 1'000'000;
constexpr qint64 kMinute = 60 * kOneSecond;

/** A source of Redis with something of each severity. */
void endanger(domain::SourceState &source, qint64 nowUs)
{
    using domain::Severity;
    source.server = QStringLiteral("Redis 7.0.15");
    source.address = QStringLiteral("redis://lk@10.0.0.17:6379/0");
    source.schemes = {"redis.token", "redis.redisson"};
    source.sinceWallUs = nowUs - 120 * kMinute;
    source.access = {
        {"scan", true, false, {}},
        {"getrange", true, false, {}},
        {"release", false, true, QStringLiteral("ACL SETUSER lk ~lock:* +type +del +eval +evalsha +wait")}};
    source.findings = {{"evicted_keys", Severity::Danger, "1204", nowUs - 40 * kOneSecond},
                       {"eviction_policy", Severity::Warning, "allkeys-lru", {}},
                       {"no_expiry", Severity::Warning, "3", {}},
                       {"restarts", Severity::Warning, "1", nowUs - 20 * kMinute},
                       {"snapshots_only", Severity::Notice, "0", {}}};
}

} // namespace

protocol::AdvicePage demoAdvice(QList<domain::LockState> locks, qint64 nowUs,
                                const protocol::AdviceQuery &query)
{
    std::sort(locks.begin(), locks.end(), [](const auto &a, const auto &b) { return a.key < b.key; });
    protocol::AdvicePage page;
    page.id = query.id;
    page.fromUs = query.fromUs.value_or(nowUs - 24 * 60 * kMinute);
    page.toUs = query.toUs.value_or(nowUs);
    page.observedPermille = 984;
    page.locks = 214;
    page.holds = 18'240;
    const auto add = [&](domain::AdviceCode code, domain::AdviceConfidence confidence, qsizetype lock,
                         const QJsonObject &figures) {
        domain::Advice advice;
        advice.code = code;
        advice.confidence = confidence;
        advice.lock = locks.at(lock).key;
        advice.figures = figures;
        advice.fromUs = page.fromUs;
        advice.toUs = page.toUs;
        page.advice.append(advice);
    };
    using domain::AdviceCode;
    using domain::AdviceConfidence;
    add(AdviceCode::LeaseTooShort, AdviceConfidence::Certain, 0,
        {{QStringLiteral("holds"), 412},
         {QStringLiteral("p99_us"), 29 * kOneSecond},
         {QStringLiteral("ttl_us"), 30 * kOneSecond},
         {QStringLiteral("late"), 9},
         {QStringLiteral("expired"), 3}});
    page.advice.last().ttlUs = 60 * kOneSecond;
    add(AdviceCode::NoExpiry, AdviceConfidence::Likely, 1,
        {{QStringLiteral("holds"), 12}, {QStringLiteral("longest_us"), 40 * kMinute}});
    add(AdviceCode::OppositeOrders, AdviceConfidence::Likely, 2,
        {{QStringLiteral("first_order"), 9},
         {QStringLiteral("second_order"), 4},
         {QStringLiteral("holders"), 3}});
    page.advice.last().other = locks.at(3).key;
    return page;
}

AlertBook demoAlerts(const QList<domain::LockState> &locks, qint64 nowUs)
{
    using domain::AlertCondition;
    using domain::AlertSeverity;
    const auto alertOf = [&](const char *id, AlertCondition condition, AlertSeverity severity, qsizetype lock,
                             qint64 sinceS) {
        domain::Alert alert = firedAlert(id, {}, condition);
        alert.rule = QString::fromLatin1(domain::alertConditionName(condition));
        alert.rule.replace(QLatin1Char('_'), QLatin1Char('-'));
        alert.severity = severity;
        if (lock >= 0) {
            alert.lock = locks.at(lock).key;
            alert.source = alert.lock.source;
            alert.holder = locks.at(lock).owner;
        }
        alert.sinceUs = nowUs - sinceS * kOneSecond;
        alert.firedUs = alert.sinceUs + 30 * kOneSecond;
        return alert;
    };
    AlertBook book;
    domain::Alert stuck =
        alertOf("5f1c9a2b7d3e4f60", AlertCondition::Stuck, AlertSeverity::Critical, 0, 1'467);
    domain::Alert blocks =
        alertOf("a07733e1c2d44b15", AlertCondition::WaitingNow, AlertSeverity::Critical, 2, 131);
    blocks.value = 341 * kOneSecond;
    blocks.threshold = 120 * kOneSecond;
    blocks.detail = {{QStringLiteral("chain"),
                      QJsonArray{QStringLiteral("reportJob"), QStringLiteral("lock:stock:sku-8841")}},
                     {QStringLiteral("sessions"), 4}};
    domain::Alert expired =
        alertOf("e5f60718293a4b5c", AlertCondition::Expired, AlertSeverity::Warning, 1, 72);
    domain::Alert down =
        alertOf("c31b5a6c7d8e9f00", AlertCondition::SourceDown, AlertSeverity::Critical, -1, 600);
    down.source = QStringLiteral("orders-db");
    down.acknowledgedBy = QStringLiteral("lee");
    down.acknowledgedUs = nowUs - 400 * kOneSecond;
    down.resolvedUs = nowUs - 60 * kOneSecond;
    domain::Alert ratio =
        alertOf("d4e5f60718293a4b", AlertCondition::HeldRatio, AlertSeverity::Warning, 9, 90'000);
    ratio.value = 7'300;
    ratio.threshold = 5'000;
    ratio.acknowledgedBy = QStringLiteral("kim");
    ratio.acknowledgedUs = nowUs - 3'000 * kOneSecond;
    domain::Alert margin =
        alertOf("f60718293a4b5c6d", AlertCondition::LeaseMargin, AlertSeverity::Info, 4, 3'100);
    margin.value = 42;
    margin.threshold = 200;
    margin.snoozedBy = QStringLiteral("kim");
    margin.snoozedUntilUs = nowUs + 45 * kMinute;
    domain::Alert audit =
        alertOf("0718293a4b5c6d7e", AlertCondition::AuditFailing, AlertSeverity::Critical, -1, 5'000);
    audit.source.clear();
    audit.resolvedUs = nowUs - 4'000 * kOneSecond;
    book.alerts = {expired, blocks, stuck, down, ratio, margin, audit};
    protocol::AlertReceiver ops{QStringLiteral("ops-chat"), "webhook", nowUs - 50 * kMinute,
                                nowUs - 20 * kMinute,       {},        7};
    ops.error = {base::ErrorCode::Unreachable, QStringLiteral("connection refused"),
                 QStringLiteral("Start the server, or check address and port")};
    book.receivers = {{QStringLiteral("pager"), "pagerduty", nowUs - 90 * kOneSecond, {}, {}, 0},
                      ops,
                      {QStringLiteral("mail"), "email", {}, {}, {}, 0}};
    return book;
}

DemoAgent::DemoAgent(const DemoFeed &feed, const base::Clock &clock)
    : m_clock(clock), m_nowUs(clock.wallUs()), m_sources(feed.sources())
{
    endanger(m_sources.first(), m_nowUs);
    const QList<domain::LockState> locks = feed.locks(12);
    for (const domain::LockState &lock : locks)
        table.locks.insert(lock.key, lock);
    addChains();
    addEvents(locks);
    addHolds(locks);
    addAudit(locks);
    addContention(locks);
    m_alerts = demoAlerts(locks, m_nowUs);
    answer = [this](const protocol::Message &message) { return reply(message); };
}

void DemoAgent::addChains()
{
    graph = graphOf(
        {"21>17 1 131", "22>21 2 96", "23>22 3 44", "24>23 4 9", "25>17 1 31", "33>31 7 12", "31>33 8 11"},
        m_nowUs);
    graph.wholeTables.append({"17", "app.stock", 120'400});
    graph.sessions[0].statement = "UPDATE `stock` SET reserved = reserved + 1 WHERE note = 'sku-8841'";
    domain::LockState held;
    held.key = {QStringLiteral("orders-db"), "sql.row", "app.lock/PRIMARY", "1"};
    held.phase = domain::Phase::Held;
    held.owner = "17";
    held.acquiredUs = m_nowUs - 200 * kOneSecond;
    held.acquiredBy = domain::Evidence::Observation;
    held.windowUs = 700'000;
    held.release.safety = domain::ReleaseSafety::Guarded;
    held.guard = QByteArray(64, 'b');
    held.waitersVisible = true;
    held.waiters = {{"21", m_nowUs - 131 * kOneSecond, {}}, {"25", m_nowUs - 31 * kOneSecond, {}, 500'000}};
    held.session = graph.sessions.first();
    held.session->program = "settlement-service";
    held.session->idleSinceUs = m_nowUs - 191 * kOneSecond;
    table.locks.insert(held.key, held);
}

void DemoAgent::addEvents(const QList<domain::LockState> &locks)
{
    using events::EventKind;
    constexpr std::array kKinds{EventKind::Acquired,     EventKind::WaitStart, EventKind::Released,
                                EventKind::Acquired,     EventKind::WaitEnd,   EventKind::Renewed,
                                EventKind::Stuck,        EventKind::Expired,   EventKind::TakenOver,
                                EventKind::ForceReleased};
    constexpr int kEvents = 240;
    for (int i = 0; i < kEvents; ++i) {
        events::LockEvent event = acquired(locks.at(i * 5 % locks.size()));
        event.after.reset();
        event.kind = kKinds.at(size_t(i * 7) % kKinds.size());
        event.timeUs = m_nowUs - (kEvents - i) * 15 * kOneSecond;
        event.windowUs = i % 3 == 0 ? 480'000 : 0;
        event.observedUs = event.timeUs + 500'000;
        event.seq = ++table.seq;
        if (event.kind == EventKind::WaitStart || event.kind == EventKind::WaitEnd)
            event.waiter = "worker-9@10.2.0.14";
        if (event.kind == EventKind::WaitEnd) {
            event.detail.outcome = events::WaitOutcome::Acquired;
            event.detail.sinceUs = event.timeUs - 42 * kOneSecond;
        }
        if (event.kind == EventKind::ForceReleased)
            event.command = QByteArray(32, 'c');
        if (i == kEvents / 2 || i == kEvents / 2 + 6) {
            event.kind = i == kEvents / 2 ? EventKind::GapOpened : EventKind::GapClosed;
            event.key = {QStringLiteral("orders-db"), {}, {}, {}};
            event.ownerKnown = false;
            event.detail.cause = events::EventCause::SourceDown;
            event.windowUs = i == kEvents / 2 ? 0 : 90 * kOneSecond;
        }
        journal.append(event);
    }
}

void DemoAgent::addHolds(const QList<domain::LockState> &locks)
{
    constexpr std::array kEnds{"released", "expired", "taken_over", "force_released", "gap", "lost", ""};
    for (int i = 0; i < 40; ++i) {
        protocol::Hold hold;
        hold.key = locks.at(i % locks.size()).key;
        hold.owner = "worker-" + QByteArray::number(i % 9) + "@10.2.0." + QByteArray::number(10 + i % 9);
        hold.id = 1'000 - i;
        hold.fromUs = m_nowUs - (i + 1) * kMinute;
        hold.fromWindowUs = i % 4 == 0 ? 500'000 : 0;
        hold.startSeen = i % 8 != 7;
        hold.end = kEnds.at(size_t(i + 6) % kEnds.size());
        if (!hold.end.isEmpty())
            hold.toUs = hold.fromUs + (3 + i * 7 % 50) * kOneSecond;
        if (i % 3 == 0)
            hold.waitedUs = (1 + i) * 1'400'000;
        hold.waitSeen = i % 2 == 0;
        hold.renewals = quint32(i % 5);
        if (hold.end == "force_released") {
            hold.command = QByteArray(32, 'c');
            hold.by = QStringLiteral("ada");
            hold.role = QString::fromLatin1(i % 2 == 0 ? "operator" : "policy");
            hold.reason = QStringLiteral("its pod was killed by the node's OOM killer");
            hold.mayBe = i > 20 ? "released" : "";
        }
        m_holds.append(hold);
    }
}

void DemoAgent::addAudit(const QList<domain::LockState> &locks)
{
    using domain::Outcome;
    constexpr std::array kOutcomes{Outcome::Released, Outcome::HolderChanged, Outcome::Unknown,
                                   Outcome::Refused, Outcome::AlreadyFree};
    for (int i = 0; i < 12; ++i) {
        domain::AuditEntry entry;
        entry.id = 12 - i;
        entry.timeUs = m_nowUs - i * 11 * kMinute;
        entry.who = QString::fromLatin1(i % 3 == 0 ? "ada" : "grace");
        entry.role = QString::fromLatin1(i % 5 == 4 ? "policy" : "operator");
        entry.key = locks.at(i % locks.size()).key;
        entry.holder = "worker-3@10.2.0.11";
        entry.reason = QStringLiteral("its pod was killed by the node's OOM killer");
        entry.guard = QByteArray(64, 'b');
        entry.outcome = kOutcomes.at(size_t(i) % kOutcomes.size());
        entry.outcomeTimeUs = entry.timeUs + 8'000;
        entry.command = i == 0 ? QByteArray(32, 'c') : QByteArray::number(i).rightJustified(32, 'd');
        m_audit.append(entry);
    }
}

void DemoAgent::addContention(const QList<domain::LockState> &locks)
{
    qint64 waitingUs = 90 * kMinute;
    for (const domain::LockState &lock : locks) {
        domain::Contention c;
        c.key = lock.key;
        c.waitersVisible = lock.waitersVisible || m_contention.locks.size() % 2 == 0;
        if (c.waitersVisible)
            c.waits = {31, waitingUs, waitingUs / 60, waitingUs / 20, waitingUs / 12};
        c.acquisitions = 410;
        c.forced = m_contention.locks.size() % 4;
        c.holds = {400, 50 * kMinute, 80'000, 1'200'000, 9 * kOneSecond};
        c.handoverLow = {380, 0, 0, 1'000, 2'000};
        c.handoverHigh = {380, 0, 400'000, 500'000, 501'000};
        c.heldLowUs = 40 * kMinute;
        c.heldHighUs = 44 * kMinute;
        c.observedUs = 58 * kMinute;
        m_contention.locks.append(c);
        waitingUs = waitingUs * 3 / 5;
    }
    m_contention.waiters.append(
        {QStringLiteral("orders-db"), "worker-9@10.2.0.14", 4, 31, 12 * kMinute, 3 * kMinute, 58 * kMinute});
    qint64 causedUs = 70 * kMinute;
    for (const char *holder :
         {"worker-3@10.2.3.17", "17", "worker-9@10.2.3.18", "backup-host-01.example.internal"}) {
        domain::BlockerCost cost{
            QStringLiteral("orders-db"), holder, {}, 3, 14, 52, causedUs, causedUs / 9, 58 * kMinute};
        m_contention.blockers.append(cost);
        cost.holder.clear();
        cost.statement =
            "UPDATE stock SET left = left - 1 WHERE warehouse = " + QByteArray::number(causedUs % 97);
        m_contention.blockers.append(cost);
        causedUs = causedUs * 2 / 5;
    }
    m_contention.unattributedUs = 14 * kMinute;
}

/** The holds as bars, a lane for each lock, with the gap from the events. */
protocol::TimelinePage DemoAgent::timelineOf(const protocol::TimelineQuery &query) const
{
    protocol::TimelinePage page;
    page.id = query.id;
    page.fromUs = query.fromUs;
    page.toUs = query.toUs;
    page.sliceUs = query.sliceUs;
    page.firstUs = m_nowUs - 26 * 24 * 60 * kMinute;
    for (const protocol::Hold &hold : m_holds) {
        if (!query.keys.isEmpty() && !query.keys.contains(hold.key))
            continue;
        const auto of = std::find_if(page.lanes.begin(), page.lanes.end(),
                                     [&hold](const auto &lane) { return lane.key == hold.key; });
        protocol::TimelineLane &lane = of == page.lanes.end() ? page.lanes.emplace_back() : *of;
        lane.key = hold.key;
        lane.holds.prepend(hold);
    }
    page.gaps = {{QStringLiteral("orders-db"),
                  m_nowUs - 30 * kMinute,
                  m_nowUs - 28 * kMinute,
                  {},
                  QStringLiteral("source_down")}};
    for (int i = 0; i < query.stripSlices; ++i)
        page.strip.append(i * 7 % 40);
    return page;
}

/** The current table, three quarters loaded, and a source with an unobserved node. */
protocol::SnapshotPage DemoAgent::pastAt(quint64 id, qint64 atUs) const
{
    protocol::SnapshotPage page;
    page.id = id;
    page.last = true;
    page.sources = m_sources;
    for (domain::SourceState &source : page.sources) {
        source.findings.clear();
        source.lastSeenUs = atUs;
    }
    page.sources.first().findings = {
        {domain::kPartUnseen, domain::Severity::Warning, "10.0.0.17:6379", atUs - kMinute}};
    QList<domain::LockState> locks = table.locks.values();
    std::sort(locks.begin(), locks.end(), [](const auto &a, const auto &b) { return a.key < b.key; });
    for (domain::LockState &state : locks) {
        if (page.locks.size() * 4 > table.locks.size() * 3)
            break;
        state.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::Past};
        state.guard.clear();
        state.mayHaveChanged = state.key.source == page.sources.first().name;
        page.locks.append(state);
    }
    return page;
}

std::optional<protocol::Message> DemoAgent::reply(const protocol::Message &message)
{
    if (auto alert = m_alerts.answer(*this, message)) {
        if (auto *page = std::get_if<protocol::AlertsPage>(&*alert))
            page->nowUs = m_clock.wallUs();
        return alert;
    }
    if (const auto *query = std::get_if<protocol::ChainsQuery>(&message)) {
        sendToAll(protocol::StateBatch{{}, m_sources, false, {}});
        return protocol::ChainsPage{query->id, {graph}};
    }
    if (const auto *query = std::get_if<protocol::StatusQuery>(&message)) {
        sendToAll(protocol::StateBatch{{}, m_sources, false, {}});
        protocol::Status status;
        status.id = query->id;
        status.agent = QStringLiteral("dc1");
        status.version = QStringLiteral(LOCKKEEPER_VERSION);
        status.sources = m_sources;
        return status;
    }
    if (const auto *query = std::get_if<protocol::HolderChecksQuery>(&message))
        return protocol::HolderChecksPage{query->id, {}, 0};
    if (const auto *query = std::get_if<protocol::HistoryQuery>(&message))
        return eventPageOf(journal, table.seq, *query);
    if (const auto *query = std::get_if<protocol::HoldsQuery>(&message))
        return holdPageOf(m_holds, *query);
    if (const auto *query = std::get_if<protocol::TimelineQuery>(&message))
        return timelineOf(*query);
    if (const auto *query = std::get_if<protocol::LocksQuery>(&message); query && query->atUs)
        return pastAt(query->id, *query->atUs);
    if (const auto *query = std::get_if<protocol::AuditQuery>(&message)) {
        protocol::AuditPage page = auditPageOf(m_audit, *query);
        page.verified = query->verify;
        page.anchor = domain::AuditSignature{qint64(m_audit.size()), QByteArray(32, 'h'), m_nowUs,
                                             QByteArray(16, 'k'), QByteArray(64, 's')};
        page.checkedUs = m_nowUs;
        return page;
    }
    if (const auto *query = std::get_if<protocol::ContentionQuery>(&message)) {
        protocol::ContentionPage page = m_contention;
        page.id = query->id;
        page.fromUs = query->fromUs.value_or(0);
        page.toUs = query->toUs.value_or(0);
        using domain::ContentionRanking;
        const ContentionRanking ranking = query->ranking;
        if (ranking != ContentionRanking::Lock)
            page.locks.clear();
        if (ranking != ContentionRanking::Waiter)
            page.waiters.clear();
        page.blockers.removeIf([ranking](const domain::BlockerCost &cost) {
            return ranking !=
                   (cost.holder.isEmpty() ? ContentionRanking::Statement : ContentionRanking::Holder);
        });
        return page;
    }
    if (const auto *query = std::get_if<protocol::AdviceQuery>(&message))
        return demoAdvice(table.locks.values(), m_nowUs, *query);
    if (const auto *query = std::get_if<protocol::Inspect>(&message)) {
        protocol::Inspected read;
        read.id = query->id;
        read.present = true;
        read.state = table.locks.value(query->key);
        read.ticket = "ticket";
        read.willRun =
            read.state.session
                ? QStringLiteral("KILL CONNECTION '17' IF transaction = 't17'")
                : QStringLiteral("EVAL: IF TYPE '%1' = string AND GET '%1' = '%2' THEN DEL '%1'")
                      .arg(QString::fromUtf8(read.state.key.name), QString::fromUtf8(read.state.owner));
        return read;
    }
    return std::nullopt;
}

} // namespace lockkeeper::tests
