// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/ask_export.h"

#include "app/settings/settings.h"
#include "app/views/table/exporter.h"
#include "app/views/widgets/export_file.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/requests.h"
#include "app/words/error_words.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QProgressDialog>
#include <QStandardPaths>

#include <algorithm>

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

constexpr int kCalmMs = 700; ///< a quicker export shows no progress
constexpr int kSteps = 1000;

void askForFile(const ConsoleContext &context, QWidget *parent, const QString &name, const QStringList &kinds,
                const std::function<void(const QString &path)> &chosen)
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
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [context, chosen](const QString &path) {
        context.settings->setValue(settings::Key::ExportFolder, QFileInfo(path).absolutePath());
        chosen(path);
    });
    dialog->open();
}

/** The progress dialog ends with the exporter. */
void showProgress(Exporter *exporter, const QString &path, QWidget *parent)
{
    auto *progress = named("export_progress", new QProgressDialog(parent));
    progress->setWindowTitle(ExportWords::tr("Export"));
    progress->setLabel(new PlainLabel(ExportWords::tr("Writing %1").arg(path)));
    progress->setCancelButtonText(ExportWords::tr("Cancel"));
    progress->setWindowModality(Qt::NonModal);
    progress->setAutoClose(false);
    progress->setAutoReset(false);
    progress->setMinimumDuration(kCalmMs);
    progress->setRange(0, kSteps);
    progress->setValue(0);
    QObject::connect(exporter, &Exporter::moved, progress, [progress](double share) {
        if (share < 0)
            progress->setRange(0, 0);
        else
            progress->setValue(std::min(int(share * kSteps), kSteps - 1));
    });
    QObject::connect(progress, &QProgressDialog::canceled, exporter, &Exporter::cancel);
    QObject::connect(exporter, &Exporter::ended, progress, &QObject::deleteLater);
}

QString outcomeText(const base::Result<qint64> &rows, const QString &path)
{
    if (rows)
        return ExportWords::tr("%Ln row(s) written to %1", nullptr, int(*rows)).arg(path);
    if (rows.error().code == base::ErrorCode::Cancelled)
        return ExportWords::tr("The export was cancelled: nothing was written");
    return ExportWords::tr("Not written: %1").arg(words::ErrorWords::line(rows.error()));
}

} // namespace

void exportFile(const ConsoleContext &context, QWidget *parent, const QString &name, const QStringList &kinds,
                std::function<QByteArray(const QString &path)> bytes,
                std::function<QString(const QString &path)> written)
{
    askForFile(context, parent, name, kinds, [context, parent, bytes, written](const QString &path) {
        writeFile(path, bytes(path), parent, [context, path, written](const base::Result<void> &result) {
            Q_EMIT context.requests->messageCame(
                result ? written(path)
                       : ExportWords::tr("Not written: %1").arg(words::ErrorWords::line(result.error())));
        });
    });
}

void exportRows(const ConsoleContext &context, QWidget *parent, const QString &name, const MakeSource &source)
{
    askForFile(
        context, parent, name + QLatin1String(".csv"),
        {ExportWords::tr("Comma-separated values (*.csv)"), ExportWords::tr("JSON Lines (*.jsonl)")},
        [context, parent, source](const QString &path) { exportRowsTo(path, context, parent, source); });
}

void exportRowsTo(const QString &path, const ConsoleContext &context, QWidget *parent,
                  const MakeSource &source)
{
    const bool json = QFileInfo(path).suffix().startsWith(QLatin1String("json"), Qt::CaseInsensitive);
    auto *exporter = new Exporter(
        path, source(json ? records::FileFormat::Syntax::JsonLines : records::FileFormat::Syntax::Csv),
        parent);
    QObject::connect(exporter, &Exporter::ended, parent,
                     [context, path, exporter](const base::Result<qint64> &rows) {
                         Q_EMIT context.requests->messageCame(outcomeText(rows, path));
                         exporter->deleteLater();
                     });
    showProgress(exporter, path, parent);
    exporter->start();
}

} // namespace lockkeeper::app::views
