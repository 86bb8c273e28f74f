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
 * Asks the user for a path and writes the result of `bytes` there, off the GUI thread.
 * Requests::messageCame() reports the outcome, in the words of `written`. Remembers the folder. `name` is the
 * suggested file name, `kinds` the dialog's filters, each of one suffix.
 */
void exportFile(const ConsoleContext &context, QWidget *parent, const QString &name, const QStringList &kinds,
                std::function<QByteArray(const QString &path)> bytes,
                std::function<QString(const QString &path)> written);

using MakeSource = std::function<std::unique_ptr<ExportSource>(records::FileFormat::Syntax)>;
/**
 * The same for rows, as CSV or JSON Lines. An export that takes longer than a moment shows its progress and
 * can be cancelled. `name` has no suffix.
 */
void exportRows(const ConsoleContext &context, QWidget *parent, const QString &name,
                const MakeSource &source);
/** Writes to `path` without asking; the suffix of `path` determines the format. */
void exportRowsTo(const QString &path, const ConsoleContext &context, QWidget *parent,
                  const MakeSource &source);

} // namespace lockkeeper::app::views
