// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_facts.h"
#include "app/words/time_format.h"

#include <QCoreApplication>
#include <QRectF>

namespace lockkeeper::app::report {

struct ReportPicture;

/** Makes the picture that both the HTML file and the PDF file show. Pure. It comes before the enumeration,
 * behind which Qt 6.8's lupdate finds no class. */
class PictureMaker
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::report::PictureMaker)

public:
    static ReportPicture pictureOf(const IncidentEvidence &evidence, const IncidentFacts &facts,
                                   const words::TimeFormat &times);
};

/** The meaning of a shape: a painter chooses its colour. */
enum class ShapeKind : quint8 {
    Tick = 0, ///< a thin line over the whole height
    Gap,      ///< hatched: not observed
    Unsure,   ///< the hold began or ended at some time in it
    Hold,
    ForcedEnd, ///< a hold ended by a forced release: a mark at its end
    Waiting,   ///< its height grows with the number of waiters
    Label,     ///< text beside the picture; `rect` begins at its left, and its middle is the text's
    BarLabel,  ///< text within a bar
    TickLabel, ///< text centred in `rect`
};

struct PictureShape
{
    ShapeKind kind = ShapeKind::Tick;
    QRectF rect;
    QString text; ///< plain; store text is escaped
    bool operator==(const PictureShape &) const = default;
};

/** The picture of an incident: geometry and texts, in the order in which they are painted. */
struct ReportPicture
{
    double width = 0;
    double height = 0;
    QList<PictureShape> shapes;
    QString alternative; ///< the picture in a sentence, for readers who can't see it
};

/** The picture as one inline SVG element; well-formed XML. */
QString svgOf(const ReportPicture &picture);

} // namespace lockkeeper::app::report
