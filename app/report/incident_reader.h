// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_evidence.h"
#include "shared/base/result.h"

#include <QObject>

#include <functional>

namespace lockkeeper::app::report {

/**
 * Reads the evidence about one lock from its agent, one question after the other. Each question is bounded:
 * what a bound cuts off, the evidence names. A question that fails doesn't end the reading. Never blocks; on
 * the thread of its event loop.
 */
class IncidentReader : public QObject
{
    Q_OBJECT

public:
    static constexpr int kMostEvents = 2'000; ///< the newest are kept
    static constexpr int kMostAudit = 10'000; ///< entries read, about any lock

    /** Receives the answer or the error, once. */
    using Take = std::function<void(base::Result<protocol::Message>)>;
    /** Sends a question to the agent. Of a table in several pages, `Take` gets a single page with all locks.
     */
    using Ask = std::function<void(const protocol::Message &, Take)>;

    /** `evidence` has the lock, the range, the agent's name and `madeUs`. */
    IncidentReader(IncidentEvidence evidence, Ask ask, QObject *parent = nullptr);

    /** finished() follows. */
    void start();
    const IncidentEvidence &evidence() const { return m_evidence; }

Q_SIGNALS:
    void finished();

private:
    template <typename Page, typename Then>
    void ask(EvidencePart part, const protocol::Message &request, Then then);
    void askNext();
    void askTimeline();
    void askHolds();
    void askEvents(std::optional<quint64> beforeSeq);
    void askAudit(std::optional<qint64> beforeId);
    void takeAudit(const protocol::AuditPage &page);
    void askAlerts();
    void askAdvice();
    void askChains();

    IncidentEvidence m_evidence;
    Ask m_ask;
    int m_next = 0; ///< the next EvidencePart
    int m_auditRead = 0;
};

} // namespace lockkeeper::app::report
