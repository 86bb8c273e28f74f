// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/alert_sender.h"

#include "agent/alerts/delivery/command_run.h"
#include "agent/alerts/delivery/curl_client.h"
#include "agent/alerts/delivery/mail_message.h"
#include "agent/alerts/delivery/payloads.h"
#include "shared/base/text.h"

#include <QJsonDocument>
#include <QLoggingCategory>

Q_LOGGING_CATEGORY(lcAlertSender, "lockkeeper.alerts")

namespace lockkeeper::agent::alerts {

using base::ErrorCode;
using SendResult = SendOutcome::SendResult;

namespace {

constexpr int kAlertmanagerBatch = 64;
constexpr qint64 kAlertmanagerRepeatUs = 60 * base::kSecondUs;
constexpr qsizetype kShownReply = 200;

/** The beginning of a reply, for the cause of an error. */
QString shownReply(const QByteArray &body)
{
    const QString shown = base::displayText(body.left(kShownReply).simplified());
    return shown.isEmpty() ? shown : QLatin1String(": ") + shown;
}

SendOutcome outcomeOfHttp(const base::Result<TransferReply> &reply)
{
    if (!reply)
        return {SendResult::Retry, reply.error(), {}};
    const int status = reply->status;
    if (status >= 200 && status < 300)
        return {};
    base::Error error{ErrorCode::Protocol,
                      QStringLiteral("the receiver answered %1%2").arg(status).arg(shownReply(reply->body)),
                      {}};
    if (status >= 300 && status < 400)
        error.remedy = QStringLiteral("It redirects, which the agent doesn't follow: write the new address");
    if (status == 401 || status == 403)
        error.code = ErrorCode::Authentication;
    const bool isFinal = status >= 400 && status < 500 && status != 408 && status != 425 && status != 429;
    return {isFinal ? SendResult::Rejected : SendResult::Retry, error, reply->retryAfterUs};
}

class AlertmanagerSender final : public AlertSender
{
public:
    AlertmanagerSender(config::AlertmanagerReceiver receiver, const base::Interrupt &interrupt)
        : m_receiver(std::move(receiver)), m_client(interrupt), m_url(m_receiver.access.url)
    {
        QString path = m_url.path();
        while (path.endsWith(QLatin1Char('/')))
            path.chop(1);
        m_url.setPath(path + QLatin1String("/api/v2/alerts"));
    }
    SendOutcome send(const QList<DueNotice> &notices, const SendContext &context) override
    {
        return outcomeOfHttp(m_client.post(m_receiver.access, m_url, {"Content-Type: application/json"},
                                           alertmanagerBody(notices, context)));
    }

private:
    const config::AlertmanagerReceiver m_receiver;
    CurlClient m_client;
    QUrl m_url;
};

class PagerDutySender final : public AlertSender
{
public:
    PagerDutySender(config::PagerDutyReceiver receiver, const base::Interrupt &interrupt)
        : m_receiver(std::move(receiver)), m_client(interrupt)
    {
    }
    SendOutcome send(const QList<DueNotice> &notices, const SendContext &context) override
    {
        for (const DueNotice &notice : notices) {
            for (const QByteArray &body : pagerDutyBodies(notice, context, m_receiver.routingKey)) {
                const SendOutcome outcome = outcomeOfHttp(m_client.post(
                    m_receiver.access, m_receiver.access.url, {"Content-Type: application/json"}, body));
                if (outcome.result != SendResult::Delivered)
                    return outcome;
            }
        }
        return {};
    }

private:
    const config::PagerDutyReceiver m_receiver;
    CurlClient m_client;
};

class WebhookSender final : public AlertSender
{
public:
    WebhookSender(config::WebhookReceiver receiver, const base::Interrupt &interrupt)
        : m_receiver(std::move(receiver)), m_client(interrupt)
    {
    }
    SendOutcome send(const QList<DueNotice> &notices, const SendContext &context) override
    {
        for (const DueNotice &notice : notices) {
            const QByteArray body = webhookBody(notice, context);
            QByteArrayList headers{"Content-Type: application/json"};
            if (!m_receiver.secret.isEmpty())
                headers.append("X-Lockkeeper-Signature: " + webhookSignature(body, m_receiver.secret));
            const SendOutcome outcome =
                outcomeOfHttp(m_client.post(m_receiver.access, m_receiver.access.url, headers, body));
            if (outcome.result != SendResult::Delivered)
                return outcome;
        }
        return {};
    }

private:
    const config::WebhookReceiver m_receiver;
    CurlClient m_client;
};

class EmailSender final : public AlertSender
{
public:
    EmailSender(config::EmailReceiver receiver, const base::Interrupt &interrupt)
        : m_receiver(std::move(receiver)), m_client(interrupt)
    {
    }
    SendOutcome send(const QList<DueNotice> &notices, const SendContext &context) override
    {
        for (const DueNotice &notice : notices) {
            const auto reply = m_client.mail(m_receiver, mailMessage(notice, context, m_receiver));
            if (!reply)
                return {SendResult::Retry, reply.error(), {}};
            const QString refusals = base::displayText(reply->refusals.join("; "));
            if (reply->status >= 400) {
                const base::Error error{
                    ErrorCode::Protocol,
                    QStringLiteral("the mail server answered %1: %2").arg(reply->status).arg(refusals),
                    {}};
                return {reply->status >= 500 ? SendResult::Rejected : SendResult::Retry, error, {}};
            }
            if (!refusals.isEmpty())
                qCWarning(lcAlertSender).noquote() << "the mail server refused a recipient:" << refusals;
        }
        return {};
    }

private:
    const config::EmailReceiver m_receiver;
    CurlClient m_client;
};

class CommandSender final : public AlertSender
{
public:
    CommandSender(config::CommandReceiver receiver, const base::Interrupt &interrupt)
        : m_receiver(std::move(receiver)), m_interrupt(interrupt)
    {
    }
    SendOutcome send(const QList<DueNotice> &notices, const SendContext &context) override
    {
        for (const DueNotice &notice : notices) {
            const auto done = runCommand(m_receiver.command, commandEnvironment(notice, context),
                                         webhookBody(notice, context), m_interrupt);
            if (!done)
                return {SendResult::Retry, done.error(), {}};
        }
        return {};
    }

private:
    const config::CommandReceiver m_receiver;
    const base::Interrupt &m_interrupt;
};

/** Makes the sender for each type. */
struct SenderMaker
{
    const base::Interrupt &interrupt;

