// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/login_records.h"

#include "shared/base/random_id.h"

namespace lockkeeper::agent::server {

namespace {

constexpr qint64 kHourUs = 3'600'000'000;
constexpr int kMostRefused = 200;
constexpr qsizetype kLongestName = 64;

} // namespace

void LoginRecords::loggedIn(const access::Identity &identity, const QString &role, const QString &from)
{
    if (identity.way != access::Identity::Way::Local)
        write(identity, role, from, domain::Outcome::LoggedIn, {});
}

void LoginRecords::refused(const access::Identity &identity, const QString &from, const base::Error &why)
{
    const qint64 hour = m_clock.monotonicUs() / kHourUs;
    if (std::exchange(m_hour, hour) != hour)
        m_refused = 0;
    if (++m_refused <= kMostRefused)
        write(identity, {}, from, domain::Outcome::Refused, why.line());
}

void LoginRecords::write(const access::Identity &identity, const QString &role, const QString &from,
                         domain::Outcome outcome, const QString &detail)
{
    domain::AuditEntry entry;
    entry.timeUs = m_clock.wallUs();
    entry.who = identity.user.left(kLongestName);
    entry.role = role;
    entry.key.scheme = domain::AuditEntry::kLogin;
    entry.key.place = from.toUtf8();
    entry.reason = access::wayName(identity.way);
    entry.command = base::randomId();
    m_audit.writeIntent(entry, [this, outcome, detail](const base::Result<journal::ReleaseIntent> &intent) {
        if (intent) // else the journal says by itself that it fails
            m_audit.writeOutcome(intent->auditId, outcome, detail, [](const base::Result<void> &) {});
    });
}

} // namespace lockkeeper::agent::server
