// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/table/export_source.h"
#include "app/views/widgets/console_context.h"

#include <QStringList>

#include <functional>
#include <memory>

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

using MakeSource = std::function<std::unique_ptr<ExportSource>(ExportColumns::Format)>;
/**
 * The same of rows, as CSV or JSON Lines. What takes longer than a moment shows how far it is, and can be
 * cancelled. `name` has no suffix.
 */
void exportRows(const ConsoleContext &context, QWidget *parent, const QString &name,
                const MakeSource &source);
/** Without the question: to `path`, whose suffix says how. */
void exportRowsTo(const QString &path, const ConsoleContext &context, QWidget *parent,
                  const MakeSource &source);

} // namespace lockkeeper::app::views
