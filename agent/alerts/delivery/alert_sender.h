// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/delivery/alert_text.h"
#include "shared/base/interrupt.h"
#include "shared/base/result.h"

#include <memory>

namespace lockkeeper::agent::alerts {

/** The result of one attempt. */
struct SendOutcome
{
    enum class SendResult : quint8 {
        Delivered = 0,
        Retry,    ///< the receiver may accept it later
        Rejected, ///< the receiver never accepts this message
    };

    SendResult result = SendResult::Delivered;
    base::Error error;                  ///< unless it was delivered
    std::optional<qint64> retryAfterUs; ///< the receiver asked for this delay
};

/** Sends messages to one receiver. A call blocks its thread, at most until the interrupt is raised. */
class AlertSender
{
public:
    virtual ~AlertSender() = default;
    /** At most sendBatch() notices. */
    virtual SendOutcome send(const QList<DueNotice> &notices, const SendContext &context) = 0;
};

/** `interrupt` must outlive the sender. */
std::unique_ptr<AlertSender> makeSender(const config::ReceiverSettings &receiver,
                                        const base::Interrupt &interrupt);

/** The most notices for one call of send(). */
int sendBatch(const config::ReceiverSettings &receiver);
/** Alertmanager wants active alerts again at this interval. Empty: the receiver remembers them. */
std::optional<qint64> repeatIntervalUs(const config::ReceiverSettings &receiver);

} // namespace lockkeeper::agent::alerts
