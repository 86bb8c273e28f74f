// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/calendar_dress.h"

#include "app/presentation/icons.h"
#include "app/presentation/theme.h"

#include <QCalendarWidget>
#include <QTextCharFormat>
#include <QToolButton>

namespace lockkeeper::app::views {

void dressCalendar(QCalendarWidget *calendar, const presentation::Theme *theme)
{
    calendar->setVerticalHeaderFormat(QCalendarWidget::NoVerticalHeader);
    for (const auto &[name, icon] :
         {std::pair{"qt_calendar_prevmonth", "go-previous"}, std::pair{"qt_calendar_nextmonth", "go-next"}}) {
        if (auto *button = calendar->findChild<QToolButton *>(QLatin1String(name)))
            button->setIcon(presentation::icon(QLatin1String(icon), Qt::white)); // on the highlight
    }
    const auto colour = [calendar, theme] {
        QTextCharFormat weekend;
        weekend.setForeground(theme->muted());
        for (const Qt::DayOfWeek day : {Qt::Saturday, Qt::Sunday})
            calendar->setWeekdayTextFormat(day, weekend);
        QTextCharFormat never;
        never.setForeground(calendar->palette().color(QPalette::Disabled, QPalette::Text));
        const QDate last = calendar->maximumDate();
        for (QDate day = last.addDays(1); day.isValid() && day.month() == last.month(); day = day.addDays(1))
            calendar->setDateTextFormat(day, never);
    };
    QObject::connect(theme, &presentation::Theme::changed, calendar, colour);
    colour();
}

} // namespace lockkeeper::app::views
