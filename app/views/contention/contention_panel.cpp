// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/contention/contention_panel.h"

#include "app/presentation/contention_formatter.h"
#include "app/presentation/theme.h"
#include "app/replica/replica.h"
#include "app/views/widgets/plain_label.h"
#include "app/words/error_words.h"
#include "app/words/lock_text.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"

#include <QDateTime>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

using base::kHourUs;
using charts::Slice;
using domain::Contention;
using presentation::ContentionFormatter;

namespace {

constexpr qint64 kMinuteUs = 60'000'000;

/** The length of a range's slices in microseconds; a range has some hundred slices at most. */
qint64 stepFor(qint64 rangeUs)
{
    if (rangeUs <= 2 * kHourUs)
        return 5 * kMinuteUs;
    if (rangeUs < 24 * kHourUs)
        return 30 * kMinuteUs;
    if (rangeUs <= 14 * 24 * kHourUs)
        return kHourUs;
    constexpr qint64 kMostSlices = 400;
    const qint64 days = rangeUs / (24 * kHourUs) + 1;
    return 24 * kHourUs * (days / kMostSlices + 1);
}

constexpr double kUsPerMinute = 6e7;
constexpr int kChartGap = 16;
constexpr int kLeastCoursePlot = 120; ///< px: lower bars can't be compared

QString perMinute(double changes)
{
    return QString::number(changes, 'f', 1);
}

/** Short enough for a cell of a heat map: "45s", "12m", "3h". */
QString brief(double us)
{
    const auto seconds = qint64(us / 1e6);
    if (seconds < 60)
        return QStringLiteral("%1s").arg(std::max<qint64>(1, seconds));
    return seconds < 3600 ? QStringLiteral("%1m").arg(seconds / 60)
                          : QStringLiteral("%1h").arg(seconds / 3600);
}

} // namespace

ContentionPanel::ContentionPanel(const ConsoleContext &context, QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_series(*context.session),
      m_title(new PlainLabel),
      m_state(new PlainLabel),
      m_note(new ElidedLabel),
      m_charts(new QWidget),
      m_grid(new QGridLayout(m_charts)),
      m_waiting(new charts::SliceChart(context.theme)),
      m_holds(new charts::SliceChart(context.theme)),
      m_handovers(new charts::SliceChart(context.theme)),
      m_utilisation(new charts::SliceChart(context.theme)),
      m_heat(new charts::HeatMap(context.theme))
{
    m_title->setFont(presentation::titleFont(font()));
    m_state->setMuted(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    auto *head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_title);
    head->addWidget(m_state, 1);
    m_grid->setContentsMargins({});
    m_grid->setSpacing(kChartGap);
    for (charts::SliceChart *chart : courses()) {
        chart->setLeastPlot(kLeastCoursePlot);
        connect(chart, &charts::SliceChart::activated, this, [this](int slice) {
            if (m_series.key() && slice < m_series.slices().size())
                Q_EMIT spanAsked(*m_series.key(), m_series.slices().at(slice).span);
        });
    }
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_charts, 1);
    column->addWidget(m_heat);
    column->addWidget(m_note);
    arrange();
    connect(m_heat, &charts::HeatMap::activated, this, &ContentionPanel::askHour);
    connect(&m_series, &models::ContentionSeries::changed, this, &ContentionPanel::refresh);
    connect(context.times, &words::TimeFormat::changed, this, &ContentionPanel::clear);
    retranslate();
}

std::array<charts::SliceChart *, 4> ContentionPanel::courses() const
{
    return {m_waiting, m_holds, m_handovers, m_utilisation};
}

QSize ContentionPanel::minimumSizeHint() const
{
    int widest = 0;
    for (const charts::SliceChart *chart : courses())
        widest = std::max(widest, chart->minimumSizeHint().width());
    return {2 * widest + kChartGap, Translated::minimumSizeHint().height()};
}

void ContentionPanel::arrange()
{
    // With less, the two dates below a chart run into each other.
    const QFontMetrics digits = fontMetrics();
    const int least = digits.horizontalAdvance(QStringLiteral("00:00:00")) +
                      2 * digits.horizontalAdvance(QStringLiteral("00-00 00:00")) + kChartGap;
    const int columns = 4 * least + 3 * kChartGap <= width() ? 4 : 2;
    for (int i = 0; i < 4; ++i) {
        m_grid->addWidget(courses().at(size_t(i)), i / columns, i % columns);
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    }
    updateGeometry();
}

void ContentionPanel::resizeEvent(QResizeEvent *event)
{
    Translated::resizeEvent(event);
    arrange();
}

