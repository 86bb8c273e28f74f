// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/badge.h"
#include "shared/domain/finding.h"

#include <QColor>
#include <QPalette>

#include <optional>

namespace lockkeeper::app::presentation {

enum class Scheme : quint8 { Light = 0, Dark };

using Badge = replica::Badge;

struct BadgeColours
{
    QColor fill;
    QColor ink;
    QColor border;
};

enum class BannerKind : quint8 { Info = 0, Warning, Error };

struct BannerColours
{
    QColor fill;
    QColor ink;
};

BadgeColours badgeColours(Scheme scheme, Badge badge);
/** The row's tint over `base`: 14 % of the badge's fill, for Stuck and Expired only. */
std::optional<QColor> rowTint(Scheme scheme, Badge badge, const QColor &base);
QColor barColour(Scheme scheme, bool low);
QColor barTrack(Scheme scheme);
QColor mutedInk(Scheme scheme);
QColor holdColour(Scheme scheme);
QColor waitColour(Scheme scheme);
QColor gapColour(Scheme scheme);
/** The frame of a field or a box: 3:1 and more against the window and the field's inside. */
QColor fieldLine(const QPalette &palette);
/** Only for a dangerous button. */
BadgeColours dangerColours(Scheme scheme);
BannerColours bannerColours(Scheme scheme, BannerKind kind);
/** The ink of a finding's icon on the window's ground. */
QColor severityInk(Scheme scheme, domain::Severity severity);
/** The whole palette, the Disabled group included. */
QPalette paletteOf(Scheme scheme);

/** WCAG 2 contrast ratio of two opaque colours, 1 to 21. */
double contrastRatio(const QColor &a, const QColor &b);

} // namespace lockkeeper::app::presentation
