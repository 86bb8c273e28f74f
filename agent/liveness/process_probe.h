// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/liveness/holder_probe.h"

namespace lockkeeper::agent::liveness {

/**
 * Looks for a process of this host, in the agent's own namespace of processes. Gone, or ended but not yet
 * collected by its parent, is dead. A process that started after the acquisition has the number by chance:
 * dead. A process that the agent may not look at is unknown. Linux.
 */
class ProcessProbe final : public HolderProbe
{
    Q_OBJECT

public:
    ProcessProbe(ProbeTarget target, std::optional<AcquiredWhen> acquired, Done done);

protected:
    void begin() override;
    void abort() override {}

private:
    std::optional<AcquiredWhen> m_acquired;
};

} // namespace lockkeeper::agent::liveness
