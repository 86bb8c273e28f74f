// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_report.h"

#include <QByteArray>

class QPainter;

namespace lockkeeper::app::views {

/** The report as a PDF file of A4 pages. In the GUI thread; bounded by the report's rows. */
QByteArray reportPdf(const report::IncidentReport &report);
/** The picture in the colours of the HTML file, `picture.width` wide. */
void paintPicture(QPainter &painter, const report::ReportPicture &picture);

} // namespace lockkeeper::app::views
