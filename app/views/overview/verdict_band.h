// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/overview.h"
#include "app/presentation/theme.h"

#include <QWidget>

namespace lockkeeper::app::views {

class PlainLabel;

/** Shows in one sentence if anything is wrong now, with the icon and colour of the worst state. */
class VerdictBand : public QWidget
{
    Q_OBJECT

public:
    /** `theme` isn't owned. */
    explicit VerdictBand(const presentation::Theme *theme, QWidget *parent = nullptr);

    void show(const QString &sentence, replica::Badge worst);
    QString sentence() const;
    /** Held if nothing is wrong, Unknown if something isn't seen. */
    static replica::Badge worstOf(const overview::Overview &overview);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const presentation::Theme *m_theme;
    PlainLabel *m_sentence;
    replica::Badge m_worst = replica::Badge::Held;
};

} // namespace lockkeeper::app::views
