// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/theme.h"

#include "app/presentation/console_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QStyleHints>
#include <QWidget>

#include <utility>

namespace lockkeeper::app::presentation {

namespace {

qreal zoomOf(const QFont &font)
{
    const qreal system = QFontDatabase::systemFont(QFontDatabase::GeneralFont).pointSizeF();
    return font.pointSizeF() > 0 && system > 0 ? font.pointSizeF() / system : 1;
}

} // namespace

Theme::Theme(QObject *parent) : QObject(parent)
{
    // The platform's palette, read before ours replaces it. Qt before 6.5 offers nothing else.
    const QPalette platform = QApplication::palette();
    const bool dark =
        platform.color(QPalette::Window).lightness() < platform.color(QPalette::WindowText).lightness();
    m_initial = dark ? Scheme::Dark : Scheme::Light;
    QApplication::setStyle(new ConsoleStyle);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] {
        if (m_appearance == Appearance::System)
            setAppearance(Appearance::System);
    });
#endif
    m_scheme = systemScheme();
    apply();
}

Scheme Theme::systemScheme() const
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const Qt::ColorScheme told = QApplication::styleHints()->colorScheme();
    if (told != Qt::ColorScheme::Unknown)
        return told == Qt::ColorScheme::Dark ? Scheme::Dark : Scheme::Light;
#endif
    return m_initial;
}

void Theme::setAppearance(Appearance appearance)
{
    m_appearance = appearance;
    const Scheme scheme = appearance == Appearance::System ? systemScheme()
                          : appearance == Appearance::Dark ? Scheme::Dark
                                                           : Scheme::Light;
    if (scheme == m_scheme)
        return;
    m_scheme = scheme;
    apply();
    Q_EMIT changed();
}

void Theme::setFont(int percent, const QStringList &families)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    font.setPointSizeF(font.pointSizeF() * percent / 100);
    if (!families.isEmpty())
        font.setFamilies(families + font.families());
    const qreal ratio = font.pointSizeF() / QApplication::font().pointSizeF();
    if (qFuzzyCompare(ratio, 1.0) && font.families() == QApplication::font().families())
        return;
    QList<std::pair<QWidget *, QFont>> sized; // they don't follow the application's font
    for (QWidget *widget : QApplication::allWidgets()) {
        if (widget->testAttribute(Qt::WA_SetFont) && (widget->font().resolveMask() & QFont::SizeResolved))
            sized.append({widget, widget->font()});
    }
    QApplication::setFont(font);
    for (auto &[widget, own] : sized) {
        own.setPointSizeF(own.pointSizeF() * ratio);
        widget->setFont(own);
    }
    Q_EMIT changed();
}

void Theme::apply()
{
    QApplication::setPalette(paletteOf(m_scheme));
}

bool hasTabularDigits(const QFont &font)
{
    const QFontMetricsF metrics(font);
    const qreal width = metrics.horizontalAdvance(QLatin1Char('0'));
    for (char digit = '1'; digit <= '9'; ++digit) {
        if (qAbs(metrics.horizontalAdvance(QLatin1Char(digit)) - width) > 0.01)
            return false;
    }
    return true;
}

QFont digitFont(const QFont &font)
{
    return hasTabularDigits(font) ? font : codeFont(font);
}

QFont codeFont(const QFont &font)
{
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    // The others are for the characters that it lacks. An alias ("monospace") isn't found in a list of families.
    fixed.setFamilies(QStringList{QFontInfo(fixed).family()} + font.families());
    if (font.pointSizeF() > 0)
        fixed.setPointSizeF(font.pointSizeF());
    else
        fixed.setPixelSize(font.pixelSize());
    return fixed;
}

QFont titleFont(const QFont &font)
{
    QFont title = font;
    title.setPointSizeF(11 * zoomOf(font));
    title.setBold(true);
    return title;
}

int zoomed(int px)
{
    return qRound(px * zoomOf(QApplication::font()));
}

} // namespace lockkeeper::app::presentation
