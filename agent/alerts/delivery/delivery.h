// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/delivery/receiver_lane.h"

#include <map>
#include <memory>

namespace lockkeeper::agent::alerts {

/**
 * Delivers the notices of an outbox to the configured receivers. Each receiver has its own thread, so that a
 * failing one delays nobody. All calls belong to the thread of the outbox; the outbox is read and written
 * only there. Ends within 2 s; what isn't delivered by then stays in the outbox.
 */
class Delivery : public QObject
{
    Q_OBJECT

public:
    /** `agent`: its name, for the messages. `outbox` and `clock` must outlive the delivery. */
    Delivery(Outbox &outbox, const base::Clock &clock, QString agent, QObject *parent = nullptr);
    ~Delivery() override;

    /** Replaces the receivers. Unchanged ones go on. A changed receiver also gets again what it rejected; a
     * removed one loses its undelivered notices, and the log has their number. */
    void apply(const QList<config::ReceiverSettings> &receivers);
    /** Call it after each commit with notices. */
    void wake();
    /** A standby agent sends nothing; the attempts under way end as usual. False until the first call. */
    void setActive(bool active);
    /** Sends a test message, also while standby. `done` is called later, from this thread. Errors: NotFound,
     * Shutdown (the receiver is removed or changed), or those of the attempt. */
    void test(const QString &name, ReceiverLane::TestDone done);
    /** By their order in the configuration. */
    QList<protocol::AlertReceiver> receivers();

Q_SIGNALS:
    void receiverFailing(const QString &name, const lockkeeper::base::Error &error);
    void receiverRecovered(const QString &name);

private:
    void add(const config::ReceiverSettings &receiver);

    Outbox &m_outbox;
    const base::Clock &m_clock;
    const QString m_agent;
    bool m_active = false;
    QStringList m_order;
    std::map<QString, std::unique_ptr<ReceiverLane>> m_lanes;
};

} // namespace lockkeeper::agent::alerts
