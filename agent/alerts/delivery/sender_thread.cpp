// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/sender_thread.h"

namespace lockkeeper::agent::alerts {

SenderWorker::SenderWorker(config::ReceiverSettings receiver, std::shared_ptr<base::Interrupt> interrupt)
    : m_receiver(std::move(receiver)), m_interrupt(std::move(interrupt))
{
}

void SenderWorker::send(quint64 ticket, const QList<DueNotice> &notices, const SendContext &context)
{
    if (m_interrupt->isRaised())
        return;
    if (!m_sender)
        m_sender = makeSender(m_receiver, *m_interrupt);
    const SendOutcome outcome = m_sender->send(notices, context);
    if (!m_interrupt->isRaised())
        Q_EMIT finished(ticket, outcome);
}

SenderThread::SenderThread(const config::ReceiverSettings &receiver, QObject *parent)
    : QObject(parent), m_thread(new QThread), m_interrupt(std::make_shared<base::Interrupt>())
{
    m_worker = new SenderWorker(receiver, m_interrupt);
    m_worker->moveToThread(m_thread);
    connect(m_worker, &SenderWorker::finished, this, &SenderThread::finished, Qt::QueuedConnection);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    m_thread->setObjectName(QStringLiteral("alerts"));
    m_thread->start();
}

SenderThread::~SenderThread()
{
    stop();
    if (m_thread->wait(m_deadline))
        delete m_thread;
}

void SenderThread::send(quint64 ticket, const QList<DueNotice> &notices, const SendContext &context)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, ticket, notices, context] { worker->send(ticket, notices, context); });
}

void SenderThread::stop()
{
    m_interrupt->raise();
    m_thread->quit();
}

} // namespace lockkeeper::agent::alerts
