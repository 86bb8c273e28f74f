// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/forward/sink_thread.h"

namespace lockkeeper::agent::forward {

SinkThread::SinkThread(std::unique_ptr<hub::HubSink> sink, QObject *parent)
    : QObject(parent), m_sink(std::move(sink)), m_thread(new QThread), m_worker(new SinkWorker(m_sink))
{
    m_worker->moveToThread(m_thread);
    connect(m_worker, &SinkWorker::answered, this, &SinkThread::answered, Qt::QueuedConnection);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    m_thread->setObjectName(QStringLiteral("forward"));
    m_thread->start();
}

SinkThread::~SinkThread()
{
    stop();
    if (m_thread->wait(m_deadline))
        delete m_thread;
}

void SinkThread::open(const hub::ForwardingAgent &agent)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, agent] { worker->open(agent); });
}

void SinkThread::write(const hub::HubBatch &batch)
{
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, batch] { worker->write(batch); });
}

void SinkThread::stop()
{
    m_sink->interrupt();
    m_thread->quit();
}

} // namespace lockkeeper::agent::forward
