// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/colours.h"

#include <QIcon>
#include <QPixmap>
#include <QString>

namespace lockkeeper::app::presentation {

/**
 * One of the bundled line icons by its freedesktop or own name ("edit-find", "force-release"), drawn in the
 * palette's ink at the moment of painting, so that it follows a change of theme and looks disabled where it
 * is. Ours rather than the desktop's: those come in inks that vanish on the other palette. A null icon for an
 * unknown name.
 */
QIcon icon(const QString &name);
inline QIcon icon(QLatin1String name)
{
    return icon(QString(name));
}

/** Where an icon must keep one ink, e.g. on a badge or a banner. */
QIcon icon(const QString &name, const QColor &ink);

/** The same drawn at once; `size` in device-independent pixels. */
QPixmap iconPixmap(const QString &name, const QColor &ink, int size, qreal devicePixelRatio);

/** The name of a badge's icon. */
QString badgeIconName(Badge badge);

/** All names that icon() knows. */
QStringList iconNames();

} // namespace lockkeeper::app::presentation
