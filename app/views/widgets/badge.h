// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

namespace lockkeeper::app::views {

/** It follows the font zoom. */
QSize badgeSize();

/**
 * A state's badge: icon and word in the state's colours. `ratio`: device pixels per pixel; `word`: replaces
 * the state's word.
 */
void paintBadge(QPainter *painter, const QRect &rect, replica::Badge badge,
                const presentation::BadgeColours &colours, const QFont &font, qreal ratio,
                const QString &word = {});

/** The badge as a widget. */
class BadgeWidget : public Translated<QWidget>
{
    Q_OBJECT

public:
    /** `theme` isn't owned. */
    explicit BadgeWidget(const presentation::Theme *theme, QWidget *parent = nullptr);

    void setBadge(replica::Badge badge);
    replica::Badge badge() const { return m_badge; }
    QSize sizeHint() const override { return badgeSize(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void retranslate() final { setBadge(m_badge); }
    const presentation::Theme *m_theme;
    replica::Badge m_badge = replica::Badge::Unknown;
};

} // namespace lockkeeper::app::views
