// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include <functional>

class QPainter;

namespace lockkeeper::app::views {

/** A view's drawing for a file or a printer. All texts are plain. */
struct ViewPicture
{
    QString title;
    QString range; ///< the times that it shows, with their zone
    QString name;  ///< of the file, without a suffix
    QSize size;    ///< of the drawing, without the title
    std::function<void(QPainter &painter)> paint;
};

} // namespace lockkeeper::app::views
