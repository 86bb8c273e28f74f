// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/config.h"

namespace lockkeeper::agent::application {

/**
 * `--stop`: ends the agent that serves on the configuration's first local socket, in order (SIGTERM), and
 * waits until it has let go of it. The process is the one that listens there, as the kernel tells it: no file
 * with a number in it can name a stranger. Blocking. An error where it is another user's, or doesn't end.
 */
base::Result<void> stopRunning(const config::Config &config);

} // namespace lockkeeper::agent::application
