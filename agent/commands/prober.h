// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/commands/audit_limit.h"
#include "agent/commands/release_rules.h"
#include "agent/commands/source_port.h"
#include "agent/journal/audit/audit_log.h"
#include "shared/base/clock.h"

#include <QObject>
#include <QSet>

#include <functional>
#include <memory>
#include <optional>

namespace lockkeeper::agent::commands {

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

    Prober(SourceDirectory &sources, journal::AuditLog &audit, const base::Clock &clock, AuditLimit &limit,
           QObject *parent = nullptr);

    void probe(const protocol::ProbeRequest &request, const Asker &asker, Done done);
    /** Audits the probe, and runs it only without a `refusal`. */
    void deny(const protocol::ProbeRequest &request, const Asker &asker,
              const std::optional<base::Error> &refusal, Done done);

private:
    struct ProbeJob;
    using JobPtr = std::shared_ptr<ProbeJob>;

    std::optional<base::Error> refusalOf(const protocol::ProbeRequest &request, const Asker &asker) const;
    void begun(const JobPtr &job, const base::Result<journal::ReleaseIntent> &intent);
    void reported(const JobPtr &job, const stores::ProbeReport &report);
    void answer(const JobPtr &job);

    SourceDirectory &m_sources;
    journal::AuditLog &m_audit;
    const base::Clock &m_clock;
    AuditLimit &m_limit;
    QSet<QString> m_running; ///< sources
};

} // namespace lockkeeper::agent::commands
