// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/presentation/theme.h"
#include "app/presentation/time_format.h"
#include "app/session/agent_session.h"
#include "app/settings/settings.h"
#include "app/state/replica.h"
#include "app/state/selection.h"
#include "app/views/common/console_context.h"
#include "app/views/common/requests.h"
#include "app/views/release/release_controller.h"
#include "tests/app/session/fake_agent.h"
#include "tests/support/fake_clock.h"

#include <QTemporaryDir>
#include <QWidget>

namespace lockkeeper::tests {

/**
 * A console without its window: a session over a real socket to an agent within the test, the replica, and
 * what a dialog needs beside. `reading` is what the agent answers to Inspect, `outcome` to ForceRelease.
 */
class DialogRig : public QObject
{
public:
    DialogRig()
        : settings(folder.filePath(QStringLiteral("console.ini"))),
          replica(clock),
          session(QStringLiteral("test"))
    {
        context = {&session, &replica, &selection, &settings, &clock, &theme, &times, &requests};
        controller = std::make_unique<app::views::ReleaseController>(context, &commands, &window);
        agent.answer = [this](const protocol::Message &message) -> std::optional<protocol::Message> {
            if (const auto *inspect = std::get_if<protocol::Inspect>(&message)) {
                if (!answerInspect)
                    return std::nullopt;
                protocol::Inspected answer = reading;
                answer.id = inspect->id;
                answer.ticket = "ticket-" + QByteArray::number(++readings);
                answer.state.key = inspect->key;
                return answer;
            }
            if (const auto *release = std::get_if<protocol::ForceRelease>(&message)) {
                sent.append(*release);
                if (!answerRelease)
                    return std::nullopt;
                protocol::ReleaseResult answer = result;
                answer.id = release->id;
                answer.command = release->command;
                return answer;
            }
            return std::nullopt;
        };
    }

    /** The agent shows `locks`, and the console is connected to it. */
    bool connectWith(const QList<domain::LockState> &locks)
    {
        for (const domain::LockState &lock : locks)
            agent.table.locks.insert(lock.key, lock);
        if (!agent.start())
            return false;
        replica.follow(&session);
        session.open(agent.address());
        return true;
    }

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

    QTemporaryDir folder;
    FakeClock clock;
    FakeAgent agent;
    protocol::Inspected reading;
    protocol::ReleaseResult result;
    QList<protocol::ForceRelease> sent;
    bool answerInspect = true;
    bool answerRelease = true;
    int readings = 0;

    app::settings::Settings settings;
    app::presentation::Theme theme;
    app::presentation::TimeFormat times;
    app::state::Replica replica;
    app::state::Selection selection;
    app::views::Requests requests;
    app::session::AgentSession session;
    app::models::CommandsModel commands;
    QWidget window;
    app::views::ConsoleContext context;
    std::unique_ptr<app::views::ReleaseController> controller;
};

} // namespace lockkeeper::tests