    using Made = std::unique_ptr<AlertSender>;
    Made operator()(const config::AlertmanagerReceiver &receiver) const
    {
        return std::make_unique<AlertmanagerSender>(receiver, interrupt);
    }
    Made operator()(const config::PagerDutyReceiver &receiver) const
    {
        return std::make_unique<PagerDutySender>(receiver, interrupt);
    }
    Made operator()(const config::WebhookReceiver &receiver) const
    {
        return std::make_unique<WebhookSender>(receiver, interrupt);
    }
    Made operator()(const config::EmailReceiver &receiver) const
    {
        return std::make_unique<EmailSender>(receiver, interrupt);
    }
    Made operator()(const config::CommandReceiver &receiver) const
    {
        return std::make_unique<CommandSender>(receiver, interrupt);
    }
};

bool isAlertmanager(const config::ReceiverSettings &receiver)
{
    return std::holds_alternative<config::AlertmanagerReceiver>(receiver.target);
}

} // namespace

std::unique_ptr<AlertSender> makeSender(const config::ReceiverSettings &receiver,
                                        const base::Interrupt &interrupt)
{
    return std::visit(SenderMaker{interrupt}, receiver.target);
}

int sendBatch(const config::ReceiverSettings &receiver)
{
    return isAlertmanager(receiver) ? kAlertmanagerBatch : 1;
}

std::optional<qint64> repeatIntervalUs(const config::ReceiverSettings &receiver)
{
    return isAlertmanager(receiver) ? std::optional(kAlertmanagerRepeatUs) : std::nullopt;
}

} // namespace lockkeeper::agent::alerts
