// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/table_text.h"

#include "app/presentation/time_format.h"
#include "shared/base/clock.h"

#include <QCoreApplication>

namespace lockkeeper::app::views {

void prependAsOf(QList<QStringList> &rows, const ConsoleContext &context)
{
    if (!context.past)
        return;
    const qint64 us = context.clock->wallUs();
    for (qsizetype row = 0; row < rows.size(); ++row)
        rows[row].prepend(row == 0 ? QCoreApplication::translate("lockkeeper::app::views::View", "As of (%1)",
                                                                 "a past moment, its time zone")
                                         .arg(context.times->zoneText(us))
                                   : context.times->dateTime(us));
}

namespace {

bool isEvaluated(const QString &field)
{
    if (field.isEmpty() || !QStringView(u"=+-@\t\r").contains(field.front()))
        return false;
    bool number = false;
    field.toDouble(&number);
    return !number;
}

QString csvField(QString field)
{
    if (isEvaluated(field))
        field.prepend(QLatin1Char('\''));
    const bool quoted = field.contains(QLatin1Char('"')) || field.contains(QLatin1Char(',')) ||
                        field.contains(QLatin1Char('\n')) || field.contains(QLatin1Char('\r')) ||
                        field.startsWith(QLatin1Char(' ')) || field.endsWith(QLatin1Char(' '));
    if (!quoted)
        return field;
    field.replace(QLatin1String("\""), QLatin1String("\"\""));
    return QLatin1Char('"') + field + QLatin1Char('"');
}

} // namespace

QByteArray toCsv(const QList<QStringList> &rows)
{
    QString text;
    for (const QStringList &row : rows) {
        QStringList fields;
        fields.reserve(row.size());
        for (const QString &field : row)
            fields.append(csvField(field));
        text += fields.join(QLatin1Char(',')) + QLatin1String("\r\n");
    }
    return text.toUtf8();
}

QString toTsv(const QList<QStringList> &rows)
{
    QString text;
    for (const QStringList &row : rows) {
        QStringList fields;
        fields.reserve(row.size());
        for (QString field : row) {
            for (const char16_t blank : {u'\t', u'\n', u'\r'})
                field.replace(QChar(blank), QLatin1Char(' '));
            if (isEvaluated(field))
                field.prepend(QLatin1Char('\''));
            fields.append(field);
        }
        text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

} // namespace lockkeeper::app::views
