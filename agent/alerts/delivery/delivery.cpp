// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/delivery.h"

#include <QLoggingCategory>

Q_LOGGING_CATEGORY(lcDelivery, "lockkeeper.alerts")

namespace lockkeeper::agent::alerts {

namespace {
constexpr int kEndMs = 2'000;
}

Delivery::Delivery(Outbox &outbox, const base::Clock &clock, QString agent, QObject *parent)
    : QObject(parent), m_outbox(outbox), m_clock(clock), m_agent(std::move(agent))
{
}

Delivery::~Delivery()
{
    const QDeadlineTimer deadline(kEndMs);
    for (const auto &[name, lane] : m_lanes)
        lane->stop(deadline);
}

void Delivery::apply(const QList<config::ReceiverSettings> &receivers)
{
    std::map<QString, std::unique_ptr<ReceiverLane>> before;
    before.swap(m_lanes);
    m_order.clear();
    for (const config::ReceiverSettings &receiver : receivers) {
        m_order.append(receiver.name);
        const auto same = before.find(receiver.name);
        if (same != before.end() && same->second->settings() == receiver)
            m_lanes.insert(before.extract(same));
    }
    before.clear(); // interrupts their attempts; the notices remain in the outbox
    for (const config::ReceiverSettings &receiver : receivers) {
        if (m_lanes.count(receiver.name) == 0)
            add(receiver);
    }
    const auto lost = m_outbox.retain({m_order.cbegin(), m_order.cend()});
    if (!lost)
        qCCritical(lcDelivery).noquote() << "the outbox can't be written:" << lost.error().line();
    else if (*lost > 0)
        qCWarning(lcDelivery) << "removed receivers didn't get" << *lost << "alerts";
    wake();
}

void Delivery::add(const config::ReceiverSettings &receiver)
{
    if (const auto requeued = m_outbox.requeue(receiver.name); !requeued)
        qCCritical(lcDelivery).noquote() << "the outbox can't be written:" << requeued.error().line();
    auto lane = std::make_unique<ReceiverLane>(receiver, m_agent, m_outbox, m_clock);
    connect(lane.get(), &ReceiverLane::failing, this, &Delivery::receiverFailing, Qt::QueuedConnection);
    connect(lane.get(), &ReceiverLane::recovered, this, &Delivery::receiverRecovered, Qt::QueuedConnection);
    lane->setActive(m_active);
    m_lanes[receiver.name] = std::move(lane);
}

void Delivery::wake()
{
    for (const auto &[name, lane] : m_lanes)
        lane->wake();
}

void Delivery::setActive(bool active)
{
    m_active = active;
    for (const auto &[name, lane] : m_lanes)
        lane->setActive(active);
}

void Delivery::test(const QString &name, ReceiverLane::TestDone done)
{
    const auto found = m_lanes.find(name);
    if (found != m_lanes.end())
        return found->second->test(std::move(done));
    const base::Error error{
        base::ErrorCode::NotFound, QStringLiteral("no receiver is named \"%1\"").arg(name),
        m_order.isEmpty() ? QStringLiteral("Add a [[receiver]] to the configuration")
                          : QStringLiteral("Use one of: %1").arg(m_order.join(QLatin1String(", ")))};
    QMetaObject::invokeMethod(
        this, [done = std::move(done), error] { done(tl::unexpected(error)); }, Qt::QueuedConnection);
}

QList<protocol::AlertReceiver> Delivery::receivers()
{
    const auto backlogs = m_outbox.backlogs();
    if (!backlogs)
        qCCritical(lcDelivery).noquote() << "the outbox can't be read:" << backlogs.error().line();
    QList<protocol::AlertReceiver> list;
    for (const QString &name : std::as_const(m_order))
        list.append(m_lanes.at(name)->state(backlogs ? backlogs->value(name) : ReceiverBacklog()));
    return list;
}

} // namespace lockkeeper::agent::alerts
