// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/commands/refusal_limit.h"

#include "shared/base/random_id.h"

#include <QPointer>

#include <chrono>
#include <utility>

namespace lockkeeper::agent::commands {

using namespace std::chrono_literals;

RefusalLimit::RefusalLimit(journal::AuditLog &audit, const base::Clock &clock, QObject *parent)
    : QObject(parent), m_audit(audit), m_clock(clock)
{
    m_minute.setSingleShot(true);
    m_minute.setInterval(1min);
    connect(&m_minute, &QTimer::timeout, this, &RefusalLimit::sumUp);
}

bool RefusalLimit::take(const Asker &asker)
{
    if (!m_minute.isActive())
        m_minute.start();
    Refused &refused = m_refused[asker.user()];
    refused.asker = asker;
    return ++refused.count <= kAMinute;
}

void RefusalLimit::sumUp()
{
    m_minute.stop();
    for (const Refused &refused : std::exchange(m_refused, {})) {
        if (refused.count <= kAMinute)
            continue;
        const QString what =
            QStringLiteral("%1 more refused requests within a minute").arg(refused.count - kAMinute);
        m_audit.writeIntent(intentOf(refused.asker, {}, what, base::randomId(), m_clock.wallUs()),
                            [self = QPointer(this)](const base::Result<journal::ReleaseIntent> &intent) {
                                if (self && intent) // else the journal says by itself that it fails
                                    self->m_audit.writeOutcome(intent->auditId, domain::Outcome::Refused, {},
                                                               [](const base::Result<void> &) {});
                            });
    }
}

} // namespace lockkeeper::agent::commands
