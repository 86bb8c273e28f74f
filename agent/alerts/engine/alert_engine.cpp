// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/engine/alert_engine.h"

#include <QJsonArray>

#include <algorithm>

namespace lockkeeper::agent::alerts {

using domain::AlertCondition;
using events::EventKind;

namespace {

bool isAboutPast(AlertCondition when)
{
    return when == AlertCondition::HeldRatio || when == AlertCondition::HolderChanges ||
           when == AlertCondition::Absent;
}

/** Conditions that a source's graph of waits shows for each root blocker. */
bool isAboutWaits(AlertCondition when)
{
    return when == AlertCondition::LongestWait || when == AlertCondition::WaitingNow ||
           when == AlertCondition::Waiters;
}

/** True if the rule names one lock exactly, so that it can be missed before it was ever seen. */
bool namesOneLock(const AlertRule &rule)
{
    return rule.when == AlertCondition::Absent &&
           std::none_of(rule.match.begin(), rule.match.end(),
                        [](char c) { return c == '*' || c == '?' || c == '[' || c == '\\'; });
}

std::optional<AlertCondition> momentOf(const events::LockEvent &event)
{
    switch (event.kind) {
    case EventKind::ForceReleased:
        return AlertCondition::ForceReleased;
    case EventKind::TakenOver:
        return AlertCondition::TakenOver;
    case EventKind::Lost:
        return AlertCondition::Lost;
    case EventKind::GapOpened:
        if (event.detail.cause == events::EventCause::AgentStalled)
            return AlertCondition::AgentStalled;
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

} // namespace

AlertEngine::AlertEngine(Look look) : m_look(std::move(look)) {}

const AlertRule *AlertEngine::rule(const QString &name) const
{
    const auto it = std::find_if(m_settings.rules.cbegin(), m_settings.rules.cend(),
                                 [&name](const AlertRule &rule) { return rule.name == name; });
    return it == m_settings.rules.cend() ? nullptr : &*it;
}

void AlertEngine::configure(const AlertSettings &settings, qint64 nowUs)
{
    const AlertSettings before = std::exchange(m_settings, settings);
    m_settledUs = nowUs + settings.settleUs;
    for (auto it = m_occurrences.begin(); it != m_occurrences.end();) {
        const AlertRule *now = rule(it->first.rule);
        const auto old = std::find_if(before.rules.cbegin(), before.rules.cend(),
                                      [&](const AlertRule &one) { return one.name == it->first.rule; });
        const bool same = now && old != before.rules.cend() && now->when == old->when &&
                          now->fitsSource(it->first.lock.source) &&
                          (!config::isOfLock(now->when) || isWatched(*now, it->first.lock));
        if (same) {
            ++it;
            continue;
        }
        end(it->first, it->second, nowUs);
        it = m_occurrences.erase(it);
    }
    for (auto it = m_storms.begin(); it != m_storms.end(); ++it)
        it->keepUntilUs = m_settledUs;
    expectEach(AlertCondition::AlwaysFiring, {{}}, AlertReading::lasting(true), nowUs);
}

void AlertEngine::restore(const QList<domain::Alert> &alerts)
{
    for (const domain::Alert &alert : alerts) {
        const AlertRule *its = rule(alert.rule);
        if (!its) {
            domain::Alert over = alert;
            over.resolvedUs = m_settledUs - m_settings.settleUs;
            changed(over);
        } else if (alert.detail.contains(QLatin1String("count"))) {
            m_storms.insert(alert.rule, {alert, 0, m_settledUs + its->forUs});
        } else {
            const QByteArray object = alert.detail.value(QLatin1String("object")).toString().toUtf8();
            domain::LockKey lock = alert.lock;
            if (lock.source.isEmpty())
                lock.source = alert.source;
            Occurrence &one = m_occurrences[{alert.rule, lock, object}];
            one.alert = std::make_unique<domain::Alert>(alert);
            one.isTrue = one.isRestored = true;
            one.sinceUs = alert.sinceUs;
            one.reading = AlertReading::unknown();
            one.detail = alert.detail;
            if (domain::isAlertMoment(its->when) || its->when == AlertCondition::AgentStalled) {
                one.isTrue = false;
                one.reading = AlertReading::lasting(false);
                one.endedUs = alert.firedUs;
                schedule({alert.rule, lock, object}, one, alert.firedUs + its->clearForUs);
            }
        }
    }
}

AlertEngine::Place AlertEngine::placeOf(const domain::LockState &lock)
{
    Place place{lock.key};
    if (lock.isHeld()) {
        place.holder = lock.owner;
        place.guard = lock.guard;
    }
    if (const auto waiters = lock.waiterCount(); waiters.value_or(0) > 0)
        place.detail.insert(QStringLiteral("sessions"), *waiters);
    return place;
}

bool AlertEngine::isWatched(const AlertRule &rule, const domain::LockKey &key) const
{
    if (!rule.fitsLock(key))
        return false;
    return !config::isOfDuration(rule.when) ||
           std::none_of(m_settings.expected.cbegin(), m_settings.expected.cend(),
                        [&key](const ExpectedHeld &expected) { return expected.fits(key); });
}

bool AlertEngine::needsPast(const domain::LockKey &key) const
{
    return std::any_of(m_settings.rules.cbegin(), m_settings.rules.cend(), [&key](const AlertRule &rule) {
        return isAboutPast(rule.when) && rule.fitsLock(key);
    });
}

AlertReading AlertEngine::lockReading(const AlertRule &rule, const domain::LockState &lock,
                                      qint64 nowUs) const
{
    const WatchedSource source = m_sources.value(lock.key.source);
    if (lock.phase == domain::Phase::Unknown)
        return AlertReading::unknown();
    switch (rule.when) {
    case AlertCondition::HeldRatio:
        return m_pasts.heldRatio(lock, source.offsetUs);
    case AlertCondition::HolderChanges:
        return m_pasts.holderChanges(lock.key, nowUs);
    case AlertCondition::Absent:
        return m_pasts.absent(lock.key);
    default:
        return source.hasGraph && isAboutWaits(rule.when) ? AlertReading()
                                                          : readingOf(rule.when, lock, source.offsetUs);
    }
}

void AlertEngine::showLock(const domain::LockState &lock, qint64 nowUs)
{
    if (needsPast(lock.key))
        m_pasts.show(lock, nowUs);
    const Place place = placeOf(lock);
    for (const AlertRule &rule : std::as_const(m_settings.rules)) {
        if (!config::isOfLock(rule.when) || rule.when == AlertCondition::Deadlock ||
            domain::isAlertMoment(rule.when) || !isWatched(rule, lock.key))
            continue;
        if (namesOneLock(rule) && !m_present.contains({lock.key.source, lock.key.name})) {
            m_present.insert({lock.key.source, lock.key.name});
            const domain::LockKey unseen{lock.key.source, {}, {}, lock.key.name};
            expect(rule, {unseen}, {}, nowUs);
        }
        expect(rule, place, lockReading(rule, lock, nowUs), nowUs);
    }
}

void AlertEngine::removeLock(const domain::LockKey &key, qint64 nowUs)
{
    if (isBlind(key))
        return;
    if (needsPast(key))
        m_pasts.showAbsent(key, nowUs);
    for (const AlertRule &rule : std::as_const(m_settings.rules)) {
        if (!config::isOfLock(rule.when) || rule.when == AlertCondition::Deadlock ||
            domain::isAlertMoment(rule.when) || !isWatched(rule, key))
            continue;
        expect(rule, {key}, rule.when == AlertCondition::Absent ? m_pasts.absent(key) : AlertReading(),
               nowUs);
    }
}

void AlertEngine::take(const events::LockEvent &event, qint64 nowUs)
{
    if (!event.isSourceEvent()) {
        if (needsPast(event.key))
            m_pasts.take(event, m_sources.value(event.key.source).offsetUs);
        if (event.after)
            showLock(*event.after, nowUs);
        else
            removeLock(event.key, nowUs);
    }
    takePast(event, nowUs);
}

void AlertEngine::takePast(const events::LockEvent &event, qint64 nowUs)
{
    if (const auto when = momentOf(event))
        moment(*when, event, nowUs);
}

void AlertEngine::moment(AlertCondition when, const events::LockEvent &event, qint64 nowUs)
{
    for (const AlertRule &rule : std::as_const(m_settings.rules)) {
        if (rule.when != when ||
            (event.isSourceEvent() ? !rule.fitsSource(event.key.source) : !rule.fitsLock(event.key)))
            continue;
        const AlertSubject subject{rule.name, event.key, {}};
        Occurrence &one = m_occurrences[subject];
        one.endedUs = nowUs;
        one.detail = {{QStringLiteral("seq"), qint64(event.seq)}};
        if (!event.command.isEmpty())
            one.detail.insert(QStringLiteral("command"), QString::fromLatin1(event.command));
        one.holder = event.owner;
        if (one.alert) {
            ++one.alert->repeats;
            changed(*one.alert);
        } else if (!one.inStorm) {
            one.sinceUs = nowUs;
            m_firing.append(subject);
        }
        schedule(subject, one, nowUs + rule.clearForUs);
    }
}

void AlertEngine::showSource(const domain::SourceState &source, qint64 nowUs)
{
    if (source.link == domain::Link::Standby) {
        removeSource(source.name, nowUs); // the active agent has the alerts now
        return;
    }
    WatchedSource &watched = m_sources[source.name];
    watched.offsetUs = source.clockOffsetUs;
    watched.gapSinceUs = source.gapSinceUs;
    watched.pushes = source.mode == domain::ObservationMode::Push;
    if (const qint64 seenUs = source.lastSeenWallUs.value_or(0); seenUs != watched.seenUs) {
        watched.seenUs = seenUs;
        watched.isAwaited = false;
        for (const auto &[dueUs, subject] : std::exchange(watched.unseen, {})) {
            if (const auto it = m_occurrences.find(subject); it != m_occurrences.end())
                schedule(subject, it->second, dueUs);
        }
    }
    const bool isUp = source.link == domain::Link::Up;
    if (!isUp && !watched.blindSinceUs)
        watched.blindSinceUs = nowUs;
    if (isUp && watched.blindSinceUs && !watched.isAwaited)
        seeAgain(source.name, nowUs - *std::exchange(watched.blindSinceUs, std::nullopt), nowUs);
    const domain::LockKey key{source.name, {}, {}, {}};
    Place place{key};
    if (source.error.code != base::ErrorCode::Unknown || !source.error.cause.isEmpty())
        place.detail.insert(QStringLiteral("cause"), source.error.cause);
    const bool isConnecting = source.link == domain::Link::Connecting;
    expectEach(AlertCondition::SourceDown, place,
               isConnecting ? AlertReading::unknown()
                            : AlertReading::lasting(source.link == domain::Link::Down, source.sinceWallUs),
               nowUs);
    if (isUp)
        expectEach(AlertCondition::Gap, place,
                   AlertReading::lasting(source.gapSinceUs.has_value(),
                                         source.gapSinceUs.value_or(0) - source.clockOffsetUs),
                   nowUs);
}

void AlertEngine::wake(qint64 lastUs, qint64 nowUs)
{
    for (WatchedSource &source : m_sources) {
        source.isAwaited = true;
        if (!source.blindSinceUs)
            source.blindSinceUs = lastUs;
    }
    m_settledUs = std::min(m_settledUs, nowUs + m_settings.settleUs);
}

void AlertEngine::removeSource(const QString &source, qint64 nowUs)
{
    m_sources.remove(source);
    for (auto it = m_occurrences.begin(); it != m_occurrences.end();) {
        if (it->first.lock.source == source) {
            end(it->first, it->second, nowUs);
            it = m_occurrences.erase(it);
        } else {
            ++it;
        }
    }
}

void AlertEngine::seeAgain(const QString &source, qint64 blindUs, qint64 nowUs)
{
    for (auto &[subject, one] : m_occurrences) {
        const AlertRule *its = rule(subject.rule);
        if (subject.lock.source != source || !its || !config::isOfLock(its->when) ||
            domain::isAlertMoment(its->when))
            continue;
        if (one.isTrue && !one.isActive())
            one.sinceUs += blindUs;
        if (one.endedUs)
            *one.endedUs += blindUs;
        schedule(subject, one, nowUs);
    }
}

void AlertEngine::endTable(const QString &source, qint64 nowUs)
{
    for (auto &[subject, one] : m_occurrences) {
        if (subject.lock.source == source && one.isRestored)
            schedule(subject, one, nowUs);
    }
    for (const AlertRule &rule : std::as_const(m_settings.rules)) {
        if (namesOneLock(rule) && rule.fitsSource(source))
            expectNamed(rule, source, nowUs);
    }
}

/** Watches a lock that its rule names exactly and that the source has never shown. */
void AlertEngine::expectNamed(const AlertRule &rule, const QString &source, qint64 nowUs)
{
    if (m_present.contains({source, rule.match}))
        return;
    const domain::LockKey unseen{source, {}, {}, rule.match};
    m_pasts.showAbsent(unseen, nowUs);
    expect(rule, {unseen}, m_pasts.absent(unseen), nowUs);
}

void AlertEngine::showAgent(const AgentHealth &health, qint64 nowUs)
{
    const domain::LockKey agent;
    Place place{agent};
    if (!health.audit.cause.isEmpty())
        place.detail.insert(QStringLiteral("cause"), health.audit.cause);
    expectEach(AlertCondition::AuditFailing, place, AlertReading::lasting(!health.audit.cause.isEmpty()),
               nowUs);
    expectEach(AlertCondition::ReloadFailed, {agent}, AlertReading::lasting(health.reloadFailed), nowUs);
}

void AlertEngine::showReceiver(const QString &receiver, const base::Error &error, qint64 nowUs)
{
    const domain::LockKey agent;
    expectEach(AlertCondition::ReceiverFailing,
               {agent, receiver.toUtf8(), {}, {}, {{QStringLiteral("cause"), error.cause}}},
               AlertReading::lasting(!error.cause.isEmpty()), nowUs);
}

void AlertEngine::showGraph(const domain::WaitGraph &graph, qint64 nowUs)
{
    m_sources[graph.source].hasGraph = true;
    const QSet<AlertSubject> shown = showChains(graph, nowUs);
    QList<AlertSubject> gone;
    for (const auto &[subject, one] : m_occurrences) {
        if (subject.lock.source == graph.source && !subject.object.isEmpty() && !shown.contains(subject))
            gone.append(subject);
    }
    for (const AlertSubject &subject : std::as_const(gone)) {
        if (const AlertRule *its = rule(subject.rule))
            expect(*its, {subject.lock, subject.object}, {}, nowUs);
    }
}

namespace {

/** A root blocker and everything behind it. */
struct RootChain
{
    domain::LockKey lock; ///< the one that its first waiter wants
    domain::TimeUs firstWaitUs;
    QJsonObject detail;
};

QString sessionText(const domain::Session &session)
{
    return QString::fromLatin1(session.id);
}

bool isBehind(const domain::Chains &chains, int node, int root)
{
    for (int at = node; at >= 0; at = chains.nodes.at(at).parent) {
        if (at == root)
            return true;
    }
    return false;
}

RootChain chainBehind(const domain::Chains &chains, int root)
{
    RootChain chain;
    QJsonArray path{sessionText(chains.nodes.at(root).session)};
    for (int i = root + 1; i < chains.nodes.size(); ++i) {
        const domain::ChainNode &node = chains.nodes.at(i);
        if (!isBehind(chains, i, root))
            continue;
        if (node.parent == root && node.waitsFor && chain.lock.name.isEmpty())
            chain.lock = *node.waitsFor;
        if (node.waitingSinceUs)
            chain.firstWaitUs =
                std::min(chain.firstWaitUs.value_or(*node.waitingSinceUs), *node.waitingSinceUs);
        if (path.size() <= AlertEngine::kWorst)
            path.append(sessionText(node.session));
    }
    chain.detail = {{QStringLiteral("chain"), path},
                    {QStringLiteral("sessions"), chains.nodes.at(root).blocksAll}};
    return chain;
}

} // namespace

QSet<AlertSubject> AlertEngine::showChains(const domain::WaitGraph &graph, qint64 nowUs)
{
    const domain::Chains chains = domain::chainsOf(graph);
    const qint64 offsetUs = m_sources.value(graph.source).offsetUs;
    QSet<AlertSubject> shown;
    const auto show = [&](AlertCondition when, const Place &place, const AlertReading &reading) {
        expectEach(when, place, reading, nowUs);
        for (const AlertRule &rule : std::as_const(m_settings.rules)) {
            if (rule.when == when)
                shown.insert({rule.name, place.lock, place.object});
        }
    };
    for (int i = 0; i < chains.nodes.size(); ++i) {
        const domain::ChainNode &node = chains.nodes.at(i);
        if (node.parent >= 0 || node.blocksAll == 0)
            continue;
        const RootChain chain = chainBehind(chains, i);
        const Place place{chain.lock, "root", node.session.id, node.session.transaction, chain.detail};
        const qint64 sum = node.waitingCausedUs / node.blocksAll;
        if (chain.firstWaitUs)
            show(AlertCondition::LongestWait, place, AlertReading::growing(*chain.firstWaitUs - offsetUs));
        show(AlertCondition::WaitingNow, place,
             AlertReading::growing(graph.endedUs - offsetUs - sum, node.blocksAll));
        show(AlertCondition::Waiters, place, AlertReading::level(node.blocksAll));
    }
    for (const QList<int> &cycle : chains.cycles) {
        QJsonArray path;
        for (const int node : cycle)
            path.append(sessionText(chains.nodes.at(node).session));
        const domain::ChainNode &first = chains.nodes.at(cycle.constFirst());
        const domain::LockKey lock = first.waitsFor.value_or(domain::LockKey{graph.source, {}, {}, {}});
        const QByteArray object = "cycle " + first.session.id;
        show(AlertCondition::Deadlock,
             {lock, object, first.session.id, {}, {{QStringLiteral("chain"), path}}},
             AlertReading::lasting(true));
    }
    return shown;
}

} // namespace lockkeeper::agent::alerts
