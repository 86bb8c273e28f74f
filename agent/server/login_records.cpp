// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/login_records.h"

#include "shared/base/random_id.h"

#include <utility>

namespace lockkeeper::agent::server {

namespace {

constexpr qint64 kHourUs = 3'600'000'000;
constexpr int kMostRefused = 200;
constexpr qsizetype kLongestName = 64;

} // namespace

LoginRecords::LoginRecords(journal::AuditLog &audit, const base::Clock &clock)
    : m_clock(clock), m_limit(audit, clock, QStringLiteral("%1 more logins within a minute"))
{
}

void LoginRecords::loggedIn(const access::Identity &identity, const QString &role, const QString &from)
{
    if (identity.way == access::Identity::LoginWay::Local)
        return;
    const domain::AuditEntry entry = entryOf(identity, role, from);
    if (m_limit.take(entry, domain::Outcome::LoggedIn))
        m_limit.write(entry, domain::Outcome::LoggedIn);
}

void LoginRecords::refused(const access::Identity &identity, const QString &from, const base::Error &why)
{
    const qint64 hour = m_clock.monotonicUs() / kHourUs;
    if (std::exchange(m_hour, hour) != hour)
        m_refused = 0;
    if (++m_refused <= kMostRefused)
        m_limit.write(entryOf(identity, {}, from), domain::Outcome::Refused, why.line());
}

domain::AuditEntry LoginRecords::entryOf(const access::Identity &identity, const QString &role,
                                         const QString &from) const
{
    domain::AuditEntry entry;
    entry.timeUs = m_clock.wallUs();
    entry.who = identity.user.left(kLongestName);
    entry.role = role;
    entry.key.scheme = domain::AuditEntry::kLogin;
    entry.key.place = from.toUtf8();
    entry.reason = access::wayName(identity.way);
    entry.command = base::randomId();
    return entry;
}

} // namespace lockkeeper::agent::server
