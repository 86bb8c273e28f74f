// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/csv_lines.h"

#include "shared/base/csv_field.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTimeZone>

namespace lockkeeper::app::records {

namespace {

QByteArray quoted(const QString &text)
{
    return base::csvField(text).toUtf8();
}

QByteArray cell(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Bool:
        return value.toBool() ? "true" : "false";
    case QJsonValue::Double: {
        const qint64 whole = value.toInteger();
        return double(whole) == value.toDouble() ? QByteArray::number(whole)
                                                 : QByteArray::number(value.toDouble());
    }
    case QJsonValue::String:
        return quoted(value.toString());
    case QJsonValue::Array:
        return quoted(QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact)));
    case QJsonValue::Object:
        return quoted(QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact)));
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        break;
    }
    return {};
}

/** Columns of moments. A spreadsheet keeps 15 digits of a number, and these have 16. */
bool isMoment(const QString &column)
{
    static const QStringList moments{QStringLiteral("t_us"),        QStringLiteral("observed_us"),
                                     QStringLiteral("acquired_us"), QStringLiteral("renewed_us"),
                                     QStringLiteral("expires_us"),  QStringLiteral("seen_us"),
                                     QStringLiteral("as_of_us")};
    return moments.contains(column);
}

/** RFC 3339, in UTC with microseconds. */
QByteArray momentText(const QJsonValue &us)
{
    if (!us.isDouble())
        return {};
    const qint64 moment = us.toInteger();
    const qint64 seconds = (moment - (moment < 0 ? 999'999 : 0)) / 1'000'000;
    return (QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::utc())
                .toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss")) +
            QStringLiteral(".%1Z").arg(moment - seconds * 1'000'000, 6, 10, QLatin1Char('0')))
        .toLatin1();
}

QStringList names(const char *list)
{
    return QString::fromLatin1(list).split(QLatin1Char(' '));
}

} // namespace

QByteArray csvHeader(const QStringList &columns)
{
    QStringList titles;
    for (const QString &column : columns)
        titles.append(isMoment(column) ? column.chopped(3) : column); // without "_us"
    QString line = titles.join(QLatin1Char(','));
    line.replace(QLatin1Char('.'), QLatin1Char('_'));
    return line.toUtf8() + "\r\n";
}

QByteArray csvRow(const QJsonObject &object, const QStringList &columns)
{
    QByteArray line;
    for (const QString &column : columns) {
        const QStringList path = column.split(QLatin1Char('.'));
        QJsonValue value = object.value(path.first());
        if (path.size() > 1)
            value = value.toObject().value(path.at(1));
        if (&column != &columns.first())
            line += ',';
        line += isMoment(column) ? momentText(value) : cell(value);
    }
    return line + "\r\n";
}

QStringList eventColumns()
{
    return names("seq agent source store scheme place lock event owner t_us window_us observed_us ttl_ms "
                 "expires_us waiter command detail");
}

QStringList lockColumns(bool past)
{
    QStringList columns =
        names("agent source store scheme place lock state owner token acquired_us window_us renewed_us "
              "expires_us ttl_ms waiters waiters_visible longest_wait_us depth fencing alive.verdict "
              "alive.evidence release.possible release.safety release.why guard seen_us");
    if (past)
        columns += names("as_of_us may_have_changed");
    return columns;
}

} // namespace lockkeeper::app::records
