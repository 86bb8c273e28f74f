// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/audit_limit.h"

#include "shared/base/random_id.h"

#include <QPointer>

#include <chrono>
#include <utility>

namespace lockkeeper::agent::release {

using namespace std::chrono_literals;

AuditLimit::AuditLimit(journal::AuditLog &audit, const base::Clock &clock, QString more, QObject *parent)
    : QObject(parent), m_audit(audit), m_clock(clock), m_more(std::move(more))
{
    m_minute.setSingleShot(true);
    m_minute.setInterval(1min);
    connect(&m_minute, &QTimer::timeout, this, &AuditLimit::sumUp);
}

bool AuditLimit::take(const domain::AuditEntry &entry, domain::Outcome outcome)
{
    if (!m_minute.isActive())
        m_minute.start();
    Counted &counted = m_counted[{entry.who, outcome}];
    counted.last = entry;
    return ++counted.count <= kAMinute;
}

std::optional<base::Error> AuditLimit::beginRefusal(const domain::AuditEntry &entry)
{
    if (take(entry, domain::Outcome::Pending))
        return {};
    return base::Error{base::ErrorCode::Busy,
                       QStringLiteral("rate limit reached: 100 discoveries and probes a minute"),
                       QStringLiteral("Try again in a minute.")};
}

void AuditLimit::write(const domain::AuditEntry &entry, domain::Outcome outcome, const QString &detail,
                       std::function<void(qint64)> done)
{
    m_audit.writeIntent(entry, [self = QPointer(this), outcome, detail,
                                done = std::move(done)](const base::Result<journal::ReleaseIntent> &intent) {
        if (self && intent)
            self->m_audit.writeOutcome(
                intent->auditId, outcome, detail,
                [done, id = intent->auditId](const base::Result<void> &) { done(id); });
        else
            done(0); // the journal reports its own failure
    });
}

void AuditLimit::sumUp()
{
    m_minute.stop();
    for (auto &[of, counted] : std::exchange(m_counted, {})) {
        if (counted.count <= kAMinute || of.second == domain::Outcome::Pending)
            continue; // requests that weren't begun were counted as refused
        counted.last.reason = m_more.arg(counted.count - kAMinute);
        counted.last.command = base::randomId();
        counted.last.timeUs = m_clock.wallUs();
        write(counted.last, of.second);
    }
}

} // namespace lockkeeper::agent::release
