// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/colours.h"

#include <array>
#include <cmath>

namespace lockkeeper::app::presentation {

namespace {

struct BadgeRgb
{
    QRgb fill;
    QRgb ink;
    QRgb border;
};

// In the order of Badge. The ratios of ink to fill are 5.7 and more; see the contrast test.
constexpr std::array<BadgeRgb, replica::kBadgeCount> kLightBadges{{
    {0x2B3035, 0xFFFFFF, 0x2B3035},
    {0xE3E5E8, 0x3A4046, 0x4A5056},
    {0xA82A00, 0xFFFFFF, 0xA82A00},
    {0xF0B030, 0x1B1E21, 0x8A5A00},
    {0x6F3C8F, 0xFFFFFF, 0x6F3C8F},
    {0xFBEFC4, 0x5C4A00, 0x5C4A00},
    {0xD6E6F5, 0x0B4A7D, 0x0B4A7D},
    {0xFFFFFF, 0x4A5056, 0x737A82},
    {0xFFFFFF, 0x4A5056, 0x737A82},
}};
constexpr std::array<BadgeRgb, replica::kBadgeCount> kDarkBadges{{
    {0xE8EAED, 0x1B1E21, 0xE8EAED},
    {0x3A4046, 0xE1E4E8, 0xC0C6CC},
    {0xF2703F, 0x1B1E21, 0xF2703F},
    {0xF7CE6B, 0x1B1E21, 0xF7CE6B},
    {0xC9A0E0, 0x1B1E21, 0xC9A0E0},
    {0x3D3510, 0xF5DE7A, 0xF5DE7A},
    {0x173A5C, 0xA9D3FA, 0xA9D3FA},
    {0x1B1E21, 0xC0C6CC, 0x8A929A},
    {0x1B1E21, 0xC0C6CC, 0x8A929A},
}};

struct BannerRgb
{
    QRgb fill;
    QRgb ink;
};
constexpr std::array<BannerRgb, 3> kLightBanners{
    {{0xE3EEF9, 0x0B3A66}, {0xFFF1CC, 0x4F3D00}, {0xFBE3DB, 0x7A1E00}}};
constexpr std::array<BannerRgb, 3> kDarkBanners{
    {{0x16324D, 0xCFE5FA}, {0x42370D, 0xFBE7A3}, {0x4C2213, 0xFFD2C2}}};

struct PaletteRgb
{
    QRgb window, base, alternate, text, muted, highlight, disabled, button, line;
};
constexpr PaletteRgb kLight{0xF0F1F2, 0xFFFFFF, 0xF6F7F8, 0x1B1E21, 0x565C63,
                            0x1F5FA8, 0x8A9097, 0xF6F7F8, 0xB4BAC0};
constexpr PaletteRgb kDark{0x272B30, 0x1B1E21, 0x212529, 0xE8EAED, 0xA9B0B8,
                           0x2A62A3, 0x6F767D, 0x33383E, 0x4A5057};

const PaletteRgb &rgbOf(Scheme scheme)
{
    return scheme == Scheme::Light ? kLight : kDark;
}

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &colour)
{
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

void setDisabled(QPalette &palette, const PaletteRgb &rgb)
{
    const QColor ink(rgb.disabled);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText,
          QPalette::PlaceholderText, QPalette::BrightText, QPalette::Link})
        palette.setColor(QPalette::Disabled, role, ink);
    palette.setColor(QPalette::Disabled, QPalette::Base, QColor(rgb.window));
    palette.setColor(QPalette::Disabled, QPalette::Button, QColor(rgb.window));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(rgb.line));
}

} // namespace

BadgeColours badgeColours(Scheme scheme, Badge badge)
{
    const auto &table = scheme == Scheme::Light ? kLightBadges : kDarkBadges;
    const BadgeRgb &rgb = table.at(std::size_t(badge));
    return {QColor(rgb.fill), QColor(rgb.ink), QColor(rgb.border)};
}

std::optional<QColor> rowTint(Scheme scheme, Badge badge, const QColor &base)
{
    if (badge != Badge::Stuck && badge != Badge::Expired)
        return std::nullopt;
    constexpr float share = 0.14F;
    const QColor fill = badgeColours(scheme, badge).fill;
    return QColor::fromRgbF(base.redF() + (fill.redF() - base.redF()) * share,
                            base.greenF() + (fill.greenF() - base.greenF()) * share,
                            base.blueF() + (fill.blueF() - base.blueF()) * share);
}

QColor barColour(Scheme scheme, bool low)
{
    if (scheme == Scheme::Light)
        return low ? QColor(0xB26A00) : QColor(0x2F6FA8);
    return low ? QColor(0xF0B030) : QColor(0x6FB1E8);
}

QColor barTrack(Scheme scheme)
{
    return scheme == Scheme::Light ? QColor(0xD5DADF) : QColor(0x3A4046);
}

QColor mutedInk(Scheme scheme)
{
    return QColor(rgbOf(scheme).muted);
}

QColor holdColour(Scheme scheme)
{
    return scheme == Scheme::Light ? QColor(0x164A7A) : QColor(0x4F93CE);
}

QColor waitColour(Scheme scheme)
{
    return scheme == Scheme::Light ? QColor(0xAE70C6) : QColor(0xE3C6F3);
}

QColor gapColour(Scheme scheme)
{
    return scheme == Scheme::Light ? QColor(0x80878F) : QColor(0x8A929A);
}

QColor fieldLine(const QPalette &palette)
{
    const bool dark =
        palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
    return badgeColours(dark ? Scheme::Dark : Scheme::Light, Badge::Free).border;
}

BadgeColours dangerColours(Scheme scheme)
{
    return badgeColours(scheme, Badge::Stuck);
}

BannerColours bannerColours(Scheme scheme, BannerKind kind)
{
    const auto &table = scheme == Scheme::Light ? kLightBanners : kDarkBanners;
    const BannerRgb &rgb = table.at(std::size_t(kind));
    return {QColor(rgb.fill), QColor(rgb.ink)};
}

QColor severityInk(Scheme scheme, domain::Severity severity)
{
    switch (severity) {
    case domain::Severity::Danger:
        return dangerColours(scheme).fill;
    case domain::Severity::Warning:
        return barColour(scheme, true);
    case domain::Severity::Notice:
        break;
    }
    return mutedInk(scheme);
}

QPalette paletteOf(Scheme scheme)
{
    const PaletteRgb &rgb = rgbOf(scheme);
    // Derives the shades that Fusion draws frames and grooves with.
    QPalette palette{QColor(rgb.button), QColor(rgb.window)};
    palette.setColor(QPalette::Window, QColor(rgb.window));
    palette.setColor(QPalette::Base, QColor(rgb.base));
    palette.setColor(QPalette::AlternateBase, QColor(rgb.alternate));
    palette.setColor(QPalette::Button, QColor(rgb.button));
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, QColor(rgb.text));
    palette.setColor(QPalette::ToolTipBase, QColor(rgb.alternate));
    palette.setColor(QPalette::PlaceholderText, QColor(rgb.muted));
    palette.setColor(QPalette::Highlight, QColor(rgb.highlight));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::Mid, QColor(rgb.line));
    palette.setColor(QPalette::Link, scheme == Scheme::Light ? QColor(rgb.highlight) : QColor(0x8FC2F5));
    palette.setColor(QPalette::LinkVisited, palette.color(QPalette::Link));
    setDisabled(palette, rgb);
    return palette;
}

double contrastRatio(const QColor &a, const QColor &b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace lockkeeper::app::presentation
