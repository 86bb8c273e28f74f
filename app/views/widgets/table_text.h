// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"

#include <QList>
#include <QStringList>

namespace lockkeeper::app::views {

/**
 * Puts a column with the moment of the rows in front if the console shows a past moment. The first row is the
 * header.
 */
void prependAsOf(QList<QStringList> &rows, const ConsoleContext &context);

/** Rows for the clipboard, tabs between fields; tabs and line ends inside a field become spaces. */
QString toTsv(const QList<QStringList> &rows);

} // namespace lockkeeper::app::views
