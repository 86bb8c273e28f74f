// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_log.h"
#include "shared/base/clock.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace lockkeeper::agent::commands {

/**
 * Bounds what users write into the audit by one kind of request, since nothing is deleted from it: of each
 * user a hundred entries of each outcome a minute. One entry tells how many more there were, once the minute
 * is over. Lives in the main thread.
 */
class AuditLimit : public QObject
{
    Q_OBJECT

public:
    static constexpr int kAMinute = 100;

    /** `more`: the reason of the entry for the rest, with %1 for how many. */
    AuditLimit(journal::AuditLog &audit, const base::Clock &clock, QString more, QObject *parent = nullptr);

    /** Whether an entry like this one, with that outcome, is written; otherwise it has been counted. The user
     * is its `who`. */
    bool take(const domain::AuditEntry &entry, domain::Outcome outcome);
    /** Why its `who` may not begin another look or probe: of these together, too, there are a hundred a
     * minute. What isn't begun is refused, and counted as that. */
    std::optional<base::Error> beginRefusal(const domain::AuditEntry &entry);
    /** Writes an intent and its outcome; `done` gets the intent's number, 0: it isn't written. */
    void write(
        const domain::AuditEntry &entry, domain::Outcome outcome, const QString &detail = {},
        std::function<void(qint64)> done = [](qint64) {});
    /** The minute is over. */
    void sumUp();

private:
    struct Counted
    {
        domain::AuditEntry last;
        int count = 0;
    };

    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    const QString m_more;
    std::map<std::pair<QString, domain::Outcome>, Counted> m_counted; ///< by user and outcome, in this minute
    QTimer m_minute;
};

} // namespace lockkeeper::agent::commands
