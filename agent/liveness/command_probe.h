// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/liveness/holder_probe.h"

#include <QProcess>

namespace lockkeeper::agent::liveness {

/**
 * Runs the administrator's program without a shell, with PATH alone in its environment and without input or
 * output. Exit code 0 is alive, 1 is dead, everything else unknown. Its session is killed as a whole at the
 * time limit.
 */
class CommandProbe final : public HolderProbe
{
    Q_OBJECT

public:
    CommandProbe(ProbeTarget target, Done done);
    ~CommandProbe() override;

protected:
    void begin() override;
    void abort() override;

private:
    void ended(int exitCode, QProcess::ExitStatus status);

    std::unique_ptr<QProcess> m_process;
};

} // namespace lockkeeper::agent::liveness
