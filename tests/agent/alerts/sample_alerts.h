// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/storage/alert_store.h"

namespace lockkeeper::tests {

/** An alert of "lock:ID" that fired on 29 November 2026 at 00:01, UTC. */
inline domain::Alert firedAlert(const QByteArray &id, qint64 firedUs = 1'795'910'460'000'000)
{
    domain::Alert alert;
    alert.id = id;
    alert.rule = QStringLiteral("stuck");
    alert.source = QStringLiteral("orders");
    alert.lock = {QStringLiteral("orders"), "redis.token", "db0", "lock:" + id};
    alert.holder = "worker-1";
    alert.firedUs = firedUs;
    alert.sinceUs = firedUs - 30 * base::kSecondUs;
    return alert;
}

/** The same after its end. */
inline domain::Alert overAlert(domain::Alert alert, qint64 afterUs = 420 * base::kSecondUs)
{
    alert.resolvedUs = alert.firedUs + afterUs;
    return alert;
}

} // namespace lockkeeper::tests
