// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/liveness/probe_target.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>

namespace lockkeeper::agent::liveness {

/** The result of a probe. */
struct ProbeOutcome
{
    domain::HolderVerdict verdict = domain::HolderVerdict::Unknown;
    domain::HolderEvidence evidence = domain::HolderEvidence::Failed;
    std::optional<qint64> number = std::nullopt; ///< see HolderCheck::number
    base::Error error = {};                      ///< of Failed
};

/** When the lock was acquired, by the agent's clock. A probe that compares times claims nothing without it.
 */
struct AcquiredWhen
{
    qint64 earliestUs = 0; ///< all errors of clocks included
    qint64 latestUs = 0;
};

/**
 * One asynchronous probe. It never blocks its thread, ends within the target's time limit, and calls back
 * exactly once; never from start(). Destroying it cancels it. Lives in the main thread.
 */
class HolderProbe : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const ProbeOutcome &)>;

    HolderProbe(ProbeTarget target, Done done);
    void start();

protected:
    virtual void begin() = 0;
    /** Ends what is under way; nothing may call finish() afterwards. */
    virtual void abort() = 0;
    const ProbeTarget &target() const { return m_target; }
    bool isFinished() const { return m_isFinished; }
    void finish(const ProbeOutcome &outcome);
    void fail(base::ErrorCode code, const QString &cause, const QString &remedy = {});

private:
    ProbeTarget m_target;
    Done m_done;
    QTimer m_limit;
    bool m_isFinished = false;
};

/** The probe for the target's method. */
std::unique_ptr<HolderProbe> makeProbe(const ProbeTarget &target, const std::optional<AcquiredWhen> &acquired,
                                       HolderProbe::Done done);

} // namespace lockkeeper::agent::liveness
