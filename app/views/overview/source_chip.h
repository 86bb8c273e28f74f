// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"
#include "shared/domain/source_state.h"
#include "shared/events/observed.h"

#include <QAbstractButton>

namespace lockkeeper::app::views {

/** One source: its state, when it was last seen, and its gaps in the last hour; a click opens Sources. */
class SourceChip : public QAbstractButton
{
    Q_OBJECT

public:
    static constexpr int kWidth = 208;
    static constexpr int kHeight = 52;

    /** `theme` isn't owned. */
    explicit SourceChip(const presentation::Theme *theme, QWidget *parent = nullptr);

    /** `well`: it is observed now. */
    void show(const domain::SourceState &source, bool well, const QString &seen, const QString &state);
    /** The gaps in `hour`; empty: unknown. */
    void showGaps(events::Interval hour, const std::optional<QList<events::Interval>> &gaps,
                  const QString &words);
    const QString &source() const { return m_source; }
    QSize sizeHint() const override { return {kWidth, kHeight}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void paintHour(QPainter *painter, const QRect &strip) const;
    void describe();

    const presentation::Theme *m_theme;
    QString m_source;
    QString m_name;
    QString m_seen;
    QString m_state;
    QString m_gapWords;
    bool m_well = false;
    events::Interval m_hour;
    std::optional<QList<events::Interval>> m_gaps;
};

} // namespace lockkeeper::app::views
