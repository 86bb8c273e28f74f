// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/fact_grid.h"

#include "app/presentation/theme.h"
#include "app/views/widgets/plain_label.h"

#include <QGridLayout>
#include <QTextBoundaryFinder>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

/** True if a label can't break the line: longer text would be cut off. */
bool hasLongWord(const QString &text)
{
    constexpr qsizetype kFits = 24; ///< characters, beside the labels in the narrowest dock
    QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, text);
    for (qsizetype from = 0, to = breaks.toNextBoundary(); to >= 0; from = to, to = breaks.toNextBoundary()) {
        if (to - from > kFits)
            return true;
    }
    return false;
}

} // namespace

FactGrid::FactGrid(int labelWidth, QWidget *parent)
    : QWidget(parent), m_heading(new PlainLabel({}, this)), m_grid(new QGridLayout(this))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnMinimumWidth(0, labelWidth);
    m_grid->setColumnStretch(1, 1);
    m_heading->setBold();
    m_heading->hide();
    m_grid->addWidget(m_heading, 0, 0, 1, 2);
}

void FactGrid::setHeading(const QString &heading)
{
    m_heading->setText(heading);
    m_heading->setVisible(!heading.isEmpty());
}

void FactGrid::setFacts(const QList<Fact> &facts)
{
    while (m_lines.size() < facts.size()) {
        FactLine line{new PlainLabel({}, this), new PlainLabel({}, this), new ElidedLabel({}, this)};
        line.label->setMuted(true);
        line.label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        line.value->setWordWrap(true);
        line.value->setSelectable(true);
        line.value->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        line.value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        const int row = int(m_lines.size()) + 1;
        m_grid->addWidget(line.label, row, 0);
        m_grid->addWidget(line.value, row, 1);
        m_grid->addWidget(line.code, row, 1);
        m_lines.append(line);
    }
    for (qsizetype i = 0; i < m_lines.size(); ++i) {
        const Fact fact = i < facts.size() ? facts.at(i) : Fact{};
        const FactLine &line = m_lines.at(i);
        const bool shown = !fact.value.isEmpty();
        const bool oneLine = fact.code || (!fact.listing && hasLongWord(fact.value));
        line.label->setVisible(shown);
        line.value->setVisible(shown && !oneLine);
        line.code->setVisible(shown && oneLine);
        if (!shown)
            continue;
        line.label->setText(fact.label);
        // A sentence without a label begins where the labels do.
        const bool whole = fact.label.isEmpty();
        m_grid->addWidget(line.value, int(i) + 1, whole ? 0 : 1, 1, whole ? 2 : 1);
        line.label->setVisible(!whole);
        line.value->setFont(fact.listing ? presentation::codeFont(font()) : font());
        line.code->setFont(fact.code ? presentation::codeFont(font()) : font());
        line.code->setText(fact.value);
        if (line.value->text() != fact.value) // setting the same text would lose a selection
            line.value->setText(fact.value);
        if (whole)
            line.value->setContentsMargins({});
        else
            alignBases(line.label, line.value);
        line.value->setToolTip(plainToolTip(fact.toolTip));
        line.value->setAccessibleName(fact.label);
    }
}

bool FactGrid::hasFacts() const
{
    return std::any_of(m_lines.cbegin(), m_lines.cend(), [](const FactLine &line) {
        return !line.value->isHidden() || !line.code->isHidden();
    });
}

QString FactGrid::text() const
{
    QStringList lines;
    if (!m_heading->text().isEmpty())
        lines.append(m_heading->text());
    for (const FactLine &line : m_lines) {
        if (!line.value->isHidden() || !line.code->isHidden())
            lines.append(line.label->text() + QLatin1Char('\t') + line.value->text());
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockkeeper::app::views
