// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/alert_center.h"

#include "agent/requests/alert_worker.h"
#include "shared/base/text.h"

#include <QDir>
#include <QLoggingCategory>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace lockkeeper::agent::requests {

Q_LOGGING_CATEGORY(lcAlerts, "lockkeeper.alerts")

using namespace std::chrono_literals;
using base::ErrorCode;

namespace {

constexpr auto kStepEvery = 1s;
constexpr qint64 kStalledUs =
    2 * base::kSecondUs; ///< without a step: the machine slept, or was too busy to take what stores push
constexpr auto kWalkEvery = 20ms;
constexpr int kSoonMs = 200; ///< alerts that fire within it are seen together
constexpr quint32 kWalkSlice = 1'000;
constexpr qint64 kDayUs = 24 * base::kHourUs;
constexpr qsizetype kMostShown = 5'000; ///< in one answer, whose frame is limited
constexpr qint64 kLongestSnoozeUs = 7 * kDayUs;

/** In `detail` of an alert about a lock whose holder was probed. */
const QString kLiveness = QStringLiteral("liveness");

/** In `detail` of an alert that waits for the end of its rule's quiet hours. */
const QString kQuietUntil = QStringLiteral("quiet_until");

std::optional<qint64> quietOf(const domain::Alert &alert)
{
    const QJsonValue until = alert.detail.value(kQuietUntil);
    return until.isDouble() ? std::optional(until.toInteger()) : std::nullopt;
}

/** The store and the deliveries have ended; sessions end a moment later. */
base::Error endingError()
{
    return {ErrorCode::Shutdown, QStringLiteral("the agent is shutting down"), {}};
}

QByteArrayView endingOf(const domain::Alert &alert)
{
    return alert.isResolved() ? "over" : "fired";
}

} // namespace

AlertCenter::AlertCenter(AlertContext context, QObject *parent)
    : QObject(parent),
      m_context(std::move(context)),
      m_engine([this](const domain::LockKey &key) -> std::optional<domain::LockState> {
          const release::SourcePort *port = m_context.sources.source(key.source);
          return port ? port->lock(key) : std::nullopt;
      })
{
    m_step.setSingleShot(true);
    connect(&m_step, &QTimer::timeout, this, &AlertCenter::step);
    connect(&m_walk, &QTimer::timeout, this, &AlertCenter::walkTables);
}

AlertCenter::~AlertCenter()
{
    close();
}

base::Result<std::optional<quint64>> AlertCenter::open(const config::Config &config)
{
    m_config = config;
    m_worker = std::make_unique<AlertWorker>(m_context.clock, config.name);
    m_worker->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("alerts"));
    connect(m_worker.get(), &AlertWorker::saved, this, [this](const QList<domain::Alert> &alerts) {
        for (const domain::Alert &alert : alerts)
            Q_EMIT changed(alert);
    });
    connect(m_worker.get(), &AlertWorker::receiversChanged, this,
            [this](const QList<protocol::AlertReceiver> &receivers) {
                m_receivers = receivers;
                for (const protocol::AlertReceiver &receiver : receivers)
                    m_engine.showReceiver(receiver.name,
                                          receiver.failingSinceUs ? receiver.error : base::Error(), nowUs());
                forgetReceivers();
            });
    m_thread.start();
    const auto stored = m_worker->open(QDir(config.dataDir).filePath(QStringLiteral("alerts.db")));
    if (!stored)
        return tl::unexpected(stored.error());
    m_engine.configure(config.alerts, nowUs());
    QList<domain::Alert> active;
    for (const domain::Alert &alert : stored->alerts) {
        m_alerts.insert(alert.id, alert);
        if (!alert.isResolved())
            active.append(alert);
    }
    m_engine.restore(active);
    m_cursor = stored->cursor.value_or(0);
    return stored->cursor;
}

void AlertCenter::start()
{
    m_started = true;
    m_worker->apply(m_config.receivers);
    m_worker->setActive(!m_context.isStandby());
    showTables();
    soon();
}

void AlertCenter::configure(const config::Config &config)
{
    for (const stores::SourceSpec &old : std::as_const(m_config.sources)) {
        const bool stays =
            std::any_of(config.sources.cbegin(), config.sources.cend(),
                        [&old](const stores::SourceSpec &one) { return one.name == old.name; });
        if (!stays)
            m_engine.removeSource(old.name, nowUs());
    }
    m_config = config;
    m_engine.configure(config.alerts, nowUs());
    m_worker->apply(config.receivers);
    showTables();
    soon();
}

void AlertCenter::takePast(const QList<events::LockEvent> &events)
{
    for (const events::LockEvent &event : events)
        m_engine.takePast(event, nowUs());
}

