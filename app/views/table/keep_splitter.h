// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

class QSplitter;

namespace lockkeeper::app::settings {
class Settings;
}

namespace lockkeeper::app::views {

/** Keeps the view's splitter as the operator left it, also between runs, until the layout is reset. */
void keepSplitter(QSplitter *splitter, settings::Settings *settings, const QByteArray &view);

} // namespace lockkeeper::app::views
