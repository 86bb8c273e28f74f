// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agents.h"

#include <QElapsedTimer>
#include <QPointer>

#include <memory>

namespace lockkeeper::app::session {

struct Agents::Agent
{
    transport::Address address;
    std::unique_ptr<AgentSession> session;
    QString label;       ///< before its sources; empty where it is alone, or hasn't told its name yet
    bool isSame = false; ///< another address leads to the same agent, which is asked there
};

/** A question that isn't answered yet by all who were asked. */
struct Agents::Asked
{
    struct Part
    {
        QPointer<AgentSession> session;
        quint64 id = 0;
        QString agent;
        bool answered = false;
    };
    QPointer<QObject> context;
    QList<Part> parts;
    QElapsedTimer since;
};

} // namespace lockkeeper::app::session