void AlertCenter::take(const QList<events::LockEvent> &events)
{
    for (const events::LockEvent &event : events) {
        m_engine.take(event, nowUs());
        m_cursor = std::max(m_cursor, event.seq);
    }
    soon();
}

void AlertCenter::show(const QList<domain::LockState> &locks, const QList<domain::LockKey> &removed)
{
    for (const domain::LockState &lock : locks)
        m_engine.showLock(lock, nowUs());
    for (const domain::LockKey &key : removed)
        m_engine.removeLock(key, nowUs());
    soon();
}

void AlertCenter::showTables()
{
    m_walks.clear();
    if (m_started)
        m_walk.start(0);
}

/** Shows a slice of each source's table. A source that isn't observed waits for its turn. */
void AlertCenter::walkTables()
{
    bool isDone = true;
    bool hasWalked = false;
    for (release::SourcePort *port : m_context.sources.sources()) {
        TableWalk &walk = m_walks[port->spec().name];
        if (walk.isDone)
            continue;
        isDone = false;
        const domain::SourceState state = port->state();
        if (state.link != domain::Link::Up || state.gapSinceUs || !state.lastSeenUs)
            continue;
        hasWalked = true;
        m_engine.showSource(state, nowUs());
        for (const domain::LockState &lock : port->locksFrom(walk.place, kWalkSlice))
            m_engine.showLock(lock, nowUs());
        if (walk.place == release::SourcePort::kNoPlace) {
            walk.isDone = true;
            m_engine.endTable(port->spec().name, nowUs());
            soon();
        }
    }
    if (isDone)
        m_walk.stop();
    else
        m_walk.start(hasWalked ? kWalkEvery : kStepEvery);
}

void AlertCenter::showSources()
{
    for (release::SourcePort *port : m_context.sources.sources()) {
        m_engine.showSource(port->state(), nowUs());
        const auto graph = port->waitGraph();
        const qint64 shownUs = m_graphs.value(port->spec().name);
        if (graph && graph->endedUs != shownUs) {
            m_graphs.insert(port->spec().name, graph->endedUs);
            m_engine.showGraph(*graph, nowUs());
        }
    }
    m_engine.showAgent(m_context.health(), nowUs());
}

void AlertCenter::soon()
{
    if (m_started && (!m_step.isActive() || m_step.remainingTime() > kSoonMs))
        m_step.start(kSoonMs);
}

