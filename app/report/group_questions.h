// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_reader.h"

class QObject;

namespace lockkeeper::app::session {
class AgentGroup;
}

namespace lockkeeper::app::report {

/**
 * Sends a reader's questions to the agent that watches `source`. `session` outlives the reader; without
 * `context` no answer is delivered.
 */
IncidentReader::Ask askThrough(session::AgentGroup &session, const QString &source, QObject *context);

} // namespace lockkeeper::app::report
