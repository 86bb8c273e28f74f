// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_log.h"
#include "agent/release/audit_limit.h"
#include "agent/release/release_rules.h"
#include "agent/release/source_port.h"
#include "shared/base/clock.h"

#include <QObject>
#include <QSet>

#include <functional>
#include <memory>
#include <optional>

namespace lockkeeper::agent::requests {

/**
 * The path of a probe: rules → durable intent → the store's look at its clients' commands → durable outcome →
 * answer. One probe at a time per source, and only if the source's configuration says `probe = true`. `limit`
 * bounds how many probes begin, and how many refused ones are audited. Lives in the main thread.
 */
class Prober : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const protocol::ProbeResult &)>;

    Prober(release::SourceDirectory &sources, journal::AuditLog &audit, const base::Clock &clock,
           release::AuditLimit &limit, QObject *parent = nullptr);

    void probe(const protocol::ProbeRequest &request, const release::Asker &asker, Done done);
    /** Audits the probe, and runs it only without a `refusal`. */
    void deny(const protocol::ProbeRequest &request, const release::Asker &asker,
              const std::optional<base::Error> &refusal, Done done);

private:
    struct ProbeJob;
    using JobPtr = std::shared_ptr<ProbeJob>;

    std::optional<base::Error> refusalOf(const protocol::ProbeRequest &request,
                                         const release::Asker &asker) const;
    void begun(const JobPtr &job, const base::Result<journal::ReleaseIntent> &intent);
    void reported(const JobPtr &job, const stores::ProbeReport &report);
    void answer(const JobPtr &job);

    release::SourceDirectory &m_sources;
    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    release::AuditLimit &m_limit;
    QSet<QString> m_running; ///< sources
};

} // namespace lockkeeper::agent::requests
