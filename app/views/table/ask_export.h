// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"

#include <QList>
#include <QStringList>

#include <functional>

class QWidget;

namespace lockkeeper::app::views {

/**
 * Asks where to and writes what `bytes` makes of the chosen path there, off the GUI thread; what became of it
 * is told through Requests::messageCame(), in the words of `written`. Remembers the folder. `name` is the
 * suggested file name, `kinds` the dialog's filters, each of one suffix.
 */
void exportFile(const ConsoleContext &context, QWidget *parent, const QString &name, const QStringList &kinds,
                std::function<QByteArray(const QString &path)> bytes,
                std::function<QString(const QString &path)> written);
/** The kind of exportCsv(). */
QString csvFiles();
/** The same of `rows` as CSV. */
void exportCsv(const ConsoleContext &context, QWidget *parent, const QString &name,
               const QList<QStringList> &rows);

} // namespace lockkeeper::app::views
