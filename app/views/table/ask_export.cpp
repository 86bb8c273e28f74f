// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/ask_export.h"

#include "app/settings/settings.h"
#include "app/views/widgets/export_file.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/table_text.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QStandardPaths>

namespace lockkeeper::app::views {

namespace {

struct ExportWords
{
    Q_DECLARE_TR_FUNCTIONS(ExportWords)
};

QString startFolder(const ConsoleContext &context)
{
    const QString kept = context.settings->value(settings::Key::ExportFolder).toString();
    return kept.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) : kept;
}

} // namespace

void exportCsv(const ConsoleContext &context, QWidget *parent, const QString &name,
               const QList<QStringList> &rows)
{
    auto *dialog = new QFileDialog(parent, ExportWords::tr("Export"), startFolder(context),
                                   ExportWords::tr("Comma-separated values (*.csv)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(name);
    QObject::connect(
        dialog, &QFileDialog::fileSelected, parent, [context, parent, rows](const QString &path) {
            context.settings->setValue(settings::Key::ExportFolder, QFileInfo(path).absolutePath());
            const int count = int(rows.size()) - 1;
            writeFile(path, toCsv(rows), parent, [context, path, count](const base::Result<void> &result) {
                Q_EMIT context.requests->messageCame(
                    result ? ExportWords::tr("%n row(s) written to %1", nullptr, count).arg(path)
                           : ExportWords::tr("Not written: %1").arg(result.error().line()));
            });
        });
    dialog->open();
}

} // namespace lockkeeper::app::views
