// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/source_strip.h"

#include "app/presentation/source_formatter.h"
#include "app/replica/replica.h"
#include "app/words/durations.h"
#include "app/words/time_format.h"

#include <QPushButton>

#include <algorithm>

namespace lockkeeper::app::views {

using words::Durations;

namespace {
constexpr int kStripGap = 8;
constexpr int kStripRows = 2;
constexpr int kMoreWidth = 120;
constexpr qsizetype kMostGaps = 5; ///< gaps that are listed in words
} // namespace

SourceStrip::SourceStrip(const ConsoleContext &context, QWidget *parent)
    : QWidget(parent), m_context(context), m_more(new QPushButton(this))
{
    setFixedHeight(SourceChip::kHeight);
    m_more->hide();
    connect(m_more, &QPushButton::clicked, this, [this] { Q_EMIT sourceAsked({}); });
}

void SourceStrip::refresh(bool arrange)
{
    if (arrange) {
        QList<std::pair<bool, QString>> order;
        const QList<domain::SourceState> sources = m_context.replica->sources();
        for (const domain::SourceState &source : sources)
            order.append(
                {!m_context.replica->isStale(source.name) || m_context.replica->isSeenByAnother(source.name),
                 source.name});
        std::sort(order.begin(), order.end());
        m_order.clear();
        for (const auto &[seen, name] : std::as_const(order))
            m_order.append(name);
        place();
    }
    for (SourceChip *chip : std::as_const(m_chips)) {
        if (const domain::SourceState *source = m_context.replica->source(chip->source()))
            showOne(chip, *source);
    }
}

void SourceStrip::setGaps(events::Interval hour, const Gaps &gaps)
{
    m_hour = hour;
    m_gaps = gaps;
    refresh(false);
}

void SourceStrip::showOne(SourceChip *chip, const domain::SourceState &source) const
{
    const bool stale = m_context.replica->isStale(source.name);
    const bool well =
        m_context.replica->isSeenByAnother(source.name) || (source.link == domain::Link::Up && !stale);
    chip->show(source, well, seenText(source, stale), presentation::SourceFormatter::state(source, stale));
    const auto gaps = m_gaps.constFind(source.name);
    if (gaps == m_gaps.cend())
        chip->showGaps(m_hour, std::nullopt, {});
    else
        chip->showGaps(m_hour, *gaps, gapText(*gaps));
}

QString SourceStrip::seenText(const domain::SourceState &source, bool stale) const
{
    if (m_context.replica->isSeenByAnother(source.name))
        return tr("seen by another agent");
    if (!source.lastSeenUs)
        return tr("never seen");
    if (source.link == domain::Link::Up && !stale && !source.counts.areTold())
        return tr("seen now");
    if (source.link == domain::Link::Up && !stale)
        return tr("seen now, %Ln lock(s)", nullptr, int(source.counts.total));
    const qint64 silentUs = m_context.replica->storeNowUs(source.name) - *source.lastSeenUs;
    return tr("not seen for %1").arg(Durations::inSentence(std::max<qint64>(0, silentUs)));
}

QString SourceStrip::gapText(const QList<events::Interval> &gaps) const
{
    if (gaps.isEmpty())
        return tr("Observed all through the last hour");
    QStringList lines;
    for (const events::Interval &gap : gaps.first(std::min(kMostGaps, gaps.size())))
        lines.append(tr("Not observed %1 – %2 (%3)", "from, to, how long")
                         .arg(m_context.times->time(gap.fromUs), m_context.times->time(gap.toUs),
                              Durations::text(gap.toUs - gap.fromUs)));
    if (gaps.size() > kMostGaps)
        lines.append(tr("and %1 more", "gaps").arg(gaps.size() - kMostGaps));
    return lines.join(QLatin1Char('\n'));
}

void SourceStrip::place()
{
    const int columns = std::max(1, (width() + kStripGap) / (SourceChip::kWidth + kStripGap));
    const bool fits = m_order.size() <= qsizetype(columns) * kStripRows;
    const int rows = m_order.size() > columns ? kStripRows : 1;
    const qsizetype shown = fits ? m_order.size() : qsizetype(columns) * kStripRows - 1;
    while (m_chips.size() > shown)
        delete m_chips.takeLast();
    while (m_chips.size() < shown) {
        auto *chip = new SourceChip(m_context.theme, this);
        connect(chip, &QAbstractButton::clicked, this, [this, chip] { Q_EMIT sourceAsked(chip->source()); });
        chip->QWidget::show();
        m_chips.append(chip);
    }
    setFixedHeight(rows * SourceChip::kHeight + (rows - 1) * kStripGap);
    const auto placeOf = [columns](qsizetype i) {
        return QRect(int(i % columns) * (SourceChip::kWidth + kStripGap),
                     int(i / columns) * (SourceChip::kHeight + kStripGap), SourceChip::kWidth,
                     SourceChip::kHeight);
    };
    for (qsizetype i = 0; i < shown; ++i) {
        m_chips.at(i)->setGeometry(placeOf(i));
        if (const domain::SourceState *source = m_context.replica->source(m_order.at(i)))
            showOne(m_chips.at(i), *source);
    }
    m_more->setVisible(!fits);
    m_more->setText(tr("and %1 more", "sources").arg(m_order.size() - shown));
    m_more->setGeometry(QRect(placeOf(shown).topLeft(), QSize(kMoreWidth, 28)));
}

void SourceStrip::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

} // namespace lockkeeper::app::views
