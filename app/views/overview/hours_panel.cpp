// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/hours_panel.h"

#include "app/presentation/contention_formatter.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/link_button.h"
#include "app/views/widgets/plain_label.h"
#include "app/words/durations.h"

#include <QGridLayout>
#include <QLocale>
#include <QPainter>

namespace lockkeeper::app::views {

using overview::Hour;
using overview::kHours;
using words::Durations;

namespace {

constexpr int kRowHeight = 20;

QString countText(qint64 count, bool atLeast)
{
    const QString text = QLocale(QLocale::English).toString(count);
    return atLeast ? QStringLiteral("≥ ") + text : text;
}

} // namespace

HoursPanel::HoursPanel(QWidget *parent) : Translated(parent)
{
    setFont(presentation::digitFont(font()));
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(8, 4, 8, 6);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(0);
    grid->setColumnStretch(0, 1);
    for (std::size_t hour = 0; hour < kHours; ++hour) {
        m_heads.at(hour) = new LinkButton;
        grid->addWidget(m_heads.at(hour), 0, int(hour) + 1, Qt::AlignRight);
        grid->setColumnMinimumWidth(int(hour) + 1, 84);
        connect(m_heads.at(hour), &QPushButton::clicked, this, [this, hour] { Q_EMIT hourAsked(hour); });
    }
    for (std::size_t row = 0; row < kRows; ++row) {
        m_words.at(row) = new PlainLabel;
        m_words.at(row)->setMuted(true);
        grid->addWidget(m_words.at(row), int(row) + 1, 0);
        grid->setRowMinimumHeight(int(row) + 1, kRowHeight);
        for (std::size_t hour = 0; hour < kHours; ++hour) {
            auto *label = new PlainLabel(Durations::notApplicable());
            label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            label->setIndent(LinkButton::kPad); // aligned with its head's words
            grid->addWidget(label, int(row) + 1, int(hour) + 1);
            m_cells.at(row).at(hour) = label;
        }
    }
    retranslate();
}

void HoursPanel::retranslate()
{
    const std::array words{tr("Waiting in all"), tr("Waits"), tr("Acquisitions"), tr("Forced"),
                           tr("Observed")};
    for (std::size_t row = 0; row < kRows; ++row)
        m_words.at(row)->setText(words.at(row));
    m_heads[0]->setText(m_old ? tr("That hour") : tr("Last hour"));
    m_heads[1]->setText(tr("A day ago"));
    m_heads[2]->setText(tr("A week ago"));
}

void HoursPanel::show(const Hours &hours, const std::array<QString, kHours> &spans, bool old)
{
    m_old = old;
    retranslate();
    for (std::size_t i = 0; i < kHours; ++i) {
        const auto &hour = hours.at(i);
        std::array<QString, kRows> texts;
        texts.fill(Durations::notApplicable());
        QString why = tr("Not read yet");
        if (hour && hour->isKnown()) {
            const QString mark = hour->waitsAtLeast ? QStringLiteral("≥ ") : QString();
            texts = {mark + Durations::text(hour->waitedUs), countText(hour->waits, hour->waitsAtLeast),
                     countText(hour->acquisitions, hour->atLeast), countText(hour->forced, hour->atLeast),
                     presentation::ContentionFormatter::percent(*hour->observed)};
            why.clear();
        } else if (hour) {
            why = hour->observed ? tr("It wasn't observed, or the journal doesn't reach back so far")
                                 : tr("It is unknown whether it was observed");
        }
        m_heads.at(i)->setToolTip(spans.at(i));
        m_heads.at(i)->setAccessibleDescription(spans.at(i));
        for (std::size_t row = 0; row < kRows; ++row) {
            m_cells.at(row).at(i)->setText(texts.at(row));
            m_cells.at(row).at(i)->setToolTip(
                texts.at(row).startsWith(u'≥')
                    ? tr("Among the %L1 locks with the most waiting").arg(overview::kMostRanked)
                    : why);
        }
    }
}

QString HoursPanel::cell(int row, std::size_t hour) const
{
    return m_cells.at(std::size_t(row)).at(hour)->text();
}

void HoursPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace lockkeeper::app::views
