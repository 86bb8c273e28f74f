// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sets/registered_waiters.h"

namespace lockkeeper::stores::sql {

namespace {
constexpr int kMostWaiters = 10'000; ///< of all tables together; with more, the waiters are unknown
} // namespace

QString waitersTableStatement(Dialect dialect)
{
    QString statement =
        QStringLiteral("CREATE TABLE IF NOT EXISTS %1 (waiter VARCHAR(255) NOT NULL PRIMARY KEY, "
                       "place VARCHAR(255) NOT NULL, name TEXT NOT NULL, since_us BIGINT NOT "
                       "NULL, until_us BIGINT NOT NULL)")
            .arg(kWaitersTable);
    if (dialect == Dialect::MySql)
        statement += QLatin1String(" ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
    return statement;
}

base::Result<void> RegisteredWaiters::read()
{
    m_waiters.clear();
    m_known = false;
    auto rows =
        m_connection.query(QStringLiteral("SELECT place, name, waiter, since_us FROM %1 WHERE until_us > "
                                          "%2 ORDER BY since_us, waiter LIMIT %3")
                               .arg(kWaitersTable, QString::fromLatin1(nowUsSql(m_connection.dialect())))
                               .arg(kMostWaiters + 1));
    if (!rows)
        return tl::unexpected(rows.error());
    int count = 0;
    while (rows->next()) {
        ++count;
        const QByteArray name = rows->value(1).toString().toUtf8();
        if (rows->value(0).toString().toUtf8() == m_place && name.size() <= kLongestValue)
            m_waiters[name].append({rows->value(2).toString().toUtf8(), rows->value(3).toLongLong(), {}});
    }
    m_known = count <= kMostWaiters;
    return {};
}

void RegisteredWaiters::addTo(Observation &lock) const
{
    lock.waitersVisible = m_known;
    lock.waiters = m_known ? m_waiters.value(lock.name) : QList<domain::Waiter>();
}

} // namespace lockkeeper::stores::sql
