// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/link_banners.h"

#include "app/filter/query.h"
#include "app/models/seconds.h"
#include "app/replica/replica.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/requests.h"
#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/event_words.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QLocale>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::views {

using presentation::BannerKind;

namespace {
constexpr int kRecoveryMs = 10'000;
constexpr int kLeftOutMs = 30'000;
constexpr qint64 kFirstScanUs = 5'000'000;
} // namespace

LinkBanners::LinkBanners(const ConsoleContext &context, BannerArea *area, QObject *parent)
    : QObject(parent), m_context(context), m_area(area), m_formatter(context.times)
{
    connect(context.session, &session::AgentGroup::agentChanged, this, &LinkBanners::forgetAgent);
    connect(context.session, &session::AgentGroup::linkChanged, this, &LinkBanners::refresh);
    connect(context.session, &session::AgentGroup::leftOut, this, &LinkBanners::showLeftOut);
    connect(context.replica, &replica::Replica::pauseChanged, this, &LinkBanners::refresh);
    connect(context.replica, &replica::Replica::offlineChanged, this, &LinkBanners::refresh);
    connect(context.replica, &replica::Replica::sourcesChanged, this, &LinkBanners::refresh);
    connect(context.replica, &replica::Replica::events, this, &LinkBanners::takeEvents);
    connect(context.times, &words::TimeFormat::changed, this, &LinkBanners::refresh);
    connect(area, &BannerArea::dismissed, this, [this](const QByteArray &id) { m_dismissed.insert(id); });
    connect(&m_second, &QTimer::timeout, this, &LinkBanners::refresh);
    models::startSeconds(m_second);
}

void LinkBanners::refresh()
{
    refreshAgents();
    refreshPause();
    refreshSources();
}

void LinkBanners::retranslate()
{
    forgetPassing();
    refresh();
}

void LinkBanners::forgetPassing()
{
    for (const QByteArray &id : std::exchange(m_passing, {}))
        m_area->removeBanner(id);
}

/** Forgets everything about the previous agents. */
void LinkBanners::forgetAgent()
{
    forgetPassing();
    for (const QByteArray &id : std::exchange(m_silent, {}))
        m_area->removeBanner(id);
    for (const QByteArray &id : std::exchange(m_agents, {}))
        m_area->removeBanner(id);
    for (const QByteArray &id : std::exchange(m_standbys, {}))
        m_area->removeBanner(id);
    m_open.clear();
    m_recovered.clear();
    m_live.clear();
    m_dismissed.clear();
    m_wasLive.clear();
}

void LinkBanners::refreshAgents()
{
    const session::AgentGroup &agents = *m_context.session;
    for (session::AgentSession *session : agents.sessions())
        refreshAgent(session, agents.several());
}

void LinkBanners::refreshAgent(session::AgentSession *session, bool isOneOfSeveral)
{
    const QString address = session->address().text();
    const QByteArray id = isOneOfSeveral ? "agent:" + address.toUtf8() : QByteArrayLiteral("agent");
    const session::LinkState link = session->link();
    if (link == session::LinkState::Live) {
        m_wasLive.insert(address);
        if (!m_live.contains(address))
            m_liveUs = m_context.clock->monotonicUs();
        m_live.insert(address);
    } else {
        m_live.remove(address);
    }
    // Before the first connection to a lone agent the page itself says why it is empty.
    if (link != session::LinkState::Waiting || (!isOneOfSeveral && !m_wasLive.contains(address))) {
        if (link == session::LinkState::Live || link == session::LinkState::Offline)
            m_area->removeBanner(id);
        return;
    }
    m_agents.insert(id);
    const base::Error error = session->lastError();
    const QString cause = words::ErrorWords::cause(error);
    const int seconds = int((session->retryInMs() + 999) / 1000);
    const bool refused = error.code == base::ErrorCode::Authentication;
    const bool reconnects = m_context.settings->reconnect();
    QString text;
    if (isOneOfSeveral) {
        const QString name = m_context.session->nameOf(session);
        if (!m_wasLive.contains(address))
            text = tr("Agent %1 can't be reached: %2. Its locks aren't shown.");
        else if (refused)
            text = tr("Agent %1 lost: %2. Its locks are shown as last seen; lists omit what only it can see. "
                      "A refused login isn't retried automatically.");
        else if (!reconnects)
            text = tr("Agent %1 lost: %2. Its locks are shown as last seen; lists omit what only it can see. "
                      "It won't reconnect automatically.");
        else
            text = tr("Agent %1 lost: %2. Its locks are shown as last seen; lists omit what only it can see. "
                      "Next attempt in %n second(s).",
                      nullptr, seconds);
        text = text.arg(base::displayText(name.isEmpty() ? address : name), cause);
    } else {
        if (refused)
            text = tr("Agent lost: %1. Everything is shown as last seen. A refused login isn't retried "
                      "automatically.");
        else if (!reconnects)
            text = tr("Agent lost: %1. Everything is shown as last seen. It won't reconnect automatically.");
        else
            text = tr("Agent lost: %1. Everything is shown as last seen. Next attempt in %n "
                      "second(s).",
                      nullptr, seconds);
        text = text.arg(cause);
    }
    m_area->showBanner({id, BannerKind::Error, text, tr("Reconnect now"),
                        [retried = QPointer<session::AgentSession>(session)] {
                            if (retried)
                                retried->retryNow();
                        },
                        false, 0});
}

