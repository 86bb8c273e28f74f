// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/storage/outbox.h"

#include "shared/base/random_id.h"
#include "shared/protocol/codec.h"

#include <QLoggingCategory>

#include <algorithm>

Q_LOGGING_CATEGORY(lcOutbox, "lockkeeper.alerts")

namespace lockkeeper::agent::alerts {

using domain::Alert;
using journal::SqliteStatement;

namespace {

/** Pages in the write-ahead log above which they are copied into the database: SQLite's own default. */
constexpr qint64 kLongLog = 1'000;
constexpr qint64 kKeepRejectedUs = 24 * base::kHourUs;
/** No back-off is longer. A time further ahead comes from a clock that was set back since. */
constexpr qint64 kFarthestUs = 600 * base::kSecondUs;
/** Merged at a time, because each merge sorts the receiver's rows. */
constexpr qint64 kMergedAtOnce = kMostUndelivered / 20;

Alert summaryOf(const QList<Alert> &alerts)
{
    Alert summary;
    summary.id = "undelivered-" + base::randomId(8);
    summary.rule = kSummaryRule;
    summary.condition = domain::AlertCondition::ReceiverFailing;
    summary.severity = domain::AlertSeverity::Info;
    summary.firedUs = summary.sinceUs = alerts.first().firedUs;
    summary.resolvedUs = 0;
    summary.value = 0;
    for (const Alert &alert : alerts) {
        summary.severity = std::max(summary.severity, alert.severity);
        summary.firedUs = summary.sinceUs = std::min(summary.firedUs, alert.firedUs);
        summary.resolvedUs = std::max(*summary.resolvedUs, alert.resolvedUs.value_or(alert.firedUs));
        *summary.value += alert.rule == kSummaryRule ? alert.value.value_or(0) : 1;
    }
    summary.detail.insert(QStringLiteral("count"), *summary.value);
    return summary;
}

} // namespace

QByteArray packAlert(const Alert &alert)
{
    return protocol::encode(protocol::AlertChanged{alert});
}

base::Result<Alert> unpackAlert(const QByteArray &bytes)
{
    const auto message = protocol::decode(bytes);
    if (!message)
        return tl::unexpected(message.error());
    const auto *changed = std::get_if<protocol::AlertChanged>(&*message);
    if (changed == nullptr)
        return base::failure(base::ErrorCode::Corrupt, QStringLiteral("a stored alert is no alert"));
    return changed->alert;
}

template <typename Work> base::Result<void> Outbox::write(const Work &work)
{
    if (!m_connection.transact(work))
        return tl::unexpected(m_connection.error());
    copyLongLog();
    return {};
}

void Outbox::copyLongLog()
{
    if (m_connection.walPages() > kLongLog)
        m_connection.checkpoint();
}

base::Result<QList<DueNotice>> Outbox::due(const QString &receiver, qint64 nowUs, int limit)
{
    SqliteStatement &rows = m_connection.statement("notice_due");
    rows.bindBytes(receiver.toUtf8()).bind(nowUs).bind(nowUs + kFarthestUs).bind(qint64(limit));
    if (!m_connection.run(rows))
        return tl::unexpected(m_connection.error());
    QList<DueNotice> notices;
    QList<qint64> damaged;
    while (rows.next()) {
        DueNotice notice{rows.integer(0), rows.integer(1), {}, rows.integer(2) != 0, rows.integer(3)};
        auto alert = unpackAlert(rows.bytes(4));
        if (!alert) {
            qCCritical(lcOutbox).noquote()
                << "a notice for" << receiver << "can't be read and is dropped:" << alert.error().line();
            damaged.append(notice.id);
            continue;
        }
        notice.alert = *std::move(alert);
        notices.append(std::move(notice));
    }
    if (!m_connection.endReading())
        return tl::unexpected(m_connection.error());
    const auto drop = [this](qint64 id) {
        return m_connection.run(m_connection.statement("notice_delete").bind(id));
    };
    if (!std::all_of(damaged.cbegin(), damaged.cend(), drop))
        return tl::unexpected(m_connection.error());
    return notices;
}

base::Result<std::optional<qint64>> Outbox::nextDueUs(const QString &receiver)
{
    return m_connection.firstNumber(m_connection.statement("notice_next").bindBytes(receiver.toUtf8()))
        .map([this](std::optional<qint64> dueUs) {
            if (dueUs && *dueUs > m_clock.wallUs() + kFarthestUs)
                dueUs = m_clock.wallUs();
            return dueUs;
        });
}

base::Result<void> Outbox::delivered(const QString &receiver, const QList<DueNotice> &notices, qint64 nowUs,
                                     std::optional<qint64> repeatUs)
{
    return write([&] {
        for (const DueNotice &notice : notices) {
            if (notice.alert.isResolved()) {
                SqliteStatement &finish = m_connection.statement("notice_finish");
                if (!m_connection.run(finish.bind(notice.id).bind(notice.revision)))
                    return false;
                if (finish.affected() > 0)
                    continue;
            }
            // An alert that fired again while its end was sent is a firing that wasn't delivered.
            SqliteStatement &keep = m_connection.statement("notice_delivered");
            keep.bind(notice.id).bind(notice.revision).bind(qint64(!notice.alert.isResolved()));
            if (!m_connection.run(keep.bind(repeatUs)))
                return false;
        }
        return m_connection.run(
            m_connection.statement("receiver_delivered").bindBytes(receiver.toUtf8()).bind(nowUs));
    });
}

base::Result<void> Outbox::failed(const QList<DueNotice> &notices, qint64 notBeforeUs,
                                  const base::Error &error)
{
    return write([&] {
        return std::all_of(notices.cbegin(), notices.cend(), [&](const DueNotice &notice) {
            SqliteStatement &fail = m_connection.statement("notice_failed");
            fail.bind(notice.id).bind(notice.revision).bind(notBeforeUs).bindBytes(error.line().toUtf8());
            return m_connection.run(fail);
        });
    });
}

base::Result<void> Outbox::rejected(const QList<DueNotice> &notices, const base::Error &error)
{
    return write([&] {
        return std::all_of(notices.cbegin(), notices.cend(), [&](const DueNotice &notice) {
            SqliteStatement &reject = m_connection.statement("notice_rejected");
            reject.bind(notice.id).bind(notice.revision).bindBytes(error.line().toUtf8());
            return m_connection.run(reject);
        });
    });
}

base::Result<void> Outbox::requeue(const QString &receiver)
{
    return write([&] {
        return m_connection.run(
            m_connection.statement("notice_requeue").bindBytes(receiver.toUtf8()).bind(m_clock.wallUs()));
    });
}

base::Result<qint64> Outbox::retain(const QSet<QString> &receivers)
{
    QList<QByteArray> gone;
    SqliteStatement &names = m_connection.statement("receiver_names");
    for (bool any = m_connection.run(names) && names.next(); any; any = names.next()) {
        if (!receivers.contains(QString::fromUtf8(names.bytes(0))))
            gone.append(names.bytes(0));
    }
    qint64 lost = 0;
    const auto forget = [&](const QByteArray &name) {
        const auto undelivered =
            m_connection.firstNumber(m_connection.statement("notice_undelivered").bindBytes(name));
        lost += undelivered ? undelivered->value_or(0) : 0;
        return undelivered &&
               m_connection.run(m_connection.statement("receiver_forget_notices").bindBytes(name)) &&
               m_connection.run(m_connection.statement("receiver_forget").bindBytes(name));
    };
    return write([&] { return std::all_of(gone.cbegin(), gone.cend(), forget); }).map([&] { return lost; });
}

base::Result<QHash<QString, ReceiverBacklog>> Outbox::backlogs()
{
    SqliteStatement &rows = m_connection.statement("receiver_backlogs");
    if (!m_connection.run(rows))
        return tl::unexpected(m_connection.error());
    QHash<QString, ReceiverBacklog> backlogs;
    while (rows.next())
        backlogs.insert(QString::fromUtf8(rows.bytes(0)), {rows.integer(1), rows.optionalInteger(2)});
    if (!m_connection.endReading())
        return tl::unexpected(m_connection.error());
    return backlogs;
}

bool Outbox::add(const QList<Notice> &notices)
{
    const qint64 nowUs = m_clock.wallUs();
    QSet<QByteArray> receivers;
    for (const Notice &notice : notices) {
        const QByteArray receiver = notice.receiver.toUtf8();
        SqliteStatement &insert = m_connection.statement("notice_add");
        if (!m_connection.run(insert.bindBytes(receiver).bindBytes(notice.alert).bind(nowUs)))
            return false;
        receivers.insert(receiver);
    }
    return std::all_of(receivers.cbegin(), receivers.cend(),
                       [this](const QByteArray &receiver) { return mergeOldest(receiver); });
}

bool Outbox::expire()
{
    SqliteStatement &expired = m_connection.statement("notice_expire");
    return m_connection.run(expired.bind(m_clock.wallUs() - kKeepRejectedUs));
}

bool Outbox::mergeOldest(const QByteArray &receiver)
{
    const auto count =
        m_connection.firstNumber(m_connection.statement("notice_undelivered").bindBytes(receiver));
    if (!count || count->value_or(0) <= kMostUndelivered)
        return count.has_value();
    SqliteStatement &rows = m_connection.statement("notice_oldest");
    rows.bindBytes(receiver).bind(**count - kMostUndelivered + kMergedAtOnce);
    QList<qint64> ids;
    QList<Alert> alerts;
    for (bool any = m_connection.run(rows) && rows.next(); any; any = rows.next()) {
        ids.append(rows.integer(0));
        if (auto alert = unpackAlert(rows.bytes(1)))
            alerts.append(*std::move(alert));
    }
    const auto drop = [this](qint64 id) {
        return m_connection.run(m_connection.statement("notice_delete").bind(id));
    };
    if (alerts.isEmpty() || !std::all_of(ids.cbegin(), ids.cend(), drop))
        return alerts.isEmpty();
    qCWarning(lcOutbox).noquote() << alerts.size() << "undelivered alerts for" << receiver
                                  << "are merged into one message";
    return saveSummary(receiver, summaryOf(alerts));
}

bool Outbox::saveSummary(const QByteArray &receiver, const Alert &merged)
{
    SqliteStatement &found = m_connection.statement("summary_find");
    if (!m_connection.run(found.bindBytes(receiver)))
        return false;
    if (!found.next()) {
        SqliteStatement &insert = m_connection.statement("summary_add");
        insert.bindBytes(receiver).bindBytes(merged.id).bind(m_clock.wallUs());
        return m_connection.run(insert.bindBytes(packAlert(merged)));
    }
    const qint64 id = found.integer(0);
    auto earlier = unpackAlert(found.bytes(1));
    found.finish();
    Alert summary = earlier ? summaryOf({*earlier, merged}) : merged;
    if (earlier)
        summary.id = earlier->id;
    SqliteStatement &update = m_connection.statement("summary_update");
    return m_connection.run(update.bind(id).bindBytes(packAlert(summary)));
}

} // namespace lockkeeper::agent::alerts
