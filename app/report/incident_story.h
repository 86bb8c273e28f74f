// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_facts.h"
#include "app/words/time_format.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockkeeper::app::report {

/** Describes an incident in sentences, for a reader who doesn't know the product. Plain text. */
class IncidentStory
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::report::IncidentStory)

public:
    /** None is owned; they outlive it. */
    IncidentStory(const IncidentEvidence &evidence, const IncidentFacts &facts,
                  const words::TimeFormat &times)
        : m_evidence(evidence), m_facts(facts), m_times(times)
    {
    }

    /** The whole story: observation, holds, waits, the main hold, its end. */
    QStringList sentences() const;
    /** How much of the range was observed. */
    QString observed() const;
    /** "2026-11-20 02:51:13.402 UTC (or up to 500 ms earlier)". */
    QString moment(qint64 us, qint64 windowUs) const;
    /** The observed share of the range, rounded down: "93.1 %"; "unknown". */
    QString observedShare() const;
    /** The root of the chain: "6 · app@10.2.3.4:4711 · mysql", or the holder; empty: not known. */
    QString rootName() const;
    /** Why one gap exists; empty if that isn't known. */
    QString gapCause(const events::Interval &gap) const;
    /** The user, the approver and the reason of the release with this command; empty: not known. */
    QString whoReleased(const QByteArray &command) const;

private:
    QString held() const;
    QString waited() const;
    QString root() const;
    QString mainHold() const;
    QString end() const;
    QString provenEnd(const protocol::Hold &hold) const;
    QString approverOf(const QByteArray &command) const;
    QString brokenBy(const protocol::Hold &hold) const;
    QString attempts() const;

    const IncidentEvidence &m_evidence;
    const IncidentFacts &m_facts;
    const words::TimeFormat &m_times;
};

} // namespace lockkeeper::app::report
