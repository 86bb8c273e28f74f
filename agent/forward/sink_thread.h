// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/hub_batch.h"

#include <QDeadlineTimer>
#include <QObject>
#include <QThread>

#include <memory>

namespace lockkeeper::agent::forward {

/** The answer of a hub to one call. */
struct SinkAnswer
{
    base::Result<hub::Watermark> watermark;
};

/** Calls one hub in the thread in which it lives. */
class SinkWorker : public QObject
{
    Q_OBJECT

public:
    explicit SinkWorker(std::shared_ptr<hub::HubSink> sink) : m_sink(std::move(sink)) {}

    /** Both block; answered() follows. */
    void open(const hub::ForwardingAgent &agent) { Q_EMIT answered({m_sink->open(agent)}); }
    void write(const hub::HubBatch &batch) { Q_EMIT answered({m_sink->write(batch)}); }

Q_SIGNALS:
    void answered(const lockkeeper::agent::forward::SinkAnswer &answer);

private:
    const std::shared_ptr<hub::HubSink> m_sink;
};

/**
 * The thread in which one hub is called. Calls return at once; answered() follows each, in their order. The
 * destructor interrupts the call under way and waits until `endWithin()`; a thread that needs longer ends by
 * itself later.
 */
class SinkThread : public QObject
{
    Q_OBJECT

public:
    explicit SinkThread(std::unique_ptr<hub::HubSink> sink, QObject *parent = nullptr);
    ~SinkThread() override;

    void open(const hub::ForwardingAgent &agent);
    void write(const hub::HubBatch &batch);
    /** Interrupts the call under way; its answer may still follow. */
    void stop();
    void endWithin(QDeadlineTimer deadline) { m_deadline = deadline; }

Q_SIGNALS:
    void answered(const lockkeeper::agent::forward::SinkAnswer &answer);

private:
    const std::shared_ptr<hub::HubSink> m_sink;
    QThread *m_thread;    ///< deletes itself when it has ended
    SinkWorker *m_worker; ///< lives in the thread, which deletes it
    QDeadlineTimer m_deadline{0};
};

} // namespace lockkeeper::agent::forward
