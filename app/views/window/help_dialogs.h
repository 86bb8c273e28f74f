// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lockkeeper::app::views {

/** The table of keys (F1, Ctrl+?). Not modal. */
void showKeys(QWidget *parent);
void showAbout(QWidget *parent);

} // namespace lockkeeper::app::views
