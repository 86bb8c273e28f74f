// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/waiter_register.h"

#include "shared/stores/sql/sets/registered_waiters.h"

#include <chrono>

namespace lockkeeper::locks::sql {

using namespace stores::sql;
using namespace stores;

namespace {
constexpr std::chrono::minutes kTidyEvery(1);
} // namespace

base::Result<void> WaiterRegister::announce(const QByteArray &place, const QByteArray &name,
                                            const QList<AnnouncedWaiter> &waiters, qint64 forUs)
{
    const Dialect dialect = m_connection.dialect();
    const QString now = QString::fromLatin1(nowUsSql(dialect));
    const QString statement =
        QStringLiteral(
            "INSERT INTO %1 (waiter, place, name, since_us, until_us) VALUES (?, ?, ?, %2 - %3, %2 + %4) ")
            .arg(kWaitersTable, now) +
        (dialect == Dialect::MySql
             ? QLatin1String("ON DUPLICATE KEY UPDATE until_us = VALUES(until_us)")
             : QLatin1String("ON CONFLICT (waiter) DO UPDATE SET until_us = excluded.until_us"));
    for (const AnnouncedWaiter &waiter : waiters) {
        const auto written = m_connection.query(
            statement.arg(waiter.waitedUs).arg(forUs),
            {QString::fromUtf8(waiter.id), QString::fromUtf8(place), QString::fromUtf8(name)});
        if (!written) {
            base::Error error = written.error();
            if (error.code != base::ErrorCode::PermissionDenied && !base::isTransient(error.code))
                error.remedy = QStringLiteral("Where there is no such table, this creates it: %1;")
                                   .arg(waitersTableStatement(dialect));
            return tl::unexpected(error);
        }
    }
    if (m_tidy.hasExpired()) {
        m_tidy.setRemainingTime(kTidyEvery);
        const auto tidied = m_connection.query(
            QStringLiteral("DELETE FROM %1 WHERE until_us < %2 - 60000000").arg(kWaitersTable, now));
        Q_UNUSED(tidied) // another client will do it
    }
    return {};
}

void WaiterRegister::withdraw(const QByteArray &id)
{
    const auto removed = m_connection.query(
        QStringLiteral("DELETE FROM %1 WHERE waiter = ?").arg(kWaitersTable), {QString::fromUtf8(id)});
    Q_UNUSED(removed) // the entry expires soon anyway
}

} // namespace lockkeeper::locks::sql
