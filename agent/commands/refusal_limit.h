// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/commands/release_rules.h"
#include "agent/journal/audit/audit_log.h"
#include "shared/base/clock.h"

#include <QHash>
#include <QTimer>

namespace lockkeeper::agent::commands {

/**
 * Bounds what refused requests write into the audit, which nothing is deleted from: of each user a hundred a
 * minute. One entry tells how many more there were, once the minute is over. Lives in the main thread.
 */
class RefusalLimit : public QObject
{
    Q_OBJECT

public:
    static constexpr int kAMinute = 100;

    RefusalLimit(journal::AuditLog &audit, const base::Clock &clock, QObject *parent = nullptr);

    /** Whether this one is written; otherwise it has been counted. */
    bool take(const Asker &asker);
    /** The minute is over. */
    void sumUp();

private:
    struct Refused
    {
        Asker asker;
        int count = 0;
    };

    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    QHash<QString, Refused> m_refused; ///< by user, in this minute
    QTimer m_minute;
};

} // namespace lockkeeper::agent::commands
