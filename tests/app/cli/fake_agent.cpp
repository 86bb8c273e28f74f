// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_agent.h"

#include "shared/base/clock.h"
#include "shared/base/text.h"

namespace lockkeeper::tests {

using namespace protocol;

FakeAgent::FakeAgent()
{
    connect(&m_listener, &transport::Listener::channelReady, this, &FakeAgent::take);
    outcome.outcome = domain::Outcome::Released;
    sources = {upSource(QStringLiteral("orders"))};
    status.agent = QStringLiteral("dc1");
    status.version = QStringLiteral("0.1.0");
    listenAgain();
}

void FakeAgent::hangUp(bool gone)
{
    m_channels.clear();
    if (gone)
        m_listener.close();
}

void FakeAgent::listenAgain()
{
    if (const auto listening = m_listener.listen(address()); !listening)
        qFatal("%s", qUtf8Printable(listening.error().line()));
}

void FakeAgent::pingOften()
{
    transport::Timings timings;
    timings.pingMs = 20;
    m_listener.setTimings(timings);
}

void FakeAgent::sendToAll(const Message &message)
{
    for (const auto &channel : m_channels) {
        if (channel)
            channel->send(message);
    }
}

void FakeAgent::take()
{
    while (auto channel = m_listener.takeChannel()) {
        transport::Channel *raw = channel.get();
        connect(raw, &transport::Channel::received, this, [this, raw](const Message &m) { answer(*raw, m); });
        connect(raw, &transport::Channel::ponged, this, [this] { ++pongs; });
        m_channels.push_back(std::move(channel));
    }
}

void FakeAgent::answer(transport::Channel &channel, const Message &message)
{
    asked.append(message);
    if (refuses(message)) {
        const quint64 id = std::visit(
            [](const auto &request) {
                if constexpr (requires { request.id; })
                    return quint64(request.id);
                else
                    return quint64(0);
            },
            static_cast<const AnyMessage &>(message));
        channel.send(Failed{
            id, {base::ErrorCode::PermissionDenied, QStringLiteral("the user may not see the audit"), {}}});
        return;
    }
    if (std::holds_alternative<Hello>(message)) {
        Welcome welcome;
        welcome.agent = name;
        welcome.journal = journal;
        channel.setLoggedIn();
        channel.send(welcome);
    } else if (const auto *query = std::get_if<LocksQuery>(&message)) {
        SnapshotPage page{query->id, 0, false, {}, {}};
        for (const domain::LockState &lock : locks) {
            const bool fits = query->source.isEmpty() || query->source == lock.key.source;
            if (fits && (query->nameGlob.isEmpty() || base::globMatches(query->nameGlob, lock.key.name)))
                page.locks.append(lock);
        }
        channel.send(page);
        channel.send(SnapshotPage{query->id, 0, true, {}, sources});
    } else if (const auto *history = std::get_if<HistoryQuery>(&message)) {
        if (askedFor<HistoryQuery>().size() == hangsUpAt)
            QMetaObject::invokeMethod(
                this,
                [this] {
                    hangUp();
                    journal = journalThen.isEmpty() ? journal : journalThen;
                },
                Qt::QueuedConnection);
        else if (answersHistory)
            channel.send(page(*history));
        else
            QMetaObject::invokeMethod(
                this, [this] { hangUp(true); }, Qt::QueuedConnection);
    } else if (const auto *asksApprovals = std::get_if<ApprovalsQuery>(&message)) {
        channel.send(ApprovalsPage{asksApprovals->id, approvals});
    } else if (const auto *asksAlerts = std::get_if<AlertsQuery>(&message)) {
        const qint64 nowUs = status.wallUs == 0 ? base::SystemClock().wallUs() : status.wallUs;
        channel.send(AlertsPage{asksAlerts->id, alerts, receivers, nowUs, alertsLeftOut});
    } else if (const auto *action = std::get_if<AlertAction>(&message)) {
        channel.send(act(*action));
    } else if (const auto *test = std::get_if<ReceiverTest>(&message)) {
        channel.send(alertFailure ? Message(Failed{test->id, *alertFailure}) : Message(Done{test->id}));
    } else if (const auto *decision = std::get_if<Decision>(&message)) {
        ReleaseResult result = outcome;
        result.id = decision->id;
        channel.send(result);
    } else if (const auto *holdsQuery = std::get_if<HoldsQuery>(&message)) {
        HoldPage page{holdsQuery->id, holds, false};
        page.holds.removeIf([holdsQuery](const protocol::Hold &hold) {
            return !holdsQuery->lockGlob.isEmpty() && !base::globMatches(holdsQuery->lockGlob, hold.key.name);
        });
        channel.send(page);
    } else if (const auto *auditQuery = std::get_if<AuditQuery>(&message)) {
        AuditPage answer{auditQuery->id, {}, false, auditQuery->verify && chainIntact, {}, 5};
        if (auditQuery->verify && !chainIntact) {
            answer.firstBadId = 7;
            answer.fault = {
                base::ErrorCode::Corrupt, QStringLiteral("records 101 to 206 of the audit are missing"), {}};
        }
        if (auditQuery->verify) {
            answer.anchor = auditAnchor;
            answer.hash = QByteArray(32, '\x3f');
            if (auditQuery->soughtHash == answer.hash)
                answer.soughtRecord = auditRecords;
            answer.records = auditRecords;
            answer.signature = auditSignature;
        }
        for (const domain::AuditEntry &entry : audit) {
            if (auditQuery->beforeId && entry.id >= *auditQuery->beforeId)
                continue;
            answer.more = answer.entries.size() >= auditQuery->limit;
            if (answer.more)
                break;
            answer.entries.append(entry);
        }
        channel.send(answer);
    } else if (const auto *asksStatus = std::get_if<StatusQuery>(&message)) {
        Status answer = status;
        answer.id = asksStatus->id;
        answer.sources = sources;
        if (answer.wallUs == 0)
            answer.wallUs = base::SystemClock().wallUs();
        channel.send(answer);
    } else if (const auto *asksHolders = std::get_if<HolderChecksQuery>(&message)) {
        channel.send(HolderChecksPage{asksHolders->id, holderChecks, base::SystemClock().wallUs()});
    } else if (const auto *asksChains = std::get_if<ChainsQuery>(&message)) {
        channel.send(ChainsPage{asksChains->id, graphs});
    } else if (const auto *asksProbe = std::get_if<ProbeRequest>(&message)) {
        ProbeResult result = probe;
        result.id = asksProbe->id;
        result.command = asksProbe->command;
        channel.send(result);
    } else if (const auto *asksDiscovery = std::get_if<DiscoverRequest>(&message)) {
        DiscoverResult result = discovery;
        result.id = asksDiscovery->id;
        result.command = asksDiscovery->command;
        channel.send(result);
    } else if (const auto *asksContention = std::get_if<ContentionQuery>(&message)) {
        ContentionPage page = contention;
        page.id = asksContention->id;
        if (page.toUs == 0) {
            page.fromUs = asksContention->fromUs.value_or(0);
            page.toUs = asksContention->toUs.value_or(0);
        }
        page.blockers.removeIf([&](const domain::BlockerCost &cost) {
            return cost.holder.isEmpty() == (asksContention->ranking == domain::ContentionRanking::Holder);
        });
        channel.send(page);
    } else if (const auto *asksAdvice = std::get_if<AdviceQuery>(&message)) {
        AdvicePage page = advice;
        page.id = asksAdvice->id;
        channel.send(page);
    } else if (const auto *asksTimeline = std::get_if<TimelineQuery>(&message)) {
        TimelinePage page = timeline;
        page.id = asksTimeline->id;
        page.fromUs = asksTimeline->fromUs;
        page.toUs = asksTimeline->toUs;
        channel.send(page);
    } else if (const auto *asksWaiting = std::get_if<WaitingQuery>(&message)) {
        channel.send(waitingPage(*asksWaiting));
    } else if (const auto *subscription = std::get_if<Subscribe>(&message)) {
        subscribe(channel, *subscription);
    } else if (const auto *readNow = std::get_if<ReadNow>(&message)) {
        locks = locksAfterReading.value_or(locks);
        channel.send(Done{readNow->id});
    } else if (const auto *reading = std::get_if<Inspect>(&message)) {
        channel.send(inspect(*reading));
    } else if (const auto *release = std::get_if<ForceRelease>(&message)) {
        if (!answersRelease) {
            QMetaObject::invokeMethod(
                this, [this] { hangUp(); }, Qt::QueuedConnection);
            return;
        }
        ReleaseResult result = outcome;
        result.id = release->id;
        result.command = release->command;
        result.dryRun = release->dryRun;
        channel.send(result);
    }
}

Message FakeAgent::act(const AlertAction &action)
{
    if (alertFailure)
        return Failed{action.id, *alertFailure};
    for (domain::Alert &alert : alerts) {
        if (alert.id != action.alert)
            continue;
        if (action.verb == AlertAction::AlertVerb::Snooze) {
            alert.snoozedBy = QStringLiteral("kim");
            alert.snoozedUntilUs = status.wallUs + action.forUs;
        } else if (action.verb == AlertAction::AlertVerb::Wake) {
            alert.snoozedUntilUs.reset();
        } else {
            alert.acknowledgedBy = QStringLiteral("kim");
            alert.acknowledgedUs = status.wallUs;
        }
    }
    return Done{action.id};
}

EventPage FakeAgent::page(const HistoryQuery &query) const
{
    EventPage page;
    page.id = query.id;
    for (const events::LockEvent &event : events) {
        if ((query.afterSeq && event.seq <= *query.afterSeq) ||
            (query.beforeSeq && event.seq >= *query.beforeSeq))
            continue;
        if (!query.lockGlob.isEmpty() && !base::globMatches(query.lockGlob, event.key.name))
            continue;
        if (slice > 0 && query.inSlices) {
            page.more = event.seq + slice < events.constLast().seq;
            page.reachedSeq = event.seq + slice - 1;
            if (event.seq / slice % 2 == 0)
                page.events.append(event);
            break;
        }
        page.more = page.events.size() >= query.limit;
        if (page.more)
            break;
        page.events.append(event);
    }
    return page;
}

protocol::WaitingPage FakeAgent::waitingPage(const protocol::WaitingQuery &query) const
{
    protocol::WaitingPage page{query.id, query.fromUs, query.toUs, {}};
    for (const domain::SourceState &source : sources)
        page.sources.append({source.name, query.toUs, {}, QList<qint64>(query.slices, 0)});
    waiting(page);
    return page;
}

void FakeAgent::subscribe(transport::Channel &channel, const Subscribe &request)
{
    const quint64 last = events.isEmpty() ? 0 : events.constLast().seq;
    const bool same = request.journal.isEmpty() || request.journal == journal;
    const bool reaches = request.since && same && *request.since + 1 >= firstSeq;
    const quint64 from = reaches ? *request.since : request.since ? firstSeq - 1 : last;
    channel.send(Subscribed{request.id, !reaches, from, journal});
    EventBatch batch;
    for (const events::LockEvent &event : events) {
        if (event.seq > from)
            batch.events.append(event);
    }
    channel.send(batch);
}

Inspected FakeAgent::inspect(const Inspect &request)
{
    Inspected answer;
    if (!readings.isEmpty()) {
        answer = readings.first();
        if (readings.size() > 1)
            readings.removeFirst();
    } else {
        for (const domain::LockState &lock : locks) {
            if (lock.key == request.key) {
                answer.present = true;
                answer.state = lock;
                answer.ticket = "ticket";
                answer.willRun = QStringLiteral("EVAL compare-and-delete");
            }
        }
    }
    answer.id = request.id;
    return answer;
}

domain::LockState shownLock(const QByteArray &name, const QByteArray &owner)
{
    const qint64 now = base::SystemClock().wallUs();
    domain::LockState state;
    state.key = {QStringLiteral("orders"), "redis.token", "db0", name};
    state.phase = domain::Phase::Held;
    state.owner = owner;
    state.token = owner;
    state.acquiredUs = now - 10'000'000;
    state.acquiredBy = domain::Evidence::Observation;
    state.windowUs = 500'000;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = now + 20'000'000;
    state.ttlMs = 30'000;
    state.release.safety = domain::ReleaseSafety::Guarded;
    state.guard = QByteArray(64, 'a');
    state.seenUs = now;
    return state;
}

domain::SourceState upSource(const QString &name)
{
    domain::SourceState source;
    source.name = name;
    source.store = "redis";
    source.link = domain::Link::Up;
    source.lastSeenWallUs = base::SystemClock().wallUs() + 60'000'000;
    source.pollMs = 500;
    return source;
}

events::LockEvent acquired(quint64 seq, const QByteArray &name)
{
    events::LockEvent event;
    event.seq = seq;
    event.key = {QStringLiteral("orders"), "redis.token", "db0", name};
    event.store = "redis";
    event.owner = "w1";
    event.timeUs = 1'795'212'345'678'901;
    event.observedUs = event.timeUs + 9;
    return event;
}

} // namespace lockkeeper::tests
