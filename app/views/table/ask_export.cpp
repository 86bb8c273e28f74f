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

void exportFile(const ConsoleContext &context, QWidget *parent, const QString &name, const QStringList &kinds,
                std::function<QByteArray(const QString &path)> bytes,
                std::function<QString(const QString &path)> written)
{
    auto *dialog = new QFileDialog(parent, ExportWords::tr("Export"), startFolder(context),
                                   kinds.join(QLatin1String(";;")));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QFileInfo(name).suffix());
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &kind) {
        dialog->setDefaultSuffix(kind.section(QLatin1String("*."), 1).chopped(1));
    });
    QObject::connect(
        dialog, &QFileDialog::fileSelected, parent, [context, parent, bytes, written](const QString &path) {
            context.settings->setValue(settings::Key::ExportFolder, QFileInfo(path).absolutePath());
            writeFile(path, bytes(path), parent, [context, path, written](const base::Result<void> &result) {
                Q_EMIT context.requests->messageCame(
                    result ? written(path) : ExportWords::tr("Not written: %1").arg(result.error().line()));
            });
        });
    dialog->open();
}

QString csvFiles()
{
    return ExportWords::tr("Comma-separated values (*.csv)");
}

void exportCsv(const ConsoleContext &context, QWidget *parent, const QString &name,
               const QList<QStringList> &rows)
{
    const int count = int(rows.size()) - 1;
    exportFile(
        context, parent, name, {csvFiles()}, [rows](const QString &) { return toCsv(rows); },
        [count](const QString &path) {
            return ExportWords::tr("%Ln row(s) written to %1", nullptr, count).arg(path);
        });
}

} // namespace lockkeeper::app::views
