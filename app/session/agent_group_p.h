// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agent_group.h"

#include <QElapsedTimer>
#include <QPointer>

#include <memory>

namespace lockkeeper::app::session {

struct AgentGroup::GroupMember
{
    transport::Address address;
    std::unique_ptr<AgentSession> session;
    QString label;       ///< prefix of its sources; empty for a single agent, or until its name is known
    bool isSame = false; ///< another address leads to the same agent, which is queried there
};

/** A question that some of the queried agents haven't answered yet. */
struct AgentGroup::GroupRequest
{
    struct AgentAnswer
    {
        QPointer<AgentSession> session;
        quint64 id = 0;
        QString agent;
        bool answered = false;
    };
    QPointer<QObject> context;
    QList<AgentAnswer> parts;
    QElapsedTimer since;
};

} // namespace lockkeeper::app::session
