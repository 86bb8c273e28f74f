// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/alert.h"

#include <QStringList>
#include <QUrl>

#include <variant>

namespace lockkeeper::agent::config {

/** How the agent reaches a receiver by HTTP or SMTP. Secrets are resolved here: never log them. */
struct ReceiverAccess
{
    QUrl url;            ///< without user information; that of a webhook may be a secret
    QString user;        ///< empty: no login
    QByteArray password; ///< of `user`
    QByteArray token;    ///< a bearer token instead of user and password; empty: none
    QString ca;          ///< file with the authorities that sign its certificate; empty: the system's
    QUrl proxy;          ///< empty: none, whatever the environment says
    bool operator==(const ReceiverAccess &) const = default;
};

/** `access.url` is the base address: "http://127.0.0.1:9093". */
struct AlertmanagerReceiver
{
    ReceiverAccess access;
    bool operator==(const AlertmanagerReceiver &) const = default;
};

struct PagerDutyReceiver
{
    ReceiverAccess access;
    QByteArray routingKey; ///< secret
    bool operator==(const PagerDutyReceiver &) const = default;
};

struct WebhookReceiver
{
    ReceiverAccess access;
    QByteArray secret; ///< signs each body; empty: no signature
    bool operator==(const WebhookReceiver &) const = default;
};

/** `access.url` is smtp://HOST:PORT or smtps://HOST:PORT. */
struct EmailReceiver
{
    ReceiverAccess access;
    bool startTls = true; ///< required with smtp://
    QString from;
    QStringList to;
    bool operator==(const EmailReceiver &) const = default;
};

struct CommandReceiver
{
    QStringList command; ///< the program's absolute path and its arguments
    bool operator==(const CommandReceiver &) const = default;
};

enum class AlertLanguage : quint8 { English = 0, Chinese };

/** One [[receiver]]: where alerts are sent. */
struct ReceiverSettings
{
    using Target = std::variant<AlertmanagerReceiver, PagerDutyReceiver, WebhookReceiver, EmailReceiver,
                                CommandReceiver>;

    QString name;
    domain::AlertSeverity minSeverity = domain::AlertSeverity::Info;
    AlertLanguage language = AlertLanguage::English; ///< of ready texts
    Target target;
    bool operator==(const ReceiverSettings &) const = default;
};

/** As written in the file: "alertmanager", "pagerduty", "webhook", "email", "command". */
QByteArray receiverType(const ReceiverSettings &receiver);

} // namespace lockkeeper::agent::config
