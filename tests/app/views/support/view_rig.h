// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/application/language.h"
#include "app/presentation/theme.h"
#include "app/replica/alert_board.h"
#include "app/replica/holder_checks.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/requests.h"
#include "app/words/time_format.h"
#include "tests/app/session/alert_fixture.h"
#include "tests/app/session/replay_agent.h"
#include "tests/app/views/support/pages.h"
#include "tests/app/views/support/picture.h"
#include "tests/support/fake_clock.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTemporaryDir>
#include <QTranslator>

#include <algorithm>

namespace lockkeeper::tests {

/** A language in which every sentence stands in brackets, so that a word left behind shows. */
class BracketLanguage : public QTranslator
{
public:
    BracketLanguage() { QCoreApplication::installTranslator(this); }
    ~BracketLanguage() override { QCoreApplication::removeTranslator(this); }
    bool isEmpty() const override { return false; }
    QString translate(const char *, const char *text, const char *, int) const override
    {
        return QLatin1Char('[') + QString::fromUtf8(text) + QLatin1Char(']');
    }
};

/**
 * The surroundings of a view or a dialog: a session over a real socket to an agent within the test. The agent
 * answers from its journal, `audit`, `status` and `graphs`. `reading` is its answer to Inspect, `result` its
 * answer to ForceRelease. `mute` leaves questions unanswered, `failure` refuses them.
 */
class ViewRig : public QObject
{
public:
    ViewRig()
        : settings(folder.filePath(QStringLiteral("console.ini"))),
          replica(clock),
          session(QStringLiteral("test"))
    {
        context = {&session, &replica, &selection, &settings, &clock,
                   &theme,   &times,   &requests,  &alerts,   &holders};
        const bool dark = qEnvironmentVariable("LOCKKEEPER_THEME") == QLatin1String("dark"); // for pictures
        theme.setAppearance(dark ? app::presentation::Appearance::Dark
                                 : app::presentation::Appearance::Light);
        if (qEnvironmentVariableIsSet("LOCKKEEPER_LANGUAGE"))
            language.setLanguage(qEnvironmentVariable("LOCKKEEPER_LANGUAGE"));
        times.setZone(app::words::Zone::Utc);
        session.setTiming({5000, 20, 60, 20});
        status.agent = QStringLiteral("dc1");
        status.version = QStringLiteral("0.1.0");
        agent.answer = [this](const protocol::Message &message) { return answer(message); };
    }
    ~ViewRig() override
    {
        replica.follow(nullptr);
        QLocale::setDefault(locale);
    }

    /** Connects the console to the agent; the caller waits for isLive(). */
    bool connectAgent()
    {
        replica.follow(&session);
        if (!agent.start())
            return false;
        session.open(agent.address());
        return true;
    }
    /** The agent shows `locks`, and the console is connected to it. */
    bool connectWith(const QList<domain::LockState> &locks)
    {
        for (const domain::LockState &lock : locks)
            agent.table.locks.insert(lock.key, lock);
        return connectAgent();
    }
    bool isLive() const { return session.link() == app::session::LinkState::Live; }

    /** A reading of `state` as the agent would answer it now. */
    static protocol::Inspected readingOf(const domain::LockState &state)
    {
        protocol::Inspected inspected;
        inspected.present = true;
        inspected.state = state;
        inspected.willRun = QStringLiteral("DEL if the value is still w1");
        return inspected;
    }
    static domain::LockState lock(const QByteArray &name, const QByteArray &guard = "guard-1")
    {
        domain::LockState state = heldLock(name);
        state.guard = guard;
        state.release.safety = domain::ReleaseSafety::Guarded;
        state.token = "w1";
        return state;
    }
    static domain::LockState stuckLock(const QByteArray &name, const QByteArray &guard = "guard-1")
    {
        domain::LockState state = lock(name, guard);
        state.stuck = domain::StuckReason::NoExpiry;
        return state;
    }
    static domain::LockState expiredLock(const QByteArray &name, const QByteArray &guard = "guard-1")
    {
        domain::LockState state = lock(name, guard);
        state.phase = domain::Phase::Expired;
        state.expiry = domain::ExpiryKind::At;
        state.expiresUs = 1'000'000;
        return state;
    }

