// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/holder_probe.h"

#include "agent/liveness/command_probe.h"
#include "agent/liveness/kubernetes_probe.h"
#include "agent/liveness/process_probe.h"
#include "agent/liveness/redis_probe.h"
#include "agent/liveness/socket_probe.h"

#include <chrono>

namespace lockkeeper::agent::liveness {

using base::ErrorCode;
using domain::HolderEvidence;
using domain::HolderVerdict;
using domain::LivenessMethod;

HolderProbe::HolderProbe(ProbeTarget target, Done done) : m_target(std::move(target)), m_done(std::move(done))
{
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        finish({HolderVerdict::Unknown, HolderEvidence::TimedOut});
    });
}

void HolderProbe::start()
{
    m_limit.start(std::chrono::milliseconds(m_target.timeoutUs / 1'000));
    QMetaObject::invokeMethod(this, &HolderProbe::begin, Qt::QueuedConnection);
}

void HolderProbe::finish(const ProbeOutcome &outcome)
{
    if (m_isFinished)
        return;
    m_isFinished = true;
    m_limit.stop();
    abort();
    // Through the event loop: the caller may destroy this probe, whose socket or process is still signalling.
    QMetaObject::invokeMethod(
        this, [this, outcome] { std::exchange(m_done, {})(outcome); }, Qt::QueuedConnection);
}

void HolderProbe::fail(ErrorCode code, const QString &cause, const QString &remedy)
{
    finish({HolderVerdict::Unknown, HolderEvidence::Failed, std::nullopt, {code, cause, remedy}});
}

std::unique_ptr<HolderProbe> makeProbe(const ProbeTarget &target, const std::optional<AcquiredWhen> &acquired,
                                       HolderProbe::Done done)
{
    switch (target.method) {
    case LivenessMethod::Tcp:
    case LivenessMethod::Http:
        return std::make_unique<SocketProbe>(target, std::move(done));
    case LivenessMethod::Command:
        return std::make_unique<CommandProbe>(target, std::move(done));
    case LivenessMethod::Kubernetes:
        return std::make_unique<KubernetesProbe>(target, acquired, std::move(done));
    case LivenessMethod::Process:
        return std::make_unique<ProcessProbe>(target, acquired, std::move(done));
    case LivenessMethod::Redis:
        break;
    }
    return std::make_unique<RedisProbe>(target, std::move(done));
}

} // namespace lockkeeper::agent::liveness
