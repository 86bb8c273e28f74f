// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/delivery/alert_sender.h"

#include <QDeadlineTimer>
#include <QObject>
#include <QThread>

namespace lockkeeper::agent::alerts {

/** Has the sender of one receiver, which it makes in its thread. */
class SenderWorker : public QObject
{
    Q_OBJECT

public:
    SenderWorker(config::ReceiverSettings receiver, std::shared_ptr<base::Interrupt> interrupt);

    /** Blocks; finished() answers. After the interrupt it does nothing. */
    void send(quint64 ticket, const QList<DueNotice> &notices, const SendContext &context);

Q_SIGNALS:
    void finished(quint64 ticket, const lockkeeper::agent::alerts::SendOutcome &outcome);

private:
    const config::ReceiverSettings m_receiver;
    const std::shared_ptr<base::Interrupt> m_interrupt; ///< outlives the sender
    std::unique_ptr<AlertSender> m_sender;
};

/**
 * The thread in which messages to one receiver are sent. Its calls return at once; finished() answers each
 * send(), in their order. The destructor interrupts the attempt under way and waits until `endWithin()`; a
 * thread that needs longer ends by itself later.
 */
class SenderThread : public QObject
{
    Q_OBJECT

public:
    explicit SenderThread(const config::ReceiverSettings &receiver, QObject *parent = nullptr);
    ~SenderThread() override;

    void send(quint64 ticket, const QList<DueNotice> &notices, const SendContext &context);
    /** Interrupts the attempt under way. No answers follow. */
    void stop();
    void endWithin(QDeadlineTimer deadline) { m_deadline = deadline; }

Q_SIGNALS:
    void finished(quint64 ticket, const lockkeeper::agent::alerts::SendOutcome &outcome);

private:
    QThread *m_thread;      ///< deletes itself when it has ended
    SenderWorker *m_worker; ///< lives in the thread, which deletes it
    std::shared_ptr<base::Interrupt> m_interrupt;
    QDeadlineTimer m_deadline{0};
};

} // namespace lockkeeper::agent::alerts