/** The other agents' answers are valid, but lack this agent's part. */
void LinkBanners::showLeftOut(const QString &agent, const base::Error &error)
{
    const QByteArray id = "left-out:" + agent.toUtf8();
    m_passing.insert(id);
    const QString cause = words::ErrorWords::cause(error);
    m_area->showBanner(
        {id,
         BannerKind::Warning,
         tr("Agent %1 didn't answer: %2. The answer lacks its part.").arg(base::displayText(agent), cause),
         {},
         {},
         true,
         kLeftOutMs});
}

void LinkBanners::refreshPause()
{
    const QByteArray id = QByteArrayLiteral("pause");
    if (!m_context.replica->isPaused()) {
        m_area->removeBanner(id);
        return;
    }
    const qint64 at = m_context.replica->pausedAtWallUs();
    m_area->showBanner(
        {id, BannerKind::Info,
         tr("Paused at %1 %2, %Ln change(s) waiting", nullptr, int(m_context.replica->pendingChanges()))
             .arg(m_context.times->nearTime(at, m_context.clock->wallUs()), m_context.times->zoneText(at)),
         tr("Resume"), [this] { m_context.replica->setPaused(false); }, false, 0});
}

/** Agents whose sources another agent has already covered: once for all their sources. */
void LinkBanners::refreshStandbys(const QMap<QString, domain::SourceState> &standbys)
{
    QSet<QByteArray> shown;
    for (auto it = standbys.cbegin(); it != standbys.cend(); ++it) {
        const QByteArray id = "standby:" + it.key().toUtf8();
        shown.insert(id);
        if (!m_context.replica->isLive(it->name))
            m_area->removeBanner(id);
        else if (!m_dismissed.contains(id))
            m_area->showBanner(
                {id,
                 it->error.code == base::ErrorCode::Unknown ? BannerKind::Info : BannerKind::Warning,
                 tr("Agent %1: %2")
                     .arg(base::displayText(m_context.session->agentOf(it->name)),
                          words::ErrorWords::cause(it->error)),
                 {},
                 {},
                 true,
                 0});
    }
    for (const QByteArray &id : m_standbys - shown) {
        m_area->removeBanner(id);
        m_dismissed.remove(id);
    }
    m_standbys = shown;
}