    /** Appends an event to the journal before the console connects: one a second, the last one now. */
    void keep(events::LockEvent event)
    {
        event.seq = ++agent.table.seq;
        agent.journal.append(event);
    }
    /** `count` acquisitions, one a second, ending now; every tenth of the lock "rare". */
    void keepMany(int count)
    {
        for (int i = 1; i <= count; ++i) {
            events::LockEvent event = eventAt(clock.wallUs() - (count - i) * 1'000'000ll);
            event.key.name = i % 10 == 0 ? "rare" : "often";
            keep(event);
        }
    }
    static events::LockEvent eventAt(qint64 timeUs, const QByteArray &name = "often")
    {
        events::LockEvent event = acquired(heldLock(name));
        event.after.reset();
        event.timeUs = timeUs;
        event.observedUs = timeUs;
        return event;
    }
    static events::LockEvent gapAt(qint64 timeUs, qint64 lengthUs = 120'000'000)
    {
        events::LockEvent event = eventAt(timeUs);
        event.kind = events::EventKind::GapClosed;
        event.key = {QStringLiteral("orders-db"), {}, {}, {}};
        event.windowUs = lengthUs;
        return event;
    }
    /** A source that is up and was seen just now. */
    domain::SourceState source(const QString &name) const
    {
        domain::SourceState state;
        state.name = name;
        state.store = "redis";
        state.address = QStringLiteral("10.2.0.4:6379");
        state.link = domain::Link::Up;
        state.sinceWallUs = clock.wallUs() - 3'600'000'000;
        state.lastSeenUs = clock.wallUs();
        state.lastSeenWallUs = clock.wallUs();
        state.pollMs = 500;
        state.passUs = 1'800;
        state.clockOffsetUs = 12'000;
        state.clockUncertaintyUs = 400;
        state.server = QStringLiteral("Redis 7.0.15");
        state.schemes = {"redis.token"};
        return state;
    }
    /** Answers the last release, where `answerRelease` is off. */
    void sendResult()
    {
        protocol::ReleaseResult reply = result;
        reply.id = sent.constLast().id;
        reply.command = sent.constLast().command;
        agent.sendToAll(reply);
    }
    void show(const QList<domain::SourceState> &sources)
    {
        agent.sendToAll(protocol::StateBatch{{}, sources, false, {}});
    }

    const QLocale locale; ///< the locale before `language` changes it
    QTemporaryDir folder;
    FakeClock clock;
    ReplayAgent agent;
    QList<domain::AuditEntry> audit; ///< newest first
    QList<protocol::Hold> holds;     ///< newest first
    QList<protocol::HoldsQuery> holdsAsked;
    std::optional<qint64> firstBadId;
    bool chainHolds = true;
    std::optional<domain::AuditSignature> auditSignature;
    bool isAuditCompared = true;
    protocol::Status status;
    QList<domain::WaitGraph> graphs;
    protocol::ContentionPage contention; ///< its range is the question's
    QList<protocol::ContentionQuery> ranges;
    /** How the answer differs from "s was observed all the time, and nobody waited". */
    std::function<void(protocol::WaitingPage &page)> waiting = [](protocol::WaitingPage &) {};
    QList<protocol::WaitingQuery> waitingAsked;
    std::optional<protocol::AdvicePage> advice; ///< empty: it doesn't answer
    QList<protocol::AdviceQuery> advised;
    protocol::TimelinePage timeline; ///< its range and slices are the question's
    QList<protocol::TimelineQuery> timelines;
    protocol::ProbeResult probe;
    QList<protocol::ProbeRequest> probes;
    protocol::Inspected reading;
    protocol::ReleaseResult result;
    QList<protocol::ForceRelease> sent;
    bool answerInspect = true;
    bool answerRelease = true;
    int readings = 0;
    QList<domain::HolderCheck> holderChecks; ///< of the locks that somebody looks at
    std::optional<AlertBook> book; ///< the agent's alerts; empty: it doesn't answer questions about them
    bool mute = false;
    std::optional<base::Error> failure;

