// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/seats.h"

#include "shared/base/text.h"

namespace lockkeeper::agent::server {

using base::ErrorCode;

base::Result<Seats::Place> Seats::take(const QString &user, const QString &machine, bool isAdmin)
{
    const QString kind = machine.isEmpty() ? QStringLiteral("local") : QStringLiteral("net");
    const QString byUser = kind + QLatin1Char('/') + user;
    const QString byMachine = QLatin1Char('@') + machine;
    const QString remedy = QStringLiteral("End some of them");
    if (m_taken.value(byUser) >= m_limits.user)
        return base::failure(
            ErrorCode::Busy,
            QStringLiteral("%1 has %2 sessions already").arg(base::displayText(user)).arg(m_limits.user),
            remedy);
    if (!machine.isEmpty() && m_taken.value(byMachine) >= m_limits.machine)
        return base::failure(ErrorCode::Busy,
                             QStringLiteral("%1 has %2 sessions already")
                                 .arg(base::displayText(machine))
                                 .arg(m_limits.machine),
                             remedy);
    if (m_taken.value(kind) >= m_limits.all - (isAdmin ? 0 : m_limits.reserved))
        return base::failure(ErrorCode::Busy,
                             QStringLiteral("the agent has %1 sessions already").arg(m_taken.value(kind)),
                             remedy);
    const QStringList counts =
        machine.isEmpty() ? QStringList{kind, byUser} : QStringList{kind, byUser, byMachine};
    for (const QString &count : counts)
        ++m_taken[count];
    return Place(nullptr, [this, counts](void *) {
        for (const QString &count : counts) {
            if (--m_taken[count] == 0)
                m_taken.remove(count);
        }
    });
}

} // namespace lockkeeper::agent::server
