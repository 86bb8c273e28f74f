// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/attempts/probe_run.h"
#include "shared/stores/redis/server/redis_store.h"

namespace lockkeeper::stores::redis {

void RedisStore::askMonitor(const ServerInfo &info)
{
    ProbeOrder order;
    order.forUs = 0;
    m_rights = makeProbe(order, &RedisStore::m_rights, [this, info](const ProbeReport &report) {
        ServerInfo all = info;
        const QString remedy = !report.error                    ? QString()
                               : report.error->remedy.isEmpty() ? report.error->cause
                                                                : report.error->remedy;
        all.access.append({"monitor", !report.error, true, remedy});
        m_ready = true;
        announce(all);
    });
    m_rights->start();
}

std::unique_ptr<ProbeRun> RedisStore::makeProbe(const ProbeOrder &order,
                                                std::unique_ptr<ProbeRun> RedisStore::*place, Probed done)
{
    return std::make_unique<ProbeRun>(
        m_connection.endpoint(), m_spec, order,
        [this, place, done = std::move(done)](const ProbeReport &report) {
            (this->*place).release()->deleteLater(); // it is the one that is calling
            done(report);
        });
}

void RedisStore::probe(const ProbeOrder &order, Probed done)
{
    ProbeReport refused;
    if (m_probe)
        refused.error =
            base::Error{base::ErrorCode::Busy, QStringLiteral("this source is being probed already"), {}};
    else if (!m_ready || !m_connection.isOpen())
        refused.error =
            base::Error{base::ErrorCode::Unreachable, QStringLiteral("the link to the server is down"), {}};
    if (refused.error) {
        QMetaObject::invokeMethod(
            this, [done, refused] { done(refused); }, Qt::QueuedConnection);
        return;
    }
    m_probe = makeProbe(order, &RedisStore::m_probe, std::move(done));
    m_probe->start();
}

} // namespace lockkeeper::stores::redis
