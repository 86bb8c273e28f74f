// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/commands/audit_limit.h"
#include "agent/commands/release_rules.h"
#include "agent/journal/audit/audit_log.h"
#include "shared/base/clock.h"
#include "shared/stores/discover/discoverer.h"

#include <QHash>
#include <QObject>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace lockkeeper::agent::commands {

/**
 * The path of a discovery: rules → durable intent → the look through a store that no source names → durable
 * outcome → answer. The looks run in a thread of their own, one at a time a session, for a bounded time, and
 * end when the session takes them back or goes. `limit` bounds how many are begun, and how many of those that
 * are refused are audited as well; no password is, and none is logged. Lives in the main thread.
 */
class DiscoveryRunner : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const protocol::DiscoverResult &)>;
    /** Called in the thread of the looks. */
    using Factory = std::function<base::Result<std::unique_ptr<stores::discover::Discoverer>>(
        const stores::SourceSpec &)>;

    DiscoveryRunner(journal::AuditLog &audit, const base::Clock &clock, AuditLimit &limit,
                    QObject *parent = nullptr);
    ~DiscoveryRunner() override;

    void discover(const protocol::DiscoverRequest &request, const Asker &asker, Done done,
                  const std::stop_token &takenBack = {});
    /** Writes a discovery that never comes to be: denied before its handler. */
    void deny(const protocol::DiscoverRequest &request, const Asker &asker,
              const std::optional<base::Error> &refusal, Done done, const std::stop_token &takenBack = {});

    /** Looks that have no outcome yet. */
    qsizetype pending() const { return m_jobs.size(); }

    // Tests put others in their place.
    void setFactory(Factory factory) { m_makeDiscoverer = std::move(factory); }
    void setLimitMs(int ms) { m_limitMs = ms; }

private:
    struct Job;
    using JobPtr = std::shared_ptr<Job>;

    std::optional<base::Error> refusalOf(const protocol::DiscoverRequest &request, const Asker &asker) const;
    void begun(const JobPtr &job, const base::Result<journal::ReleaseIntent> &intent);
    void look(const JobPtr &job);
    /** Ends it, whoever comes first: the look, the limit, or the asker. */
    void ended(quint64 number, const base::Result<domain::discovery::Discovery> &found);
    void reported(const JobPtr &job, const base::Result<domain::discovery::Discovery> &found);

    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    AuditLimit &m_limit;
    Factory m_makeDiscoverer;
    int m_limitMs;
    QHash<quint64, JobPtr> m_jobs; ///< those that aren't refused, by a number of their own
    quint64 m_lastNumber = 0;
    QThread m_thread;
    QObject *m_inside; ///< lives in that thread, and owns the looks there
};

} // namespace lockkeeper::agent::commands
