// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"

#include <QAbstractButton>

namespace lockkeeper::app::views {

/** A number with its word below; a click opens the counted items. */
class FigureTile : public QAbstractButton
{
    Q_OBJECT

public:
    static constexpr int kHeight = 56;

    /** `theme` isn't owned. */
    explicit FigureTile(const presentation::Theme *theme, QWidget *parent = nullptr);

    /**
     * `accent`: the colours of the counted state, if the count isn't zero; `what` says what a click opens.
     */
    void show(const QString &figure, const QString &word, std::optional<replica::Badge> accent,
              const QString &what);
    QString figure() const { return m_figure; }
    QSize sizeHint() const override { return {120, kHeight}; }
    QSize minimumSizeHint() const override { return {80, kHeight}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    const presentation::Theme *m_theme;
    QString m_figure;
    QString m_word;
    std::optional<replica::Badge> m_accent;
};

} // namespace lockkeeper::app::views
