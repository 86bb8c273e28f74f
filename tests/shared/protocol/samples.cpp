// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include <QJsonArray>

#include <utility>

namespace lockkeeper::tests {

using namespace protocol;

namespace {

constexpr qint64 kTime = 1'795'212'345'678'901;

base::Error sampleError()
{
    return {base::ErrorCode::PermissionDenied, QStringLiteral("NOPERM this user can't run 'get' — é"),
            QStringLiteral("ACL SETUSER lockkeeper +get")};
}

domain::LockKey sampleKey()
{
    return {QStringLiteral("orders-redis"), "redis.token", "db0", QByteArray("lock:\xff\0\x1b[31m", 11)};
}

domain::discovery::Discovery sampleDiscovery()
{
    using namespace domain::discovery;
    Candidate table;
    table.schema = QStringLiteral("app");
    table.table = QStringLiteral("job \"locks\"\n");
    table.scheme = "sql.lease";
    table.preset = QStringLiteral("shedlock");
    table.mapping.table = table.table;
    table.mapping.name = {QStringLiteral("tenant"), QStringLiteral("name")};
    table.mapping.holder = QStringLiteral("locked_by");
    table.mapping.expiresAt = QStringLiteral("lock_until");
    table.mapping.heldValue = QStringLiteral("1");
    table.mapping.units = {{QStringLiteral("expires_at"), QStringLiteral("epoch_ms")},
                           {QStringLiteral("acquired_at"), QStringLiteral("epoch_s")}};
    table.mapping.leaseUs = 30'000'000;
    table.config = table.mapping;
    table.neverBroken = true;
    table.score = 85;
    table.reasons = {{ReasonCode::PresetTable, 60, {}, QStringLiteral("shedlock")},
                     {ReasonCode::OtherColumns, -10, {}, QStringLiteral("4")}};
    table.access = {{"select", true, false, {}}, {"update", false, true, QStringLiteral("GRANT UPDATE …")}};
    Candidate keys;
    keys.match = "lock:\xff*";
    keys.keys = 12;
    keys.scheme = "redis.semaphore";
    keys.settings = {{"scores", QStringLiteral("deadline")}};
    keys.score = 44;
    keys.missing = {Missing::KeyEvidence, Missing::Refused};
    keys.refusal = sampleError();
    return {"postgresql",
            QStringLiteral("PostgreSQL 16.2"),
            QStringLiteral("orders"),
            5001,
            false,
            {table},
            {keys},
            {Candidate()}};
}

domain::SourceState sampleSource()
{
    domain::SourceState s;
    s.name = QStringLiteral("orders-redis");
    s.store = "redis";
    s.address = QStringLiteral("127.0.0.1:6379/0");
    s.link = domain::Link::Down;
    s.sinceWallUs = kTime - 5;
    s.lastSeenUs = kTime - 4;
    s.lastSeenWallUs = kTime - 3;
    s.gapSinceUs = kTime - 2;
    s.retryWallUs = kTime + 1;
    s.mode = domain::ObservationMode::Push;
    s.pollMs = 500;
    s.passUs = 1234;
    s.clockOffsetUs = -42;
    s.clockUncertaintyUs = 7;
    s.server = QStringLiteral("Redis 7.0.15");
    s.instance = "9f0c";
    s.counts = {6, 5, 4, 3, 2, 1};
    s.schemes = {"redis.token", "redis.json"};
    s.access = {{"scan", true, false, QString()}, {"break:eval", false, true, QStringLiteral("+eval")}};
    s.error = sampleError();
    return s;
}

Hold sampleHold()
{
    Hold h{sampleKey(), false, "owner", kTime, 9, false, kTime + 10, 8, "force_released", 3, 77};
    h.waitedUs = 4'200'000;
    h.waitSeen = false;
    h.command = "00ff";
    h.by = QStringLiteral("ann");
    h.role = QStringLiteral("operator");
    h.reason = QStringLiteral("the host is gone");
    h.mayBe = "released";
    h.renewedUs = kTime + 5;
    h.expiresUs = kTime + 30;
    h.renewalsUs = {kTime + 2, kTime + 5};
    return h;
}

domain::AuditEntry sampleAudit()
{
    domain::AuditEntry e;
    e.id = 12;
    e.timeUs = kTime;
    e.who = QStringLiteral("ann");
    e.role = QStringLiteral("operator");
    e.key = sampleKey();
    e.holder = "w1";
    e.reason = QStringLiteral("the host is gone");
    e.because = domain::Because::Stuck;
    e.guard = "ab12";
    e.outcome = domain::Outcome::HolderChanged;
    e.outcomeTimeUs = kTime + 3;
    e.detail = QStringLiteral("not replicated");
    e.command = "00ff";
    e.approver = QStringLiteral("bob");
    e.intact = false;
    return e;
}

HistoryQuery sampleHistory()
{
    HistoryQuery q;
    q.id = 7;
    q.source = QStringLiteral("orders-redis");
    q.lockGlob = "lock:*";
    q.holderGlob = "w?";
    q.kinds = {events::EventKind::Acquired, events::EventKind::SourceDown};
    q.fromUs = -5;
    q.toUs = kTime;
    q.afterSeq = 0;
    q.beforeSeq = std::numeric_limits<quint64>::max();
    q.command = "00ff";
    q.limit = 1000;
    q.descending = true;
    q.inSlices = true;
    return q;
}

Inspected sampleInspected()
{
    return {9, true, sampleState(), kTime, "ticket", QStringLiteral("EVAL …"), sampleError()};
}

ForceRelease sampleRelease()
{
    return {10,
            "00ff",
            sampleKey(),
            "ticket",
            "guard",
            QByteArray(),
            domain::Because::Expired,
            true,
            QStringLiteral("host gone"),
            true};
}

Status sampleStatus()
{
    Status s{11,
             QStringLiteral("dc1"),
             QStringLiteral("0.1.0"),
             1,
             1042,
             kTime - 9,
             kTime,
             4096,
             1 << 20,
             2,
             sampleError(),
             {}};
    s.sources = {sampleSource()};
    return s;
}

domain::SourceState sampleSourceWithFindings()
{
    domain::SourceState s = sampleSource();
    s.findings = {{"evicted_keys", domain::Severity::Danger, "17", kTime - 3},
                  {"eviction_policy", domain::Severity::Warning, "allkeys-lru"},
                  {"lens_blind", domain::Severity::Notice, {}}};
    return s;
}

domain::SourceState sampleSourceWithFindingsOfNodes()
{
    domain::SourceState s = sampleSource();
    s.findings = {{"clock_offset", domain::Severity::Warning, "-3000000", {}, "10.0.0.7:6379"}};
    return s;
}

domain::Session sampleSession()
{
    domain::Session s;
    s.id = "4711";
    s.user = "app@10.0.0.%";
    s.client = "10.0.0.7:51342";
    s.program = "billing";
    s.transaction = "421938";
    s.transactionSinceUs = kTime - 9;
    s.idleSinceUs = kTime - 8;
    s.statement = "SELECT * FROM t WHERE id = 5 FOR UPDATE /* \xff */";
    s.statementCut = true;
    s.protectedAs = domain::ReleaseOff::PreparedXa;
    return s;
}

domain::WaitGraph sampleGraph()
{
    domain::WaitGraph g;
    g.source = QStringLiteral("orders-db");
    g.beganUs = kTime - 2;
    g.endedUs = kTime;
    g.evidence = "data_locks";
    g.sessions = {sampleSession(), sampleSession()};
    g.edges = {{"4712", "4711", sampleKey(), kTime - 7, 500'000}, {"4713", "4712", sampleKey(), {}, 0}};
    g.wholeTables = {{"4711", "app.t", 1'000'000}};
    g.truncated = true;
    return g;
}

domain::Contention sampleContention()
{
    domain::Contention c;
    c.key = sampleKey();
    c.waitersVisible = true;
    c.acquisitions = 41;
    c.takeovers = 1;
    c.expiries = 2;
    c.forced = 3;
    c.waits = {7, 70'000'000, 9'000'000, 21'000'000, 22'000'000};
    c.holds = {40, 3'600'000'000, 80'000'000, 120'000'000, 900'000'000};
    c.handoverLow = {39, 0, 0, 1'000, 2'000};
    c.handoverHigh = {39, 500'000, 400'000, 500'000, 501'000};
    c.heldLowUs = 3'000'000'000;
    c.heldHighUs = 3'100'000'000;
    c.observedUs = 3'590'000'000;
    return c;
}

TimelineQuery sampleTimelineQuery()
{
    TimelineQuery q;
    q.id = 16;
    q.by = TimelineLanes::Holder;
    q.source = QStringLiteral("orders-redis");
    q.lockGlob = "lock:*";
    q.holderGlob = "w3@*";
    q.keys = {sampleKey()};
    q.fromUs = kTime - 3'600'000'000;
    q.toUs = kTime;
    q.sliceUs = 3'000'000;
    q.lanes = 20;
    q.bars = 2'000;
    q.stripSlices = 600;
    q.stripFromUs = kTime - 86'400'000'000;
    q.stripToUs = kTime;
    return q;
}

TimelinePage sampleTimelinePage()
{
    TimelinePage p;
    p.id = 16;
    p.fromUs = kTime - 3'600'000'000;
    p.toUs = kTime;
    p.sliceUs = 3'000'000;
    TimelineLane lane;
    lane.key = sampleKey();
    lane.waitUs = 70'000'000;
    lane.holds = {sampleHold()};
    lane.waits = {{sampleKey(), "w4", kTime - 7'000'000, {}, 9}, {sampleKey(), "w5", 0, kTime, 10}};
    TimelineLane dense;
    dense.source = QStringLiteral("orders-redis");
    dense.holder = "w3@10.0.0.7";
    dense.slices = {{kTime - 3'000'000, 2'900'000, 12'000'000, 41, 40, 1}};
    p.lanes = {lane, dense};
    p.more = true;
    p.gaps = {{QStringLiteral("orders-redis"), kTime - 9, kTime - 5, QStringLiteral("10.0.0.2:6379"),
               QStringLiteral("connection refused")},
              {QStringLiteral("orders-db"), kTime - 1, {}, {}, {}}};
    p.strip = {0, 12, 4'000'000'000};
    p.firstUs = kTime - 86'400'000'000;
    return p;
}

domain::Grants sampleGrants()
{
    return {{{domain::Role::Operator, {QStringLiteral("orders-*")}, {"lock:*", "\xff"}},
             {domain::Role::Viewer, {}, {}}}};
}

domain::ApprovalRequest sampleApproval()
{
    domain::ApprovalRequest r;
    r.id = 12;
    r.key = sampleKey();
    r.who = QStringLiteral("ann");
    r.reason = QStringLiteral("stuck since noon");
    r.because = domain::Because::Stuck;
    r.ifNotRenewed = true;
    r.holder = "w3@10.0.0.7";
    r.guard = QByteArray(64, 'a');
    r.command = "00ff";
    r.askedUs = kTime;
    r.endsUs = kTime + 300'000'000;
    r.state = domain::ApprovalRequest::ApprovalState::Rejected;
    r.decidedBy = QStringLiteral("bob");
    r.detail = QStringLiteral("it is the nightly run");
    r.outcome = domain::Outcome::Rejected;
    return r;
}

domain::Alert sampleAlert()
{
    domain::Alert a;
    a.id = "5f0c31aa92b7d001";
    a.rule = QStringLiteral("stuck");
    a.condition = domain::AlertCondition::LongestWait;
    a.severity = domain::AlertSeverity::Critical;
    a.source = QStringLiteral("orders-redis");
    a.lock = sampleKey();
    a.holder = "w3@10.0.0.7";
    a.sinceUs = kTime;
    a.firedUs = kTime + 30'000'000;
    a.resolvedUs = kTime + 60'000'000;
    a.value = 31'000'000;
    a.threshold = 30'000'000;
    a.repeats = 2;
    a.detail = {{QStringLiteral("sessions"), 4}};
    a.acknowledgedBy = QStringLiteral("ann");
    a.acknowledgedUs = kTime + 40'000'000;
    a.snoozedBy = QStringLiteral("bob");
    a.snoozedUntilUs = kTime + 900'000'000;
    return a;
}

AlertReceiver sampleReceiver()
{
    return {QStringLiteral("oncall"), "webhook", kTime, kTime + 1, sampleError(), 3};
}

domain::Advice sampleAdvice()
{
    domain::Advice a;
    a.code = domain::AdviceCode::OppositeOrders;
    a.confidence = domain::AdviceConfidence::Likely;
    a.lock = sampleKey();
    a.other = sampleKey();
    a.other.name = "lock:\xff";
    a.holder = "w3@10.0.0.7";
    a.statement = "UPDATE stock";
    a.figures = {{QStringLiteral("holds"), 40}, {QStringLiteral("p99_us"), 9'200'000}};
    a.ttlUs = 20'000'000;
    a.fromUs = kTime;
    a.toUs = kTime + 60'000'000;
    return a;
}

domain::BlockerCost sampleBlockerCost()
{
    return {QStringLiteral("orders-redis"),
            "w3@10.0.0.7",
            "UPDATE stock",
            2,
            5,
            9,
            31'000'000,
            14'000'000,
            3'600'000'000};
}

domain::HolderCheck sampleHolderCheck()
{
    domain::HolderCheck c;
    c.lock = sampleKey();
    c.guard = "9c1e77";
    c.holder = "orders-7f9@10.0.0.7";
    c.rule = QStringLiteral("pods");
    c.method = domain::LivenessMethod::Kubernetes;
    c.verdict = domain::HolderVerdict::Dead;
    c.evidence = domain::HolderEvidence::PodReplaced;
    c.target = "shop/orders-7f9";
    c.number = kTime;
    c.error = sampleError();
    c.checkedUs = kTime + 4;
    return c;
}

QList<Message> filled()
{
    const QStringList features{QStringLiteral("renewals"), QStringLiteral("never-heard-of")};
    const domain::LockState state = sampleState();
    const events::LockEvent event = sampleEvent();
    return {
        Hello{1, 1, QStringLiteral("lockkeeperctl 0.1.0"), QStringLiteral("ann"), features},
        Welcome{1, QStringLiteral("dc1"), QStringLiteral("lockkeeper-agent 0.1.0"), features,
                QStringLiteral("ann"), QStringLiteral("operator"), "journal-id", 3, 1042},
        Goodbye{sampleError()},
        Ping{5},
        Pong{5, 1042, kTime},
        Subscribe{1, 0, "journal-id", false, true},
        Subscribed{1, true, 1042, "journal-id"},
        SnapshotPage{1, 1042, true, {state, state}, {sampleSource()}},
        EventBatch{{event, event}},
        StateBatch{{state}, {sampleSource()}, true, {sampleKey()}},
        LocksQuery{2, QStringLiteral("orders-redis"), "lock:*", {}},
        sampleHistory(),
        EventPage{7, {event}, true, 3, 1042, 1001, kTime},
        HoldsQuery{8, QStringLiteral("orders-redis"), "lock:*", sampleKey(), kTime, kTime + 1, 500, {}, {}},
        HoldPage{8, {sampleHold()}, true},
        AuditQuery{9, -1, 10, true, {}, QByteArray(16, 'k'), QByteArray(32, 'h')},
        AuditPage{
            9,
            {sampleAudit()},
            true,
            true,
            4,
            kTime,
            12,
            domain::AuditSignature{10, QByteArray(32, 'h'), kTime, QByteArray(16, 'k'), QByteArray(64, 's')},
            domain::AuditSignature{9, QByteArray(32, 'g'), kTime, QByteArray(16, 'k'), QByteArray(64, 't')},
            sampleError(),
            {3, 5},
            QByteArray(32, 'l'),
            11},
        Inspect{9, sampleKey()},
        sampleInspected(),
        sampleRelease(),
        ReleaseResult{10, "00ff", domain::Outcome::Refused, sampleError(), true, false, kTime, 12},
        ReadNow{12, QStringLiteral("orders-redis")},
        Done{12},
        StatusQuery{11},
        sampleStatus(),
        Cancel{7},
        Failed{7, sampleError()},
        ChainsQuery{13, QStringLiteral("orders-db")},
        ChainsPage{13, {sampleGraph(), sampleGraph()}},
        ContentionQuery{14, QStringLiteral("orders-redis"), "lock:*", kTime - 3'600'000'000, kTime, 50,
                        domain::ContentionRanking::Holder, true},
        ContentionPage{14,
                       kTime - 3'600'000'000,
                       kTime,
                       {sampleContention(), {}},
                       true,
                       {},
                       9'000'000,
                       4,
                       12,
                       1,
                       {sampleBlockerCost(), {}},
                       250'000},
        WaitingQuery{16, kTime - 3'600'000'000, kTime, 60},
        WaitingPage{16,
                    kTime - 3'600'000'000,
                    kTime,
                    {{QStringLiteral("orders-redis"),
                      kTime - 400'000,
                      {{kTime - 3'600'000'000, kTime - 3'000'000'000}, {kTime - 5'000'000, kTime - 1}},
                      {0, 7'000'000, 90'000'000'000}},
                     {QStringLiteral("orders-db"), kTime, {}, {}}}},
        ProbeRequest{15, QByteArray(32, 'c'), QStringLiteral("orders-redis"), 3'000'000, 50'000,
                     QStringLiteral("who hammers it?")},
        ProbeResult{15,
                    QByteArray(32, 'c'),
                    sampleError(),
                    kTime,
                    kTime + 3'000'000,
                    50'000,
                    2,
                    domain::ProbeEnd::Commands,
                    {{"lock:a", "10.0.0.7:51342", 900, 899, 3}, {"lock:b", "unix:/tmp/r.sock", 1, 0, 1}},
                    7,
                    13},
        sampleTimelineQuery(),
        sampleTimelinePage(),
        LoginNeeded{{QStringLiteral("password")}},
        Login{QStringLiteral("ann"), "correct horse"},
        WhoAmI{17},
        Identified{17, QStringLiteral("local"), QStringLiteral("ann"), sampleGrants()},
        ApprovalsQuery{18},
        ApprovalsPage{18, {sampleApproval(), {}}},
        Decision{19, 12, true, QStringLiteral("agreed")},
        ApprovalChanged{sampleApproval()},
        DiscoverRequest{20, QByteArray(32, 'd'), QStringLiteral("postgresql://lk@db.internal/orders"),
                        "s\xc3\xa9"
                        "cret",
                        QStringLiteral("ca"), QStringLiteral("new service")},
        DiscoverResult{20, QByteArray(32, 'd'), sampleError(), sampleDiscovery(), 14},
        AlertsQuery{21},
        AlertsPage{21, {sampleAlert(), {}}, {sampleReceiver(), {}}, kTime, true},
        AlertAction{22, "5f0c31aa92b7d001", AlertAction::AlertVerb::Snooze, 900'000'000},
        ReceiverTest{23, QStringLiteral("oncall")},
        AlertChanged{sampleAlert()},
        AdviceQuery{24, QStringLiteral("orders-redis"), "lock:*", kTime, kTime + 1},
        AdvicePage{24, {sampleAdvice(), {}}, kTime, kTime + 1, 993, 12, 3'400, true},
        HolderChecksQuery{25, sampleKey()},
        HolderChecksPage{25, {sampleHolderCheck(), {}}, kTime},
    };
}

template <size_t... Index> QList<Message> byDefault(std::index_sequence<Index...>)
{
    return {std::variant_alternative_t<Index, AnyMessage>{}...};
}

constexpr const char *kNames[] = {"hello",
                                  "welcome",
                                  "goodbye",
                                  "ping",
                                  "pong",
                                  "subscribe",
                                  "subscribed",
                                  "snapshot",
                                  "events",
                                  "states",
                                  "locks_query",
                                  "history_query",
                                  "event_page",
                                  "holds_query",
                                  "hold_page",
                                  "audit_query",
                                  "audit_page",
                                  "inspect",
                                  "inspected",
                                  "force_release",
                                  "release_result",
                                  "read_now",
                                  "done",
                                  "status_query",
                                  "status",
                                  "cancel",
                                  "failed",
                                  "chains_query",
                                  "chains_page",
                                  "contention_query",
                                  "contention_page",
                                  "waiting_query",
                                  "waiting_page",
                                  "probe_request",
                                  "probe_result",
                                  "timeline_query",
                                  "timeline_page",
                                  "login_needed",
                                  "login",
                                  "who_am_i",
                                  "identified",
                                  "approvals_query",
                                  "approvals_page",
                                  "decision",
                                  "approval_changed",
                                  "discover_request",
                                  "discover_result",
                                  "alerts_query",
                                  "alerts_page",
                                  "alert_action",
                                  "receiver_test",
                                  "alert_changed",
                                  "advice_query",
                                  "advice_page",
                                  "holder_checks_query",
                                  "holder_checks_page"};
static_assert(std::size(kNames) == std::variant_size_v<AnyMessage>, "every message has its golden frame");

domain::LockState sampleStateOfNodes()
{
    domain::LockState s;
    s.key = sampleKey();
    s.key.scheme = "redis.redlock";
    s.phase = domain::Phase::Held;
    s.owner = s.token = "8f14";
    s.nodes = {{"10.0.0.1:6379", domain::NodeHolds::Holder, "8f14", kTime + 9},
               {"10.0.0.2:6379", domain::NodeHolds::Other, "\xff\x01", {}},
               {"10.0.0.3:6379", domain::NodeHolds::Nothing, {}, {}},
               {"10.0.0.4:6379", domain::NodeHolds::Unreachable, {}, {}},
               {"10.0.0.5:6379", domain::NodeHolds::Unreadable, {}, kTime}};
    return s;
}

ReleaseResult sampleReleaseOnNodes()
{
    ReleaseResult r;
    r.id = 10;
    r.command = "00ff";
    r.outcome = domain::Outcome::Partial;
    r.nodes = {{"10.0.0.1:6379", domain::Outcome::Released, {}},
               {"10.0.0.2:6379", domain::Outcome::Unreachable, sampleError()}};
    return r;
}

} // namespace

domain::LockState sampleState()
{
    domain::LockState s;
    s.key = sampleKey();
    s.phase = domain::Phase::Held;
    s.stuck = domain::StuckReason::NoExpiry;
    s.ownerKnown = false;
    s.owner = "w3@10.0.0.7";
    s.token = "3b5f";
    s.acquiredUs = kTime;
    s.windowUs = 500'000;
    s.acquiredBy = domain::Evidence::Observation;
    s.renewedUs = kTime + 1;
    s.renewals = 4;
    s.longestRenewalGapUs = 10'000'000;
    s.expiry = domain::ExpiryKind::At;
    s.expiresUs = kTime + 30'000'000;
    s.ttlMs = 30'000;
    s.expiresBy = domain::Evidence::Ttl;
    s.depth = 2;
    s.fencing = "18446744073709551615";
    s.waitersVisible = true;
    s.waiters = {{"w1", kTime, "first"}, {"w2", std::nullopt, QByteArray()}};
    s.release = {domain::ReleaseSafety::Unsafe, domain::ReleaseOff::Malformed};
    s.guard = QByteArray(64, 'a');
    s.seenUs = kTime + 2;
    return s;
}

domain::LockState sampleStateOfASession()
{
    domain::LockState s = sampleState();
    s.session = sampleSession();
    s.changesPerMinute = 0;
    s.waiting = 3;
    s.mode = "read";
    s.release.why = domain::ReleaseOff::ReadOnly;
    return s;
}

events::LockEvent sampleEvent()
{
    events::LockEvent e;
    e.seq = 1042;
    e.key = sampleKey();
    e.store = "redis";
    e.kind = events::EventKind::TakenOver;
    e.ownerKnown = false;
    e.owner = "w3@10.0.0.7";
    e.timeUs = kTime;
    e.windowUs = 500'000;
    e.observedUs = kTime + 9;
    e.ttlMs = 30'000;
    e.expiresUs = kTime + 30'000'000;
    e.waiter = QByteArray();
    e.command = "00ff";
    e.detail = events::EventDetail::fromJson(
        {{QStringLiteral("previous"), QStringLiteral("w2")},
         {QStringLiteral("last_seen_us"), kTime},
         {QStringLiteral("share"), 0.25},
         {QStringLiteral("coalesced"), true},
         {QStringLiteral("none"), QJsonValue::Null},
         {QStringLiteral("list"), QJsonArray{1, QJsonObject{{QStringLiteral("a"), -1}}}}});
    e.after = sampleState();
    return e;
}

QList<Sample> samples()
{
    QList<Sample> all;
    const QList<Message> full = filled();
    const QList<Message> empty = byDefault(std::make_index_sequence<std::variant_size_v<AnyMessage>>());
    for (qsizetype i = 0; i < full.size(); ++i) {
        const QByteArray name = kNames[full.at(i).index()];
        all.append({name, full.at(i)});
        all.append({name + "_default", empty.at(i)});
    }
    // Later fields get separate frames, so that the earlier frames stay unchanged.
    all.append({"states_of_sessions", StateBatch{{sampleStateOfASession()}, {}, false, {}}});
    all.append({"states_with_findings", StateBatch{{}, {sampleSourceWithFindings()}, false, {}}});
    all.append(
        {"states_with_findings_of_nodes", StateBatch{{}, {sampleSourceWithFindingsOfNodes()}, false, {}}});
    all.append({"states_of_nodes", StateBatch{{sampleStateOfNodes()}, {}, false, {}}});
    all.append({"release_result_of_nodes", sampleReleaseOnNodes()});
    ReleaseResult awaiting{10, "00ff", domain::Outcome::AwaitingApproval, {}, false, true, {}, 12};
    awaiting.endsUs = kTime + 300'000'000;
    all.append({"release_result_awaiting_approval", awaiting});
    Inspected needsApproval = sampleInspected();
    needsApproval.needsApproval = true;
    all.append({"inspected_needs_approval", needsApproval});
    Inspected withCompanions = sampleInspected();
    withCompanions.companions = {3, {"app/a", "app/\xff"}};
    all.append({"inspected_with_companions", withCompanions});
    Welcome granted{
        1, QStringLiteral("dc1"), {}, {}, QStringLiteral("ann"), QStringLiteral("operator"), "j", 3, 4};
    granted.grants = sampleGrants();
    all.append({"welcome_with_grants", granted});
    Hello forAnother{1, 1, QStringLiteral("lockkeeper-agent 0.1.0"), QStringLiteral("hub"), {}};
    forAnother.agent = QStringLiteral("dc1");
    forAnother.onBehalf = OnBehalf{QStringLiteral("ann"), QStringLiteral("certificate"), kTime, "signature"};
    all.append({"hello_on_behalf", forAnother});
    Welcome hub{1, QStringLiteral("hub"), {}, {}, QStringLiteral("ann"), QStringLiteral("viewer"), {}, 0, 0};
    hub.agents = QStringList{QStringLiteral("dc1"), QStringLiteral("dc2")};
    all.append({"welcome_of_a_hub", hub});
    all.append({"locks_query_of_the_past", LocksQuery{2, QStringLiteral("orders-redis"), "lock:*", kTime}});
    domain::LockState past = sampleState();
    past.release = {domain::ReleaseSafety::Off, domain::ReleaseOff::Past};
    past.mayHaveChanged = true;
    all.append({"states_of_the_past", StateBatch{{past}, {}, false, {}}});
    Status standby = sampleStatus();
    standby.sources.first().link = domain::Link::Standby;
    standby.election = domain::ElectionState{false, QStringLiteral("dc1-b on host, process 7"), "12",
                                             kTime - 5, sampleError()};
    all.append({"status_standby", standby});
    return all;
}

} // namespace lockkeeper::tests
