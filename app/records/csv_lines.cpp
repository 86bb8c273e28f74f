// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/csv_lines.h"

#include "app/records/records.h"
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

QStringList names(const char *list)
{
    return QString::fromLatin1(list).split(QLatin1Char(' '));
}

/** Columns of moments. A spreadsheet keeps 15 digits of a number, and these have 16. */
bool isMoment(const QString &column)
{
    static const QStringList moments =
        names("t_us observed_us acquired_us renewed_us expires_us seen_us as_of_us from_us to_us outcome_us "
              "since_us last_seen_us gap_since_us retry_us transaction_since_us idle_since_us "
              "waiting_since_us began_us");
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

QByteArray FileFormat::header() const
{
    return kind == Syntax::Csv ? csvHeader(columns) : QByteArray();
}

QByteArray FileFormat::line(const QJsonObject &record) const
{
    return kind == Syntax::Csv ? csvRow(record, columns) : jsonLine(record);
}

QStringList eventColumns()
{
    return names("seq agent source store scheme place lock event owner t_us window_us observed_us ttl_ms "
                 "expires_us waiter command detail");
}

QStringList holdColumns()
{
    return names("agent source scheme place lock owner from_us from_window_us start_seen to_us to_window_us "
                 "end may_be renewals longest_renewal_gap_us waited_us wait_seen by role reason command");
}

QStringList auditColumns()
{
    return names("id t_us agent who role act source scheme place lock holder outcome outcome_us reason "
                 "because approver guard detail command intact");
}

QStringList sourceColumns()
{
    return names("agent name store address link since_us last_seen_us lag_us gap_since_us retry_us mode "
                 "poll_ms pass_us clock_offset_us clock_uncertainty_us server instance counts.total "
                 "counts.held counts.free counts.expired counts.stuck counts.contended schemes access "
                 "findings error.code error.cause error.remedy");
}

QStringList chainColumns(bool past)
{
    QStringList columns = names(
        "agent source depth session user client program transaction transaction_since_us idle_since_us "
        "statement statement_cut waits_for.scheme waits_for.place waits_for.lock waiting_since_us blocked_by "
        "also_blocked_by blocks_directly blocks_all waiting_caused_us deadlock whole_tables rows_locked "
        "rows_changed protected_as began_us t_us evidence truncated");
    if (past)
        columns.append(QStringLiteral("as_of_us"));
    return columns;
}

QStringList contentionColumns()
{
    return names(
        "agent source scheme place lock waiter locks from_us to_us acquisitions waiters_visible waits "
        "wait_total_us wait_p50_us wait_p95_us wait_max_us hold_p50_us hold_p95_us hold_max_us "
        "takeovers expiries forced observed_share handovers handover_p50_low_us "
        "handover_p50_high_us handover_p95_low_us handover_p95_high_us held_share_low "
        "held_share_high changes_per_minute");
}

QStringList blockerColumns()
{
    return names("agent source holder statement from_us to_us waits wait_total_us wait_max_us waiters locks "
                 "observed_share unattributed_us");
}

QStringList adviceColumns()
{
    return names(
        "agent code confidence source scheme place lock other_place other_lock holder statement figures "
        "ttl_us from_us to_us observed_share");
}

} // namespace lockkeeper::app::records
