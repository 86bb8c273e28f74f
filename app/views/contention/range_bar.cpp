// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/contention/range_bar.h"

#include "app/filter/query_time.h"
#include "app/views/widgets/calendar_dress.h"
#include "app/views/widgets/named.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"

#include <QCalendarWidget>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QHBoxLayout>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::views {

using base::kHourUs;

namespace {
constexpr qint64 kShortestRangeUs = 60'000'000;
} // namespace

std::pair<qint64, qint64> boundsOf(ContentionRange range, const QDateTime &now)
{
    const qint64 nowUs = now.toMSecsSinceEpoch() * 1000;
    switch (range) {
    case ContentionRange::Hour:
        break;
    case ContentionRange::Day:
    case ContentionRange::Custom:
        return {nowUs - 24 * kHourUs, nowUs};
    case ContentionRange::Week:
        return {nowUs - 7 * 24 * kHourUs, nowUs};
    case ContentionRange::LastNight: {
        QDateTime to = now;
        to.setTime(QTime(8, 0));
        QDateTime from = to.addDays(-1);
        from.setTime(QTime(22, 0));
        // Between 22:00 and 8:00 the present night counts.
        if (now.time() >= QTime(22, 0)) {
            from = from.addDays(1);
            to = to.addDays(1);
        }
        return {from.toMSecsSinceEpoch() * 1000, std::min(nowUs, to.toMSecsSinceEpoch() * 1000)};
    }
    }
    return {nowUs - kHourUs, nowUs};
}

RangeBar::RangeBar(const ConsoleContext &context, QWidget *parent)
    : QWidget(parent),
      m_context(context),
      m_range(named("range", new QComboBox)),
      m_from(named("from", new QDateTimeEdit)),
      m_to(named("to", new QDateTimeEdit))
{
    auto *bar = new QHBoxLayout(this);
    bar->setContentsMargins({});
    bar->addWidget(m_range);
    for (QDateTimeEdit *edit : {m_from, m_to}) {
        edit->setCalendarPopup(true);
        dressCalendar(edit->calendarWidget(), context.theme);
        edit->hide();
        bar->addWidget(edit);
        connect(edit, &QDateTimeEdit::editingFinished, this, [this] {
            if (m_typed && *m_typed != edited())
                dropTyped();
            Q_EMIT changed();
        });
    }
    connect(m_range, &QComboBox::currentIndexChanged, this, [this] {
        dropTyped();
        choose();
    });
    connect(context.times, &words::TimeFormat::changed, this, &RangeBar::showZone);
}

ContentionRange RangeBar::range() const
{
    return ContentionRange(std::max(0, m_range->currentIndex()));
}

void RangeBar::setRange(ContentionRange range)
{
    m_range->setCurrentIndex(int(range));
}

events::Interval RangeBar::interval() const
{
    if (range() != ContentionRange::Custom) {
        const auto [from, to] = boundsOf(range(), m_context.times->at(m_context.nowUs()));
        return {from, to};
    }
    return m_typed ? *m_typed
                   : events::Interval{edited().fromUs,
                                      std::max(edited().fromUs + kShortestRangeUs, edited().toUs)};
}

void RangeBar::showTyped(events::Interval typed)
{
    const QSignalBlocker quiet(m_range);
    m_range->setCurrentIndex(int(ContentionRange::Custom));
    m_from->setDateTime(QDateTime::fromMSecsSinceEpoch(typed.fromUs / 1000, m_from->timeSpec()));
    m_to->setDateTime(QDateTime::fromMSecsSinceEpoch(typed.toUs / 1000, m_to->timeSpec()));
    m_typed = edited();
    showZone();
    m_from->show();
    m_to->show();
}

void RangeBar::dropTyped()
{
    if (std::exchange(m_typed, std::nullopt))
        Q_EMIT typedDropped();
}

events::Interval RangeBar::edited() const
{
    return {m_from->dateTime().toMSecsSinceEpoch() * 1000, m_to->dateTime().toMSecsSinceEpoch() * 1000};
}

void RangeBar::choose()
{
    const bool custom = range() == ContentionRange::Custom;
    m_from->setVisible(custom);
    m_to->setVisible(custom);
    if (custom && m_from->dateTime() == m_to->dateTime())
        showZone();
    Q_EMIT changed();
}

/** The user types the ends in the displayed zone, which the fields name. */
void RangeBar::showZone()
{
    const bool utc = m_context.times->zone() == words::Zone::Utc;
    const QString zone = m_context.times->zoneText(m_context.nowUs());
    const bool chosen = m_from->dateTime() != m_to->dateTime();
    const auto [from, to] = chosen
                                ? std::pair(edited().fromUs, edited().toUs)
                                : boundsOf(ContentionRange::Custom, m_context.times->at(m_context.nowUs()));
    for (const auto &[edit, us] : {std::pair<QDateTimeEdit *, qint64>{m_from, from}, {m_to, to}}) {
        edit->setTimeSpec(utc ? Qt::UTC : Qt::LocalTime);
        edit->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm '%1'").arg(zone));
        edit->setDateTime(QDateTime::fromMSecsSinceEpoch(us / 1000, utc ? Qt::UTC : Qt::LocalTime));
    }
}

QString RangeBar::saved() const
{
    const QString index = QString::number(int(range()));
    return range() == ContentionRange::Custom
               ? QStringLiteral("%1 %2 %3")
                     .arg(index, filter::queryTime(edited().fromUs), filter::queryTime(edited().toUs))
               : index;
}

void RangeBar::restore(const QString &saved)
{
    const QStringList kept = saved.split(QLatin1Char(' '));
    const QDateTime from = QDateTime::fromString(kept.value(1), Qt::ISODateWithMs);
    const QDateTime to = QDateTime::fromString(kept.value(2), Qt::ISODateWithMs);
    if (from.isValid() && to.isValid()) {
        m_from->setDateTime(from.toTimeSpec(m_from->timeSpec()));
        m_to->setDateTime(to.toTimeSpec(m_to->timeSpec()));
        showZone();
    }
    const int range = kept.first().toInt();
    if (range >= 0 && range < m_range->count())
        m_range->setCurrentIndex(range);
}

void RangeBar::retranslate()
{
    for (const QDateTimeEdit *edit : {m_from, m_to})
        edit->calendarWidget()->setLocale(QLocale());
    const QSignalBlocker quiet(m_range);
    const int range = std::max(0, m_range->currentIndex());
    m_range->clear();
    m_range->addItems(
        {tr("Last hour"), tr("Last night, 22–08"), tr("Last 24 hours"), tr("Last 7 days"), tr("From – to")});
    m_range->setCurrentIndex(range);
    m_range->setAccessibleName(tr("Range"));
    m_from->setAccessibleName(tr("Beginning of the range"));
    m_to->setAccessibleName(tr("End of the range"));
}

} // namespace lockkeeper::app::views
