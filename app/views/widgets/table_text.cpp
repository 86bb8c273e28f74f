// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/table_text.h"

#include "app/words/time_format.h"
#include "shared/base/clock.h"
#include "shared/base/csv_field.h"
#include "shared/base/text.h"

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

QString toTsv(const QList<QStringList> &rows)
{
    QString text;
    for (const QStringList &row : rows) {
        QStringList fields;
        fields.reserve(row.size());
        for (QString field : row) {
            for (const char16_t blank : {u'\t', u'\n', u'\r'})
                field.replace(QChar(blank), QLatin1Char(' '));
            field = base::displayText(field); // a copy may be pasted into a terminal
            if (base::isFormula(field))
                field.prepend(QLatin1Char('\''));
            fields.append(field);
        }
        text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

} // namespace lockkeeper::app::views
