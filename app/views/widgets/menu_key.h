// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace lockkeeper::app::views {

/**
 * Shift+F10 does what the menu key does: not every keyboard has a menu key, and on X11 Qt knows only that
 * key. Installed on the application. GUI thread.
 */
class MenuKey : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace lockkeeper::app::views
