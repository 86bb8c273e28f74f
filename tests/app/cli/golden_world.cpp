// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden_world.h"

namespace lockkeeper::tests {

using namespace domain;

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kMinute = 60 * kSecond;

LockKey redisKey(const QByteArray &name)
{
    return {QStringLiteral("orders"), "redis.token", "db0", name};
}

LockKey sqlKey(const QByteArray &name)
{
    return {QStringLiteral("billing"), "sql.row", "app.stock", name};
}

/** Held for `heldS` seconds, with a lease that ends `remainingS` seconds from now. */
LockState lease(const QByteArray &name, const QByteArray &owner, qint64 heldS, qint64 remainingS)
{
    LockState state;
    state.key = redisKey(name);
    state.phase = Phase::Held;
    state.owner = owner;
    state.token = owner;
    state.acquiredUs = kGoldenNowUs - heldS * kSecond;
    state.acquiredBy = Evidence::Observation;
    state.windowUs = 500'000;
    state.expiry = ExpiryKind::At;
    state.expiresUs = kGoldenNowUs + remainingS * kSecond;
    state.expiresBy = Evidence::Ttl;
    state.ttlMs = 30'000;
    state.release.safety = ReleaseSafety::Guarded;
    state.pinsDeadline = true;
    state.guard = QByteArray(64, 'a');
    state.seenUs = kGoldenNowUs - 200'000;
    return state;
}

LockState contended()
{
    LockState state = lease("lock:report", "w3@10.1.0.7", 872, 24);
    state.renewedUs = kGoldenNowUs - 4'200'000;
    state.renewals = 42;
    state.longestRenewalGapUs = 11'300'000;
    state.waitersVisible = true;
    state.waiters = {{"w5@10.1.0.8", kGoldenNowUs - 131 * kSecond, QByteArray()},
                     {"w6@10.1.0.9", kGoldenNowUs - 7 * kSecond, "BLPOP", 250'000}};
    state.fencing = "1204";
    return state;
}

LockState stuck()
{
    LockState state = lease("lock:a", "-5", 9'667, 0);
    state.acquiredBy = Evidence::FirstSeen;
    state.windowUs = 0;
    state.stuck = StuckReason::NoExpiry;
    state.expiry = ExpiryKind::None;
    state.expiresUs.reset();
    state.ttlMs = 0;
    state.release.safety = ReleaseSafety::Unsafe;
    state.pinsDeadline = false;
    return state;
}

LockState onNodes()
{
    LockState state = lease("lock:nodes", "w4", 12, 18);
    state.key.scheme = "redis.redlock";
    state.nodes = {{"n1:6379", NodeHolds::Holder, "w4", kGoldenNowUs + 18 * kSecond},
                   {"n2:6379", NodeHolds::Unreachable, {}, {}}};
    return state;
}

LockState rowLock(const QByteArray &name, const QByteArray &session)
{
    LockState state;
    state.key = sqlKey(name);
    state.phase = Phase::Held;
    state.owner = session;
    state.acquiredUs = kGoldenNowUs - 191 * kSecond;
    state.acquiredBy = Evidence::Column;
    state.expiry = ExpiryKind::None;
    state.session = Session{};
    state.session->id = session;
    state.session->client = "10.1.0.7:40312";
    state.session->idleSinceUs = kGoldenNowUs - 191 * kSecond;
    state.release.why = ReleaseOff::NotPermitted;
    state.guard = QByteArray(64, 'b');
    state.seenUs = kGoldenNowUs - 131 * kSecond;
    return state;
}

QList<LockState> locks()
{
    LockState expired = lease("settle-daily", "w1@10.1.0.5", 872, -72);
    expired.phase = Phase::Expired;
    LockState expiring = lease("lock:expiring", "w2", 28, 2);
    LockState unknown = lease("lock:odd", "w2", 28, 2);
    unknown.phase = Phase::Unknown;
    unknown.ownerKnown = false;
    LockState free = lease("lock:free", "w9", 28, 2);
    free.phase = Phase::Free;
    LockState deep = lease("=cmd|' /C calc'!A0", "w7", 2 * 86'400 + 3'661, 20);
    deep.depth = 3;
    deep.mode = "write";
    LockState plain = lease(QByteArray("lock:\x1b[31mred\n\xff", 14), {}, 3, 27);
    plain.mayHaveChanged = true;
    LockState counter = lease("counter", "v42", 3, 27);
    counter.key.scheme = "redis.optimistic";
    counter.expiry = ExpiryKind::None;
    counter.expiresUs.reset();
    counter.changesPerMinute = 17;
    LockState counted = lease("permits", "p1", 3, 27);
    counted.waiting = 5;
    return {contended(), stuck(), onNodes(), expired, expiring, unknown,
            free,        deep,    plain,     counter, counted,  rowLock("148", "17")};
}

SourceState source(const QString &name, const QByteArray &store)
{
    SourceState state;
    state.name = name;
    state.store = store;
    state.address = store == "redis" ? QStringLiteral("redis://10.1.0.1:6379/0")
                                     : QStringLiteral("mysql://app@10.1.0.2:3306/app");
    state.link = Link::Up;
    state.sinceWallUs = kGoldenNowUs - 90 * kMinute;
    state.lastSeenUs = kGoldenNowUs - 200'000;
    state.lastSeenWallUs = kGoldenNowUs - 200'000;
    state.pollMs = 500;
    state.passUs = 3'400;
    state.clockOffsetUs = 1'250;
    state.clockUncertaintyUs = 400;
    state.server = store == "redis" ? QStringLiteral("Redis 7.0.15") : QStringLiteral("MariaDB 10.11.6");
    state.instance = "1f3c";
    state.counts = {12, 6, 1, 1, 1, 2};
    state.schemes = {store == "redis" ? "redis.token" : "sql.row"};
    state.access = {{"observe:lock:*", true, false, {}},
                    {"break:lock:*", false, true, QStringLiteral("ACL SETUSER +eval")}};
    state.findings = {{"eviction_policy", Severity::Warning, "allkeys-lru", kGoldenNowUs - kMinute, {}}};
    return state;
}

QList<SourceState> sources()
{
    SourceState down = source(QStringLiteral("billing"), "mysql");
    down.link = Link::Down;
    down.lastSeenUs = down.lastSeenWallUs = down.gapSinceUs = kGoldenNowUs - 131 * kSecond;
    down.retryWallUs = kGoldenNowUs + 4 * kSecond;
    down.mode = ObservationMode::Push;
    down.counts = Counts();
    down.findings.clear();
    down.error = {base::ErrorCode::Unreachable, QStringLiteral("connection refused"),
                  QStringLiteral("Start the server")};
    return {source(QStringLiteral("orders"), "redis"), down};
}

QList<events::LockEvent> events()
{
    using events::EventKind;
    QList<events::LockEvent> list;
    for (int kind = int(EventKind::Acquired); kind <= int(events::kLastKind); ++kind) {
        events::LockEvent event;
        event.seq = quint64(list.size()) + 1;
        event.kind = EventKind(kind);
        event.key = redisKey("lock:report");
        event.store = "redis";
        if (event.isSourceEvent())
            event.key = {QStringLiteral("orders"), {}, {}, {}};
        event.owner = event.isSourceEvent() ? QByteArray() : QByteArray("w3@10.1.0.7");
        event.timeUs = kGoldenNowUs - (60 - kind) * kMinute + kind * 1'001;
        event.windowUs = kind % 3 * 250'000;
        event.observedUs = event.timeUs + 9;
        list.append(event);
    }
    list[0].ttlMs = 30'000;
    list[0].expiresUs = list[0].timeUs + 30 * kSecond;
    list[1].waiter = "w5";
    list[2].detail = events::EventDetail::fromJson(
        {{QStringLiteral("first_seen"), true}, {QStringLiteral("previous"), QStringLiteral("w2")}});
    list[3].command = "c-17";
    list[3].detail =
        events::EventDetail::fromJson({{QStringLiteral("last_seen_us"), list[3].timeUs - kSecond},
                                       {QStringLiteral("cause"), QStringLiteral("=1+1")}});
    list[4].ownerKnown = false;
    return list;
}

QList<protocol::Hold> holds()
{
    QList<protocol::Hold> list;
    for (const char *end : {"", "released", "expired", "taken_over", "force_released", "gap", "lost"}) {
        protocol::Hold hold;
        hold.id = 100 - list.size();
        hold.key = redisKey("lock:report");
        hold.owner = "w" + QByteArray::number(list.size());
        hold.fromUs = kGoldenNowUs - (list.size() + 1) * 10 * kMinute;
        hold.fromWindowUs = list.size() % 2 * 400'000;
        hold.end = end;
        if (!hold.end.isEmpty()) {
            hold.toUs = hold.fromUs + 9 * kMinute;
            hold.toWindowUs = list.size() % 3 * 100'000;
        }
        hold.renewals = quint32(list.size()) * 3;
        hold.longestRenewalGapUs = list.size() * 1'500'000;
        list.append(hold);
    }
    list[1].waitedUs = 2'300'000;
    list[2].waitedUs = 4 * kMinute;
    list[2].waitSeen = false;
    list[2].mayBe = "released";
    list[3].startSeen = false;
    list[4].command = "c-17";
    list[4].by = QStringLiteral("kim");
    list[4].role = QStringLiteral("operator");
    list[4].reason = QStringLiteral("stuck since the deployment");
    list[5].ownerKnown = false;
    return list;
}

AuditEntry entry(qint64 id, const LockKey &key)
{
    AuditEntry audit;
    audit.id = id;
    audit.timeUs = kGoldenNowUs - (10 - id) * kMinute;
    audit.who = QStringLiteral("kim");
    audit.role = QStringLiteral("operator");
    audit.key = key;
    audit.reason = QStringLiteral("stuck since the deployment");
    return audit;
}

QList<AuditEntry> audit()
{
    AuditEntry released = entry(9, redisKey("lock:a"));
    released.holder = "-5";
    released.guard = QByteArray(64, 'a');
    released.outcome = Outcome::Released;
    released.outcomeTimeUs = released.timeUs + 1'200;
    released.command = "c-17";
    released.approver = QStringLiteral("lee");
    AuditEntry refused = entry(8, redisKey("lock:b"));
    refused.outcome = Outcome::Refused;
    refused.detail = QStringLiteral("renewed since it was read");
    AuditEntry probe = entry(7, {QStringLiteral("orders"), AuditEntry::kProbe, {}, {}});
    AuditEntry login = entry(6, {{}, AuditEntry::kLogin, "10.1.0.9", {}});
    login.outcome = Outcome::Refused;
    AuditEntry broken = entry(5, redisKey("lock:c"));
    broken.intact = false;
    return {released, refused, probe, login, broken};
}

QList<WaitGraph> graphs()
{
    WaitGraph graph;
    graph.source = QStringLiteral("billing");
    graph.endedUs = kGoldenNowUs - 131 * kSecond;
    graph.beganUs = graph.endedUs - 3'000;
    graph.evidence = "innodb_locks";
    for (const char *id : {"17", "18", "19"}) {
        Session session;
        session.id = id;
        session.client = "10.1.0.7:40312";
        session.statement = "UPDATE stock SET n = n - 1 WHERE id = 148";
        graph.sessions.append(session);
    }
    graph.edges = {{"18", "17", sqlKey("148"), graph.endedUs - 40 * kSecond, 0, {}},
                   {"19", "18", sqlKey("149"), graph.endedUs - 12 * kSecond, 250'000, {}}};
    graph.wholeTables = {{"17", "app.stock", 4'000}};
    return {graph};
}

protocol::ContentionPage contention()
{
    protocol::ContentionPage page;
    page.fromUs = kGoldenNowUs - 60 * kMinute;
    page.toUs = kGoldenNowUs;
    Contention seen;
    seen.key = redisKey("lock:report");
    seen.waitersVisible = true;
    seen.acquisitions = 40;
    seen.takeovers = 1;
    seen.expiries = 2;
    seen.forced = 1;
    seen.waits = {12, 300 * kSecond, 20 * kSecond, 90 * kSecond, 131 * kSecond};
    seen.holds = {39, 2'400 * kSecond, 60 * kSecond, 120 * kSecond, 872 * kSecond};
    seen.heldLowUs = 2'300 * kSecond;
    seen.heldHighUs = 2'500 * kSecond;
    seen.observedUs = 58 * kMinute;
    Contention blind;
    blind.key = redisKey("lock:a");
    blind.acquisitions = 1;
    blind.observedUs = 60 * kMinute;
    page.locks = {seen, blind};
    page.waiters = {
        {QStringLiteral("orders"), "w4@10.1.0.8", 2, 9, 240 * kSecond, 90 * kSecond, 58 * kMinute}};
    domain::BlockerCost blocker{
        QStringLiteral("orders"), "w3@10.1.0.7", {}, 1, 3, 12, 280 * kSecond, 131 * kSecond, 58 * kMinute};
    domain::BlockerCost statement = blocker;
    statement.holder.clear();
    statement.statement = "UPDATE report\nSET state = 'done'";
    page.blockers = {blocker, statement};
    page.unattributedUs = 20 * kSecond;
    return page;
}

Alert alert(const QByteArray &id, AlertCondition condition, const QByteArray &lock, qint64 sinceS)
{
    Alert alert;
    alert.id = id;
    alert.rule =
        QString::fromLatin1(alertConditionName(condition)).replace(QLatin1Char('_'), QLatin1Char('-'));
    alert.condition = condition;
    alert.source = QStringLiteral("orders");
    if (!lock.isEmpty())
        alert.lock = redisKey(lock);
    alert.sinceUs = kGoldenNowUs - sinceS * kSecond;
    alert.firedUs = alert.sinceUs + 30 * kSecond;
    return alert;
}

/** Each phase, each unit of a value, a source and the agent itself; newest first. */
QList<Alert> alerts()
{
    Alert waits = alert("5f1c9a2b7d3e4f60", AlertCondition::LongestWait, "lock:report", 131);
    waits.severity = AlertSeverity::Critical;
    waits.holder = "w3@10.1.0.7";
    waits.value = 101 * kSecond;
    waits.threshold = 60 * kSecond;
    waits.detail = {{QStringLiteral("sessions"), 2}};
    Alert down = alert("a07733e1c2d44b15", AlertCondition::SourceDown, {}, 131);
    down.source = QStringLiteral("billing");
    down.severity = AlertSeverity::Critical;
    Alert ratio = alert("5f1d001122334455", AlertCondition::HeldRatio, "lock:report", 872);
    ratio.value = 7'300;
    ratio.threshold = 5'000;
    ratio.acknowledgedBy = QStringLiteral("lee");
    ratio.acknowledgedUs = kGoldenNowUs - 600 * kSecond;
    ratio.repeats = 2;
    Alert margin = alert("c31b5a6c7d8e9f00", AlertCondition::LeaseMargin, "lock:expiring", 1'200);
    margin.severity = AlertSeverity::Info;
    margin.value = 42;
    margin.threshold = 200;
    margin.snoozedBy = QStringLiteral("kim");
    margin.snoozedUntilUs = kGoldenNowUs + 45 * kMinute;
    Alert changes = alert("d4e5f60718293a4b", AlertCondition::HolderChanges, "leader/\x1b[31m", 3'000);
    changes.value = 14;
    changes.threshold = 10;
    Alert audit = alert("e5f60718293a4b5c", AlertCondition::AuditFailing, {}, 4'000);
    audit.source.clear();
    Alert stuck = alert("f60718293a4b5c6d", AlertCondition::Stuck, "lock:a", 9'600);
    stuck.resolvedUs = kGoldenNowUs - 5'000 * kSecond;
    return {waits, down, ratio, margin, changes, audit, stuck};
}

QList<protocol::AlertReceiver> receivers()
{
    protocol::AlertReceiver pager{
        QStringLiteral("pager"), "pagerduty", kGoldenNowUs - 90 * kSecond, {}, {}, 0};
    protocol::AlertReceiver ops{QStringLiteral("ops"), "webhook", kGoldenNowUs - 50 * kMinute, {}, {}, 7};
    ops.failingSinceUs = kGoldenNowUs - 20 * kMinute;
    ops.error = {base::ErrorCode::Unreachable, QStringLiteral("connection refused"),
                 QStringLiteral("Start the receiver")};
    protocol::AlertReceiver never{QStringLiteral("mail"), "email", {}, {}, {}, 0};
    return {pager, ops, never};
}

protocol::AdvicePage advice()
{
    const auto figure = [](const char *key, qint64 value) {
        return std::pair(QLatin1String(key), QJsonValue(value));
    };
    domain::Advice lease;
    lease.code = domain::AdviceCode::LeaseTooShort;
    lease.confidence = domain::AdviceConfidence::Certain;
    lease.lock = redisKey("lock:report");
    lease.figures = {figure("holds", 400), figure("p99_us", 30 * kSecond), figure("ttl_us", 30 * kSecond),
                     figure("late", 12), figure("expired", 4)};
    lease.ttlUs = 60 * kSecond;
    domain::Advice orders;
    orders.code = domain::AdviceCode::OppositeOrders;
    orders.confidence = domain::AdviceConfidence::Likely;
    orders.lock = redisKey("lock:a");
    orders.other = redisKey("lock:b");
    orders.figures = {figure("first_order", 9), figure("second_order", 4), figure("holders", 1)};
    protocol::AdvicePage page;
    page.fromUs = kGoldenNowUs - 60 * kMinute;
    page.toUs = kGoldenNowUs;
    page.observedPermille = 967;
    page.locks = 3;
    page.holds = 420;
    for (domain::Advice one : {lease, orders}) {
        one.fromUs = page.fromUs;
        one.toUs = page.toUs;
        page.advice.append(one);
    }
    return page;
}

} // namespace

void fillGoldenAgent(FakeAgent &agent)
{
    agent.locks = locks();
    agent.sources = sources();
    agent.events = events();
    agent.holds = holds();
    agent.audit = audit();
    agent.graphs = graphs();
    agent.contention = contention();
    agent.advice = advice();
    agent.status.wallUs = kGoldenNowUs;
    agent.status.startedWallUs = kGoldenNowUs - 90 * kMinute;
    ApprovalRequest request;
    request.id = 10;
    request.key = redisKey("lock:a");
    request.who = QStringLiteral("kim");
    request.reason = QStringLiteral("stuck since the deployment");
    request.holder = "-5";
    request.guard = QByteArray(64, 'a');
    request.askedUs = kGoldenNowUs - 48 * kSecond;
    request.endsUs = kGoldenNowUs + 252 * kSecond;
    agent.approvals = {request};
    agent.alerts = alerts();
    agent.receivers = receivers();
}

void fillSecondGoldenAgent(FakeAgent &agent)
{
    fillGoldenAgent(agent);
    agent.name = agent.status.agent = QStringLiteral("dc2");
    agent.journal = "j2";
    agent.locks = {contended(), lease("lock:own", "w8", 5, 25)};
    agent.locks[1].key.source = QStringLiteral("stock");
    agent.sources = {source(QStringLiteral("orders"), "redis"), source(QStringLiteral("stock"), "redis")};
    for (protocol::Hold &hold : agent.holds)
        hold.fromUs -= 5 * kMinute;
    agent.audit.resize(1);
    agent.graphs.clear();
    agent.contention.locks.resize(1);
    agent.advice.advice.resize(1);
    agent.advice.more = true;
    agent.approvals.clear();
    agent.alerts = {agent.alerts[2], agent.alerts[4]};
    agent.alerts[0].id = "9b8a7c6d5e4f3021";
    agent.receivers.resize(1);
}

} // namespace lockkeeper::tests