void ContentionPanel::show(const Contention &contention, events::Interval range)
{
    m_waitersVisible = contention.waitersVisible;
    m_range = range;
    m_stepUs = stepFor(range.toUs - range.fromUs);
    const qint64 offsetUs = qint64(m_context.times->at(range.toUs).offsetFromUtc()) * 1'000'000;
    m_series.ask(contention.key, models::slicesOf(range, m_stepUs, offsetUs),
                 m_context.replica->lastSeenUs(contention.key.source));
}

void ContentionPanel::clear()
{
    m_series.cancel();
    refresh();
}

QString ContentionPanel::timeOf(qint64 us) const
{
    const QDateTime at = m_context.times->at(us);
    return at.toString(m_range.toUs - m_range.fromUs < 12 * kHourUs ? QStringLiteral("HH:mm")
                                                                    : QStringLiteral("MM-dd HH:mm"));
}

/** Includes the date, as an hour may lie on any day; only once if both ends share the date. */
QString ContentionPanel::rangeText() const
{
    const QDateTime from = m_context.times->at(m_range.fromUs);
    const QDateTime to = m_context.times->at(m_range.toUs);
    const QString whole = QStringLiteral("yyyy-MM-dd HH:mm");
    return QStringLiteral("%1 – %2 %3")
        .arg(from.toString(whole), to.toString(from.date() == to.date() ? QStringLiteral("HH:mm") : whole),
             m_context.times->zoneText(m_range.toUs));
}

QString ContentionPanel::spanText(const models::ContentionSlice &slice) const
{
    const QString zone = m_context.times->zoneText(slice.span.fromUs);
    return QStringLiteral("%1 – %2 %3").arg(timeOf(slice.span.fromUs), timeOf(slice.span.toUs), zone);
}

QList<Slice> ContentionPanel::slicesBy(const Measure &measure) const
{
    QList<Slice> slices;
    for (const models::ContentionSlice &one : m_series.slices()) {
        Slice slice;
        slice.label = spanText(one);
        slice.observed =
            double(one.observedUs) / double(std::max<qint64>(1, one.span.toUs - one.span.fromUs));
        const QString observed = tr("observed: %1").arg(ContentionFormatter::percent(slice.observed));
        if (one.figures)
            measure(*one.figures, slice);
        slice.text += (slice.text.isEmpty() ? QString() : QStringLiteral("\n")) +
                      (one.read ? observed : tr("not read yet"));
        slices.append(slice);
    }
    return slices;
}

void ContentionPanel::showIn(charts::SliceChart *chart, const QString &title, const QString &none,
                             const std::function<QString(double)> &value, const Measure &measure)
{
    const QList<Slice> slices = slicesBy(measure);
    const bool any = std::any_of(slices.cbegin(), slices.cend(), [](const Slice &one) { return one.low; });
    if (any || m_series.isReading())
        chart->show(title, slices, value, timeOf(m_range.fromUs), timeOf(m_range.toUs));
    else // a failed reading doesn't mean that nothing happened
        chart->showNothing(title, m_series.error().cause.isEmpty() ? none : tr("not read yet"));
}

void ContentionPanel::showWaiting()
{
    const auto length = [](double us) { return ContentionFormatter::length(qint64(us)); };
    if (m_waitersVisible) {
        showIn(m_waiting, tr("Waiting, as the store shows it"), tr("No waiting."), length,
               [](const Contention &c, Slice &slice) {
                   slice.low = double(c.waits.totalUs);
                   slice.text = tr("waiting: %1, waits: %2")
                                    .arg(ContentionFormatter::length(c.waits.totalUs))
                                    .arg(c.waits.count);
               });
        return;
    }
    showIn(m_waiting, tr("Changes of hands a minute"), tr("It didn't change hands."), perMinute,
           [](const Contention &c, Slice &slice) {
               if (c.observedUs <= 0)
                   return;
               slice.low = double(c.acquisitions) * kUsPerMinute / double(c.observedUs);
               slice.text = tr("changes a minute: %1").arg(perMinute(*slice.low));
           });
}

void ContentionPanel::showHolds()
{
    showIn(
        m_holds, tr("Hold time: p50, p95 pale"), tr("No hold began and ended here."),
        [](double us) { return ContentionFormatter::length(qint64(us)); },
        [](const Contention &c, Slice &slice) {
            if (c.holds.count == 0)
                return;
            slice.low = double(c.holds.p50Us);
            slice.high = double(c.holds.p95Us);
            slice.text = tr("p50 %1, p95 %2, longest %3")
                             .arg(ContentionFormatter::length(c.holds.p50Us),
                                  ContentionFormatter::length(c.holds.p95Us),
                                  ContentionFormatter::length(c.holds.maxUs));
        });
}

