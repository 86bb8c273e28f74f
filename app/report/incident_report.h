// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/report_picture.h"

#include <QString>
#include <QStringList>

namespace lockkeeper::app::report {

struct ReportFact
{
    QString name;
    QString value;
};

struct ReportTable
{
    QStringList header;
    QList<QStringList> rows;
};

struct ReportSection
{
    QString title;
    QStringList sentences;
    QList<ReportFact> facts;
    ReportTable table;
    QStringList notes; ///< limits of the section's data; shown small
};

/** A report as texts in the current language. Plain text everywhere; store text is escaped. */
struct IncidentReport
{
    QString title;
    QString subtitle; ///< the lock's place and the range
    QString made;     ///< by which program, and when
    QString language; ///< for HTML: "en", "zh-CN"
    QList<ReportSection> sections;
    qsizetype pictureAfter = 0; ///< the section behind which the picture stands
    ReportPicture picture;
    QStringList legend; ///< for held, uncertain, broken, waiting, not observed: in this order
};

/** Writes the report's texts. Pure. */
IncidentReport reportOf(const IncidentEvidence &evidence, const words::TimeFormat &times);

} // namespace lockkeeper::app::report
