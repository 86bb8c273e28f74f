// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_log.h"
#include "agent/release/audit_limit.h"
#include "agent/release/release_rules.h"
#include "shared/base/clock.h"
#include "shared/stores/discover/discoverer.h"

#include <QHash>
#include <QObject>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace lockkeeper::agent::requests {

/**
 * The path of a discovery: rules → durable intent → the look through a store that no source names → durable
 * outcome → answer. The looks run in a separate thread, one at a time per session. A look ends after a time
 * limit, or when its session cancels it or ends. `limit` bounds how many looks begin, and how many refused
 * ones are audited. No password is audited or logged. Lives in the main thread.
 */
class DiscoveryRunner : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const protocol::DiscoverResult &)>;
    /** Called in the thread of the looks. */
    using Factory = std::function<base::Result<std::unique_ptr<stores::discover::Discoverer>>(
        const stores::SourceSpec &)>;

    DiscoveryRunner(journal::AuditLog &audit, const base::Clock &clock, release::AuditLimit &limit,
                    QObject *parent = nullptr);
    ~DiscoveryRunner() override;

    void discover(const protocol::DiscoverRequest &request, const release::Asker &asker, Done done,
                  const std::stop_token &takenBack = {});
    /** Audits the discovery, and runs it only without a `refusal`. */
    void deny(const protocol::DiscoverRequest &request, const release::Asker &asker,
              const std::optional<base::Error> &refusal, Done done, const std::stop_token &takenBack = {});

    /** Looks that have no outcome yet. */
    qsizetype pending() const { return m_jobs.size(); }

    // Tests replace these two.
    void setFactory(Factory factory) { m_makeDiscoverer = std::move(factory); }
    void setLimitMs(int ms) { m_limitMs = ms; }

private:
    struct DiscoveryJob;
    using JobPtr = std::shared_ptr<DiscoveryJob>;

    std::optional<base::Error> refusalOf(const protocol::DiscoverRequest &request,
                                         const release::Asker &asker) const;
    void begun(const JobPtr &job, const base::Result<journal::ReleaseIntent> &intent);
    void look(const JobPtr &job);
    /** Ends the job. The look, the time limit or the asker calls this; only the first call counts. */
    void ended(quint64 number, const base::Result<domain::discovery::Discovery> &found);
    void reported(const JobPtr &job, const base::Result<domain::discovery::Discovery> &found);

    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    release::AuditLimit &m_limit;
    Factory m_makeDiscoverer;
    int m_limitMs;
    QHash<quint64, JobPtr> m_jobs; ///< jobs that aren't refused, by number
    quint64 m_lastNumber = 0;
    QThread m_thread;
    QObject *m_inside; ///< lives in that thread, and owns the looks there
};

} // namespace lockkeeper::agent::requests
