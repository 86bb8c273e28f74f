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

namespace lockkeeper::agent::release {

/**
 * Bounds what users write into the audit by one kind of request, since nothing is deleted from the audit.
 * Each user gets a hundred entries of each outcome per minute. After the minute, one entry reports how many
 * more there were. Lives in the main thread.
 */
class AuditLimit : public QObject
{
    Q_OBJECT

public:
    static constexpr int kAMinute = 100;

    /** `more`: the reason of the entry that sums up the rest; %1 stands for their number. */
    AuditLimit(journal::AuditLog &audit, const base::Clock &clock, QString more, QObject *parent = nullptr);

    /** Counts an entry for its user (`who`) and this outcome. Returns whether it may be written; if not,
     * sumUp() reports it. */
    bool take(const domain::AuditEntry &entry, domain::Outcome outcome);
    /** Returns an error if the entry's user (`who`) may not start another discovery or probe: both together
     * are limited to a hundred a minute. The caller refuses the request, and the refusal is audited. */
    std::optional<base::Error> beginRefusal(const domain::AuditEntry &entry);
    /** Writes an intent and its outcome; `done` gets the intent's number, or 0 if it wasn't written. */
    void write(
        const domain::AuditEntry &entry, domain::Outcome outcome, const QString &detail = {},
        std::function<void(qint64)> done = [](qint64) {});
    /** Ends the minute, and writes an entry for each outcome that exceeded its limit. */
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

} // namespace lockkeeper::agent::release
