// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident_night.h"

namespace lockkeeper::tests {

namespace {

constexpr qint64 kStartUs = kNightEndsUs - 60 * kNightMinuteUs;

qint64 at(double minute)
{
    return kStartUs + qint64(minute * double(kNightMinuteUs));
}

domain::LockKey nightKey()
{
    return {QStringLiteral("orders"), "redis.token", "db0", "payment:70310"};
}

events::LockEvent event(events::EventKind kind, double minute, const QByteArray &owner, qint64 windowUs = 0)
{
    static quint64 seq = 0;
    events::LockEvent event;
    event.seq = ++seq;
    event.key = nightKey();
    event.store = "redis";
    event.kind = kind;
    event.owner = owner;
    event.timeUs = at(minute);
    event.windowUs = windowUs;
    event.observedUs = event.timeUs + 9;
    return event;
}

protocol::Hold hold(qint64 id, const QByteArray &owner, double from, double to, const QByteArray &end)
{
    protocol::Hold hold;
    hold.id = id;
    hold.key = nightKey();
    hold.owner = owner;
    hold.fromUs = at(from);
    hold.fromWindowUs = 500'000;
    hold.toUs = at(to);
    hold.toWindowUs = end == "force_released" ? 0 : 500'000;
    hold.end = end;
    return hold;
}

protocol::Wait wait(qint64 id, const QByteArray &waiter, double from, double to)
{
    return {nightKey(), waiter, at(from), at(to), id};
}

QList<events::LockEvent> nightEvents()
{
    using events::EventKind;
    QList<events::LockEvent> list;
    list.append(event(EventKind::Acquired, 8, "nightly-job@10.1.0.7", 500'000));
    for (const char *waiter : {"w1@10.1.0.8", "w2@10.1.0.9", "<script>alert(1)</script>\xe2\x80\xae"}) {
        list.append(event(EventKind::WaitStart, 12 + double(list.size()), "nightly-job@10.1.0.7"));
        list.last().waiter = waiter;
    }
    list.append(event(EventKind::Renewed, 20, "nightly-job@10.1.0.7"));
    list.append(event(EventKind::Stuck, 30, "nightly-job@10.1.0.7"));
    list.append(event(EventKind::ForceReleased, 41, "nightly-job@10.1.0.7"));
    list.last().command = "c-17";
    list.append(event(EventKind::Acquired, 41.2, "w1@10.1.0.8", 500'000));
    list.append(event(EventKind::Released, 44, "w1@10.1.0.8", 500'000));
    return list;
}

QList<domain::AuditEntry> nightAudit()
{
    domain::AuditEntry released;
    released.id = 9;
    released.timeUs = at(41);
    released.who = QStringLiteral("kim");
    released.role = QStringLiteral("operator");
    released.key = nightKey();
    released.reason = QStringLiteral("job hangs since the deployment");
    released.outcome = domain::Outcome::Released;
    released.command = "c-17";
    released.approver = QStringLiteral("lee");
    domain::AuditEntry refused = released;
    refused.id = 8;
    refused.timeUs = at(35);
    refused.outcome = domain::Outcome::Refused;
    refused.detail = QStringLiteral("renewed since it was read");
    refused.command = "c-16";
    refused.approver.clear();
    return {released, refused};
}

domain::Alert nightAlert()
{
    domain::Alert alert;
    alert.id = "5f1c9a2b7d3e4f60";
    alert.rule = QStringLiteral("long-wait");
    alert.condition = domain::AlertCondition::LongestWait;
    alert.severity = domain::AlertSeverity::Critical;
    alert.source = QStringLiteral("orders");
    alert.lock = nightKey();
    alert.sinceUs = at(13);
    alert.firedUs = at(14);
    alert.resolvedUs = at(41.2);
    alert.value = kNightMinuteUs;
    alert.acknowledgedBy = QStringLiteral("kim");
    return alert;
}

protocol::AdvicePage nightAdvice()
{
    domain::Advice advice;
    advice.code = domain::AdviceCode::UnusuallyLongHold;
    advice.confidence = domain::AdviceConfidence::Likely;
    advice.lock = nightKey();
    advice.holder = "nightly-job@10.1.0.7";
    advice.figures = {{QStringLiteral("longest_us"), 33 * kNightMinuteUs},
                      {QStringLiteral("p99_us"), 4 * kNightMinuteUs},
                      {QStringLiteral("holds"), 400}};
    protocol::AdvicePage page;
    page.fromUs = kStartUs - 24 * 60 * kNightMinuteUs;
    page.toUs = kNightEndsUs;
    page.advice = {advice};
    return page;
}

} // namespace

app::report::IncidentEvidence incidentNight()
{
    app::report::IncidentEvidence night;
    night.key = nightKey();
    night.range = {kStartUs, kNightEndsUs};
    night.agent = QStringLiteral("dc1");
    night.program = QStringLiteral("lockkeeper 0.1.0");
    night.agentVersion = QStringLiteral("0.1.0");
    night.madeUs = kNightEndsUs + 9 * 60 * kNightMinuteUs;
    domain::SourceState source;
    source.name = QStringLiteral("orders");
    source.store = "redis";
    source.link = domain::Link::Up;
    source.address = QStringLiteral("10.1.0.2:6379");
    source.server = QStringLiteral("Redis 7.2.4");
    source.lastSeenUs = night.madeUs;
    night.source = source;
    night.timeline.fromUs = kStartUs;
    night.timeline.toUs = kNightEndsUs;
    night.timeline.firstUs = kStartUs - 100 * kNightMinuteUs;
    protocol::TimelineLane lane;
    lane.key = nightKey();
    lane.waits = {wait(1, "w1@10.1.0.8", 13, 41.2), wait(2, "w2@10.1.0.9", 14, 43),
                  wait(3, "<script>alert(1)</script>\xe2\x80\xae", 15, 38)};
    night.timeline.lanes = {lane};
    night.timeline.gaps = {{QStringLiteral("orders"), at(50), at(54), {}, QStringLiteral("source_down")}};
    night.holds = {hold(102, "w1@10.1.0.8", 41.2, 44, "released"),
                   hold(101, "nightly-job@10.1.0.7", 8, 41, "force_released")};
    night.holds[1].command = "c-17";
    lane.holds = night.holds;
    night.events = nightEvents();
    night.audit = nightAudit();
    night.alerts = {nightAlert()};
    night.advice = nightAdvice();
    return night;
}

} // namespace lockkeeper::tests
