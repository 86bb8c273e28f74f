// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/colours.h"
#include "app/settings/settings.h"

#include <QFont>
#include <QObject>

namespace lockkeeper::app::presentation {

using Appearance = settings::Appearance;

/**
 * The look of the whole program: Fusion style and one of the two palettes. Create it after QApplication
 * and before the first widget. GUI thread.
 */
class Theme : public QObject
{
    Q_OBJECT

public:
    explicit Theme(QObject *parent = nullptr);

    void setAppearance(Appearance appearance);
    /** `percent`: the size of all text, of the system's. `families`: preferred to the system's, best first.
     */
    void setFont(int percent, const QStringList &families);
    Appearance appearance() const { return m_appearance; }
    Scheme scheme() const { return m_scheme; }
    bool isDark() const { return m_scheme == Scheme::Dark; }

    BadgeColours badge(Badge badge) const { return badgeColours(m_scheme, badge); }
    BannerColours banner(BannerKind kind) const { return bannerColours(m_scheme, kind); }
    BadgeColours danger() const { return dangerColours(m_scheme); }
    QColor muted() const { return mutedInk(m_scheme); }

Q_SIGNALS:
    /** The palette or the font's size has been set; custom-painted widgets repaint. */
    void changed();

private:
    Scheme systemScheme() const;
    void apply();

    Appearance m_appearance = Appearance::System;
    Scheme m_scheme = Scheme::Light;
    Scheme m_initial = Scheme::Light;
};

/** True where all ten digits of `font` are equally wide, so that columns of numbers stand still. */
bool hasTabularDigits(const QFont &font);
/** `font`, or the system's fixed font in the same size if its digits aren't tabular. */
QFont digitFont(const QFont &font);
/** For tokens and statements. */
QFont codeFont(const QFont &font);
/** 11 pt bold, before the font zoom. */
QFont titleFont(const QFont &font);
/** A length in px that suits the system's font size, for the zoomed font. */
int zoomed(int px);

} // namespace lockkeeper::app::presentation
