// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScreen>
#include <QWidget>

namespace lockkeeper::app::views {

/** The room on the screen of `dialog` within its frame. A desktop keeps a part of the height for the title. */
inline QSize screenRoom(const QWidget &dialog)
{
    constexpr int kTitleBar = 48;
    return dialog.screen()->availableSize() - QSize(0, kTitleBar);
}

} // namespace lockkeeper::app::views
