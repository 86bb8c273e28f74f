// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"

#include <QList>
#include <QStringList>

class QWidget;

namespace lockkeeper::app::views {

/**
 * Asks where to and writes `rows` there as CSV, off the GUI thread; what became of it is told through
 * Requests::messageCame(). Remembers the folder. `name` is the suggested file name.
 */
void exportCsv(const ConsoleContext &context, QWidget *parent, const QString &name,
               const QList<QStringList> &rows);

} // namespace lockkeeper::app::views