void AlertCenter::step()
{
    m_worker->setActive(!m_context.isStandby());
    m_worker->look();
    const qint64 monotonicUs = m_context.clock.monotonicUs(); // counts a suspended machine's time
    const qint64 wallUs = nowUs();
    const qint64 passedUs = monotonicUs - m_steppedUs;
    const qint64 jumpUs = wallUs - m_steppedWallUs - passedUs;
    if (m_steppedUs > 0 && (passedUs > kStalledUs || std::abs(jumpUs) > kStalledUs))
        m_engine.wake(m_steppedWallUs, wallUs);
    m_steppedUs = monotonicUs;
    m_steppedWallUs = wallUs;
    showSources();
    m_engine.step(nowUs());
    notifyLate();
    publish();
    forgetOld();
    std::chrono::milliseconds next = kStepEvery;
    if (const auto due = m_engine.dueUs())
        next = std::min(next, std::chrono::milliseconds(std::max<qint64>(kSoonMs, (*due - nowUs()) / 1'000)));
    m_step.start(next);
}

void AlertCenter::publish()
{
    QList<domain::Alert> changes = m_engine.takeChanges();
    for (domain::Alert &alert : changes) {
        const auto known = m_alerts.constFind(alert.id);
        if (known == m_alerts.constEnd()) {
            ++m_firedCount;
        } else {
            alert.acknowledgedBy = known->acknowledgedBy;
            alert.acknowledgedUs = known->acknowledgedUs;
            alert.snoozedBy = known->snoozedBy;
            alert.snoozedUntilUs = known->snoozedUntilUs;
        }
        const bool isNews = known == m_alerts.constEnd() || alert.isResolved();
        if (isNews)
            qCInfo(lcAlerts).noquote()
                << "alert" << alert.id << base::singleLine(alert.rule) << endingOf(alert)
                << base::displayText(alert.source) << base::displayText(alert.lock.name);
    }
    if (!changes.isEmpty())
        save(std::move(changes));
}

void AlertCenter::save(QList<domain::Alert> changes)
{
    QList<alerts::Notice> notices;
    for (domain::Alert &alert : changes) {
        const auto known = m_alerts.constFind(alert.id);
        const bool isNew = known == m_alerts.constEnd();
        const bool isNews = isNew || alert.isResolved() != known->isResolved();
        const auto quietUs = isNew ? quietUntilUs(alert) : quietOf(*known);
        if (quietUs)
            alert.detail.insert(kQuietUntil, *quietUs);
        addLiveness(alert);
        m_alerts.insert(alert.id, alert);
        if (isNews && !quietUs)
            notices += noticesOf(alert);
    }
    m_worker->commit(changes, notices, m_cursor);
}

QList<alerts::Notice> AlertCenter::noticesOf(const domain::Alert &alert) const
{
    QList<alerts::Notice> notices;
    for (const QString &receiver : receiversOf(alert))
        notices.append({receiver, alert.id});
    return notices;
}

QStringList AlertCenter::receiversOf(const domain::Alert &alert) const
{
    const config::AlertRule *rule = m_engine.rule(alert.rule);
    QStringList names;
    for (const config::ReceiverSettings &receiver : std::as_const(m_config.receivers)) {
        if (rule && !rule->notify.isEmpty() && !rule->notify.contains(receiver.name))
            continue;
        if (alert.severity >= receiver.minSeverity)
            names.append(receiver.name);
    }
    return names;
}

/** The end of the quiet hours that its rule has now; empty: none. */
std::optional<qint64> AlertCenter::quietUntilUs(const domain::Alert &alert) const
{
    const config::AlertRule *rule = m_engine.rule(alert.rule);
    return rule && rule->quiet ? rule->quiet->endOf(nowUs()) : std::nullopt;
}

/** Adds the latest verdict on the lock's holder. An alert that is over keeps the one that it had. */
void AlertCenter::addLiveness(domain::Alert &alert) const
{
    if (!alert.isOfLock() || !m_context.holder)
        return;
    const release::SourcePort *port = m_context.sources.source(alert.lock.source);
    const auto lock = port ? port->lock(alert.lock) : std::nullopt;
    const auto holder = lock && lock->owner == alert.holder ? m_context.holder(alert.lock, lock->guard)
                                                            : std::optional<release::HolderKnowledge>();
    const auto known = m_alerts.constFind(alert.id);
    if (holder)
        alert.detail.insert(kLiveness, release::livenessObject(holder->check));
    else if (known != m_alerts.cend() && known->detail.contains(kLiveness))
        alert.detail.insert(kLiveness, known->detail.value(kLiveness));
}

/** Notifies of alerts whose quiet hours have ended, and again of those whose snooze has ended. An alert that
 * ended in quiet hours is one message with both. */
void AlertCenter::notifyLate()
{
    QList<domain::Alert> late;
    QList<alerts::Notice> notices;
    for (domain::Alert &alert : m_alerts) {
        const auto quietUs = quietOf(alert);
        const bool quietEnded = quietUs && *quietUs <= nowUs();
        const bool snoozeEnded =
            !alert.isResolved() && alert.snoozedUntilUs && *alert.snoozedUntilUs <= nowUs();
        if (!quietEnded && !snoozeEnded)
            continue;
        if (quietEnded)
            alert.detail.remove(kQuietUntil);
        if (snoozeEnded) {
            alert.snoozedUntilUs.reset();
            alert.snoozedBy.clear();
        }
        late.append(alert);
        notices += noticesOf(alert);
    }
    if (!late.isEmpty())
        m_worker->commit(late, notices, m_cursor);
}

/** Ends the alerts about receivers that the configuration no longer has. */
void AlertCenter::forgetReceivers()
{
    for (const domain::Alert &alert : std::as_const(m_alerts)) {
        const QString name = alert.detail.value(QLatin1String("object")).toString();
        const bool stays = std::any_of(m_receivers.cbegin(), m_receivers.cend(),
                                       [&name](const auto &receiver) { return receiver.name == name; });
        if (alert.condition == domain::AlertCondition::ReceiverFailing && !alert.isResolved() && !stays)
            m_engine.showReceiver(name, {}, nowUs());
    }
}

void AlertCenter::forgetOld()
{
    m_alerts.removeIf([this](const QHash<QByteArray, domain::Alert>::iterator &it) {
        return it->resolvedUs && *it->resolvedUs < nowUs() - kDayUs;
    });
}

bool AlertCenter::isSeen(const domain::Alert &alert, const domain::Sight &sight)
{
    if (alert.isOfLock())
        return sight.sees(alert.lock);
    if (alert.source.isEmpty())
        return sight.isWhole();
    return alert.detail.contains(QLatin1String("worst")) ? sight.seesAllOf(alert.source)
                                                         : sight.sees(alert.source);
}

AlertCenter::SeenAlerts AlertCenter::alerts(const domain::Sight &sight) const
{
    SeenAlerts seen;
    QList<domain::Alert> &shown = seen.list;
    for (const domain::Alert &alert : m_alerts) {
        if (isSeen(alert, sight))
            shown.append(alert);
    }
    const auto isNewer = [](const domain::Alert &a, const domain::Alert &b) {
        return a.firedUs != b.firedUs ? a.firedUs > b.firedUs : a.id < b.id;
    };
    seen.more = shown.size() > kMostShown;
    if (seen.more) {
        std::sort(shown.begin(), shown.end(), [&](const domain::Alert &a, const domain::Alert &b) {
            return a.isResolved() != b.isResolved() ? b.isResolved() : isNewer(a, b);
        });
        shown.resize(kMostShown);
    }
    std::sort(shown.begin(), shown.end(), isNewer);
    return seen;
}

std::optional<base::Error> AlertCenter::refusalOf(const protocol::AlertAction &action,
                                                  const release::Asker &asker,
                                                  const domain::Sight &sight) const
{
    using domain::Permission;
    if (!m_worker)
        return endingError();
    const auto it = m_alerts.constFind(action.alert);
    if (it == m_alerts.constEnd() || !isSeen(*it, sight))
        return base::Error{ErrorCode::NotFound, QStringLiteral("there is no such alert"),
                           QStringLiteral("lockkeeperctl alerts lists them.")};
    const bool may = it->isOfLock()         ? asker.grants.may(Permission::Release, it->source, it->lock.name)
                     : it->source.isEmpty() ? asker.grants.mayEverywhere(Permission::Release)
                                            : asker.grants.mayOnAll(Permission::Release, it->source);
    if (!may)
        return base::Error{ErrorCode::PermissionDenied,
                           QStringLiteral("only a role that may release the lock may act on its alert"),
                           QStringLiteral("lockkeeperctl whoami shows its scope.")};
    if (it->isResolved())
        return base::Error{ErrorCode::Usage, QStringLiteral("this alert is over"), {}};
    const bool isLength = action.forUs > 0 && action.forUs <= kLongestSnoozeUs;
    if (action.verb == protocol::AlertAction::AlertVerb::Snooze && !isLength)
        return base::Error{ErrorCode::Usage, QStringLiteral("a snooze lasts at most seven days"), {}};
    return std::nullopt;
}

void AlertCenter::act(const protocol::AlertAction &action, const release::Asker &asker,
                      const domain::Sight &sight, const Done &done)
{
    if (const auto error = refusalOf(action, asker, sight)) {
        done(tl::unexpected(*error));
        return;
    }
    using AlertVerb = protocol::AlertAction::AlertVerb;
    domain::Alert &alert = m_alerts[action.alert];
    if (action.verb == AlertVerb::Acknowledge) {
        alert.acknowledgedBy = asker.user();
        alert.acknowledgedUs = nowUs();
    } else {
        const bool isSnooze = action.verb == AlertVerb::Snooze;
        alert.snoozedBy = isSnooze ? asker.user() : QString();
        alert.snoozedUntilUs = isSnooze ? std::optional(nowUs() + action.forUs) : std::nullopt;
    }
    qCInfo(lcAlerts).noquote() << "alert" << alert.id << "changed by" << base::singleLine(asker.user());
    m_worker->commit({alert}, actionNotices(alert), m_cursor);
    done({});
}

/** The notices of an acknowledgement: PagerDuty then stops its escalation. */
QList<alerts::Notice> AlertCenter::actionNotices(const domain::Alert &alert) const
{
    QList<alerts::Notice> notices;
    if (!alert.acknowledgedUs || quietOf(alert))
        return notices;
    const QStringList names = receiversOf(alert);
    for (const config::ReceiverSettings &receiver : std::as_const(m_config.receivers)) {
        if (names.contains(receiver.name) && config::receiverType(receiver) == "pagerduty")
            notices.append({receiver.name, alert.id});
    }
    return notices;
}

void AlertCenter::test(const QString &receiver, const Done &done)
{
    if (m_worker)
        m_worker->test(receiver, this, done);
    else
        done(tl::unexpected(endingError()));
}

AlertCenter::AlertTotals AlertCenter::totals() const
{
    AlertTotals totals;
    for (const domain::Alert &alert : m_alerts) {
        if (!alert.isResolved())
            ++totals.active[alert.severity];
    }
    totals.fired = m_firedCount;
    for (const protocol::AlertReceiver &receiver : m_receivers) {
        totals.receiversFailing += receiver.failingSinceUs ? 1 : 0;
        totals.waiting += receiver.waiting;
    }
    return totals;
}

void AlertCenter::close()
{
    if (!m_worker)
        return;
    m_started = false;
    m_step.stop();
    m_walk.stop();
    m_worker->close();
    m_thread.quit();
    m_thread.wait();
    m_worker.reset();
}

} // namespace lockkeeper::agent::requests
