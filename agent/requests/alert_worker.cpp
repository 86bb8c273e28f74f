// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/requests/alert_worker.h"

#include <QLoggingCategory>
#include <QTimer>

#include <chrono>

namespace lockkeeper::agent::requests {

Q_LOGGING_CATEGORY(lcAlertStore, "lockkeeper.alerts.store")

using namespace std::chrono_literals;

namespace {

constexpr auto kSaveAgain = 5s;

} // namespace

AlertWorker::AlertWorker(const base::Clock &clock, QString agent) : m_clock(clock), m_agent(std::move(agent))
{
}

AlertWorker::~AlertWorker() = default;

void AlertWorker::post(std::function<void()> work)
{
    QMetaObject::invokeMethod(this, std::move(work), Qt::QueuedConnection);
}

base::Result<alerts::StoredAlerts> AlertWorker::open(const QString &path)
{
    base::Result<alerts::StoredAlerts> stored;
    const auto work = [this, &path, &stored] {
        m_store = std::make_unique<alerts::AlertStore>(m_clock);
        if (const auto opened = m_store->open(path); !opened) {
            stored = tl::unexpected(opened.error());
            return;
        }
        stored = m_store->load();
        m_delivery = std::make_unique<alerts::Delivery>(m_store->outbox(), m_clock, m_agent);
        connect(m_delivery.get(), &alerts::Delivery::receiverFailing, this, &AlertWorker::showReceivers);
        connect(m_delivery.get(), &alerts::Delivery::receiverRecovered, this, &AlertWorker::showReceivers);
    };
    QMetaObject::invokeMethod(this, work, Qt::BlockingQueuedConnection);
    return stored;
}

void AlertWorker::apply(const QList<config::ReceiverSettings> &receivers)
{
    post([this, receivers] {
        m_delivery->apply(receivers);
        showReceivers();
    });
}

void AlertWorker::look()
{
    post([this] { showReceivers(); });
}

void AlertWorker::showReceivers()
{
    if (m_delivery)
        Q_EMIT receiversChanged(m_delivery->receivers());
}

void AlertWorker::setActive(bool active)
{
    post([this, active] { m_delivery->setActive(active); });
}

void AlertWorker::commit(const QList<domain::Alert> &changes, const QList<alerts::Notice> &notices,
                         quint64 cursor)
{
    post([this, changes, notices, cursor] {
        m_changes += changes;
        m_notices += notices;
        m_cursor = cursor;
        saveKept();
    });
}

void AlertWorker::saveKept()
{
    if (m_changes.isEmpty() && m_notices.isEmpty())
        return;
    if (const auto saved = m_store->commit(m_changes, m_notices, m_cursor); !saved) {
        qCCritical(lcAlertStore).noquote() << "alerts not saved yet:" << saved.error().line();
        QTimer::singleShot(kSaveAgain, this, &AlertWorker::saveKept);
        return;
    }
    m_notices.clear();
    Q_EMIT saved(std::exchange(m_changes, {}));
    m_delivery->wake();
}

void AlertWorker::test(const QString &receiver, QObject *context, const Done &done)
{
    post([this, receiver, guard = QPointer<QObject>(context), context, done] {
        m_delivery->test(receiver, [guard, context, done](const base::Result<void> &result) {
            if (guard)
                QMetaObject::invokeMethod(
                    context, [done, result] { done(result); }, Qt::QueuedConnection);
        });
    });
}

void AlertWorker::close()
{
    const auto work = [this] {
        if (m_store && m_delivery)
            saveKept();
        m_delivery.reset();
        m_store.reset();
    };
    QMetaObject::invokeMethod(this, work, Qt::BlockingQueuedConnection);
}

} // namespace lockkeeper::agent::requests
