// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/colours.h"

#include <QIcon>
#include <QPixmap>
#include <QString>

namespace lockkeeper::app::presentation {

/**
 * One of the bundled line icons, by its freedesktop name or our name ("edit-find", "force-release"). It is
 * painted in the palette's text colour at paint time, so it follows a change of theme and shows the disabled
 * state. We don't use the desktop's icons, because their colours can be invisible on the other palette. A
 * null icon for an unknown name.
 */
QIcon icon(const QString &name);
inline QIcon icon(QLatin1String name)
{
    return icon(QString(name));
}

/** For an icon that must keep one colour, for example on a badge or a banner. */
QIcon icon(const QString &name, const QColor &ink);

/** The same, drawn immediately; `size` in device-independent pixels. */
QPixmap iconPixmap(const QString &name, const QColor &ink, int size, qreal devicePixelRatio);

/** The name of a badge's icon. */
QString badgeIconName(Badge badge);

/** All names that icon() knows. */
QStringList iconNames();

} // namespace lockkeeper::app::presentation
