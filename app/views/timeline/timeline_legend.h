// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/timeline_painter.h"
#include "app/presentation/theme.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

namespace lockkeeper::app::views {

/** Names the shapes of the timeline, in as many lines as its width takes. GUI thread. */
class TimelineLegend : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit TimelineLegend(const presentation::Theme *theme, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, heightForWidth(width())}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    using Sample = charts::TimelinePainter::LegendSample;
    struct LegendEntry
    {
        Sample sample;
        QString words;
    };

    void retranslate() final;
    /** The top left corner of each entry. */
    QList<QPoint> places(int width) const;
    int widthOf(const LegendEntry &entry) const;

    const presentation::Theme *m_theme;
    QList<LegendEntry> m_entries;
};

} // namespace lockkeeper::app::views
