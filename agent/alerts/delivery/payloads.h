// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/delivery/alert_text.h"

#include <QJsonObject>

namespace lockkeeper::agent::alerts {

/**
 * The bodies of HTTP receivers. Pure functions. Names from stores are untrusted; every result is valid JSON
 * in UTF-8.
 */

/** An alert as webhooks and commands get it: the fields of PROTOCOL.md by their names, null where there is
 * no value, and a ready `text`. */
QJsonObject alertJson(const DueNotice &notice, const SendContext &context);
QByteArray webhookBody(const DueNotice &notice, const SendContext &context);
/** The value of X-Lockkeeper-Signature: "sha256=" and the hex HMAC-SHA-256 of the body. */
QByteArray webhookSignature(const QByteArray &body, const QByteArray &secret);

/**
 * The body of `POST /api/v2/alerts`
 * (https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml). An active alert has no end:
 * Alertmanager ends it after its `resolve_timeout` unless the alert is repeated. An alert that was over
 * before it could be delivered is sent as active for two minutes, because Alertmanager notifies nobody of an
 * alert that arrives as resolved.
 */
QByteArray alertmanagerBody(const QList<DueNotice> &notices, const SendContext &context);

/**
 * The bodies of the requests for one alert, in their order (PagerDuty Events API v2). An alert that was over
 * before it could be delivered needs two: PagerDuty ignores the end of an unknown incident.
 */
QList<QByteArray> pagerDutyBodies(const DueNotice &notice, const SendContext &context,
                                  const QByteArray &routingKey);

/** RFC 3339 in UTC with milliseconds, as all of them read it. */
QString wallTime(qint64 us);

} // namespace lockkeeper::agent::alerts
