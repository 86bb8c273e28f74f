// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/records/csv_lines.h"
#include "app/views/widgets/requests.h"

#include <QByteArrayList>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include <optional>
#include <utility>

namespace lockkeeper::tests {

/**
 * Exports `view` to `name` in `folder` through its own dialog, as an operator would, and returns the bytes.
 */
template <typename View>
QByteArray exportedBytes(View &view, app::views::Requests &requests, const QString &folder,
                         const QString &name)
{
    QSignalSpy told(&requests, &app::views::Requests::messageCame);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the last export's dialog
    if (!view.exportRows())
        return "nothing to export";
    QFileDialog *dialog = view.template findChild<QFileDialog *>();
    if (!dialog)
        return "no dialog";
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    for (const QString &kind : dialog->nameFilters()) {
        if (kind.contains(name.section(QLatin1Char('.'), -1)))
            dialog->selectNameFilter(kind);
    }
    dialog->setDirectory(folder);
    dialog->findChild<QLineEdit *>()->setText(folder + QLatin1Char('/') + name);
    dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save)->click();
    if (told.isEmpty() && !told.wait(30'000))
        return "nothing was told";
    QFile file(folder + QLatin1Char('/') + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : told.first().first().toString().toUtf8();
}

/** The same in lines. */
template <typename View>
QByteArrayList exportedTo(View &view, app::views::Requests &requests, const QString &folder,
                          const QString &name)
{
    QByteArrayList lines = exportedBytes(view, requests, folder, name).split('\n');
    if (lines.constLast().isEmpty())
        lines.removeLast();
    return lines;
}

/** Records by RFC 4180 as it is written: CRLF after each, quotes around all of a field or nowhere in it. */
inline std::optional<QList<QStringList>> csvRecords(const QByteArray &bytes)
{
    QList<QStringList> records;
    QStringList record;
    const QString text = QString::fromUtf8(bytes);
    for (qsizetype at = 0; at < text.size();) {
        QString field;
        if (text.at(at) == u'"') {
            for (++at; at < text.size() && (text.at(at) != u'"' || text.mid(at, 2) == QLatin1String("\"\""));
                 ++at) {
                at += text.at(at) == u'"' ? 1 : 0;
                field += text.at(at);
            }
            ++at;
        } else {
            for (; at < text.size() && !QStringView(u",\r\n\"").contains(text.at(at)); ++at)
                field += text.at(at);
        }
        record.append(field);
        if (text.mid(at, 1) == QLatin1String(",") && text.size() > at + 1) {
            ++at;
            if (text.mid(at, 2) != QLatin1String("\r\n"))
                continue;
            record.append(QString());
        }
        if (text.mid(at, 2) != QLatin1String("\r\n"))
            return std::nullopt;
        at += 2;
        records.append(std::exchange(record, {}));
    }
    return records;
}

/** Exports `view` as CSV and as JSON Lines: each must have these records, as lockkeeperctl writes them. */
template <typename View, typename Rig>
void compareExports(View &view, Rig &rig, const QList<QJsonObject> &rows, const QStringList &columns)
{
    using app::records::FileFormat;
    QVERIFY(rows.size() > 1);
    for (const FileFormat::Syntax kind : {FileFormat::Syntax::Csv, FileFormat::Syntax::JsonLines}) {
        const FileFormat format{kind, columns};
        QByteArray expected = format.header();
        for (const QJsonObject &row : rows)
            expected += format.line(row);
        const bool csv = kind == FileFormat::Syntax::Csv;
        const QByteArray bytes =
            exportedBytes(view, rig.requests, rig.folder.path(),
                          csv ? QStringLiteral("rows.csv") : QStringLiteral("rows.jsonl"));
        QCOMPARE(bytes, expected);
        if (!csv)
            continue;
        const auto records = csvRecords(bytes);
        QVERIFY2(records, bytes.constData());
        QCOMPARE(records->size(), rows.size() + 1);
        for (const QStringList &record : *records)
            QCOMPARE(record.size(), columns.size());
        QVERIFY2(bytes.contains("'="), "no row of this test would be evaluated");
    }
}

/** The same for all rows of a model. */
template <typename View, typename Rig>
void compareExports(View &view, Rig &rig, const app::models::RawModel &model)
{
    QList<QJsonObject> rows;
    for (int row = 0; row < model.rowCount(); ++row)
        rows.append(model.record(row));
    compareExports(view, rig, rows, model.recordColumns());
}

template <typename View, typename Rig> QByteArrayList exported(View &view, Rig &rig, const QString &name)
{
    return exportedTo(view, rig.requests, rig.folder.path(), name);
}

} // namespace lockkeeper::tests
