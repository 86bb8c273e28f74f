// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"

#include <QDate>
#include <QDialog>

#include <optional>

class QCalendarWidget;
class QLineEdit;

namespace lockkeeper::app::views {

class FieldError;

/** Asks for a past time, in the filters' syntax or by a calendar, in the displayed zone. GUI thread. */
class PastDialog : public QDialog
{
    Q_OBJECT

public:
    /** `us`: the time that is shown already; 0: none. */
    PastDialog(const ConsoleContext &context, qint64 us, QWidget *parent);

    void accept() override;
    QLineEdit *edit() const { return m_edit; }
    QCalendarWidget *calendar() const { return m_calendar; }

Q_SIGNALS:
    void chosen(qint64 us);

private:
    std::optional<qint64> typedUs() const;
    void takeDay(QDate day);
    void showDay();

    ConsoleContext m_context;
    QLineEdit *m_edit;
    QCalendarWidget *m_calendar;
    FieldError *m_error;
};

} // namespace lockkeeper::app::views