void LinkBanners::refreshSources()
{
    QMap<QString, domain::SourceState> standbys; // by agent, one of its sources
    QSet<QByteArray> gone = m_silent;            // no longer watched
    for (const domain::SourceState &source : m_context.replica->sources()) {
        // If its agent is lost, the agent's banner says so. If the agent is back, its table may not have
        // arrived yet, and its first scan takes a moment.
        const bool offline = !m_context.replica->isLive(source.name) ||
                             (source.link == domain::Link::Connecting &&
                              m_context.clock->monotonicUs() - m_liveUs < kFirstScanUs);
        const QByteArray id = "source:" + source.name.toUtf8();
        const bool standby = source.link == domain::Link::Standby;
        gone.remove(id);
        if (standby)
            standbys.insert(m_context.session->labelOf(source.name), source);
        if (offline || standby || !m_context.replica->isStale(source.name)) {
            m_area->removeBanner(id);
            if (!offline)
                m_dismissed.remove(id);
            continue;
        }
        if (m_dismissed.contains(id))
            continue;
        const QString name = base::displayText(source.name);
        const QString cause =
            source.error.cause.isEmpty() ? QString() : words::ErrorWords::cause(source.error);
        const qint64 seen = m_context.replica->lastSeenUs(source.name);
        const QString since = m_context.times->nearTime(seen, m_context.replica->storeClockUs(source.name));
        const auto show = [this, name = source.name] {
            Q_EMIT m_context.requests->viewAsked(QByteArrayLiteral("sources"), name);
        };
        QString text;
        if (seen <= 0)
            text = cause.isEmpty() ? tr("%1 hasn't been observed yet").arg(name)
                                   : tr("%1 hasn't been observed yet: %2").arg(name, cause);
        else if (cause.isEmpty())
            text = tr("%1 not observed since %2 %3").arg(name, since, m_context.times->zoneText(seen));
        else
            text = tr("%1 not observed since %2 %3: %4")
                       .arg(name, since, m_context.times->zoneText(seen), cause);
        m_silent.insert(id);
        m_area->showBanner({id, BannerKind::Warning, text, tr("Show"), show, true, 0});
    }
    for (const QByteArray &id : std::as_const(gone)) {
        m_area->removeBanner(id);
        m_silent.remove(id);
        m_dismissed.remove(id);
    }
    refreshStandbys(standbys);
}

void LinkBanners::takeEvents(const QList<events::LockEvent> &events)
{
    for (const events::LockEvent &event : events) {
        if (event.kind == events::EventKind::GapOpened)
            m_open.append(event);
        else if (event.kind == events::EventKind::GapClosed)
            showGap(event);
    }
}

/**
 * Announces that a source is seen again, which is no longer a problem. The history keeps the gap. Sources
 * that return from the same cause, as after a restart of their agent, share one banner.
 */
void LinkBanners::showGap(const events::LockEvent &event)
{
    // Take the last gap: if the link to the agent broke meanwhile, the end of an earlier gap was never
    // reported.
    const auto begun = std::find_if(m_open.crbegin(), m_open.crend(), [&](const events::LockEvent &other) {
        return words::EventWords::opens(other, event);
    });
    const std::optional<events::LockEvent> opened =
        begun == m_open.crend() ? std::nullopt : std::optional(*begun);
    m_open.removeIf([&](const events::LockEvent &other) { return words::EventWords::opens(other, event); });
    const QString cause = words::EventWords::gapCause(opened.value_or(event));
    const QByteArray id = "gap:" + cause.toUtf8();
    if (!m_area->hasBanner(id))
        m_recovered.remove(id);
    BannerRecovery &all = m_recovered[id];
    all.parts.append(words::EventWords::gapPart(event));
    all.parts.removeDuplicates();
    all.sources.append(QLatin1Char('=') + filter::quoteWord(event.key.source));
    all.sources.removeDuplicates();
    const qint64 fromUs = opened ? opened->timeUs : event.detail.sinceUs.value_or(event.timeUs);
    all.longestUs = std::max(all.longestUs, event.timeUs - fromUs);
    m_passing.insert(id);
    const auto show = [this, sources = QStringLiteral("source:") + all.sources.join(QLatin1Char(','))] {
        Q_EMIT m_context.requests->viewAsked(QByteArrayLiteral("history"), sources);
    };
    m_area->showBanner({id, BannerKind::Info,
                        all.parts.size() == 1 ? m_formatter.gapSentence(event, opened ? &*opened : nullptr)
                                              : severalAgain(all.parts, all.longestUs, cause),
                        tr("Show"), show, true, kRecoveryMs});
}

QString LinkBanners::severalAgain(const QStringList &parts, qint64 longestUs, const QString &cause)
{
    constexpr qsizetype named = 3;
    const QString which = parts.size() <= named ? QLocale().createSeparatedList(parts)
                                                : tr("%n sources", nullptr, int(parts.size()));
    const QString length = words::Durations::text(longestUs);
    return cause.isEmpty() ? tr("%1 observed again; not observed for up to %2").arg(which, length)
                           : tr("%1 observed again; not observed for up to %2: %3").arg(which, length, cause);
}

} // namespace lockkeeper::app::views