void ContentionPanel::showHandovers()
{
    showIn(
        m_handovers, tr("Hand-over gap: lower bound, upper bound pale"),
        tr("No complete hand-over was observed."),
        [](double us) { return ContentionFormatter::length(qint64(us)); },
        [](const Contention &c, Slice &slice) {
            if (c.handoverHigh.count == 0)
                return;
            slice.low = double(c.handoverLow.p50Us);
            slice.high = double(c.handoverHigh.p50Us);
            slice.text = tr("median gap: %1 to %2")
                             .arg(ContentionFormatter::length(c.handoverLow.p50Us),
                                  ContentionFormatter::length(c.handoverHigh.p50Us));
        });
}

void ContentionPanel::showUtilisation()
{
    showIn(m_utilisation, tr("Utilisation: lower bound, upper bound pale"), tr("It was not held."),
           &ContentionFormatter::percent, [](const Contention &c, Slice &slice) {
               if (c.observedUs <= 0)
                   return;
               slice.low = double(c.heldLowUs) / double(c.observedUs);
               slice.high = double(c.heldHighUs) / double(c.observedUs);
               slice.text = tr("held: %1 to %2 of the observed time")
                                .arg(ContentionFormatter::percent(*slice.low),
                                     ContentionFormatter::percent(*slice.high));
           });
}

ContentionPanel::HourOfDay ContentionPanel::hourOf(const models::ContentionSlice &slice) const
{
    const QDateTime at = m_context.times->at(slice.span.fromUs);
    return {at.toString(QStringLiteral("MM-dd")), at.time().hour()};
}

/** When clocks are put back, the repeated hour is one cell and one request. */
void ContentionPanel::askHour(int day, int hour)
{
    const HourOfDay wanted{m_heat->days().at(day).label, hour};
    std::optional<events::Interval> span;
    for (const models::ContentionSlice &slice : m_series.slices()) {
        if (hourOf(slice) == wanted)
            span = {span ? span->fromUs : slice.span.fromUs, slice.span.toUs};
    }
    if (m_series.key() && span)
        Q_EMIT spanAsked(*m_series.key(), *span);
}

void ContentionPanel::refreshHeat()
{
    const bool shown = m_series.key() && m_stepUs == kHourUs;
    m_heat->setVisible(shown);
    if (!shown)
        return;
    QList<charts::HeatMap::Day> days;
    for (const models::ContentionSlice &slice : m_series.slices()) {
        const HourOfDay at = hourOf(slice);
        if (days.isEmpty() || days.last().label != at.day)
            days.append({at.day, QList<charts::HeatCell>(charts::HeatMap::kHours)});
        charts::HeatCell &cell = days.last().hours[at.hour];
        cell.inRange = true;
        cell.observed = cell.observed || slice.observedUs > 0 || !slice.read;
        cell.tip = spanText(slice);
        if (!slice.figures)
            continue;
        const Contention &c = *slice.figures;
        cell.value = cell.value.value_or(0) + double(m_waitersVisible ? c.waits.totalUs : c.acquisitions);
        cell.text = m_waitersVisible ? brief(*cell.value) : QString::number(qint64(*cell.value));
        cell.tip +=
            QLatin1Char('\n') + (m_waitersVisible
                                     ? tr("waiting: %1").arg(ContentionFormatter::length(qint64(*cell.value)))
                                     : tr("changes of hands: %1").arg(qint64(*cell.value)));
    }
    const QString zoneName = m_context.times->zoneText(m_range.toUs);
    m_heat->show(m_waitersVisible ? tr("Waiting by day and hour (%1)").arg(zoneName)
                                  : tr("Changes of hands by day and hour (%1)").arg(zoneName),
                 days);
}

void ContentionPanel::refresh()
{
    const bool any = m_series.key().has_value();
    m_charts->setVisible(any);
    m_note->setVisible(any);
    m_title->setText(any ? words::LockText::name(*m_series.key())
                         : tr("Select a lock to see its course over this range."));
    refreshHeat();
    if (!any) {
        m_state->clear();
        return;
    }
    const QString range = rangeText();
    const QString words = !m_series.error().cause.isEmpty() ? words::ErrorWords::title(m_series.error().code)
                          : m_series.isReading()            ? tr("reading…")
                                                            : QString();
    m_state->setText(words.isEmpty() ? range : range + QStringLiteral(" · ") + words);
    showWaiting();
    showHolds();
    showHandovers();
    showUtilisation();
}

void ContentionPanel::retranslate()
{
    m_note->setText(
        tr("Waiting is what the store shows; the rest follows from when the agent saw the lock change hands. "
           "Hatched: not observed. Blank: nothing happened."));
    refresh();
}

} // namespace lockkeeper::app::views
