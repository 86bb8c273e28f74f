// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/delivery/delivery.h"
#include "agent/alerts/storage/alert_store.h"
#include "shared/protocol/messages.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>

namespace lockkeeper::agent::requests {

/**
 * The store of the alerts and their deliveries, in their own thread. Every function may be called from
 * the main thread; but for open() and close() it returns at once, and the calls are carried out in order. The
 * signals are emitted in the worker's thread.
 */
class AlertWorker : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const base::Result<void> &)>;

    /** `agent`: its name, for the messages. `clock` must outlive the worker. */
    AlertWorker(const base::Clock &clock, QString agent);
    ~AlertWorker() override;

    /** Blocks while the file is opened and read. */
    base::Result<alerts::StoredAlerts> open(const QString &path);
    void apply(const QList<config::ReceiverSettings> &receivers);
    /** Asks for receiversChanged(). */
    void look();
    void setActive(bool active);
    /** If the disk fails, the alerts are kept and saved with the next ones. */
    void commit(const QList<domain::Alert> &changes, const QList<alerts::Notice> &notices, quint64 cursor);
    /** Calls `done` in the thread of `context`, unless it was destroyed. */
    void test(const QString &receiver, QObject *context, const Done &done);
    /** Saves what is kept and ends the deliveries. Blocks for two seconds at most. */
    void close();

Q_SIGNALS:
    /** These are durable now. */
    void saved(const QList<lockkeeper::domain::Alert> &alerts);
    void receiversChanged(const QList<lockkeeper::protocol::AlertReceiver> &receivers);

private:
    void post(std::function<void()> work);
    void saveKept();
    void showReceivers();

    const base::Clock &m_clock;
    const QString m_agent;
    std::unique_ptr<alerts::AlertStore> m_store;
    std::unique_ptr<alerts::Delivery> m_delivery;
    QList<domain::Alert> m_changes; ///< not saved yet
    QList<alerts::Notice> m_notices;
    quint64 m_cursor = 0;
};

} // namespace lockkeeper::agent::requests
