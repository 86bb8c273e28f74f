// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_report.h"
#include "shared/base/result.h"

#include <QByteArray>

namespace lockkeeper::app::report {

/**
 * The report as bytes, by which lockkeeperctl passes it to the console program, which can draw PDF. Both are
 * installed together: another version is an error.
 */
QByteArray packReport(const IncidentReport &report);
/** Error: Usage, if the bytes are no whole report of this version. */
base::Result<IncidentReport> unpackReport(const QByteArray &bytes);

} // namespace lockkeeper::app::report
