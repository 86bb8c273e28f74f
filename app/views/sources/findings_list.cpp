// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/sources/findings_list.h"

#include "app/presentation/icons.h"
#include "app/presentation/source_formatter.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"
#include "app/words/finding_formatter.h"
#include "app/words/time_format.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

using words::FindingFormatter;

namespace {
constexpr int kFindingIconSize = 16;
constexpr int kLeastHeight = 96;
} // namespace

FindingsList::FindingsList(const ConsoleContext &context, QWidget *parent)
    : QWidget(parent),
      m_context(context),
      m_title(new PlainLabel),
      m_summary(new WrappedLabel),
      m_scroll(new QScrollArea)
{
    m_title->setFont(presentation::titleFont(font()));
    // The list scrolls, so that the panel around it needn't be high enough for all findings.
    m_scroll->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_scroll->setMinimumHeight(kLeastHeight);
    m_summary->setMuted(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_summary);
    column->addWidget(m_scroll, 1);
    column->addStretch(0); // an empty list keeps its title at the top
    connect(context.theme, &presentation::Theme::changed, this, &FindingsList::rebuild);
    connect(context.times, &words::TimeFormat::changed, this, &FindingsList::rebuild);
    retranslate();
}

void FindingsList::show(const domain::SourceState *source)
{
    const QList<domain::Finding> findings = source ? source->findings : QList<domain::Finding>();
    const bool same = m_body && findings == m_findings;
    m_findings = findings;
    m_any = source != nullptr;
    m_up = source && source->link == domain::Link::Up;
    m_seen = source && source->lastSeenUs;
    m_summary->setText(summary());
    m_summary->setVisible(!m_summary->text().isEmpty());
    if (!same) // an unchanged list keeps a selection of text
        rebuild();
}

QString FindingsList::summary() const
{
    if (!m_any)
        return {};
    if (!m_up)
        return tr("Not known while the source can't be reached.");
    if (!m_findings.isEmpty())
        return {};
    return m_seen ? tr("No risks to its locks were found.") : tr("Not known before the source was seen.");
}

QString FindingsList::moment(const domain::Finding &finding) const
{
    if (!finding.whenUs)
        return {};
    return m_context.times->dateTime(*finding.whenUs) + QLatin1Char(' ') +
           m_context.times->zoneText(*finding.whenUs);
}

void FindingsList::rebuild()
{
    m_body = new QWidget;
    m_body->setAutoFillBackground(false);
    m_grid = new QGridLayout(m_body);
    m_grid->setContentsMargins(0, 0, 8, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnStretch(2, 1);
    for (const domain::Finding &finding : std::as_const(m_findings))
        addRow(finding);
    m_grid->setRowStretch(m_grid->rowCount(), 1);
    m_scroll->setWidget(m_body); // takes the old one away
    m_scroll->setVisible(!m_findings.isEmpty());
}

void FindingsList::addRow(const domain::Finding &finding)
{
    const int row = m_grid->rowCount();
    auto *picture = new QLabel;
    picture->setPixmap(
        presentation::iconPixmap(presentation::SourceFormatter::severityIcon(finding.severity),
                                 presentation::severityInk(m_context.theme->scheme(), finding.severity),
                                 kFindingIconSize, devicePixelRatioF()));
    auto *severity = new PlainLabel(FindingFormatter::severity(finding.severity));
    severity->setBold();
    auto *text = new WrappedLabel(FindingFormatter::text(finding, moment(finding)));
    text->setSelectable(true);
    m_grid->addWidget(picture, row, 0, Qt::AlignTop);
    m_grid->addWidget(severity, row, 1, Qt::AlignTop);
    m_grid->addWidget(text, row, 2);
    if (const QString advice = FindingFormatter::advice(finding); !advice.isEmpty()) {
        auto *hint = new WrappedLabel(advice);
        hint->setSelectable(true);
        hint->setMuted(true);
        m_grid->addWidget(hint, row + 1, 2);
    }
    m_grid->setRowMinimumHeight(row + 2, 8);
}

void FindingsList::retranslate()
{
    m_title->setText(tr("Risks to its locks"));
    m_summary->setText(summary());
    rebuild();
}

} // namespace lockkeeper::app::views
