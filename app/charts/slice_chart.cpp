// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/slice_chart.h"

#include <QAreaSeries>
#include <QBarSet>
#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsRectItem>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QStackedBarSeries>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>

namespace lockkeeper::app::charts {

namespace {

constexpr int kLeastPlot = 48;
constexpr qsizetype kWide = 100;    ///< slices; beyond that, the bars have no space between them
constexpr double kLeastBar = 0.015; ///< of the height: small values stay visible

QLabel *plainLabel()
{
    auto *label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    return label;
}

} // namespace

SliceChart::SliceChart(const presentation::Theme *theme, QWidget *parent)
    : QWidget(parent),
      m_theme(theme),
      m_titleLabel(plainLabel()),
      m_topLabel(plainLabel()),
      m_middleLabel(plainLabel()),
      m_zeroLabel(plainLabel()),
      m_whyLabel(plainLabel()),
      m_firstLabel(plainLabel()),
      m_lastLabel(plainLabel()),
      m_view(new QChartView),
      m_bars(new QStackedBarSeries),
      m_low(new QBarSet({})),
      m_high(new QBarSet({})),
      m_across(new QValueAxis),
      m_up(new QValueAxis),
      m_mark(new QGraphicsRectItem(m_view->chart()))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusPolicy(Qt::StrongFocus);
    build();
    connect(theme, &presentation::Theme::changed, this, &SliceChart::recolour);
    connect(m_view->chart(), &QChart::plotAreaChanged, this, &SliceChart::mark);
    recolour();
}

