// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "shared/events/observed.h"

#include <QDateTime>
#include <QWidget>

class QComboBox;
class QDateTimeEdit;

namespace lockkeeper::app::views {

/** A range of the contention view. */
enum class ContentionRange : quint8 { Hour = 0, LastNight, Day, Week, Custom };

/**
 * The ends of a range in microseconds. `now` is in the displayed zone, where last night lasts from 22:00 to
 * 8:00. Custom returns the last day. Pure.
 */
std::pair<qint64, qint64> boundsOf(ContentionRange range, const QDateTime &now);

/**
 * Chooses a range of time: one that ends now, or two times in the displayed zone. A range that the filter
 * names is shown as two times, exact to a millisecond, until the user chooses another. GUI thread.
 */
class RangeBar : public QWidget
{
    Q_OBJECT

public:
    explicit RangeBar(const ConsoleContext &context, QWidget *parent = nullptr);

    ContentionRange range() const;
    void setRange(ContentionRange range);
    /** The chosen range as of now, in microseconds. */
    events::Interval interval() const;
    /** Shows the range that the filter names. Emits nothing. */
    void showTyped(events::Interval typed);
    /** The filter names no range any more. */
    void forgetTyped() { m_typed.reset(); }

    /** For the window's state: the range, and its ends if the user chose them. */
    QString saved() const;
    void restore(const QString &saved);
    void retranslate();

Q_SIGNALS:
    /** The user chose another range. */
    void changed();
    /** The user chose another range than the filter names: changed() follows. */
    void typedDropped();

private:
    void choose();
    void dropTyped();
    void showZone();
    events::Interval edited() const; ///< exact to a millisecond

    ConsoleContext m_context;
    QComboBox *m_range;
    QDateTimeEdit *m_from;
    QDateTimeEdit *m_to;
    std::optional<events::Interval> m_typed; ///< of the filter
};

} // namespace lockkeeper::app::views