    app::settings::Settings settings;
    app::Language language;
    app::presentation::Theme theme;
    app::words::TimeFormat times;
    app::replica::Replica replica;
    app::replica::Selection selection;
    app::views::Requests requests;
    app::session::AgentGroup session;
    app::replica::AlertBoard alerts{session, clock};
    app::replica::HolderChecks holders{session, clock};
    app::views::ConsoleContext context;

private:
    std::optional<protocol::Message> answer(const protocol::Message &message)
    {
        if (mute)
            return std::nullopt;
        if (auto reply = book ? book->answer(agent, message) : std::nullopt)
            return reply;
        if (const auto *query = std::get_if<protocol::HolderChecksQuery>(&message))
            return protocol::HolderChecksPage{query->id, holderChecks, clock.wallUs()};
        if (const auto *inspect = std::get_if<protocol::Inspect>(&message)) {
            if (!answerInspect)
                return std::nullopt;
            protocol::Inspected reply = reading;
            reply.id = inspect->id;
            reply.ticket = "ticket-" + QByteArray::number(++readings);
            reply.state.key = inspect->key;
            return reply;
        }
        if (const auto *release = std::get_if<protocol::ForceRelease>(&message)) {
            sent.append(*release);
            if (!answerRelease)
                return std::nullopt;
            protocol::ReleaseResult reply = result;
            reply.id = release->id;
            reply.command = release->command;
            return reply;
        }
        if (const auto *history = std::get_if<protocol::HistoryQuery>(&message)) {
            if (failure)
                return protocol::Failed{history->id, *failure};
            return eventPageOf(agent.journal, agent.table.seq, *history);
        }
        if (const auto *query = std::get_if<protocol::AuditQuery>(&message)) {
            if (failure)
                return protocol::Failed{query->id, *failure};
            protocol::AuditPage page = auditPageOf(audit, *query);
            page.verified = query->verify && chainHolds;
            page.firstBadId = query->verify ? firstBadId : std::nullopt;
            if (query->verify && !chainHolds)
                page.fault = {
                    base::ErrorCode::Corrupt,
                    QStringLiteral("records 101 to 206 of the audit are missing; a head of 206 records "
                                   "was signed at 2026-11-18T10:00:00Z "
                                   "(/var/lib/lockkeeper-audit/audit.key.head)"),
                    QStringLiteral(
                        "Compare the journal with a backup. To accept the audit as it is, stop the agent and "
                        "run: lockkeeper-agent --config FILE audit accept --reason TEXT")};
            page.checkedUs = clock.wallUs();
            page.records = query->verify ? 2 * audit.size() : 0;
            page.signature = query->verify ? auditSignature : std::nullopt;
            if (query->verify && isAuditCompared)
                page.anchor = domain::AuditSignature{1, QByteArray(32, 'h'), 4, QByteArray(16, 'k'),
                                                     QByteArray(64, 's')};
            return page;
        }
        if (const auto *query = std::get_if<protocol::HoldsQuery>(&message)) {
            if (failure)
                return protocol::Failed{query->id, *failure};
            holdsAsked.append(*query);
            return holdPageOf(holds, *query);
        }
        if (const auto *query = std::get_if<protocol::ChainsQuery>(&message)) {
            if (failure)
                return protocol::Failed{query->id, *failure};
            return protocol::ChainsPage{query->id, graphs};
        }
        if (const auto *query = std::get_if<protocol::ContentionQuery>(&message)) {
            ranges.append(*query);
            if (failure)
                return protocol::Failed{query->id, *failure};
            protocol::ContentionPage page = contention;
            page.id = query->id;
            page.fromUs = query->fromUs.value_or(0);
            page.toUs = query->toUs.value_or(0);
            using domain::ContentionRanking;
            const ContentionRanking ranking = query->ranking;
            const bool ofBlockers =
                ranking == ContentionRanking::Holder || ranking == ContentionRanking::Statement;
            if (ranking != ContentionRanking::Lock)
                page.locks.clear();
            if (ranking != ContentionRanking::Waiter)
                page.waiters.clear();
            page.blockers.removeIf([&](const domain::BlockerCost &cost) {
                return !ofBlockers || cost.statement.isEmpty() == (ranking == ContentionRanking::Statement);
            });
            if (!ofBlockers)
                page.unattributedUs.reset();
            return page;
        }
        if (const auto *query = std::get_if<protocol::AdviceQuery>(&message)) {
            advised.append(*query);
            if (!advice)
                return std::nullopt;
            protocol::AdvicePage page = *advice;
            page.id = query->id;
            return page;
        }
        if (const auto *query = std::get_if<protocol::WaitingQuery>(&message)) {
            waitingAsked.append(*query);
            if (failure)
                return protocol::Failed{query->id, *failure};
            protocol::WaitingPage page{query->id, query->fromUs, query->toUs, {}};
            page.sources.append({QStringLiteral("s"), query->toUs, {}, QList<qint64>(query->slices, 0)});
            waiting(page);
            return page;
        }
        if (const auto *query = std::get_if<protocol::TimelineQuery>(&message))
            return timelinePage(*query);
        if (const auto *request = std::get_if<protocol::ProbeRequest>(&message)) {
            probes.append(*request);
            protocol::ProbeResult reply = probe;
            reply.id = request->id;
            reply.command = request->command;
            return reply;
        }
        if (const auto *query = std::get_if<protocol::StatusQuery>(&message)) {
            protocol::Status reply = status;
            reply.id = query->id;
            return reply;
        }
        return std::nullopt;
    }
    protocol::Message timelinePage(const protocol::TimelineQuery &query)
    {
        timelines.append(query);
        if (failure)
            return protocol::Failed{query.id, *failure};
        protocol::TimelinePage page = timeline;
        page.id = query.id;
        page.fromUs = query.fromUs;
        page.toUs = query.toUs;
        page.sliceUs = page.sliceUs > 0 ? page.sliceUs : query.sliceUs;
        if (!query.keys.isEmpty())
            page.lanes.removeIf(
                [&query](const protocol::TimelineLane &lane) { return !query.keys.contains(lane.key); });
        page.strip = QList<qint64>(query.stripSlices, 3);
        return page;
    }
};

} // namespace lockkeeper::tests