void SliceChart::build()
{
    QFont bold = font();
    bold.setBold(true);
    m_titleLabel->setFont(bold);
    m_titleLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_whyLabel->setWordWrap(true);
    m_whyLabel->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    QChart *chart = m_view->chart();
    chart->legend()->hide();
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundRoundness(0);
    chart->setPlotAreaBackgroundVisible(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_view->setMinimumSize(120, kLeastPlot);
    m_view->setSizePolicy(QSizePolicy::Expanding,
                          QSizePolicy::Ignored); // its content is larger than a window
    m_bars->append(m_low);
    m_bars->append(m_high);
    chart->addSeries(m_bars);
    chart->addAxis(m_across, Qt::AlignBottom);
    chart->addAxis(m_up, Qt::AlignLeft);
    for (QValueAxis *axis : {m_across, m_up}) {
        axis->setLabelsVisible(false);
        axis->setTickCount(2);
        m_bars->attachAxis(axis);
    }
    m_across->setGridLineVisible(false);
    m_up->setTickCount(3);
    m_mark->setZValue(100);
    auto *scale = new QVBoxLayout;
    scale->setSpacing(0);
    scale->addWidget(m_topLabel, 0, Qt::AlignRight);
    scale->addStretch();
    scale->addWidget(m_middleLabel, 0, Qt::AlignRight);
    scale->addStretch();
    scale->addWidget(m_zeroLabel, 0, Qt::AlignRight);
    auto *times = new QHBoxLayout;
    times->addWidget(m_firstLabel);
    times->addStretch();
    times->addWidget(m_lastLabel);
    auto *plot = new QGridLayout;
    plot->setHorizontalSpacing(4);
    plot->setVerticalSpacing(2);
    plot->setColumnStretch(1, 1);
    plot->addLayout(scale, 0, 0);
    plot->addWidget(m_view, 0, 1);
    plot->addLayout(times, 1, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(m_titleLabel);
    column->addLayout(plot, 1);
    column->addWidget(m_whyLabel, 1);
}

void SliceChart::recolour()
{
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    QChart *chart = m_view->chart();
    chart->setBackgroundBrush(Qt::NoBrush);
    chart->setPlotAreaBackgroundBrush(colours.color(QPalette::Base));
    chart->setPlotAreaBackgroundPen(QPen(colours.color(QPalette::Mid)));
    m_view->setBackgroundBrush(Qt::NoBrush);
    QPalette clear = colours;
    clear.setColor(QPalette::Base, Qt::transparent);
    m_view->setPalette(clear);
    for (QValueAxis *axis : {m_across, m_up}) {
        axis->setGridLineColor(presentation::barTrack(m_theme->scheme()));
        axis->setLinePenColor(colours.color(QPalette::Mid));
    }
    QColor ink = presentation::barColour(m_theme->scheme(), false);
    m_low->setPen(Qt::NoPen);
    m_low->setBrush(ink);
    ink.setAlphaF(0.4F);
    m_high->setPen(Qt::NoPen);
    m_high->setBrush(ink);
    QPalette muted = colours;
    muted.setColor(QPalette::WindowText, m_theme->muted());
    for (QLabel *label : {m_topLabel, m_middleLabel, m_zeroLabel, m_whyLabel, m_firstLabel, m_lastLabel})
        label->setPalette(muted);
    for (QAreaSeries *blind : std::as_const(m_blind))
        blind->setBrush(QBrush(presentation::gapColour(m_theme->scheme()), Qt::BDiagPattern));
    mark();
}

void SliceChart::show(const QString &title, const QList<Slice> &slices,
                      const std::function<QString(double)> &value, const QString &first, const QString &last,
                      double least)
{
    m_title = title;
    m_why.clear();
    m_slices = slices;
    m_current = std::min(m_current, int(slices.size()) - 1);
    m_top = 0;
    for (const Slice &slice : slices)
        m_top = std::max({m_top, slice.low.value_or(0), slice.high.value_or(0)});
    label(value, std::max(least, m_top));
    m_firstLabel->setText(first);
    m_lastLabel->setText(last);
    m_up->setRange(0, m_top > 0 || least > 0 ? std::max(least, m_top) : 1);
    draw();
    describe();
}

void SliceChart::showNothing(const QString &title, const QString &why)
{
    m_title = title;
    m_why = why;
    m_slices.clear();
    m_top = 0;
    for (QLabel *label : {m_topLabel, m_middleLabel, m_zeroLabel, m_firstLabel, m_lastLabel})
        label->clear();
    draw();
    describe();
}

void SliceChart::draw()
{
    fitTitle();
    m_whyLabel->setText(m_why);
    m_whyLabel->setVisible(m_slices.isEmpty());
    for (QWidget *part :
         QWidgetList{m_view, m_topLabel, m_middleLabel, m_zeroLabel, m_firstLabel, m_lastLabel})
        part->setVisible(!m_slices.isEmpty());
    QList<qreal> low;
    QList<qreal> high;
    const double least = m_up->max() * kLeastBar;
    for (const Slice &slice : std::as_const(m_slices)) {
        const double value = slice.low.value_or(0);
        const double more = std::max(0.0, slice.high.value_or(value) - value);
        low.append(value > 0 ? std::max(value, least) : 0);
        high.append(more);
    }
    for (const auto &[set, values] : {std::pair{m_low, low}, {m_high, high}}) {
        set->remove(0, set->count());
        set->append(values);
    }
    m_bars->setBarWidth(m_slices.size() > kWide ? 1.0 : 0.8);
    m_across->setRange(-0.5, double(std::max<qsizetype>(1, m_slices.size())) - 0.5);
    hatch();
    mark();
}

void SliceChart::label(const std::function<QString(double)> &value, double top)
{
    m_topLabel->setText(top > 0 ? value(top) : QString());
    m_middleLabel->setText(top > 0 ? value(top / 2) : QString());
    m_zeroLabel->setText(top > 0 ? QStringLiteral("0") : QString());
}

QStringList SliceChart::scale() const
{
    return {m_topLabel->text(), m_middleLabel->text(), m_zeroLabel->text()};
}

QRectF SliceChart::plot() const
{
    return m_view->chart()->plotArea().translated(m_view->pos());
}

void SliceChart::fitTitle()
{
    m_titleLabel->setText(QFontMetrics(m_titleLabel->font()).elidedText(m_title, Qt::ElideRight, width()));
}

void SliceChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitTitle();
}

/** Hatches unobserved time: in a slice its first part, so that adjacent slices form one area. */
void SliceChart::hatch()
{
    for (QAreaSeries *blind : std::as_const(m_blind))
        m_view->chart()->removeSeries(blind);
    qDeleteAll(m_blind);
    m_blind.clear();
    double from = -1;
    for (qsizetype i = 0; i <= m_slices.size(); ++i) {
        const double share = i < m_slices.size() ? 1 - m_slices.at(i).observed : 0;
        if (share > 0 && from < 0)
            from = double(i);
        if (from < 0 || share >= 1)
            continue;
        addHatched(from, double(i) + share);
        from = -1;
    }
}

void SliceChart::addHatched(double from, double to)
{
    auto *top = new QLineSeries;
    top->append({{from - 0.5, m_up->max()}, {to - 0.5, m_up->max()}});
    auto *blind = new QAreaSeries(top);
    top->setParent(blind);
    blind->setBrush(QBrush(presentation::gapColour(m_theme->scheme()), Qt::BDiagPattern));
    blind->setPen(Qt::NoPen);
    m_view->chart()->addSeries(blind);
    blind->attachAxis(m_across);
    blind->attachAxis(m_up);
    m_blind.append(blind);
}

QList<std::pair<double, double>> SliceChart::hatched() const
{
    QList<std::pair<double, double>> spans;
    const double all = double(std::max<qsizetype>(1, m_slices.size()));
    for (const QAreaSeries *blind : m_blind)
        spans.append(
            {(blind->upperSeries()->at(0).x() + 0.5) / all, (blind->upperSeries()->at(1).x() + 0.5) / all});
    return spans;
}

/** The same in words, for users who don't see the bars. */
void SliceChart::describe()
{
    const auto most =
        std::max_element(m_slices.cbegin(), m_slices.cend(), [](const Slice &a, const Slice &b) {
            return std::max(a.low.value_or(0), a.high.value_or(0)) <
                   std::max(b.low.value_or(0), b.high.value_or(0));
        });
    setAccessibleName(m_title);
    setAccessibleDescription(m_top > 0 ? tr("Most: %1, %2", "time, figures").arg(most->label, most->text)
                                       : m_why);
}

/** In the coordinates of this widget. */
QRectF SliceChart::placeOf(qsizetype slice) const
{
    const QRectF plot = this->plot();
    const double step = plot.width() / double(std::max<qsizetype>(1, m_slices.size()));
    return {plot.left() + step * double(slice), plot.top(), step, plot.height()};
}

int SliceChart::sliceAt(int x) const
{
    const QRectF plot = this->plot();
    if (m_slices.isEmpty() || x < plot.left() - 1 || x > plot.right() + 1)
        return -1;
    const double share = (x - plot.left()) / std::max(1.0, plot.width());
    return std::clamp(int(share * double(m_slices.size())), 0, int(m_slices.size()) - 1);
}

void SliceChart::mark()
{
    const QPalette colours = presentation::paletteOf(m_theme->scheme());
    m_mark->setVisible(hasFocus() && !m_slices.isEmpty());
    const bool chosen = m_current >= 0 && m_current < m_slices.size();
    m_mark->setRect(chosen ? placeOf(m_current).translated(-m_view->pos()) : m_view->chart()->plotArea());
    // Visible on any bar.
    m_mark->setPen(QPen(colours.color(chosen ? QPalette::WindowText : QPalette::Highlight), 2));
}

void SliceChart::showTip(int slice, const QPoint &at)
{
    const Slice &one = m_slices.at(slice);
    QToolTip::showText(at, one.label + QLatin1Char('\n') + one.text, this, placeOf(slice).toRect());
}

/** Keyboard navigation shows the same tool tip as the pointer. */
void SliceChart::goTo(int slice)
{
    if (m_slices.isEmpty())
        return;
    m_current = std::clamp(slice, 0, int(m_slices.size()) - 1);
    setAccessibleDescription(m_slices.at(m_current).label + QLatin1Char('\n') + m_slices.at(m_current).text);
    showTip(m_current, mapToGlobal(placeOf(m_current).center().toPoint()));
    mark();
}

void SliceChart::mouseReleaseEvent(QMouseEvent *event)
{
    const int slice = sliceAt(event->pos().x());
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()) && slice >= 0)
        Q_EMIT activated(slice);
}

void SliceChart::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return goTo(m_current < 0 ? int(m_slices.size()) - 1 : m_current - 1);
    case Qt::Key_Right:
        return goTo(m_current + 1);
    case Qt::Key_Home:
        return goTo(0);
    case Qt::Key_End:
        return goTo(int(m_slices.size()) - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current >= 0)
            Q_EMIT activated(m_current);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void SliceChart::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    mark();
}

void SliceChart::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    mark();
}

bool SliceChart::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const int slice = sliceAt(help->pos().x()); slice >= 0)
        showTip(slice, help->globalPos());
    else
        QToolTip::hideText();
    return true;
}

} // namespace lockkeeper::app::charts
