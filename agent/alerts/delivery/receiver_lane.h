// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/delivery/sender_thread.h"
#include "shared/protocol/messages.h"

#include <QHash>
#include <QTimer>

#include <functional>

namespace lockkeeper::agent::alerts {

/**
 * Sends what one receiver must get: takes the notices that are due from the outbox, has its thread send them,
 * and records the result. After a failure it waits, longer each time, and tries what has waited longest. A
 * receiver that refuses a message gets the next one. Lives in the thread of the outbox.
 */
class ReceiverLane : public QObject
{
    Q_OBJECT

public:
    using TestDone = std::function<void(base::Result<void>)>;

    /** `outbox` and `clock` must outlive the lane. Sends nothing before setActive(). */
    ReceiverLane(config::ReceiverSettings receiver, QString agent, Outbox &outbox, const base::Clock &clock,
                 QObject *parent = nullptr);
    /** Tests under way fail with Shutdown. */
    ~ReceiverLane() override;

    const config::ReceiverSettings &settings() const { return m_receiver; }
    void setActive(bool active);
    /** Sends what is due, unless the lane waits after a failure. */
    void wake();
    /** Calls `done` later. A lane that ends calls it at once, with Shutdown. */
    void test(TestDone done);
    /** As clients see it; the backlog comes from the outbox. */
    protocol::AlertReceiver state(const ReceiverBacklog &backlog) const;

    /** Interrupts the attempt under way. The destructor waits until `deadline` for its end. */
    void stop(QDeadlineTimer deadline);

Q_SIGNALS:
    /** Once for each time that it begins to fail. Connect them queued: a slot may wake or remove the lane. */
    void failing(const QString &name, const lockkeeper::base::Error &error);
    void recovered(const QString &name);

private:
    void finish(quint64 ticket, const SendOutcome &outcome);
    void handle(const SendOutcome &outcome);
    bool record();
    void fail(const base::Error &error);
    void backOff(qint64 leastUs);
    void waitUntilDue();
    SendContext context() const;

    const config::ReceiverSettings m_receiver;
    const QString m_agent;
    Outbox &m_outbox;
    const base::Clock &m_clock;
    SenderThread m_sender;
    QTimer m_timer;
    bool m_active = false;
    quint64 m_tickets = 0;
    quint64 m_underWay = 0;       ///< the ticket of m_sent; 0: none is under way
    QList<DueNotice> m_sent;      ///< under way
    QList<DueNotice> m_delivered; ///< delivered, but the outbox couldn't record it yet
    QHash<quint64, TestDone> m_tests;
    qint64 m_failures = 0;    ///< in a row
    qint64 m_notBeforeUs = 0; ///< monotonic
    qsizetype m_singly = 0;   ///< so many notices are sent one by one, because one of them was refused
    std::optional<qint64> m_failingSinceUs;
    base::Error m_error;
};

} // namespace lockkeeper::agent::alerts
