// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/past/past_dialog.h"

#include "app/filter/query_time.h"
#include "app/views/widgets/calendar_dress.h"
#include "app/views/widgets/field_error.h"
#include "app/views/widgets/plain_label.h"
#include "app/words/time_format.h"

#include <QCalendarWidget>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::app::views {

PastDialog::PastDialog(const ConsoleContext &context, qint64 us, QWidget *parent)
    : QDialog(parent),
      m_context(context),
      m_edit(new QLineEdit(this)),
      m_calendar(new QCalendarWidget(this)),
      m_error(new FieldError(context.theme, m_edit))
{
    setWindowTitle(tr("State at a time"));
    const qint64 nowUs = context.nowUs();
    auto *label =
        new PlainLabel(tr("Show the locks as they were at (%1):").arg(context.times->zoneText(nowUs)), this);
    label->setBuddy(m_edit);
    m_edit->setAccessibleName(tr("Time"));
    if (us > 0)
        m_edit->setText(context.times->dateTime(us));
    m_edit->setPlaceholderText(QStringLiteral("03:12"));
    m_edit->selectAll();
    auto *hint = new PlainLabel(
        tr("03:12, yesterday 22:00, 2026-11-20 03:12:30, or -15m for fifteen minutes ago"), this);
    hint->setMuted(true);
    m_error->setBelow(hint);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Show"));
    connect(buttons, &QDialogButtonBox::accepted, this, &PastDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &PastDialog::reject);
    m_calendar->setAccessibleName(tr("Day"));
    m_calendar->setMaximumDate(context.times->at(nowUs).date());
    dressCalendar(m_calendar, context.theme);
    showDay();
    connect(m_calendar, &QCalendarWidget::selectionChanged, this,
            [this] { takeDay(m_calendar->selectedDate()); });
    connect(m_calendar, &QCalendarWidget::activated, this, &PastDialog::takeDay);
    connect(m_edit, &QLineEdit::textEdited, this, [this] {
        m_error->tell({});
        showDay();
    });
    auto *column = new QVBoxLayout(this);
    column->setSpacing(8);
    for (QWidget *widget : QWidgetList{label, m_edit, hint, m_calendar, buttons})
        column->addWidget(widget);
    setMinimumWidth(460);
}

std::optional<qint64> PastDialog::typedUs() const
{
    return filter::parseQueryTime(m_edit->text().trimmed(), {m_context.nowUs(), m_context.times->timeZone()});
}

/** The calendar follows what is typed. */
void PastDialog::showDay()
{
    const QSignalBlocker quiet(m_calendar);
    m_calendar->setSelectedDate(m_context.times->at(typedUs().value_or(m_context.nowUs())).date());
}

/** The day comes from the calendar, and the time of day stays. */
void PastDialog::takeDay(QDate day)
{
    const QTime time = m_context.times->at(typedUs().value_or(m_context.nowUs())).time();
    m_edit->setText(day.toString(Qt::ISODate) + time.toString(QStringLiteral(" HH:mm:ss")));
    m_error->tell({});
}

void PastDialog::accept()
{
    const qint64 nowUs = m_context.nowUs();
    const auto us = typedUs();
    if (!us || *us > nowUs) {
        m_error->tell(us ? tr("This time is in the future.") : tr("This isn't a time."));
        return;
    }
    Q_EMIT chosen(*us);
    QDialog::accept();
}

} // namespace lockkeeper::app::views
