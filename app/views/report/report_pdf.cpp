// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/report/report_pdf.h"

#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <QUrl>

#include <array>

namespace lockkeeper::app::views {

using report::IncidentReport;
using report::PictureShape;
using report::ReportPicture;
using report::ReportSection;
using report::ShapeKind;

namespace {

constexpr int kResolution = 300;   ///< dots per inch of the picture and of the page
constexpr double kTextWidth = 640; ///< of an A4 page within print()'s margins of 2 cm, at 96 dots per inch
constexpr std::array<const char *, 5> kLegendColours{"#3b6fb6", "#a9c1e3", "#c62f3b", "#8a5cb8", "#9aa4b1"};

QColor inkOf(ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::Tick:
        return {0xd9, 0xdf, 0xe7};
    case ShapeKind::Gap:
        return {0x9a, 0xa4, 0xb1};
    case ShapeKind::Unsure:
        return {0x3b, 0x6f, 0xb6, 107}; // what lies below stays in sight
    case ShapeKind::Hold:
        return {0x3b, 0x6f, 0xb6};
    case ShapeKind::ForcedEnd:
        return {0xc6, 0x2f, 0x3b};
    case ShapeKind::Waiting:
        return {0x8a, 0x5c, 0xb8};
    case ShapeKind::BarLabel:
        return Qt::white;
    case ShapeKind::TickLabel:
        return {0x5b, 0x66, 0x75};
    case ShapeKind::Label:
        break;
    }
    return {0x1c, 0x24, 0x30};
}

void paintShape(QPainter &painter, const PictureShape &shape)
{
    const QColor ink = inkOf(shape.kind);
    switch (shape.kind) {
    case ShapeKind::Tick:
        painter.setPen(QPen(ink, 1));
        painter.drawLine(shape.rect.topLeft(), shape.rect.bottomLeft());
        return;
    case ShapeKind::Gap:
        painter.fillRect(shape.rect, QColor(0xee, 0xf1, 0xf4));
        painter.save();
        painter.setClipRect(shape.rect);
        painter.setPen(QPen(ink, 1.4));
        for (double x = shape.rect.left() - shape.rect.height(); x < shape.rect.right(); x += 8)
            painter.drawLine(QPointF(x, shape.rect.bottom()),
                             QPointF(x + shape.rect.height(), shape.rect.top()));
        painter.restore();
        return;
    case ShapeKind::Unsure:
    case ShapeKind::Hold:
    case ShapeKind::ForcedEnd:
    case ShapeKind::Waiting:
        painter.fillRect(shape.rect, ink);
        return;
    case ShapeKind::Label:
    case ShapeKind::BarLabel:
    case ShapeKind::TickLabel:
        break;
    }
    painter.setPen(ink);
    const bool centred = shape.kind == ShapeKind::TickLabel;
    painter.drawText(shape.rect,
                     int((centred ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter | Qt::TextDontClip),
                     shape.text);
}

QString cell(const char *name, const QString &text)
{
    return QStringLiteral("<%1>%2</%1>")
        .arg(QLatin1String(name), text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br/>")));
}

/** The subset of HTML that QTextDocument lays out: no grid, no flex, no SVG. */
QString sectionMarkup(const ReportSection &section)
{
    QString markup = cell("h2", section.title);
    for (const QString &sentence : section.sentences)
        markup += cell("p", sentence);
    if (!section.facts.isEmpty()) {
        markup += QStringLiteral("<table width=\"100%\" cellpadding=\"4\">");
        for (const report::ReportFact &fact : section.facts)
            markup += QStringLiteral("<tr><td width=\"32%\" class=\"soft\">%1</td><td>%2</td></tr>")
                          .arg(fact.name.toHtmlEscaped(), fact.value.toHtmlEscaped());
        markup += QStringLiteral("</table>");
    }
    if (!section.table.rows.isEmpty()) {
        markup += QStringLiteral("<table width=\"100%\" cellpadding=\"4\" class=\"rows\"><thead>"
                                 "<tr bgcolor=\"#f4f6f9\">");
        for (const QString &title : section.table.header)
            markup += QStringLiteral("<th align=\"left\">%1</th>").arg(title.toHtmlEscaped());
        markup += QStringLiteral("</tr></thead>");
        for (const QStringList &row : section.table.rows) {
            markup += QStringLiteral("<tr>");
            for (const QString &text : row)
                markup += cell("td", text);
            markup += QStringLiteral("</tr>");
        }
        markup += QStringLiteral("</table>");
    }
    for (const QString &note : section.notes)
        markup += QStringLiteral("<p class=\"note\">%1</p>").arg(note.toHtmlEscaped());
    return markup;
}

QString legendMarkup(const QStringList &legend)
{
    QString markup = QStringLiteral("<p class=\"note\">");
    for (qsizetype i = 0; i < legend.size() && i < qsizetype(kLegendColours.size()); ++i)
        markup += QStringLiteral("<span style=\"color: %1\">%2</span>&nbsp;%3 &nbsp; ")
                      .arg(QLatin1String(kLegendColours.at(std::size_t(i))),
                           i + 1 == qsizetype(kLegendColours.size()) ? QString(QChar(0x25a8))
                                                                     : QString(QChar(0x25a0)),
                           legend.at(i).toHtmlEscaped());
    return markup + QStringLiteral("</p>");
}

QImage imageOf(const ReportPicture &picture)
{
    const double scale = kTextWidth / 96 * kResolution / picture.width;
    QImage image(QSizeF(picture.width * scale, picture.height * scale).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    paintPicture(painter, picture);
    return image;
}

} // namespace

void paintPicture(QPainter &painter, const ReportPicture &picture)
{
    QFont font = painter.font();
    font.setPixelSize(12);
    painter.setFont(font);
    for (const PictureShape &shape : picture.shapes)
        paintShape(painter, shape);
}

QByteArray reportPdf(const IncidentReport &report)
{
    QString markup = cell("h1", report.title) +
                     QStringLiteral("<p class=\"soft\">%1</p>").arg(report.subtitle.toHtmlEscaped());
    for (qsizetype i = 0; i < report.sections.size(); ++i) {
        markup += sectionMarkup(report.sections.at(i));
        if (i == report.pictureAfter)
            markup += QStringLiteral("<p><img src=\"picture\" width=\"%1\"/></p>").arg(int(kTextWidth)) +
                      legendMarkup(report.legend);
    }
    markup += QStringLiteral("<p class=\"note\">%1</p>").arg(report.made.toHtmlEscaped());

    QTextDocument document;
    document.setDefaultStyleSheet(QStringLiteral(
        "body { color: #1c2430; } h1 { font-size: 17pt; } h2 { font-size: 12.5pt; margin-top: 16px; } "
        "p, td, th { font-size: 9.5pt; } .rows td, .rows th { font-size: 8pt; } "
        ".soft { color: #5b6675; } .note { color: #5b6675; font-size: 8pt; }"));
    document.addResource(QTextDocument::ImageResource, QUrl(QStringLiteral("picture")),
                         imageOf(report.picture));
    document.setHtml(markup);

    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kResolution);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins({}); // print() adds its own
    writer.setTitle(report.title);
    document.print(&writer);
    return buffer.data();
}

} // namespace lockkeeper::app::views
