// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::app::views {

/** Gives a new widget the name that it is found and kept by: in tests, and in the window's saved state. */
template <typename Widget> Widget *named(const char *name, Widget *widget)
{
    widget->setObjectName(QString::fromLatin1(name));
    return widget;
}

} // namespace lockkeeper::app::views
