// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
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

/**
 * Exports `view` as CSV and as JSON Lines, and compares both with `titles`, the members' `names` and the
 * texts of `rows`. In CSV, an apostrophe precedes a text that would otherwise be evaluated.
 */
template <typename View>
void compareExports(View &view, app::views::Requests &requests, const QString &folder,
                    const QStringList &titles, const QByteArrayList &names, const QList<QStringList> &rows)
{
    const QByteArray csv = exportedBytes(view, requests, folder, QStringLiteral("rows.csv"));
    const auto records = csvRecords(csv);
    QVERIFY2(records, csv.constData());
    QCOMPARE(records->size(), rows.size() + 1);
    QCOMPARE(records->first(), titles);
    bool defused = false;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        QStringList cells = rows.at(row);
        for (QString &cell : cells) {
            bool number = false;
            cell.toDouble(&number);
            const bool evaluated =
                !number && !cell.isEmpty() && QStringView(u"=+-@\t\r").contains(cell.front());
            defused = defused || evaluated;
            cell.prepend(evaluated ? QStringLiteral("'") : QString());
        }
        QCOMPARE(records->at(row + 1), cells);
    }
    QVERIFY2(defused, "no row of this test would be evaluated");
    const QByteArrayList lines = exportedTo(view, requests, folder, QStringLiteral("rows.jsonl"));
    QCOMPARE(lines.size(), rows.size());
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const QJsonObject object = QJsonDocument::fromJson(lines.at(row)).object();
        QCOMPARE(object.size(), names.size());
        for (qsizetype i = 0; i < names.size(); ++i)
            QCOMPARE(object.value(QLatin1String(names.at(i))).toString(QStringLiteral("no text")),
                     rows.at(row).at(i));
    }
}

/** The same of a table: its shown columns in their order. */
template <typename View, typename Table, typename Model, typename Rig>
void compareTableExports(View &view, Rig &rig, const Table &table, const Model &model)
{
    QStringList titles;
    QByteArrayList names;
    QList<QStringList> rows(model.rowCount());
    const QList<int> columns = table.shownColumns();
    for (const int column : columns) {
        titles.append(model.headerData(column, Qt::Horizontal).toString());
        names.append(model.columnName(column));
        for (int row = 0; row < model.rowCount(); ++row)
            rows[row].append(model.index(row, column).data(app::models::kWholeRole).toString());
    }
    QVERIFY(rows.size() > 1 && names.size() > 4);
    compareExports(view, rig.requests, rig.folder.path(), titles, names, rows);
}

template <typename View, typename Rig> QByteArrayList exported(View &view, Rig &rig, const QString &name)
{
    return exportedTo(view, rig.requests, rig.folder.path(), name);
}

} // namespace lockkeeper::tests
