// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report_html.h"

namespace lockkeeper::app::report {

namespace {

constexpr const char *kStyle = R"(
:root { --ink: #1c2430; --soft: #5b6675; --line: #d9dfe7; --ground: #ffffff; --band: #f4f6f9;
  --held: #3b6fb6; --forced: #c62f3b; --waiting: #8a5cb8; --gap: #9aa4b1; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 32px 28px 48px; max-width: 1060px; background: var(--ground); color: var(--ink);
  font: 15px/1.55 "Segoe UI", "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif; }
h1 { margin: 0; font-size: 26px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 34px 0 10px; padding-bottom: 5px; border-bottom: 1px solid var(--line); font-size: 18px; }
p { margin: 7px 0; overflow-wrap: anywhere; white-space: pre-line; }
.subtitle { color: var(--soft); }
.story p { font-size: 16px; max-width: 78ch; }
.note, .made { color: var(--soft); font-size: 13px; }
dl { display: grid; grid-template-columns: minmax(170px, 3fr) 7fr; margin: 0; }
dt, dd { margin: 0; padding: 5px 8px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
dt { color: var(--soft); padding-left: 0; }
table { width: 100%; border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th { padding: 6px 8px; background: var(--band); text-align: left; vertical-align: bottom; }
td { padding: 6px 8px; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere;
  white-space: pre-line; }
td, th { min-width: 6.5em; }
td:first-child { min-width: 13em; }
figure { margin: 22px 0 0; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 12px "Segoe UI", "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; fill: var(--ink); }
svg .time { text-anchor: middle; fill: var(--soft); font-size: 11px; }
svg .inside { fill: #ffffff; }
svg .tick { stroke: var(--line); }
svg .hold, .key-0 { fill: var(--held); background: var(--held); }
svg .unsure, .key-1 { fill: var(--held); background: var(--held); opacity: 0.42; }
svg .forced, .key-2 { fill: var(--forced); background: var(--forced); }
svg .waiting, .key-3 { fill: var(--waiting); background: var(--waiting); }
svg .gap { fill: url(#hatch); }
svg .hatch-ground { fill: #eef1f4; }
svg .hatch-line { stroke: var(--gap); stroke-width: 2; }
.key-4 { background: repeating-linear-gradient(45deg, #eef1f4 0 3px, var(--gap) 3px 5px); }
figcaption { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-top: 6px; color: var(--soft); font-size: 13px; }
.key { display: inline-block; width: 18px; height: 10px; margin-right: 6px; }
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2 { break-after: avoid; }
  figure, tr, dl { break-inside: avoid; }
  thead { display: table-header-group; }
  @page { margin: 16mm; }
}
)";

QString element(const char *name, const QString &text, const char *kind = nullptr)
{
    const QString attribute = kind ? QStringLiteral(" class=\"%1\"").arg(QLatin1String(kind)) : QString();
    return QStringLiteral("<%1%2>").arg(QLatin1String(name), attribute) + text.toHtmlEscaped() +
           QStringLiteral("</%1>\n").arg(QLatin1String(name));
}

QString factsHtml(const QList<ReportFact> &facts)
{
    QString html = QStringLiteral("<dl>\n");
    for (const ReportFact &fact : facts)
        html += element("dt", fact.name) + element("dd", fact.value);
    return html + QStringLiteral("</dl>\n");
}

QString tableHtml(const ReportTable &table)
{
    QString html = QStringLiteral("<table>\n<thead><tr>\n");
    for (const QString &title : table.header)
        html += element("th", title);
    html += QStringLiteral("</tr></thead>\n<tbody>\n");
    for (const QStringList &row : table.rows) {
        html += QStringLiteral("<tr>\n");
        for (const QString &cell : row)
            html += element("td", cell);
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</tbody>\n</table>\n");
}

QString pictureHtml(const IncidentReport &report)
{
    QString html = QStringLiteral("<figure>\n") + svgOf(report.picture) + QStringLiteral("<figcaption>\n");
    for (qsizetype i = 0; i < report.legend.size(); ++i)
        html += QStringLiteral("<span><span class=\"key key-%1\"></span>").arg(i) +
                report.legend.at(i).toHtmlEscaped() + QStringLiteral("</span>\n");
    return html + QStringLiteral("</figcaption>\n</figure>\n");
}

QString sectionHtml(const ReportSection &section, bool isStory)
{
    QString html = isStory ? QStringLiteral("<section class=\"story\">\n") : QStringLiteral("<section>\n");
    html += element("h2", section.title);
    for (const QString &sentence : section.sentences)
        html += element("p", sentence);
    if (!section.facts.isEmpty())
        html += factsHtml(section.facts);
    if (!section.table.rows.isEmpty())
        html += tableHtml(section.table);
    for (const QString &note : section.notes)
        html += element("p", note, "note");
    return html + QStringLiteral("</section>\n");
}

} // namespace

QByteArray reportHtml(const IncidentReport &report)
{
    QString html =
        QStringLiteral("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"%1\">\n"
                       "<head>\n<meta charset=\"utf-8\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, "
                       "initial-scale=1\"/>\n")
            .arg(report.language.toHtmlEscaped());
    html += element("title", report.title) + QStringLiteral("<style>") + QLatin1String(kStyle) +
            QStringLiteral("</style>\n</head>\n<body>\n");
    html += element("h1", report.title) + element("p", report.subtitle, "subtitle");
    for (qsizetype i = 0; i < report.sections.size(); ++i) {
        html += sectionHtml(report.sections.at(i), i == 0);
        if (i == report.pictureAfter)
            html += pictureHtml(report);
    }
    html += element("p", report.made, "made") + QStringLiteral("</body>\n</html>\n");
    return html.toUtf8();
}

} // namespace lockkeeper::app::report
