// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"

namespace lockkeeper::agent::application {

/**
 * `--stop`: ends the agent that serves on the configuration's first local socket, in order (SIGTERM), and
 * waits until its process has ended. The kernel names the process that listens there, so that, unlike with a
 * PID file, no other process can be hit. Blocking. Fails if the agent belongs to another user, or doesn't
 * end.
 */
base::Result<void> stopRunning(const config::Config &config);

} // namespace lockkeeper::agent::application
