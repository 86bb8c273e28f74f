// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/waiting_panel.h"

#include "app/presentation/contention_formatter.h"
#include "app/views/widgets/link_button.h"
#include "app/words/error_words.h"
#include "app/words/time_format.h"
#include "shared/base/text.h"

#include <QVBoxLayout>

namespace lockkeeper::app::views {

using overview::kHours;
using presentation::ContentionFormatter;

namespace {
constexpr double kLeastTop = 2; ///< of the axis: a single waiter doesn't fill it
}

WaitingPanel::WaitingPanel(const ConsoleContext &context, const PastReader &past, QWidget *parent)
    : QWidget(parent),
      m_context(context),
      m_past(past),
      m_chart(new charts::SliceChart(context.theme)),
      m_hours(new HoursPanel)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    m_chart->setTitleHeight(LinkButton::kHeight); // like the title beside it
    column->setSpacing(12);
    column->addWidget(m_chart, 1);
    column->addWidget(m_hours);
    connect(m_chart, &charts::SliceChart::activated, this, [this](int slice) {
        if (slice < m_minutes.size())
            Q_EMIT minuteAsked(m_minutes.at(slice).span);
        else
            Q_EMIT nowAsked();
    });
    connect(m_hours, &HoursPanel::hourAsked, this, [this](std::size_t hour) {
        if (const auto &costs = m_past.costs(hour))
            Q_EMIT hourAsked({costs->fromUs, costs->toUs});
    });
}

QString WaitingPanel::spanText(events::Interval span) const
{
    return QStringLiteral("%1 – %2 %3")
        .arg(m_context.times->dateTime(span.fromUs), m_context.times->nearTime(span.toUs, span.fromUs),
             m_context.times->zoneText(span.toUs));
}

charts::Slice WaitingPanel::sliceOf(const overview::Minute &minute) const
{
    charts::Slice slice;
    slice.label = spanText(minute.span);
    slice.observed = minute.waiting ? minute.observed : 0; // a sum over some sources means nothing
    slice.low = minute.waiting;
    const QString observed = tr("observed: %1").arg(ContentionFormatter::percent(minute.observed));
    slice.text = minute.waiting ? tr("%1 waiting on average").arg(QString::number(*minute.waiting, 'f', 1)) +
                                      QLatin1Char('\n') + observed
                                : tr("not all of it is known") + QLatin1Char('\n') + observed;
    return slice;
}

void WaitingPanel::setNow(std::optional<qint64> waiting)
{
    if (waiting == m_now)
        return;
    m_now = waiting;
    if (!m_minutes.isEmpty())
        showChart();
}

QString WaitingPanel::title() const
{
    const auto &seen = m_past.seen(0);
    if (m_old && seen)
        return tr("Waiting, the hour until %1").arg(m_context.times->nearTime(seen->toUs, m_context.nowUs()));
    const QStringList blind = seen ? overview::blindOf(*seen) : QStringList();
    if (blind.isEmpty() || blind.size() == seen->sources.size())
        return tr("Waiting, last hour");
    return tr("Waiting, last hour, without %1", "sources")
        .arg(base::displayText(blind.join(QStringLiteral(", "))));
}

void WaitingPanel::showChart()
{
    const auto &seen = m_past.seen(0);
    if (!seen) {
        const base::Error &error = m_past.error();
        m_minutes.clear();
        m_chart->showNothing(title(), m_past.askedAtUs() == 0  ? QString()
                                      : !error.cause.isEmpty() ? words::ErrorWords::title(error.code)
                                      : m_slow                 ? tr("Reading…")
                                                               : QString());
        return;
    }
    m_minutes = overview::minutesOf(*seen);
    QList<charts::Slice> slices;
    for (const overview::Minute &minute : std::as_const(m_minutes))
        slices.append(sliceOf(minute));
    charts::Slice now;
    now.label = tr("now");
    now.observed = m_now ? 1 : 0;
    now.low = m_now;
    now.text = m_now ? tr("%L1 waiting").arg(*m_now) : tr("not all of it is known");
    slices.append(now);
    m_chart->show(
        title(), slices, [](double count) { return QString::number(count, 'f', count < 10 ? 1 : 0); },
        m_context.times->time(seen->fromUs).left(5) + QLatin1Char(' ') +
            m_context.times->zoneText(seen->fromUs),
        tr("now"), kLeastTop);
    if (m_chart->top() <= 0)
        m_chart->setAccessibleDescription(tr("No waiting was seen."));
}

void WaitingPanel::showHours()
{
    HoursPanel::Hours hours;
    std::array<QString, kHours> spans;
    for (std::size_t i = 0; i < kHours; ++i) {
        hours.at(i) = m_past.hour(i);
        if (const auto &costs = m_past.costs(i))
            spans.at(i) = spanText({costs->fromUs, costs->toUs});
    }
    m_hours->show(hours, spans, m_old);
}

void WaitingPanel::refresh(bool slow, bool old)
{
    m_slow = slow;
    m_old = old;
    showChart();
    showHours();
}

} // namespace lockkeeper::app::views
