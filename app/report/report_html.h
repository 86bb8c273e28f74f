// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_report.h"

#include <QByteArray>

namespace lockkeeper::app::report {

/**
 * The report as one HTML file in UTF-8, which is well-formed XML as well. It has no script and refers to no
 * other file. Every text is escaped here.
 */
QByteArray reportHtml(const IncidentReport &report);

} // namespace lockkeeper::app::report
