// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_evidence.h"

#include <QJsonObject>

namespace lockkeeper::app::report {

/** The report's figures and rows as `lockkeeperctl report --json` prints them. Pure. */
QJsonObject incidentObject(const IncidentEvidence &evidence);

} // namespace lockkeeper::app::report
