// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/liveness/bounded_get.h"
#include "agent/liveness/holder_probe.h"

namespace lockkeeper::agent::liveness {

/** The facts in the API's answer about a pod. */
struct PodReading
{
    ProbeOutcome outcome;
    QString node; ///< of a pod that seems to run: to be checked before `outcome` counts
};

/**
 * Judges the answer to GET …/pods/POD. Pure. Dead: no pod has this name; its containers have all ended; it
 * was created, or its running containers all started, after the acquisition (with a margin of 30 s for
 * clocks). Its deletion alone proves nothing: its containers may run until the end of their grace period.
 */
PodReading readPod(const BoundedGet::HttpAnswer &answer, const QString &pod,
                   const std::optional<AcquiredWhen> &acquired);
/** Judges the answer to GET /api/v1/nodes/NODE: `running` if the node reports. Pure. */
ProbeOutcome readNode(const BoundedGet::HttpAnswer &answer, const ProbeOutcome &running);

/** Asks a cluster's API about a pod, and about its node if the pod runs. */
class KubernetesProbe final : public HolderProbe
{
    Q_OBJECT

public:
    KubernetesProbe(ProbeTarget target, std::optional<AcquiredWhen> acquired, Done done);

protected:
    void begin() override;
    void abort() override;

private:
    void get(const QByteArray &path, std::function<void(const BoundedGet::HttpAnswer &)> taken);

    std::optional<AcquiredWhen> m_acquired;
    KubernetesAccess m_access;
    std::unique_ptr<BoundedGet> m_get;
};

} // namespace lockkeeper::agent::liveness
