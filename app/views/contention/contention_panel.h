// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/heat_map.h"
#include "app/charts/slice_chart.h"
#include "app/models/contention_series.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/translated.h"
#include "shared/events/observed.h"

#include <QWidget>

#include <array>

class QGridLayout;

namespace lockkeeper::app::views {

class ElidedLabel;
class PlainLabel;

/**
 * The charts of one lock over a range: waiting, hold times, hand-over gaps and utilisation. Changes of hands
 * replace the waiting if the scheme doesn't show the waiters. A range of a day or more also shows the hours
 * of each day. GUI thread.
 */
class ContentionPanel : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit ContentionPanel(const ConsoleContext &context, QWidget *parent = nullptr);

    /** Reads the lock's slices, `stepUs` long each. */
    void show(const domain::Contention &contention, events::Interval range);
    void clear();
    const models::ContentionSeries &series() const { return m_series; }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /** The user chose a bar or an hour and asks for the lock's events in that time. */
    void spanAsked(const lockkeeper::domain::LockKey &key, lockkeeper::events::Interval span);

private:
    /** A cell of the heat map. */
    struct HourOfDay
    {
        QString day;
        int hour = 0;
        bool operator==(const HourOfDay &) const = default;
    };
    using Measure = std::function<void(const domain::Contention &, charts::Slice &)>;

    void refresh();
    void refreshHeat();
    HourOfDay hourOf(const models::ContentionSlice &slice) const;
    void askHour(int day, int hour);
    void retranslate() final;
    void resizeEvent(QResizeEvent *event) override;
    std::array<charts::SliceChart *, 4> courses() const;
    /** Two or four charts a row, as the panel's width allows. */
    void arrange();
    QString timeOf(qint64 us) const;
    QString rangeText() const;
    QString spanText(const models::ContentionSlice &slice) const;
    QList<charts::Slice> slicesBy(const Measure &measure) const;
    void showIn(charts::SliceChart *chart, const QString &title, const QString &none,
                const std::function<QString(double)> &value, const Measure &measure);
    void showWaiting();
    void showHolds();
    void showHandovers();
    void showUtilisation();

    ConsoleContext m_context;
    models::ContentionSeries m_series;
    bool m_waitersVisible = false;
    events::Interval m_range;
    qint64 m_stepUs = 0;
    PlainLabel *m_title;
    PlainLabel *m_state;
    ElidedLabel *m_note;
    QWidget *m_charts;
    QGridLayout *m_grid; ///< of m_charts
    charts::SliceChart *m_waiting;
    charts::SliceChart *m_holds;
    charts::SliceChart *m_handovers;
    charts::SliceChart *m_utilisation;
    charts::HeatMap *m_heat;
};

} // namespace lockkeeper::app::views
