// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/payloads.h"

#include "shared/base/text.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMessageAuthenticationCode>

namespace lockkeeper::agent::alerts {

using domain::Alert;
using domain::AlertSeverity;

namespace {

/** So long an alert that is over stays active at Alertmanager: longer than its usual group_wait of 30 s. */
constexpr qint64 kShownUs = 120 * base::kSecondUs;
constexpr qsizetype kLongestSummary = 1'000; ///< PagerDuty: 1,024 characters

QJsonValue orNull(const std::optional<qint64> &value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonValue orNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(text);
}

QString named(QByteArrayView name)
{
    return QString::fromLatin1(name);
}

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QString plainText(const DueNotice &notice, const SendContext &context)
{
    return alertText(notice, context, TextStyle::Plain).lines.join(QLatin1Char('\n'));
}

/** Alertmanager identifies an alert by its labels. None of them changes while it lasts, nor when another
 * agent takes over: only alerts about the agent have its name. */
QJsonObject labelsOf(const Alert &alert, const SendContext &context)
{
    QJsonObject labels{{QStringLiteral("alertname"), base::displayText(alert.rule)},
                       {QStringLiteral("severity"), named(domain::alertSeverityName(alert.severity))},
                       {QStringLiteral("condition"), named(domain::alertConditionName(alert.condition))},
                       {QStringLiteral("alert_id"), named(alert.id)}};
    if (alert.source.isEmpty())
        labels.insert(QStringLiteral("agent"), base::displayText(context.agent));
    else
        labels.insert(QStringLiteral("source"), base::displayText(alert.source));
    if (alert.isOfLock()) {
        labels.insert(QStringLiteral("lock"), shownName(alert.lock.name));
        if (!alert.lock.place.isEmpty())
            labels.insert(QStringLiteral("place"), shownName(alert.lock.place));
    }
    return labels;
}

QJsonObject alertmanagerAlert(const DueNotice &notice, const SendContext &context)
{
    const Alert &alert = notice.alert;
    const QString link = QStringLiteral("lockkeeper:///%1/alerts/%2")
                             .arg(QString::fromLatin1(context.agent.toUtf8().toPercentEncoding()),
                                  QString::fromLatin1(alert.id.toPercentEncoding()));
    QJsonObject json{
        {QStringLiteral("labels"), labelsOf(alert, context)},
        {QStringLiteral("annotations"),
         QJsonObject{{QStringLiteral("summary"), alertText(notice, context, TextStyle::Plain).headline},
                     {QStringLiteral("description"), plainText(notice, context)}}},
        {QStringLiteral("startsAt"), wallTime(alert.firedUs)},
        {QStringLiteral("generatorURL"), link}};
    if (alert.isResolved())
        json.insert(QStringLiteral("endsAt"),
                    wallTime(notice.firingDelivered ? *alert.resolvedUs : context.nowUs + kShownUs));
    return json;
}

QString pagerDutySeverity(AlertSeverity severity)
{
    return named(domain::alertSeverityName(severity)); // "info", "warning" and "critical" are theirs too
}

QJsonObject pagerDutyEvent(const QByteArray &routingKey, const Alert &alert, const char *action)
{
    return {{QStringLiteral("routing_key"), QString::fromUtf8(routingKey)},
            {QStringLiteral("dedup_key"), named(alert.id)},
            {QStringLiteral("event_action"), QLatin1String(action)}};
}

QJsonObject pagerDutyPayload(const DueNotice &notice, const SendContext &context)
{
    const Alert &alert = notice.alert;
    // Nobody has to be woken for an alert that is over.
    const bool isOver = alert.isResolved();
    QJsonObject payload{
        {QStringLiteral("summary"),
         alertText(notice, context, TextStyle::Plain).headline.left(kLongestSummary)},
        {QStringLiteral("source"), base::displayText(context.agent)},
        {QStringLiteral("severity"), pagerDutySeverity(isOver ? AlertSeverity::Info : alert.severity)},
        {QStringLiteral("timestamp"), wallTime(alert.firedUs)},
        {QStringLiteral("class"), named(domain::alertConditionName(alert.condition))},
        {QStringLiteral("custom_details"), alertJson(notice, context)}};
    if (!alert.source.isEmpty())
        payload.insert(QStringLiteral("group"), base::displayText(alert.source));
    if (alert.isOfLock())
        payload.insert(QStringLiteral("component"), shownName(alert.lock.name));
    return payload;
}

} // namespace

QString wallTime(qint64 us)
{
    return QDateTime::fromMSecsSinceEpoch(us / 1'000, Qt::UTC).toString(Qt::ISODateWithMs);
}

QJsonObject alertJson(const DueNotice &notice, const SendContext &context)
{
    const Alert &alert = notice.alert;
    QJsonObject json{
        {QStringLiteral("id"), named(alert.id)},
        {QStringLiteral("agent"), context.agent},
        {QStringLiteral("phase"), named(domain::alertPhaseName(domain::alertPhase(alert, context.nowUs)))},
        {QStringLiteral("firing_delivered"), notice.firingDelivered},
        {QStringLiteral("rule"), alert.rule},
        {QStringLiteral("condition"), named(domain::alertConditionName(alert.condition))},
        {QStringLiteral("severity"), named(domain::alertSeverityName(alert.severity))},
        {QStringLiteral("source"), orNull(alert.source)},
        {QStringLiteral("scheme"), orNull(named(alert.lock.scheme))},
        {QStringLiteral("place"), orNull(base::textOf(alert.lock.place))},
        {QStringLiteral("lock"), orNull(base::textOf(alert.lock.name))},
        {QStringLiteral("holder"), orNull(base::textOf(alert.holder))},
        {QStringLiteral("since_us"), alert.sinceUs},
        {QStringLiteral("fired_us"), alert.firedUs},
        {QStringLiteral("resolved_us"), orNull(alert.resolvedUs)},
        {QStringLiteral("value"), orNull(alert.value)},
        {QStringLiteral("threshold"), orNull(alert.threshold)},
        {QStringLiteral("repeats"), alert.repeats},
        {QStringLiteral("detail"), alert.detail}};
    json.insert(QStringLiteral("acknowledged_by"), orNull(alert.acknowledgedBy));
    json.insert(QStringLiteral("acknowledged_us"), orNull(alert.acknowledgedUs));
    json.insert(QStringLiteral("snoozed_by"), orNull(alert.snoozedBy));
    json.insert(QStringLiteral("snoozed_until_us"), orNull(alert.snoozedUntilUs));
    return json;
}

QByteArray webhookBody(const DueNotice &notice, const SendContext &context)
{
    QJsonObject json = alertJson(notice, context);
    const AlertText text = alertText(notice, context, TextStyle::Chat);
    json.insert(QStringLiteral("text"),
                QStringList(QStringList{text.headline} + text.lines).join(QLatin1Char('\n')));
    return compact(json);
}

QByteArray webhookSignature(const QByteArray &body, const QByteArray &secret)
{
    return "sha256=" + QMessageAuthenticationCode::hash(body, secret, QCryptographicHash::Sha256).toHex();
}

QByteArray alertmanagerBody(const QList<DueNotice> &notices, const SendContext &context)
{
    QJsonArray alerts;
    for (const DueNotice &notice : notices)
        alerts.append(alertmanagerAlert(notice, context));
    return QJsonDocument(alerts).toJson(QJsonDocument::Compact);
}

QList<QByteArray> pagerDutyBodies(const DueNotice &notice, const SendContext &context,
                                  const QByteArray &routingKey)
{
    const Alert &alert = notice.alert;
    const bool isTaken = domain::alertPhase(alert, context.nowUs) == domain::AlertPhase::Acknowledged;
    QList<QByteArray> bodies;
    if (!notice.firingDelivered || (!alert.isResolved() && !isTaken)) {
        QJsonObject trigger = pagerDutyEvent(routingKey, alert, "trigger");
        trigger.insert(QStringLiteral("payload"), pagerDutyPayload(notice, context));
        bodies.append(compact(trigger));
    }
    if (alert.isResolved())
        bodies.append(compact(pagerDutyEvent(routingKey, alert, "resolve")));
    else if (isTaken)
        bodies.append(compact(pagerDutyEvent(routingKey, alert, "acknowledge")));
    return bodies;
}

} // namespace lockkeeper::agent::alerts
